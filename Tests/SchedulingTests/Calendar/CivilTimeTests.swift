// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the calendar, and the smallest and largest instants and durations.

import Scheduling
import Testing

@Suite("Civil time")
struct CivilTimeTests {
  @Test("Every day of 10,000 years follows the day before and converts to its number and back")
  func roundTrip() {
    var (year, month, day) = (1, 1, 1)
    var number = CivilDate("1-1-1").daysSinceEpoch
    #expect(number == -719_162)
    while year <= 9999 {
      let date = CivilDate(daysSinceEpoch: number)
      guard (date.year, date.month, date.day) == (year, month, day), date.daysSinceEpoch == number
      else {
        Issue.record("day \(number) is \(date), not \(year)-\(month)-\(day)")
        return
      }
      number += 1
      day += 1
      if CivilDate(year: year, month: month, day: day) == nil { (month, day) = (month + 1, 1) }
      if month == 13 { (year, month) = (year + 1, 1) }
    }
    #expect(number == 2_932_897)
  }

  @Test(
    "Each date has the right weekday",
    arguments: [
      ("1970-01-01", Weekday.thursday), ("2000-02-29", .tuesday), ("2024-02-29", .thursday),
      ("2026-01-01", .thursday), ("2026-11-23", .monday), ("1969-12-31", .wednesday),
      ("0001-01-01", .monday), ("9999-12-31", .friday),
    ])
  func weekdays(text: String, weekday: Weekday) {
    #expect(CivilDate(text).weekday == weekday)
    #expect(CivilDate(text).adding(days: 7).weekday == weekday)
    #expect(CivilDate(text).description == text)
  }

  @Test(
    "The calendar refuses days that do not exist",
    arguments: [
      (2026, 2, 29), (1900, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1),
      (2026, 1, 0), (0, 1, 1), (10_000, 1, 1), (.max, 1, 1), (2026, .min, .max),
    ])
  func noSuchDay(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test("29 February exists every four years, except in three of four centuries")
  func leapDays() {
    let leap = [1600, 1996, 2000, 2024, 2028, 2096, 2400]
    #expect(leap.allSatisfy { CivilDate(year: $0, month: 2, day: 29) != nil })
    #expect(CivilDate("2028-02-29").adding(days: 1) == CivilDate("2028-03-01"))
    #expect(CivilDate("2028-02-29").adding(days: 366) == CivilDate("2029-03-01"))
  }

  @Test(
    "Times of day",
    arguments: [
      (0, 0, 0, "00:00"), (7, 30, 0, "07:30"), (7, 30, 1, "07:30:01"), (23, 59, 59, "23:59:59"),
    ])
  func timesOfDay(hour: Int, minute: Int, second: Int, text: String) {
    let time = CivilTime(hour: hour, minute: minute, second: second)
    #expect(time?.description == text)
    #expect(time?.hour == hour && time?.minute == minute && time?.second == second)
  }

  @Test(
    "24:00, a 60th minute and a leap second are refused",
    arguments: [(24, 0, 0), (7, 60, 0), (7, 0, 60), (-1, 0, 0), (7, -1, 0), (7, 0, -1)])
  func noSuchTime(hour: Int, minute: Int, second: Int) {
    #expect(CivilTime(hour: hour, minute: minute, second: second) == nil)
  }

  @Test("Weekdays, dates, times and instants are in order, and nothing comes before itself")
  func order() {
    func expectOrder<T: Comparable>(_ values: T...) {
      for i in values.indices {
        for k in values.indices { #expect((values[i] < values[k]) == (i < k)) }
      }
    }
    expectOrder(Weekday.monday, .tuesday, .sunday)
    expectOrder(
      CivilDate("2025-12-31"), CivilDate("2026-01-30"), CivilDate("2026-01-31"),
      CivilDate("2026-02-01"))
    expectOrder(CivilTime.midnight, CivilTime("00:00:01"), CivilTime("23:59"))
    expectOrder(
      CivilDateTime("2026-01-01 23:59"), CivilDateTime("2026-01-02 00:00"),
      CivilDateTime("2026-01-02 00:01"))
    expectOrder(Instant.distantPast, Instant(microseconds: -1), Instant(microseconds: 0))
    expectOrder(
      Days.Ordinal(.first, .monday), Days.Ordinal(.first, .sunday), Days.Ordinal(.last, .monday))
  }

  @Test("Numbers get zeros in front of them up to the width, and keep further digits")
  func zeros() {
    #expect([0, 9, 10, 100].map { padded($0) } == ["00", "09", "10", "100"])
    #expect([7, -7, 12_345].map { padded($0, 4) } == ["0007", "-0007", "12345"])
  }

  @Test(
    "The whole seconds of an instant are rounded towards the past",
    arguments: [(0, 0), (999_999, 0), (1_000_000, 1), (-1, -1), (-1_000_000, -1), (-1_000_001, -2)])
  func seconds(microseconds: Int64, seconds: Int64) {
    #expect(Instant(microseconds: microseconds).seconds == seconds)
  }

  @Test("An instant before 1970 has a date")
  func beforeTheEpoch() {
    #expect(Instant(microseconds: -1).utc == "1969-12-31 23:59:59")
    #expect(Instant(utc: "1900-01-01 00:00").seconds == -2_208_988_800)
  }

  @Test("Sums of instants and durations are clamped to the range of `Instant`")
  func saturation() {
    let (first, last) = (Instant(microseconds: .min), Instant.distantFuture)
    #expect(last + .seconds(1) == last)
    #expect(last + .seconds(Int64.max) == last)
    #expect(first - .seconds(1) == first)
    #expect(first - .seconds(Int64.max) == first)
    #expect(last - .seconds(Int64.min) == last)
    #expect(first + .seconds(Int64.max) == last)
    #expect(first + .microseconds(Int64.max) == Instant(microseconds: -1))
    #expect(Instant(seconds: .max) == last)
    #expect(Instant(seconds: .min) == first)
    #expect(last - first > .seconds(Int64.max / 1_000_000))
    #expect(first - last < .zero)
  }

  @Test("Durations convert to whole units, rounded towards zero and clamped to their range")
  func durations() {
    #expect(Duration.milliseconds(1500).wholeSeconds == 1)
    #expect(Duration.milliseconds(-1500).wholeSeconds == -1)
    let rounded = [0, 1, 1_000_000, 1_000_001].map { Duration.microseconds($0).secondsRoundedUp }
    #expect(rounded == [0, 1, 1, 2])
    #expect(Duration.nanoseconds(1999).wholeMicroseconds == 1)
    #expect(Duration.nanoseconds(-1999).wholeMicroseconds == -1)
    #expect(Duration.seconds(Int64.max).wholeMicroseconds == .max)
    #expect(Duration.seconds(Int64.min).wholeMicroseconds == .min)
    #expect(Duration.minutes(90) == .hours(1) + .minutes(30))
  }
}
