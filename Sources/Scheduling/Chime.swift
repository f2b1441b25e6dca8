// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chime strikes whenever local clocks show one of its times. A stroke makes no notice and is not
// recorded, and a late stroke is dropped. If clocks go back and show a time twice, the chime
// strikes twice. If clocks go forward past a time, the chime does not strike at that time.
// `SoundActs.swift` in the agent decides whether a stroke would disturb someone.

/// `[[chime]]` of the config.
public struct Chime: Hashable, Sendable {
  /// The time between strokes, counted from midnight. An hour is a multiple of it (`15m`), or it is
  /// a number of whole hours (`2h`).
  public var every: Duration
  /// The hours in which the chime strikes, including `first` and `last`; nil: all hours. If `first`
  /// is later than `last`, the hours pass midnight.
  public var between: Hours?
  public var days: Days
  public var sounds: [String]

  public struct Hours: Hashable, Sendable {
    public var first, last: CivilTime

    public init(_ first: CivilTime, _ last: CivilTime) { (self.first, self.last) = (first, last) }
  }

  public init(
    every: Duration, between: Hours? = nil,
    days: Days = Days(Set(Weekday.allCases)), sounds: [String] = []
  ) {
    (self.every, self.between, self.days, self.sounds) = (every, between, days, sounds)
  }

  private static let lastSecond: Int64 = 86_399

  /// Whether any of the chime's times is within its hours. Between 09:10 and 09:50, an hourly chime
  /// never strikes.
  public var strikes: Bool { first(inDayFrom: 0) != nil }

  /// The first stroke later than `moment`, in the time zone of the machine; nil if there is none.
  public func next(after moment: Instant, in zones: some ZoneRules) -> Instant? {
    guard strikes else { return nil }
    var start = Instant(seconds: moment.seconds) + .seconds(1)
    while true {
      let interval = zones.interval(containing: start, in: nil)
      let offset = Int64(interval.offset)
      guard let local = first(from: start.seconds + offset) else { return nil }
      let stroke = Instant(seconds: local - offset)
      guard let end = interval.end, stroke >= end else { return stroke }
      start = end
    }
  }

  /// Returns the first of the chime's times at or after `local`. Argument and result are local
  /// dates and times, as seconds since 1970 computed as if the zone were UTC.
  private func first(from local: Int64) -> Int64? {
    var date = CivilDateTime(localSeconds: local).date
    var second = local - CivilDateTime(date, .midnight).localSeconds
    while let day = Recurrence.Dates.days(days).first(from: date) {
      if day > date { second = 0 }
      if let found = first(inDayFrom: second) {
        return CivilDateTime(day, .midnight).localSeconds + found
      }
      (date, second) = (day.adding(days: 1), 0)
    }
    return nil
  }

  private func first(inDayFrom second: Int64) -> Int64? {
    let step = every.wholeSeconds
    return spans.lazy.compactMap { span in
      let found = (max(second, span.lowerBound) + step - 1) / step * step
      return span.contains(found) ? found : nil
    }.min()
  }

  private var spans: [ClosedRange<Int64>] {
    guard let between else { return [0...Self.lastSecond] }
    let (first, last) = (Int64(between.first.secondOfDay), Int64(between.last.secondOfDay))
    return first <= last ? [first...last] : [0...last, first...Self.lastSecond]
  }
}

extension Schedule {
  public struct Stroke: Hashable, Sendable {
    public var at: Instant
    public var chime: Chime
  }

  /// Returns the chime to strike now; nil if no stroke is due, if it comes too late, or if it is
  /// due only in a time zone that the machine has just left.
  mutating func strike(at now: Now, _ clock: ClockChange, _ zones: some ZoneRules) -> Chime? {
    let due = stroke
    // If several chimes are due at once, the first in the config strikes.
    stroke = (now.wall.isPlausible ? chimes : []).compactMap { chime in
      chime.next(after: now.wall, in: zones).map { Stroke(at: $0, chime: chime) }
    }.min { $0.at < $1.at }
    guard !clock.isSet, let due, due.at <= now.wall, now.wall - due.at <= Self.strokeLateness,
      due.chime.next(after: due.at - .microseconds(1), in: zones) == due.at
    else { return nil }
    return due.chime
  }
}
