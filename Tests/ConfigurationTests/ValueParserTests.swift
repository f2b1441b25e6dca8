// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests in which forms people can write times of day, durations and days in the config and on the
// command line.

import Configuration
import Scheduling
import TOML
import Testing

private struct Missing: Error {}

@Suite struct ValueParserTests {
  @Test(
    "a time of day can be written in many forms",
    arguments: [
      ("7:30", time(7, 30)), ("07:30", time(7, 30)), ("07:30:15", time(7, 30, 15)),
      ("7:30 am", time(7, 30)), ("7:30pm", time(19, 30)), ("7:30 PM", time(19, 30)),
      ("12:00 am", time(0, 0)), ("12:30 pm", time(12, 30)), ("12 am", time(0, 0)),
      ("7am", time(7, 0)), ("11:59:59 pm", time(23, 59, 59)), ("0:00", time(0, 0)),
      ("23:59:59", time(23, 59, 59)), ("7.30 pm", time(19, 30)), ("7.30", time(7, 30)),
      ("7:30  p.m.", time(19, 30)), (" 7:30 ", time(7, 30)), ("noon", time(12, 0)),
      ("Midnight", time(0, 0)), ("정오", time(12, 0)), ("자정", time(0, 0)),
      ("오후 7시 반", time(19, 30)), ("7시30분", time(7, 30)), ("저녁 여섯시", time(18, 0)),
      ("밤 12시", time(0, 0)), ("오전 7:30:15", time(7, 30, 15)),
      ("12 noon", time(12, 0)), ("12 midnight", time(0, 0)), ("0730", time(7, 30)),
      ("730", time(7, 30)), ("730pm", time(19, 30)), ("7h30", time(7, 30)), ("19h30", time(19, 30)),
      ("7:30h", time(7, 30)), ("19 Uhr", time(19, 0)), ("7 Uhr 30", time(7, 30)),
      ("7 heures 30", time(7, 30)), ("half past seven", time(7, 30)), ("halb acht", time(7, 30)),
      ("a quarter to 8", time(7, 45)), ("ten past seven pm", time(19, 10)),
      ("Viertel nach sieben", time(7, 15)), ("seven thirty", time(7, 30)),
      ("7 o'clock", time(7, 0)), ("7:30 in the evening", time(19, 30)), ("7 abends", time(19, 0)),
      ("下午7点", time(19, 0)), ("下午7点半", time(19, 30)), ("午後7時", time(19, 0)),
      ("午前7時30分", time(7, 30)), ("早上七点", time(7, 0)), ("quarter to one", time(12, 45)),
      ("7:30p.m.", time(19, 30)), ("7.30a.m.", time(7, 30)), ("7p.m.", time(19, 0)),
    ])
  func timeOfDay(text: String, expected: CivilTime) throws {
    #expect(TimeText.parse(text) == expected)
  }

  @Test(
    "a text that is not a time of day is refused",
    arguments: [
      "", "7", ":30", "7:3", "07:60", "07:30:60", "7:300", "007:30", "25:00", "-7:30",
      "7:-3",
      "13:00 pm", "0:30 am", "am", " am", "7:30 xm", "7:30:15:00", "+7:30", "٧:٣٠", "7h",
      "half seven", "0760",
      "high noon", "noon 7:30", "7:30.5 pmm", "7.3", "7.30:15", "99999999999999999999:00", "7 min",
      "7시 60분", "25시", "오후", "반", "7시 아침", "24:00", "07:30:15.5",
      "x7p.m.", "7-p.m.",
    ])
  func noTimeOfDay(text: String) {
    #expect(TimeText.parse(text) == nil)
  }

  /// For each part of the day, the hours that 0 to 24 mean in it; `-` if it has no such hour.
  private static let hours = [
    "": "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 -",
    "am": "- 1 2 3 4 5 6 7 8 9 10 11 0 - - - - - - - - - - - -",
    "pm": "- 13 14 15 16 17 18 19 20 21 22 23 12 - - - - - - - - - - - -",
    "오전": "0 1 2 3 4 5 6 7 8 9 10 11 0 - - - - - - - - - - - -",
    "새벽": "0 1 2 3 4 5 6 7 8 9 10 11 0 - - - - - - - - - - - -",
    "아침": "0 1 2 3 4 5 6 7 8 9 10 11 0 - - - - - - - - - - - -",
    "낮": "- 13 14 15 16 17 18 19 20 21 10 11 12 - - - - - - - - - - - -",
    "오후": "- 13 14 15 16 17 18 19 20 21 22 23 12 13 14 15 16 17 18 19 20 21 22 23 -",
    "저녁": "- 13 14 15 16 17 18 19 20 21 22 23 - 13 14 15 16 17 18 19 20 21 22 23 -",
    "밤": "- 1 2 3 4 5 18 19 20 21 22 23 0 13 14 15 16 17 18 19 20 21 22 23 -",
  ]

  @Test("an hour means another one in each part of the day", arguments: hours.keys.sorted())
  func hour(half: String) throws {
    let meant = (0...24).map { hour in
      let text = half.hasSuffix("m") ? "\(hour):30 \(half)" : "\(half) \(hour):30"
      return TimeText.parse(text).map { "\($0.hour)" } ?? "-"
    }
    #expect(meant.joined(separator: " ") == Self.hours[half])
  }

  @Test(
    "a duration is numbers with units, in figures or in words",
    arguments: [
      ("90s", 90), ("10m", 600), ("1h30m", 5400), ("2d4h", 187_200), ("1h 30m", 5400),
      ("1 h 30 m", 5400), (" 10m ", 600), ("0s", 0), ("1d1h1m1s", 90_061), ("120m", 7200),
      ("0010m", 600), ("36500d", 3_153_600_000), ("10M", 600), ("10 min", 600),
      ("1 hour and 30 minutes", 5400), ("1 day and 2 hours", 93_600), ("1.5h", 5400),
      ("0.5 min", 30), ("1.333h30s", nil),
      ("half an hour", 1800), ("Half a minute", 30), ("an hour", 3600),
      ("half hour", 1800), ("a minute", 60), ("one day", 86_400),
      ("an hour and a half", 5400), ("one and a half hours", 5400), ("2 and a half min", 150),
      ("1:30", 90), ("0:05", 5), ("90:00", 5400), ("1:30:00", 5400),
      ("1h30", 5400), ("1m30", 90), ("1,5h", 5400), ("1 week", 604_800), ("2w", 1_209_600),
      ("ten minutes", 600), ("twenty five minutes", 1500), ("an hour and ten minutes", 4200),
      ("two and a half hours", 9000), ("a quarter of an hour", 900), ("10 Minuten", 600),
      ("eine halbe Stunde", 1800), ("anderthalb Stunden", 5400), ("2 heures", 7200),
      ("10分钟", 600), ("2時間", 7200), ("1小时30分", 5400),
      ("30분", 1800), ("반 시간", 1800), ("반시간", 1800), ("한 시간 반", 5400), ("1시간30분", 5400),
      ("3분 반", 210), ("1.5시간", 5400), ("2일", 172_800),
    ] as [(String, Int64?)])
  func duration(text: String, seconds: Int64?) {
    #expect((try? DurationText.parse(text)) == seconds.map { .seconds($0) })
  }

  @Test(
    "a text that is not a duration is refused",
    arguments: [
      "", " ", "m", "10x", "m10", "10m5", "30m1h", "5m5m", "-5m", "+5m", "1.0005h", "1..5h",
      ".5h", "1.h", "1.1s", "1,500s", "1h5", "1h60", "ten", "1h,30m", "10m!", "١٠m", "10m\u{0}",
      "10 apples", "10m tea", "half",
      "half an", "hour", "a half", "1:5", "1::30", "1:30:", "and 2 hours", "1:60", "1:30 pm", ":30",
      "30분1시간", "10분 뒤", "in 10m",
    ])
  func noDuration(text: String) {
    #expect(throws: DurationText.Fault.malformed) { try DurationText.parse(text) }
  }

  @Test func `a number without a unit is refused, and a huge duration causes no overflow`() {
    for text in ["10", " 30 ", "1.5"] {
      #expect(throws: DurationText.Fault.noUnit) { try DurationText.parse(text) }
    }
    for text in [
      "36501d", "36500d1s", "9223372036854775807d", "9223372036854775807s", "9223372036854775808s",
      "99999999999999999999999s", "9223372036854775.5 h and a half",
      "9223372036854775.807 and a half h",
    ] {
      #expect(throws: DurationText.Fault.tooLong) { try DurationText.parse(text) }
    }
  }

  @Test(
    "a moment is in local time, has an offset from UTC, or is a number of seconds",
    arguments: [
      ("2026-11-23T07:30:00+09:00", 1_795_386_600), ("2026-11-23 07:30", 1_795_419_000),
      ("2026-11-23", 1_795_392_000), ("1795386600", 1_795_386_600), ("@1795386600", 1_795_386_600),
      ("@-1", -1), ("1099511627775", (1 << 40) - 1), ("-1099511627775", 1 - (1 << 40)),
      ("1099511627776", nil), ("-1099511627776", nil), ("", nil), ("07:30", nil), ("1.5", nil),
      ("2026-02-29", nil), ("1\n2", nil), ("now", nil), ("20261123", 1_795_392_000),
      ("20261123T0730", 1_795_419_000), ("20261123T073000Z", 1_795_419_000), ("20261323", nil),
      ("12345", nil), ("@12345", 12_345),
    ] as [(String, Int64?)])
  func moment(text: String, seconds: Int64?) {
    #expect(InstantText.parse(text, in: nil, Zone()) == seconds.map { Instant(seconds: $0) })
  }

  @Test(
    "a duration is written in the largest units that fit",
    arguments: [
      (0, "0s"), (59, "59s"), (60, "1m"), (90, "1m30s"), (600, "10m"), (5400, "1h30m"),
      (187_200, "2d4h"), (90_061, "1d1h1m1s"), (86_400, "1d"), (-90, "1m30s"),
    ] as [(Int64, String)])
  func written(seconds: Int64, text: String) {
    #expect(DurationText.format(.seconds(seconds)) == text)
  }

  @Test func `every duration that is written can be read`() throws {
    for seconds in stride(from: Int64(0), to: 1_000_000, by: 997) {
      let text = DurationText.format(.seconds(seconds))
      #expect(try DurationText.parse(text) == .seconds(seconds))
    }
    #expect(DurationText.format(.milliseconds(1500)) == "1s")
  }

  @Test(
    "weekdays have English names and names in the user's language",
    arguments: [
      ("mon", [.monday]), ("Tues", [.tuesday]), ("WEDNESDAY", [.wednesday]), ("thur", [.thursday]),
      ("월", [.monday]), ("일요일", [.sunday]), ("lun.", [.monday]), ("Lun", [.monday]),
      ("weekends", [.saturday, .sunday]), ("Daily", Set(Weekday.allCases)),
      ("weekdays", [.monday, .tuesday, .wednesday, .thursday, .friday]), ("", nil), ("m", nil),
      ("mond", nil),
    ] as [(String, Set<Weekday>?)])
  func weekday(name: String, expected: Set<Weekday>?) {
    let french = [["lun."], ["mar."], ["mer."], ["jeu."], ["ven."], ["sam."], ["dim."]]
    let names = WeekdayNames(localized: zip(korean, french).map { $0 + $1 })
    #expect(names[name] == expected)
  }

  @Test(
    "days can be written as people say them, in English and Korean",
    arguments: [
      ("mon-fri", Array(1...5)), ("월-금", Array(1...5)), ("월~금", Array(1...5)),
      ("금-월", [1, 5, 6, 7]), ("평일", Array(1...5)), ("주중", Array(1...5)), ("주말", [6, 7]),
      ("매일", Array(1...7)), ("mon, wed and fri", [1, 3, 5]), ("every weekday", Array(1...5)),
      ("월수금", [1, 3, 5]), ("월 수 금", [1, 3, 5]), ("매주 월요일과 수요일", [1, 3]),
      ("Mondays", [1]), ("weekdays except wed", [1, 2, 4, 5]),
      ("mon-fri and 일", [1, 2, 3, 4, 5, 7]),
    ])
  func days(text: String, days: [Int]) throws {
    let days = Days(Set(days.map { Weekday.allCases[$0 - 1] }))
    for value in ["\"\(text)\"", "[\"\(text)\"]", SettingText.value(of: "days", [text]).text] {
      let file = Array("[[alarm]]\ntime = 07:30\ndays = \(value)\n".utf8)
      let reading = Configuration.read(file, file: "config.toml", in: context)
      #expect(reading.configuration.alarms.map(\.recurrence.dates) == [.days(days)], "\(value)")
    }
  }

  @Test func `syllables are days only alone, in order, or as a pair that is no other word`() {
    func isKnown(_ text: String) -> Bool {
      SettingText.value(of: "days", [text], WeekdayNames()) != .string(text)
    }
    let week = Array("월화수목금토일").map(String.init)
    for first in week {
      #expect(isKnown(first))
      for second in week {
        let isPair = ["월화", "화목", "금토", "토일"].contains(first + second)
        #expect(isKnown(first + second) == isPair, "\(first + second)")
      }
    }
    for (text, expected) in [
      ("월수금", true), ("화목토", true), ("월화수목금토일", true), ("월수수", false), ("금수월", false),
      ("월수x", false), ("x월수", false),
    ] { #expect(isKnown(text) == expected, "\(text)") }
  }

  @Test(
    "an interval can be written as people say it, in English and Korean",
    arguments: [
      ("2 weeks", "2 weeks"), ("2weeks", "2 weeks"), ("1 week", "1 weeks"),
      ("every 3 days", "3 days"), ("every other day", "2 days"), ("2주", "2 weeks"),
      ("2주마다", "2 weeks"), ("격주", "2 weeks"), ("3일마다", "3 days"), ("6개월", "6 months"),
      ("1 Year", "1 years"), ("fortnightly", "2 weeks"), ("every two weeks", "2 weeks"),
      ("every second week", "2 weeks"), ("other week", "2 weeks"), ("weekly", "1 weeks"),
      ("month", "1 months"), ("every third day", "3 days"),
    ])
  func interval(text: String, meant: String) throws {
    let reading = read("[[alarm]]\ntime = 07:30\nevery = \"\(text)\"\nfrom = 2026-11-23\n")
    guard case .every(let interval, _)? = reading.configuration.alarms.first?.recurrence.dates
    else { throw Missing() }
    #expect(interval.text == meant)
  }

  @Test(
    "a day is a date, or a number of days from today",
    arguments: [
      ("2026-12-24", 31), ("today", 0), ("Tomorrow", 1), ("in 3 days", 3), ("오늘", 0), ("내일", 1),
      ("모레", 2), ("글피", 3), ("3일 뒤", 3), ("2일 후", 2), ("3 days", nil), ("in 3 hours", nil),
      ("tomorrow 7:30", nil), ("mon", 0), ("friday", 4), ("on friday", 4), ("next monday", 7),
      ("next friday", nil), ("this friday", 4), ("24th", 1), ("2026-12-24 ", 31), ("24 Dec", 31),
      ("dec 24", 31), ("24th of December 2026", 31), ("24.12.", 31), ("24.12.2026", 31),
      ("12/24", 31), ("24/12/2026", 31), ("24. Dezember", 31), ("12월 24일", 31), ("heute", 0),
      ("5/6", nil), ("24.12", nil), ("31 feb", nil), ("in 2 weeks", 14), ("last day", 7), ("", nil),
      ("2026--12-24", nil), ("-2026-12-24", nil), ("2026-12-24-", nil), ("12-24-2026", nil),
    ] as [(String, Int?)])
  func day(text: String, ahead: Int?) throws {
    let today = try #require(CivilDate(year: 2026, month: 11, day: 23))
    #expect(DayText.parse(text, on: today) == ahead.map { today.adding(days: $0) })
    // Without today's date, `tomorrow` is refused, because in a file it would mean another day each
    // time the file is read.
    let value = SettingText.value(of: "date", [text])
    let dated = SettingText.value(of: "date", [text], on: today)
    #expect(value == .string(text) || CivilDate(text[...]) != nil || text == "2026-12-24 ")
    #expect(dated == ahead.map { .date(today.adding(days: $0)) } ?? .string(text))
  }

  @Test func `a mistyped day is the nearest name, and keeps its place in the month`() {
    for (text, meant) in [
      ("mondy", "monday"), ("1st mondy", "1st monday"), ("last frday", "last friday"),
      ("1st mon day", "1st monday"), ("1st weekdas", nil), ("6th mondy", nil), ("1st", nil),
      ("last", nil), ("", nil),
    ] { #expect(WeekdayNames().nearest(to: text) == meant, "\(text)") }
  }

  @Test func `English wins where a language calls another day the same`() {
    let names = WeekdayNames(localized: [["lundi"], ["sun"], [""]])
    #expect(names["sun"] == [.sunday])
    #expect(names[""] == nil)
    #expect(WeekdayNames()["lundi"] == nil)
  }
}
