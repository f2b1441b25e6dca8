// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which days of the calendar a rule names: weekdays, the first Monday of a month, every third day.
// A day is found by reckoning and not by looking at one after the other, so that a rule which names
// a day in years, or none at all, costs little. It knows no zone. Next: `Recurrence.swift`.

/// Days of every week, and of every month by their weekday.
public struct Days: Hashable, Sendable {
  /// `1st mon`: a weekday's place in a month.
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

  public var weekdays: Set<Weekday>
  public var ordinals: Set<Ordinal>

  public init(_ weekdays: Set<Weekday> = [], _ ordinals: Set<Ordinal> = []) {
    (self.weekdays, self.ordinals) = (weekdays, ordinals)
  }

  public var isEmpty: Bool { weekdays.isEmpty && ordinals.isEmpty }

  public func union(_ other: Days) -> Days {
    Days(weekdays.union(other.weekdays), ordinals.union(other.ordinals))
  }
}

/// So many days, weeks, months or years.
public struct Interval: Hashable, Sendable {
  public enum Unit: String, CaseIterable, Hashable, Sendable { case days, weeks, months, years }

  /// At least 1, at most `most`.
  public var count: Int
  public var unit: Unit
  /// The day that it is counted from, and the first.
  public var start: CivilDate

  public static let most = 1000

  public init(_ count: Int, _ unit: Unit, from start: CivilDate) {
    precondition((1...Self.most).contains(count), "whoever reads it has checked it")
    (self.count, self.unit, self.start) = (count, unit, start)
  }
}

extension Recurrence.Dates {
  /// The first day from `date` on that the rule names; nil where there is none before the year
  /// 10000.
  func first(from date: CivilDate) -> CivilDate? {
    switch self {
    case .once: date
    case .on(let day): day >= date ? day : nil
    case .days(let days) where days.ordinals.isEmpty: days.firstInWeeks(from: date)
    case .days(let days): days.firstInMonths(from: date, each: 1, countedFrom: date)
    case .every(let interval, let days): interval.first(from: max(date, interval.start), days)
    }
  }
}

extension Interval {
  /// `date` is none before the start. Without `days` it is the day that is counted from.
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
      // What is not in that week any more is in the next that counts.
      return found.monday == begin.monday
        ? found : days.firstInWeeks(from: begin.adding(days: count * 7))
    case .months: return days.firstInMonths(from: date, each: count, countedFrom: start)
    case .years: return days.firstInMonths(from: date, each: count * 12, countedFrom: start)
    }
  }
}

extension Days {
  /// There is a weekday.
  fileprivate func firstInWeeks(from date: CivilDate) -> CivilDate {
    let today = date.weekday
    return date.adding(days: weekdays.map { $0.days(after: today) }.min() ?? 0)
  }

  /// In every nth month, beginning with that of `start`; without days, on the day of `start`
  /// or, where a month has none such, on its last.
  fileprivate func firstInMonths(
    from date: CivilDate, each step: Int, countedFrom start: CivilDate
  ) -> CivilDate? {
    var month = start.monthNumber + (date.monthNumber - start.monthNumber).roundedUp(to: step)
    // The calendar is the same again after 400 years, to the weekday: what no month of these has,
    // none has. One more, as of the first some days are past.
    for _ in 0...(4800 / greatestCommonDivisor(step, 4800)) {
      guard let begin = CivilDate(year: month / 12, month: month % 12 + 1, day: 1) else {
        return nil
      }
      let floor = date.monthNumber == month ? date.day : 1
      let day = isEmpty ? begin.day(like: start, from: floor) : first(in: begin, from: floor)
      if let day { return begin.adding(days: day - 1) }
      month += step
    }
    return nil
  }

  /// The first day no earlier than `floor` of the month that begins with `begin`.
  private func first(in begin: CivilDate, from floor: Int) -> Int? {
    let (first, length) = (begin.weekday, begin.daysInMonth)
    let plain = weekdays.map { weekday in
      let day = 1 + weekday.days(after: first)
      return max(day, day + (floor - day).roundedUp(to: 7))
    }
    return (plain + ordinals.map { $0.day(ofMonthBeginningOn: first, length) })
      .filter { floor <= $0 && $0 <= length }.min()
  }
}

extension Days.Ordinal {
  /// Later than the month is long, where it has no fifth.
  fileprivate func day(ofMonthBeginningOn first: Weekday, _ length: Int) -> Int {
    let earliest = 1 + weekday.days(after: first)
    return place == .last
      ? earliest + (length - earliest) / 7 * 7 : earliest + (place.rawValue - 1) * 7
  }
}

extension Weekday {
  fileprivate func days(after other: Weekday) -> Int { (rawValue - other.rawValue + 7) % 7 }
}

extension CivilDate {
  /// The Monday of its week, in days since the epoch.
  fileprivate var monday: Int { daysSinceEpoch - (weekday.rawValue - 1) }
  fileprivate var monthNumber: Int { year * 12 + month - 1 }
  fileprivate var daysInMonth: Int { Self.daysIn(month: month, year: year) }

  /// The day of `start` in this month, if it is no earlier than `floor`.
  fileprivate func day(like start: CivilDate, from floor: Int) -> Int? {
    let day = min(start.day, daysInMonth)
    return day >= floor ? day : nil
  }
}

extension Int {
  /// The least multiple of `step` that is no less.
  fileprivate func roundedUp(to step: Int) -> Int {
    -(-self).quotientRoundedDown(by: step) * step
  }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  b == 0 ? a : greatestCommonDivisor(b, a % b)
}
