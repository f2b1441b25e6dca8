// SPDX-License-Identifier: GPL-3.0-or-later
//
// Civil time: dates, times of day and weekdays as people write them. This file also has `Instant`,
// a point in time. Nothing here knows a time zone or reads a clock. Next: `ZoneRules.swift`,
// which converts between civil times and instants.

/// A point in time: microseconds since 1970-01-01T00:00:00Z, leap seconds not counted (POSIX time).
public struct Instant: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }
  /// `seconds` is clamped to the range of `Instant`, about 292,000 years in each direction.
  public init(seconds: Int64) { microseconds = Duration.seconds(seconds).wholeMicroseconds }

  /// Whole seconds since the epoch, rounded towards the past.
  public var seconds: Int64 {
    microseconds.quotientRoundedDown(by: 1_000_000)
  }

  public static let distantFuture = Instant(microseconds: .max)
  public static let distantPast = Instant(microseconds: .min)

  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }

  /// The sum is clamped to the range of `Instant`, because a very long duration in some input must
  /// not trap.
  public static func + (a: Instant, d: Duration) -> Instant {
    Instant(microseconds: (.microseconds(a.microseconds) + d).wholeMicroseconds)
  }
  public static func - (a: Instant, d: Duration) -> Instant {
    Instant(microseconds: (.microseconds(a.microseconds) - d).wholeMicroseconds)
  }
  public static func - (a: Instant, b: Instant) -> Duration {
    .microseconds(a.microseconds) - .microseconds(b.microseconds)
  }
}

extension Duration {
  /// This duration in whole microseconds, rounded towards zero and clamped to the range of `Int64`.
  public var wholeMicroseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000) }
  /// This duration in whole seconds, rounded towards zero.
  public var wholeSeconds: Int64 { components.seconds }
  public var secondsRoundedUp: Int64 { (self + .microseconds(999_999)).wholeSeconds }
  public static func minutes(_ n: Int64) -> Duration { .seconds(n * 60) }
  public static func hours(_ n: Int64) -> Duration { .seconds(n * 3600) }
}

extension FixedWidthInteger {
  /// Returns the quotient, rounded towards negative infinity. `divisor` must be positive.
  func quotientRoundedDown(by divisor: Self) -> Self {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// A day of the week. The raw value is ISO 8601's: Monday is 1, Sunday is 7.
public enum Weekday: Int, CaseIterable, Hashable, Comparable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  public static func < (a: Weekday, b: Weekday) -> Bool { a.rawValue < b.rawValue }
}

/// A calendar day in the proleptic Gregorian calendar.
public struct CivilDate: Hashable, Comparable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Nil if the calendar has no such day, such as 2026-02-29, or if the year is not in 1...9999.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...CivilDate.daysIn(month: month, year: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date that lies this many days after 1970-01-01. The algorithm is Howard Hinnant's
  /// `civil_from_days`: it uses eras of 400 years that begin in March, so that the leap day is the
  /// last day of a year.
  public init(daysSinceEpoch: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = shifted.quotientRoundedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01, by Hinnant's `days_from_civil`.
  public var daysSinceEpoch: Int {
    let y = month <= 2 ? year - 1 : year
    let era = y.quotientRoundedDown(by: 400)
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    let index = daysSinceEpoch + 3 - (daysSinceEpoch + 3).quotientRoundedDown(by: 7) * 7
    guard let weekday = Weekday(rawValue: index + 1) else { fatalError("index is in 0...6") }
    return weekday
  }

  /// The first and the last date: 0001-01-01 and 9999-12-31.
  public static let earliest = CivilDate(daysSinceEpoch: -719_162)
  static let latest = CivilDate(daysSinceEpoch: 2_932_896)

  public func adding(days: Int) -> CivilDate { CivilDate(daysSinceEpoch: daysSinceEpoch + days) }

  public static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }

  public static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A time of day to the second, 00:00:00 to 23:59:59.
public struct CivilTime: Hashable, Comparable, Sendable {
  public let secondOfDay: Int

  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    secondOfDay = hour * 3600 + minute * 60 + second
  }

  init(secondOfDay: Int) { self.secondOfDay = secondOfDay }

  public static let midnight = CivilTime(secondOfDay: 0)

  public var hour: Int { secondOfDay / 3600 }
  public var minute: Int { secondOfDay / 60 % 60 }
  public var second: Int { secondOfDay % 60 }

  public static func < (a: CivilTime, b: CivilTime) -> Bool { a.secondOfDay < b.secondOfDay }
}

/// A date with a time of day, in no particular time zone.
public struct CivilDateTime: Hashable, Comparable, Sendable {
  public var date: CivilDate
  public var time: CivilTime

  public init(_ date: CivilDate, _ time: CivilTime) { (self.date, self.time) = (date, time) }

  /// Converts a local date and time, given in seconds since 1970-01-01 as if the zone were UTC.
  public init(localSeconds: Int64) {
    let days = localSeconds.quotientRoundedDown(by: 86_400)
    date = CivilDate(daysSinceEpoch: Int(days))
    time = CivilTime(secondOfDay: Int(localSeconds - days * 86_400))
  }
  public var localSeconds: Int64 { Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondOfDay) }

  public static func < (a: CivilDateTime, b: CivilDateTime) -> Bool {
    (a.date, a.time) < (b.date, b.time)
  }
}

// MARK: - Text in ISO 8601

extension CivilDate: CustomStringConvertible {
  public var description: String { "\(padded(year, 4))-\(padded(month))-\(padded(day))" }
}

extension CivilTime: CustomStringConvertible {
  public var description: String {
    "\(padded(hour)):\(padded(minute))" + (second == 0 ? "" : ":\(padded(second))")
  }
}

/// The number in decimal, with leading zeros up to `width` digits.
public func padded(_ number: Int, _ width: Int = 2) -> String {
  let digits = String(number.magnitude)
  return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count))
    + digits
}
