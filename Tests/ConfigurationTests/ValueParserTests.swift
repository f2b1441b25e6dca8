// SPDX-License-Identifier: GPL-3.0-or-later
//
// The forms that times of day, durations and weekdays may take, for the config and the command
// line.

import Configuration
import Scheduling
import Testing

@Suite struct ValueParserTests {
  @Test(
    "a time of day has many forms",
    arguments: [
      ("7:30", time(7, 30)), ("07:30", time(7, 30)), ("07:30:15", time(7, 30, 15)),
      ("7:30 am", time(7, 30)), ("7:30pm", time(19, 30)), ("7:30 PM", time(19, 30)),
      ("12:00 am", time(0, 0)), ("12:30 pm", time(12, 30)), ("12 am", time(0, 0)),
      ("7am", time(7, 0)), ("11:59:59 pm", time(23, 59, 59)), ("0:00", time(0, 0)),
      ("23:59:59", time(23, 59, 59)),
    ])
  func timeOfDay(text: String, expected: CivilTime) throws {
    #expect(try TimeText.parse(text) == expected)
  }

  @Test(
    "what is no time of day is refused",
    arguments: [
      "", "7", "730", ":30", "7:3", "07:60", "07:30:60", "7:300", "007:30", "25:00", "-7:30",
      "7:-3",
      "13:00 pm", "0:30 am", "am", " am", "7:30  am", " 7:30", "7:30 ", "7:30 xm", "7:30:15:00",
      "+7:30", "٧:٣٠", "7h30", "noon", "7:30.5 pmm", "99999999999999999999:00",
    ])
  func noTimeOfDay(text: String) {
    #expect(throws: TimeText.Fault.malformed) { try TimeText.parse(text) }
  }

  @Test func `twenty-four o'clock and fractions of a second are told apart`() {
    #expect(throws: TimeText.Fault.twentyFour) { try TimeText.parse("24:00") }
    #expect(throws: TimeText.Fault.fraction) { try TimeText.parse("07:30:15.5") }
  }

  @Test(
    "a duration is numbers with units",
    arguments: [
      ("90s", 90), ("10m", 600), ("1h30m", 5400), ("2d4h", 187_200), ("1h 30m", 5400),
      ("1 h 30 m", 5400), (" 10m ", 600), ("0s", 0), ("1d1h1m1s", 90_061), ("120m", 7200),
      ("0010m", 600), ("36500d", 3_153_600_000),
    ] as [(String, Int64)])
  func duration(text: String, seconds: Int64) throws {
    #expect(try DurationText.parse(text) == .seconds(seconds))
  }

  @Test(
    "what is no duration is refused",
    arguments: [
      "", " ", "m", "10x", "m10", "10m5", "30m1h", "5m5m", "-5m", "+5m", "1.5h", "10 min", "10M",
      "1h,30m", "10m!", "١٠m", "10m\u{0}",
    ])
  func noDuration(text: String) {
    #expect(throws: DurationText.Fault.malformed) { try DurationText.parse(text) }
  }

  @Test func `a bare number lacks its unit, and no sum overflows`() {
    #expect(throws: DurationText.Fault.noUnit) { try DurationText.parse("10") }
    for text in [
      "36501d", "36500d1s", "9223372036854775807d", "9223372036854775807s", "9223372036854775808s",
      "99999999999999999999999s",
    ] {
      #expect(throws: DurationText.Fault.tooLong) { try DurationText.parse(text) }
    }
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

  @Test func `every duration that is written is read again`() throws {
    for seconds in stride(from: Int64(0), to: 1_000_000, by: 997) {
      let text = DurationText.format(.seconds(seconds))
      #expect(try DurationText.parse(text) == .seconds(seconds))
    }
    #expect(DurationText.format(.milliseconds(1500)) == "1s")
  }

  @Test(
    "weekdays are called by English and by local names",
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

  @Test func `English wins where a language calls another day the same`() {
    let names = WeekdayNames(localized: [["lundi"], ["sun"], [""]])
    #expect(names["sun"] == [.sunday])
    #expect(names[""] == nil)
    #expect(WeekdayNames()["lundi"] == nil)
  }
}
