// SPDX-License-Identifier: GPL-3.0-or-later
//
// When an alarm rings: a time of day, and the dates it rings on. Dates are walked and each is
// resolved afresh; nothing is ever added to an instant that was resolved before, which is how other
// clocks come to ring an hour off after a change of summer time. Next: `Alarm.swift`.

public struct Recurrence: Hashable, Sendable {
  public enum Dates: Hashable, Sendable {
    /// On these weekdays, every week. Never empty.
    case weekly(Set<Weekday>)
    case on(CivilDate)
    /// Once, at the first such time after the alarm was armed.
    case once
  }

  public var time: CivilTime
  public var dates: Dates
  /// Dates, in the alarm's own zone, on which it does not ring.
  public var except: Set<CivilDate>
  /// A fixed zone; nil: wherever the machine is.
  public var zone: String?

  public init(
    time: CivilTime, dates: Dates, except: Set<CivilDate> = [], zone: String? = nil
  ) {
    (self.time, self.dates, self.except, self.zone) = (time, dates, except, zone)
  }

  public var repeats: Bool {
    if case .weekly = dates { true } else { false }
  }
}

/// One ring of one alarm: the date it belongs to, and the instant.
public struct Occurrence: Hashable, Sendable {
  public var date: CivilDate
  public var due: Instant
  public var note: ZoneNote?
}

extension Recurrence {
  /// The first occurrence strictly later than `instant`, or nil where there is none.
  public func next(after instant: Instant, in zones: some ZoneRules) -> Occurrence? {
    let today = zones.civil(at: instant, in: zone).date
    switch dates {
    case .on(let date):
      guard !except.contains(date), let found = occurrence(on: date, zones) else { return nil }
      return found.due > instant ? found : nil
    case .weekly(let weekdays):
      return first(from: today, after: instant, zones) { weekdays.contains($0.weekday) }
    case .once:
      return first(from: today, after: instant, zones) { _ in true }
    }
  }

  private func first(
    from today: CivilDate, after instant: Instant, _ zones: some ZoneRules,
    where rings: (CivilDate) -> Bool
  ) -> Occurrence? {
    // A gap can push yesterday's 23:30 into today, so the walk begins a day early. It ends: within
    // any eight days there is a weekday that matches, and only the excepted ones and a date that a
    // zone left out do not count.
    for step in -1...(8 * (except.count + 2)) {
      let date = today.adding(days: step)
      guard rings(date), !except.contains(date) else { continue }
      if let found = occurrence(on: date, zones), found.due > instant { return found }
    }
    return nil
  }

  private func occurrence(on date: CivilDate, _ zones: some ZoneRules) -> Occurrence? {
    zones.resolve(CivilDateTime(date, time), in: zone)
      .map { Occurrence(date: date, due: $0.instant, note: $0.note) }
  }
}
