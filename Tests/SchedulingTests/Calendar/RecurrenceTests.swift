// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which upcoming occurrences a rule has, in several zones and on days on which clocks go
// forward or back.

import Scheduling
import TestData
import Testing

@Suite("Recurrence")
struct RecurrenceTests {
  @Test(
    "A rule can name days of the month; a shorter month has its last day",
    arguments: [
      (.day(15), ["2027-01-15", "2027-02-15", "2027-03-15"]),
      (.day(31), ["2026-12-31", "2027-01-31", "2027-02-28"]),
      (.last, ["2026-12-31", "2027-01-31", "2027-02-28"]),
      // 31 December is a Thursday, 31 January and 28 February are Sundays, 31 March a Wednesday.
      (.lastWeekday, ["2026-12-31", "2027-01-29", "2027-02-26", "2027-03-31"]),
    ] as [(Days.MonthDay, [String])])
  func monthDays(day: Days.MonthDay, expected: [String]) {
    for dates: Recurrence.Dates in [
      .days(Days([], [], [day])),
      .every(Interval(1, .months, from: CivilDate("2026-12-20")), Days([], [], [day])),
    ] {
      let rule = Recurrence(time: .midnight, dates: dates)
      var (date, found) = (CivilDate("2026-12-20"), [String]())
      while found.count < expected.count, let day = rule.firstDay(from: date) {
        found.append(day.description)
        date = day.adding(days: 1)
      }
      #expect(found == expected, "\(rule.signature)")
    }
  }

  struct Row: CustomTestStringConvertible {
    var zone: String
    var rule: Recurrence
    /// An instant in UTC. Only occurrences later than this instant are expected.
    var after: String
    /// The expected rings in local time. If clocks go forward or back at that time, the text ends
    /// with `gap` or `overlap`.
    var expected: [String]

    init(_ zone: String, _ rule: Recurrence, after: String, _ expected: [String]) {
      (self.zone, self.rule, self.after, self.expected) = (zone, rule, after, expected)
    }
    var testDescription: String { "\(rule.signature) in \(zone) after \(after)" }
  }

  static let rows = [
    // Days on which clocks go forward or back. On such days, other alarm clocks ring an hour off,
    // twice, or days too late. `ZonesTests` compares rings in all zones of the real database with a
    // reference.
    Row(
      "Europe/Berlin", Recurrence("02:30", "daily"), after: "2026-03-27 12:00",
      ["2026-03-28 02:30", "2026-03-29 03:00 gap", "2026-03-30 02:30", "2026-03-31 02:30"]),
    Row(
      "Europe/Berlin", Recurrence("02:30", "tue"), after: "2026-03-29 01:00",
      ["2026-03-31 02:30", "2026-04-07 02:30"]),
    Row(
      "Europe/Berlin", Recurrence("02:30", "daily"), after: "2026-10-24 12:00",
      ["2026-10-25 02:30 overlap", "2026-10-26 02:30", "2026-10-27 02:30"]),
    Row(
      "Europe/Berlin", Recurrence("02:30", "daily"), after: "2026-10-25 00:30",
      [
        "2026-10-26 02:30"
      ]),
    // Samoa left out 30 December 2011. The alarm does not ring on that date, and no other ring
    // replaces it.
    Row(
      "Pacific/Apia", Recurrence("07:30", "daily"), after: "2011-12-29 00:00",
      ["2011-12-29 07:30", "2011-12-31 07:30", "2012-01-01 07:30"]),
    Row(
      "Pacific/Apia", Recurrence("07:30", "fri"), after: "2011-12-29 00:00",
      [
        "2012-01-06 07:30"
      ]),
    Row("Pacific/Apia", Recurrence("07:30", "2011-12-30"), after: "2011-12-01 00:00", []),
    // An occurrence exactly at the instant `after` is not expected; the next one is.
    Row("UTC", Recurrence("07:30", "daily"), after: "2026-11-23 07:29:59", ["2026-11-23 07:30"]),
    Row("UTC", Recurrence("07:30", "daily"), after: "2026-11-23 07:30", ["2026-11-24 07:30"]),
    // An alarm with `once` rings at the next 15:00. An alarm with a date rings on that date only.
    Row("UTC", Recurrence("15:00", "once"), after: "2026-11-23 14:59", ["2026-11-23 15:00"]),
    Row("UTC", Recurrence("15:00", "once"), after: "2026-11-23 15:00", ["2026-11-24 15:00"]),
    Row("UTC", Recurrence("05:15", "2026-12-24"), after: "2026-11-23 00:00", ["2026-12-24 05:15"]),
    Row("UTC", Recurrence("05:15", "2026-12-24"), after: "2026-12-24 05:15", []),
    Row("UTC", Recurrence("05:15", "2028-02-29"), after: "2026-01-01 00:00", ["2028-02-29 05:15"]),
    // Rules with excepted dates, on which the alarm does not ring.
    Row(
      "UTC", Recurrence("07:30", "daily", except: ["2026-12-25", "2026-12-26"]),
      after: "2026-12-24 00:00", ["2026-12-24 07:30", "2026-12-27 07:30"]),
    Row(
      "UTC", Recurrence("07:30", "2026-12-25", except: ["2026-12-25"]),
      after: "2026-12-24 00:00", []),
    Row(
      "UTC", Recurrence("07:30", "once", except: ["2026-12-25"]),
      after: "2026-12-24 08:00", ["2026-12-26 07:30"]),
    Row(
      "UTC", Recurrence("07:30", "mon", except: ["2026-11-23", "2026-11-30", "2026-12-07"]),
      after: "2026-11-20 00:00", ["2026-12-14 07:30"]),
    // Rules that repeat every so many days, weeks, months or years. Weeks begin on Monday. If a
    // month is too short to have the day, the alarm rings on the last day of the month.
    Row(
      "UTC", Recurrence("07:30", every: 2, .weeks, "mon thu", from: "2026-11-25"),
      after: "2026-11-01 00:00",
      ["2026-11-26 07:30", "2026-12-07 07:30", "2026-12-10 07:30", "2026-12-21 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 2, .weeks, from: "2026-11-29", until: "2026-12-26"),
      after: "2026-11-29 07:00", ["2026-11-29 07:30", "2026-12-13 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 3, .days, from: "2026-12-30"), after: "2026-11-01 00:00",
      ["2026-12-30 07:30", "2027-01-02 07:30", "2027-01-05 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 1, .months, from: "2026-12-31"), after: "2026-12-31 07:30",
      ["2027-01-31 07:30", "2027-02-28 07:30", "2027-03-31 07:30", "2027-04-30 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 1, .years, from: "2024-02-29"), after: "2026-11-01 00:00",
      ["2027-02-28 07:30", "2028-02-29 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 4, .years, from: "2096-02-29"), after: "2096-03-01 00:00",
      ["2100-02-28 07:30", "2104-02-29 07:30"]),
    Row(
      "UTC", Recurrence("07:30", days: "1/mon last/fri", from: "2026-11-03", until: "2027-01-10"),
      after: "2026-11-01 00:00",
      ["2026-11-27 07:30", "2026-12-07 07:30", "2026-12-25 07:30", "2027-01-04 07:30"]),
    Row(
      "UTC", Recurrence("07:30", days: "5/mon wed"), after: "2026-11-25 07:30",
      ["2026-11-30 07:30", "2026-12-02 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 3, .months, "2/tue", from: "2026-11-30"),
      after: "2026-11-01 00:00", ["2027-02-09 07:30", "2027-05-11 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 1, .years, "4/thu", from: "2026-11-01"),
      after: "2026-11-26 07:30", ["2027-11-25 07:30"]),
    // The first and the last day of a month.
    Row(
      "UTC", Recurrence("07:30", every: 1, .months, from: "2026-11-01"), after: "2026-11-01 08:00",
      ["2026-12-01 07:30", "2027-01-01 07:30"]),
    Row(
      "UTC", Recurrence("07:30", days: "1/mon"), after: "2027-01-05 00:00",
      ["2027-02-01 07:30", "2027-03-01 07:30", "2027-04-05 07:30"]),
    Row(
      "UTC", Recurrence("07:30", days: "last/sun"), after: "2027-01-01 00:00",
      ["2027-01-31 07:30", "2027-02-28 07:30", "2027-03-28 07:30"]),
    Row(
      "UTC", Recurrence("07:30", days: "5/sun"), after: "2027-01-01 00:00",
      ["2027-01-31 07:30", "2027-05-30 07:30"]),
    // February has a fifth Monday every 28 years, except across the turn of most centuries.
    Row(
      "UTC", Recurrence("07:30", every: 1, .years, "5/mon", from: "2026-02-01"),
      after: "2026-11-01 00:00", ["2044-02-29 07:30", "2072-02-29 07:30", "2112-02-29 07:30"]),
    Row(
      "UTC", Recurrence("07:30", every: 2, .years, "5/mon", from: "2025-02-01"),
      after: "2026-11-01 00:00", []),
    Row(
      "UTC", Recurrence("07:30", every: 1, .months, from: "9999-10-31"), after: "2026-11-01 00:00",
      ["9999-10-31 07:30", "9999-11-30 07:30", "9999-12-31 07:30"]),
    Row(
      "Africa/Cairo", Recurrence("00:30", every: 2, .weeks, "fri", from: "2026-04-24"),
      after: "2026-04-20 00:00", ["2026-04-24 01:00 gap", "2026-05-08 00:30"]),
  ]

  @Test("A rule has the expected upcoming occurrences", arguments: rows)
  func occurrences(row: Row) {
    let zones = TestZones(machine: row.zone)
    var found: [String] = []
    var after = Instant(utc: row.after)
    while found.count < max(1, row.expected.count) {
      guard let occurrence = row.rule.next(after: after, in: zones) else { break }
      #expect(occurrence.due > after)
      let note = occurrence.note.map { " \($0)" } ?? ""
      found.append(zones.civil(at: occurrence.due, in: nil).text + note)
      after = occurrence.due
      if row.rule.dates == .once { break }
    }
    #expect(found == row.expected)
  }

  @Test("Overlapping excepted days become one range, which the search skips in one step")
  func exceptedRanges() {
    func days(_ first: String, _ last: String) -> ClosedRange<CivilDate> {
      CivilDate(first)...CivilDate(last)
    }
    var rule = Recurrence("07:30", "daily")
    rule.except = ExceptedDays([
      days("2026-12-31", "2027-01-02"), days("2026-12-25", "2026-12-25"),
      days("2026-12-28", "2026-12-30"), days("2026-12-29", "2026-12-29"),
    ])
    #expect(
      rule.except.ranges == [
        days("2026-12-25", "2026-12-25"), days("2026-12-28", "2026-12-30"),
        days("2026-12-31", "2027-01-02"),
      ])
    let others = ExceptedDays([
      days("2026-12-20", "2026-12-25"), days("2026-12-29", "2026-12-29"),
      days("2027-01-02", "2027-01-02"),
    ])
    #expect(
      rule.except.subtracting(others).ranges == [
        days("2026-12-28", "2026-12-28"), days("2026-12-30", "2026-12-30"),
        days("2026-12-31", "2027-01-01"),
      ])
    let zones = TestZones(machine: "UTC")
    var rings: [String] = []
    var after = Instant(utc: "2026-12-24 00:00")
    while rings.count < 5, let next = rule.next(after: after, in: zones) {
      rings.append("\(next.date)")
      after = next.due
    }
    #expect(rings == ["2026-12-24", "2026-12-26", "2026-12-27", "2027-01-03", "2027-01-04"])
    // Of the nine days from 25 December to 2 January, only 26 and 27 December are not excepted.
    (rule.from, rule.until) = (CivilDate("2026-12-25"), CivilDate("2027-01-02"))
    #expect(!rule.isExcepted)
    for day in ["2026-12-27", "2026-12-26"] {
      rule.except = ExceptedDays(rule.except.ranges + [days(day, day)])
      #expect(rule.isExcepted == (day == "2026-12-26"))
    }
    rule.from = nil
    rule.except = ExceptedDays([days("0001-01-01", "9999-12-31")])
    rule.until = CivilDate("9999-12-31")
    let start = processorTime()
    #expect(rule.next(after: after, in: zones) == nil && rule.isExcepted)
    #expect(processorTime() - start < .seconds(1))
  }

  @Test("A search for a day that never comes, or only after decades, takes less than a second")
  func bounded() {
    let zones = TestZones(machine: "UTC")
    let now = Instant(utc: "2026-11-23 00:00")
    let start = processorTime()
    for count in [2, 14, 999, 1000] {
      for from in ["2025-02-01", "2026-02-28", "2024-02-29"] {
        let rule = Recurrence("07:30", every: count, .years, "5/mon 5/sun", from: from)
        #expect((rule.next(after: now, in: zones) == nil) == rule.namesNoDay)
      }
    }
    #expect(processorTime() - start < .seconds(1))
  }

  @Test(
    "The signature of a rule never changes, because states are stored with it",
    arguments: [
      (Recurrence("07:30", "mon thu"), "07:30 14"),
      (Recurrence("07:30:05", "once"), "07:30:05 once"),
      (Recurrence("07:30", "2026-12-24", zone: "Asia/Seoul"), "07:30 2026-12-24 Asia/Seoul"),
      (Recurrence("07:30", days: "thu mon 1/tue last/fri"), "07:30 14 1/2 6/5"),
      (Recurrence("07:30", days: "1/tue"), "07:30 1/2"),
      (Recurrence("07:30", every: 2, .weeks, from: "2026-11-23"), "07:30 2 weeks 2026-11-23"),
      (
        Recurrence("07:30", every: 3, .months, "2/tue", from: "2026-11-23"),
        "07:30 3 months 2026-11-23 2/2"
      ),
    ])
  func signature(rule: Recurrence, text: String) { #expect(rule.signature == text) }

  @Test("An alarm with a zone of its own ignores the machine's zone")
  func fixedZone() {
    let rule = Recurrence("05:15", "2026-12-24", zone: "Asia/Seoul")
    for machine in ["Europe/Berlin", "America/New_York", "Asia/Seoul"] {
      let found = rule.next(
        after: Instant(utc: "2026-01-01 00:00"), in: TestZones(machine: machine))
      #expect(found?.due.utc == "2026-12-23 20:15")
    }
  }

  @Test("Upcoming rings are listed earliest first, those at equal times in the order of the config")
  func coming() {
    var schedule = Schedule()
    let now = Now(wall: Instant(utc: "2026-11-23 00:00"), boot: .zero, bootID: "")
    let alarms = [
      Alarm("b", "07:30"), Alarm("a", "07:30", "tue"), Alarm("c", "06:00", "once"),
      Alarm("off", "05:00", enabled: false),
    ]
    _ = schedule.apply(.configured(alarms), at: now, in: TestZones(machine: "UTC"))
    _ = schedule.apply(.skip("b"), at: now, in: TestZones(machine: "UTC"))
    let coming = schedule.coming(4, in: TestZones(machine: "UTC"))
    #expect(
      coming.map { "\($0.alarm.id) \($0.at.utc)" } == [
        "c 2026-11-23 06:00", "b 2026-11-24 07:30", "a 2026-11-24 07:30", "b 2026-11-25 07:30",
      ])
    #expect(schedule.coming(0, in: TestZones()) == [])
  }

  @Test("The end of a snooze is listed as a ring, unless the next occurrence comes first")
  func comingSnooze() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    _ = household.snooze("work")
    func coming() -> [String] {
      household.schedule.coming(2, in: household.zones).map {
        Narrator(zones: household.zones).time($0.at)
      }
    }
    #expect(coming() == ["mon 07:41", "tue 07:30"])
    _ = household.snooze("work", .hours(30))
    #expect(coming() == ["tue 07:30", "wed 07:30"])
  }
}
