// SPDX-License-Identifier: GPL-3.0-or-later
//
// When an alarm rings: a time of day, and the dates it rings on. Dates are walked and each is
// resolved afresh; nothing is ever added to an instant that was resolved before, which is how other
// clocks come to ring an hour off after a change of summer time. Which days a rule names is in
// `RingDays.swift`. Next: `Alarm.swift`.

public struct Recurrence: Hashable, Sendable {
  public enum Dates: Hashable, Sendable {
    /// On these days of every week and month. Never empty.
    case days(Days)
    /// On these days of every nth week, month or year, or on the one that is counted from.
    indirect case every(Interval, Days)
    case on(CivilDate)
    /// Once, at the first such time after the alarm was armed.
    case once
  }

  public var time: CivilTime
  /// Where it is by the sun, when; `time` is midnight then, and means nothing.
  public var sun: SunTime?
  public var dates: Dates
  /// Dates, in the alarm's own zone, on which it does not ring.
  public var except: ExceptedDays
  /// The iCalendar files that name more such dates.
  public var calendars: [HolidayFile] = []
  /// The same of days on which it is paused, with others or alone.
  public var paused = ExceptedDays()
  /// A fixed zone; nil: wherever the machine is.
  public var zone: String?
  /// The first and the last day on which it may ring; nil: there is none.
  public var from: CivilDate?
  public var until: CivilDate?

  public init(
    time: CivilTime, dates: Dates, except: Set<CivilDate> = [], zone: String? = nil,
    from: CivilDate? = nil, until: CivilDate? = nil
  ) {
    (self.time, self.dates, self.zone) = (time, dates, zone)
    self.except = ExceptedDays(except.map { $0...$0 })
    (self.from, self.until) = (from, until)
  }

  public var repeats: Bool {
    switch dates {
    case .days, .every: true
    case .on, .once: false
    }
  }
}

/// Days, and whole ranges of them. A range costs no more than a day does.
public struct ExceptedDays: Hashable, Sendable {
  /// In order; none overlaps another.
  public private(set) var ranges: [ClosedRange<CivilDate>] = []

  public init(_ ranges: [ClosedRange<CivilDate>] = []) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        self.ranges[self.ranges.count - 1] =
          last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  public var isEmpty: Bool { ranges.isEmpty }
  public func contains(_ date: CivilDate) -> Bool { range(with: date) != nil }

  /// The range that `date` is in.
  public func range(with date: CivilDate) -> ClosedRange<CivilDate>? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < date { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(date) ? ranges[low] : nil
  }
}

/// A file whose days an alarm leaves out.
public struct HolidayFile: Hashable, Sendable {
  /// As the config calls it.
  public var name: String
  /// Those that it had when it was last read.
  public var days: ExceptedDays

  public init(_ name: String, _ days: ExceptedDays = ExceptedDays()) {
    (self.name, self.days) = (name, days)
  }
}

/// One ring of one alarm: the date it belongs to, and the instant.
public struct Occurrence: Hashable, Sendable {
  public var date: CivilDate
  public var due: Instant
  public var note: ZoneNote?
  /// When it would have been due, had the user not moved it.
  public var movedFrom: Instant?
}

extension Recurrence {
  /// The first occurrence strictly later than `instant`, or nil where there is none: what the rule
  /// names, but for the dates of `besides`, with `moves` in place of their dates.
  public func next(
    after instant: Instant, in zones: some ZoneRules, moves: Moves = [:],
    besides: ClosedRange<CivilDate>? = nil
  ) -> Occurrence? {
    let moved = firstMoved(moves, after: instant, besides, zones)
    func isMoved(_ day: CivilDate) -> Bool {
      moves[day].flatMap { self.moved(day, to: $0, zones) } != nil
    }
    // The only one that there is was moved.
    if !repeats, moves.keys.contains(where: isMoved) { return moved }
    // A gap can push yesterday's 23:30 into today, so the walk begins a day early. It ends: but for
    // what is over by then, only excepted dates and those that a zone left out do not count.
    var date = zones.civil(at: instant, in: zone).date.adding(days: -1)
    while let day = firstDay(from: date) {
      date = day.adding(days: 1)
      if let besides, besides.contains(day) {
        date = besides.upperBound.adding(days: 1)
        continue
      }
      guard !isMoved(day), let found = occurrence(on: day, zones), found.due > instant else {
        continue
      }
      if let moved, moved.due <= found.due { return moved }
      guard let range = exception(for: found, zones) else { return found }
      // What is due on the last of them may be pushed into the day after.
      date = max(date, range.upperBound)
    }
    return moved
  }

  /// Whether each of its days is excepted.
  public var isAllExcepted: Bool {
    var date = CivilDate.earliest
    while let day = firstDay(from: date) {
      guard let range = except.range(with: day) else { return false }
      date = range.upperBound.adding(days: 1)
    }
    return true
  }

  /// Whether the config leaves `date` out, itself or by a calendar.
  public func excepts(_ date: CivilDate) -> Bool {
    except.contains(date) || calendars.contains { $0.days.contains(date) }
  }

  /// Whether it can never ring, were nothing excepted.
  public var namesNoDay: Bool { firstDay(from: .earliest) == nil }

  /// The first day from `date` on that the rule names, were nothing excepted.
  func firstDay(from date: CivilDate) -> CivilDate? {
    guard let day = dates.first(from: max(date, from ?? date)) else { return nil }
    return day <= until ?? .latest ? day : nil
  }

  /// What is due on `date`; nil where the zone has no such date, or the sun no such time.
  func occurrence(on date: CivilDate, _ zones: some ZoneRules) -> Occurrence? {
    if let sun {
      return byTheSun(sun, on: date, zones)?.due.map { Occurrence(date: date, due: $0) }
    }
    return zones.resolve(CivilDateTime(date, time), in: zone)
      .map { Occurrence(date: date, due: $0.instant, note: $0.note) }
  }

  /// A gap may have pushed it into the day after its own: what counts is the day on which it would
  /// ring.
  func exception(
    for occurrence: Occurrence, _ zones: some ZoneRules
  ) -> ClosedRange<CivilDate>? {
    guard !except.isEmpty || !calendars.isEmpty || !paused.isEmpty else { return nil }
    let date = zones.civil(at: occurrence.due, in: zone).date
    let holiday = calendars.lazy.compactMap { $0.days.range(with: date) }.first
    return except.range(with: date) ?? holiday ?? paused.range(with: date)
  }
}
