// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts the days on which an alarm rings into words: `weekdays`, `every 2 weeks on Monday and
// Thursday`, `the last Friday of each month`. Next: `DateWording.swift`.

import Language
import Scheduling
import System

extension Wording {
  /// Returns the time at which an alarm with this rule rings: `07:30`, `sunrise`,
  /// `30 min before sunset`.
  public func time(_ rule: Recurrence) -> String {
    guard let sun = rule.sun else { return time(rule.time) }
    let event =
      switch sun.event {
      case .sunrise: tr("sunrise", context: "time")
      case .sunset: tr("sunset", context: "time")
      }
    if sun.offset == .zero { return event }
    return sun.offset < .zero
      ? tr("\(Self.span(.zero - sun.offset)) before \(event)", context: "time")
      : tr("\(Self.span(sun.offset)) after \(event)", context: "time")
  }

  /// Returns the days on which an alarm with this rule rings: `weekdays`, `Mon, Wed`, `24 Dec`,
  /// `once`. Adds the first day if it is in the future, and the last day if there is one.
  public func dates(_ rule: Recurrence, seenFrom today: CivilDate) -> String {
    if case .on(let date) = rule.dates { return Self.date(date, seenFrom: today) }
    let days = Self.days(rule.dates)
    let from = rule.from.flatMap { $0 > today ? Self.date($0, seenFrom: today) : nil }
    let until = rule.until.map { Self.date($0, seenFrom: today) }
    return switch (from, until) {
    case (nil, nil): days
    case (let from?, nil): tr("\(days), from \(from)")
    case (nil, let until?): tr("\(days), until \(until)")
    case (let from?, let until?): tr("\(days), from \(from) until \(until)")
    }
  }

  public static func days(_ dates: Recurrence.Dates) -> String {
    switch dates {
    case .once, .on: tr("once")
    case .days(let days) where !days.areOfMonth: brief(days.weekdays)
    case .days(let days) where days.weekdays.isEmpty: each(1, .months, inFull(days))
    case .days(let days): weekly(days, andMonthly: Days([], days.ordinals, days.monthDays))
    case .every(let interval, let days): every(interval, days)
    }
  }

  private static func weekly(_ days: Days, andMonthly others: Days) -> String {
    tr("\(inFull(Days(days.weekdays))), and \(each(1, .months, inFull(others)))")
  }

  private static func every(_ interval: Interval, _ days: Days) -> String {
    let (count, start) = (interval.count, interval.start)
    switch interval.unit {
    case .days: return each(count, .days)
    case .weeks:
      let weekdays = days.isEmpty ? [start.weekday] : days.weekdays
      let names = weekdays.sorted().map(longName)
      return count == 1
        ? brief(weekdays) : each(count, .weeks, named(weekdays) ?? and(names))
    case .months: return each(count, .months, days.isEmpty ? dayOfMonth(start) : inFull(days))
    case .years:
      let month = month(start)
      if !days.isEmpty {
        return each(count, .years, tr("\(inFull(days)) of \(month)", context: "day and month"))
      }
      // A yearly alarm on 29 February rings on the 28th in other years.
      return each(
        count, .years,
        start.month == 2 && start.day == 29
          ? tr("the last day of \(month)") : date(start, named: nil, seenFrom: start))
    }
  }

  /// Returns the words for the days `days` in every `count`th `unit`, such as
  /// `every 2 weeks on Monday`.
  private static func each(_ count: Int, _ unit: Interval.Unit, _ days: String = "") -> String {
    switch (unit, count) {
    case (.days, 1): tr("daily")
    case (.days, _): tr("every \(count) days")
    case (.weeks, _): tr("every \(count) weeks on \(days)")
    case (.months, 1): tr("\(days) of each month")
    case (.months, _): tr("\(days), every \(count) months")
    case (.years, 1): tr("\(days) every year")
    case (.years, _): tr("\(days), every \(count) years")
    }
  }

  /// Returns the day of the month of `date`, such as `the 15th`. In a month without this day, the
  /// alarm rings on the last day.
  private static func dayOfMonth(_ date: CivilDate) -> String { dayOfMonth(date.day) }

  private static func dayOfMonth(_ day: Int) -> String {
    switch day {
    case 1, 21: tr("the \(day)st")
    case 2, 22: tr("the \(day)nd")
    case 3, 23: tr("the \(day)rd")
    case 29, 30: tr("the \(day)th or the last day")
    case 31: tr("the last day")
    default: tr("the \(day)th")
    }
  }

  private static func name(_ day: Days.MonthDay) -> String {
    switch day {
    case .day(let number): dayOfMonth(number)
    case .last: tr("the last day")
    case .lastWeekday: tr("the last weekday")
    }
  }

  private static func brief(_ weekdays: Set<Weekday>) -> String {
    weekdays == Set(Weekday.allCases)
      ? tr("daily") : named(weekdays) ?? list(weekdays.sorted().map(name))
  }

  static func named(_ weekdays: Set<Weekday>) -> String? {
    switch weekdays {
    case [.saturday, .sunday]: tr("weekends")
    case Set(Weekday.allCases).subtracting([.saturday, .sunday]): tr("weekdays")
    default: nil
    }
  }

  /// Returns the days with their full names:
  /// `every Wednesday, the first Monday and the last Friday`.
  private static func inFull(_ days: Days) -> String {
    let plain =
      named(days.weekdays).map { [$0] }
      ?? days.weekdays.sorted().map { tr("every \(longName($0))") }
    return and(
      plain + days.ordinals.sorted().map { name($0) } + days.monthDays.sorted().map { name($0) })
  }

  private static func name(_ ordinal: Days.Ordinal) -> String {
    let weekday = longName(ordinal.weekday)
    return switch ordinal.place {
    case .first: tr("the first \(weekday)")
    case .second: tr("the second \(weekday)")
    case .third: tr("the third \(weekday)")
    case .fourth: tr("the fourth \(weekday)")
    case .fifth: tr("the fifth \(weekday)")
    case .last: tr("the last \(weekday)")
    }
  }

  /// Joins words to a list that ends with `and`: `Monday, Wednesday and Friday`.
  static func and(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return tr("\(list(Array(items.dropLast()))) and \(last)", context: "list")
  }

  public static func longName(_ weekday: Weekday) -> String {
    Locale.weekdayNames[weekday.rawValue - 1][0]
  }
}
