// SPDX-License-Identifier: GPL-3.0-or-later
//
// When an alarm rings: a time of day, and the dates on which it rings. Each date is converted to an
// instant of its own, because adding 24 hours to the previous ring would be an hour off after a
// change to summer time. `RingDays.swift` finds the days that a rule names. Next: `Alarm.swift`.

public struct Recurrence: Hashable, Sendable {
  public enum Dates: Hashable, Sendable {
    /// The alarm rings on these days of every week and every month. Never empty.
    case days(Days)
    /// The alarm rings on these days of every nth week, month or year. If no days are given, it
    /// rings on the day that `Interval.start` falls on.
    indirect case every(Interval, Days)
    case on(CivilDate)
    /// The alarm rings once: the first time that the clock shows the alarm's time after the alarm
    /// was armed.
    case once
  }

  public var time: CivilTime
  /// The sunrise or sunset at which the alarm rings, such as `sunrise - 30m`; `time` is then
  /// midnight and not used. Nil if the alarm rings at `time`.
  public var sun: SunTime?
  public var dates: Dates
  /// Dates, in the alarm's zone, on which the alarm does not ring.
  public var except: ExceptedDays
  /// The iCalendar files that name more dates on which the alarm does not ring.
  public var calendars: [HolidayFile] = []
  /// The days on which the alarm is paused, by any `[[pause]]` that applies to the alarm.
  public var paused = ExceptedDays()
  /// The time zone in which the alarm rings; nil: the machine's zone.
  public var zone: String?
  /// The first and the last day on which the alarm may ring; nil: no such limit.
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

/// A set of days, stored as ranges, so that a whole year takes as little memory as a single day.
public struct ExceptedDays: Hashable, Sendable {
  /// In order of date; no two ranges overlap.
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

  public func union(_ other: ExceptedDays) -> ExceptedDays { ExceptedDays(ranges + other.ranges) }

  public func subtracting(_ other: ExceptedDays) -> ExceptedDays {
    var (left, place) = ([ClosedRange<CivilDate>](), 0)
    for range in ranges {
      var begin = range.lowerBound
      while place < other.ranges.count, other.ranges[place].upperBound < begin { place += 1 }
      for hole in other.ranges[place...] {
        if hole.lowerBound > range.upperBound { break }
        if begin < hole.lowerBound { left.append(begin...hole.lowerBound.adding(days: -1)) }
        begin = hole.upperBound.adding(days: 1)
      }
      if begin <= range.upperBound { left.append(begin...range.upperBound) }
    }
    return ExceptedDays(left)
  }

  public func range(with date: CivilDate) -> ClosedRange<CivilDate>? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < date { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(date) ? ranges[low] : nil
  }
}

/// An iCalendar file on whose days an alarm does not ring.
public struct HolidayFile: Hashable, Sendable {
  public var name: String
  /// The time zone of the alarm, which decides on which days the events of the file are; nil for
  /// the machine's zone.
  public var zone: String?
  /// The days that the file named when it was last read.
  public var days: ExceptedDays
  /// If the file is a folder: its files that cannot be read now, with the days that they last
  /// named. `days` includes these days.
  public var unread: [HolidayFile]

  public init(
    _ name: String, in zone: String? = nil, _ days: ExceptedDays = ExceptedDays(),
    unread: [HolidayFile] = []
  ) {
    (self.name, self.zone, self.days, self.unread) = (name, zone, days, unread)
  }
}

/// One occurrence of an alarm: the date for which the rule sets it, and the moment at which it is
/// due.
public struct Occurrence: Hashable, Sendable {
  public var date: CivilDate
  public var due: Instant
  public var note: ZoneNote?
  /// When the occurrence would have been due if the user had not moved it.
  public var movedFrom: Instant?
}

extension Recurrence {
  /// Returns the first occurrence strictly later than `instant`; nil if there is none. Rings of
  /// dates in `moves` are due at their new times, and dates in `besides` are left out.
  public func next(
    after instant: Instant, in zones: some ZoneRules, moves: Moves = [:],
    besides: ClosedRange<CivilDate>? = nil
  ) -> Occurrence? {
    let moved = firstMoved(moves, after: instant, besides, zones)
    func isMoved(_ day: CivilDate) -> Bool {
      moves[day].flatMap { self.moved(day, to: $0, zones) } != nil
    }
    // A once-only alarm that was moved rings only at its new time. If that ring is excepted or
    // past, `moved` is nil, and the search goes on: an alarm without a date then rings at its own
    // time on a later day.
    if !repeats, let moved { return moved }
    // A gap in local time (clocks go forward) can push yesterday's 23:30 into today, so the search
    // begins a day early. It ends soon: it jumps over excepted days, and otherwise passes over only
    // dates that are past, moved, left out by the zone, or without a sunrise or sunset.
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
      // Continue with the last excepted day, not with the day after it. A gap can push the ring of
      // the excepted day into the next day, which is not excepted.
      date = max(date, range.upperBound)
    }
    return moved
  }

  /// Whether `except` in the config covers all days of the rule. For a rule with a single date, the
  /// days of calendar files count as well. They do not count for other rules, because the days in a
  /// calendar file end at some time, and the alarm rings after that.
  public var isExcepted: Bool {
    if case .on(let date) = dates { return excepts(date) }
    var date = CivilDate.earliest
    while let day = firstDay(from: date) {
      guard let range = except.range(with: day) else { return false }
      date = range.upperBound.adding(days: 1)
    }
    return true
  }

  /// Whether the config excepts `date`, either by `except` or by a calendar file.
  public func excepts(_ date: CivilDate) -> Bool {
    except.contains(date) || calendars.contains { $0.days.contains(date) }
  }

  /// Whether the rule names no day at all, so that the alarm can never ring, even without
  /// exceptions.
  public var namesNoDay: Bool { firstDay(from: .earliest) == nil }

  /// Returns the first day of the rule on or after `date`, between the alarm's first and last day.
  /// Excepted days count as well.
  public func firstDay(from date: CivilDate) -> CivilDate? {
    guard let day = dates.first(from: max(date, from ?? date)) else { return nil }
    return day <= until ?? .latest ? day : nil
  }

  /// Returns the occurrence of `date`; nil if the zone has no such date, or if the sun does not
  /// rise or set on it.
  func occurrence(on date: CivilDate, _ zones: some ZoneRules) -> Occurrence? {
    if let sun {
      return byTheSun(sun, on: date, zones)?.due.map { Occurrence(date: date, due: $0) }
    }
    return zones.resolve(CivilDateTime(date, time), in: zone)
      .map { Occurrence(date: date, due: $0.instant, note: $0.note) }
  }

  /// Returns the range of excepted or paused days in which `occurrence` would ring; nil if there is
  /// none. What counts is the day on which the occurrence is due: a gap in local time can push it
  /// into the day after `occurrence.date`.
  func exception(
    for occurrence: Occurrence, _ zones: some ZoneRules
  ) -> ClosedRange<CivilDate>? {
    guard !except.isEmpty || !calendars.isEmpty || !paused.isEmpty else { return nil }
    let date = zones.civil(at: occurrence.due, in: zone).date
    let holiday = calendars.lazy.compactMap { $0.days.range(with: date) }.first
    return except.range(with: date) ?? holiday ?? paused.range(with: date)
  }
}
