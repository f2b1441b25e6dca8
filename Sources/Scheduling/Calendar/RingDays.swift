// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the calendar days that a rule names, such as weekdays, the first Monday of a month, or
// every third day. The next day is computed and not searched day by day, so a rule that names a day
// only years ahead, or no day at all, costs little. Nothing here knows a time zone. Next:
// `Recurrence.swift`.

/// A set of days: weekdays (`mon`), weekdays of a month (`1st mon`), and other days of a month
/// (`15th`, `last weekday`).
public struct Days: Hashable, Sendable {
  /// A weekday's place in a month, such as `1st mon`.
  public struct Ordinal: Hashable, Comparable, Sendable {
    public enum Place: Int, CaseIterable, Hashable, Sendable {
      case first = 1
      case second, third, fourth, fifth, last
    }
    public var place: Place
    public var weekday: Weekday

    public init(_ place: Place, _ weekday: Weekday) {
      (self.place, self.weekday) = (place, weekday)
    }

    public static func < (a: Ordinal, b: Ordinal) -> Bool {
      (a.place.rawValue, a.weekday) < (b.place.rawValue, b.weekday)
    }
  }

  /// A day of a month that is not named by its weekday.
  public enum MonthDay: Hashable, Comparable, Sendable {
    /// The day with this number, 1 to 31. In a shorter month, the last day.
    case day(Int)
    /// The last day from Monday to Friday.
    case lastWeekday
    case last
  }

  public var weekdays: Set<Weekday>
  public var ordinals: Set<Ordinal>
  public var monthDays: Set<MonthDay>

  public init(
    _ weekdays: Set<Weekday> = [], _ ordinals: Set<Ordinal> = [], _ monthDays: Set<MonthDay> = []
  ) {
    (self.weekdays, self.ordinals, self.monthDays) = (weekdays, ordinals, monthDays)
  }

  public var isEmpty: Bool { weekdays.isEmpty && !areOfMonth }
  /// Whether some of the days are days of a month, such as `1st mon` or `15th`.
  public var areOfMonth: Bool { !ordinals.isEmpty || !monthDays.isEmpty }

  public func union(_ other: Days) -> Days {
    Days(
      weekdays.union(other.weekdays), ordinals.union(other.ordinals),
      monthDays.union(other.monthDays))
  }
}

public struct Interval: Hashable, Sendable {
  public enum Unit: String, CaseIterable, Hashable, Sendable { case days, weeks, months, years }

  /// Every how many units the alarm rings, such as 2 for every second week; from 1 to `most`.
  public var count: Int
  public var unit: Unit
  /// The day from which the days, weeks, months or years are counted. The alarm does not ring
  /// before it.
  public var start: CivilDate

  public static let most = 1000

  public init(_ count: Int, _ unit: Unit, from start: CivilDate) {
    precondition((1...Self.most).contains(count), "whoever reads it has checked it")
    (self.count, self.unit, self.start) = (count, unit, start)
  }
}

extension Recurrence.Dates {
  /// The first day on or after `date` that the rule names; nil if there is none before the year
  /// 10000.
  func first(from date: CivilDate) -> CivilDate? {
    switch self {
    case .once: date
    case .on(let day): day >= date ? day : nil
    case .days(let days) where !days.areOfMonth: days.firstInWeeks(from: date)
    case .days(let days): days.firstInMonths(from: date, each: 1, countedFrom: date)
    case .every(let interval, let days): interval.first(from: max(date, interval.start), days)
    }
  }
}

extension Interval {
  /// Returns the first day on or after `date` on which the alarm rings. `date` must not be before
  /// `start`. If `days` is empty, the weekday or the day of the month of `start` is used.
  fileprivate func first(from date: CivilDate, _ days: Days) -> CivilDate? {
    switch unit {
    case .days:
      let passed = date.daysSinceEpoch - start.daysSinceEpoch
      return start.adding(days: passed.roundedUp(to: count))
    case .weeks:
      let days = days.isEmpty ? Days([start.weekday]) : days
      let monday = start.monday
      let week = ((date.monday - monday) / 7).roundedUp(to: count)
      let begin = CivilDate(daysSinceEpoch: monday + week * 7)
      let found = days.firstInWeeks(from: max(date, begin))
      // If the rule names no day in the rest of this week, continue with the next week that counts.
      return found.monday == begin.monday
        ? found : days.firstInWeeks(from: begin.adding(days: count * 7))
    case .months: return days.firstInMonths(from: date, each: count, countedFrom: start)
    case .years: return days.firstInMonths(from: date, each: count * 12, countedFrom: start)
    }
  }
}

extension Days {
  /// The first day on or after `date` with one of `weekdays`, which must not be empty.
  fileprivate func firstInWeeks(from date: CivilDate) -> CivilDate {
    let today = date.weekday
    return date.adding(days: weekdays.map { $0.days(after: today) }.min() ?? 0)
  }

  /// Returns the first day on or after `date` in every `step`th month, counted from the month of
  /// `start`. If the rule names no weekdays, the day of the month is that of `start`, or the last
  /// day of a shorter month.
  fileprivate func firstInMonths(
    from date: CivilDate, each step: Int, countedFrom start: CivilDate
  ) -> CivilDate? {
    var month = start.monthNumber + (date.monthNumber - start.monthNumber).roundedUp(to: step)
    while let begin = CivilDate(year: month / 12, month: month % 12 + 1, day: 1) {
      let floor = date.monthNumber == month ? date.day : 1
      let day = isEmpty ? begin.day(like: start, from: floor) : first(in: begin, from: floor)
      if let day { return begin.adding(days: day - 1) }
      month += step
    }
    return nil
  }

  /// Returns the first day that the rule names in the month that begins with `begin`, on or after
  /// day `floor` of that month.
  private func first(in begin: CivilDate, from floor: Int) -> Int? {
    let (first, length) = (begin.weekday, begin.daysInMonth)
    let plain = weekdays.map { weekday in
      let day = 1 + weekday.days(after: first)
      return max(day, day + (floor - day).roundedUp(to: 7))
    }
    let numbered = monthDays.map { $0.day(ofMonthBeginningOn: first, length) }
    return (plain + ordinals.map { $0.day(ofMonthBeginningOn: first, length) } + numbered)
      .filter { floor <= $0 && $0 <= length }.min()
  }
}

extension Days.Ordinal {
  /// Returns on which day of the month this weekday falls, such as the second Tuesday. The result
  /// is greater than `length` if the month has no fifth weekday of that name.
  fileprivate func day(ofMonthBeginningOn first: Weekday, _ length: Int) -> Int {
    let earliest = 1 + weekday.days(after: first)
    return place == .last
      ? earliest + (length - earliest) / 7 * 7 : earliest + (place.rawValue - 1) * 7
  }
}

extension Days.MonthDay {
  fileprivate func day(ofMonthBeginningOn first: Weekday, _ length: Int) -> Int {
    switch self {
    case .day(let number): return min(number, length)
    case .last: return length
    case .lastWeekday:
      // How many days the last day is after a Friday: 1 for a Saturday, 2 for a Sunday.
      let behind = (first.rawValue + length - 2) % 7 - 4
      return length - max(0, behind)
    }
  }
}

extension Weekday {
  fileprivate func days(after other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}

extension CivilDate {
  fileprivate var monday: Int { daysSinceEpoch - (weekday.rawValue - 1) }
  fileprivate var monthNumber: Int { year * 12 + month - 1 }
  fileprivate var daysInMonth: Int { Self.daysIn(month: month, year: year) }

  /// Returns the day of the month that `start` has, or the last day of a shorter month; nil if the
  /// result is before `floor`.
  fileprivate func day(like start: CivilDate, from floor: Int) -> Int? {
    let day = min(start.day, daysInMonth)
    return day >= floor ? day : nil
  }
}

extension Int {
  /// The least multiple of `step` that is not less than this number.
  fileprivate func roundedUp(to step: Int) -> Int {
    -(-self).quotientRoundedDown(by: step) * step
  }
}
