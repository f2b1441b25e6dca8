// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how settings that people type in a command become values of the config. Next:
// `EditJudgementTests.swift`, for settings that make no sense.

import Configuration
import Scheduling
import TOML
import Testing

@Suite struct SettingTextTests {
  @Test func `a setting that is typed becomes the value that the config needs`() {
    for (key, texts, value) in [
      ("time", ["7:30"], "07:30"), ("time", ["07:30:15"], "07:30:15"),
      ("time", ["7:30 PM"], "19:30"),
      ("time", ["12am"], "00:00"), ("time", ["25:00"], "\"25:00\""),
      ("days", ["mon"], "[\"mon\"]"),
      ("days", ["Friday,MON", "tue."], "[\"mon\", \"tue\", \"fri\"]"),
      ("days", ["월, 토요일"], "[\"mon\", \"sat\"]"), ("days", ["weekends"], "\"weekends\""),
      ("days", ["mon,tue,wed,thu,fri"], "\"weekdays\""),
      ("days", ["weekdays,weekends"], "\"daily\""),
      (
        "days", ["first Monday,weekends", "last 금"], "[\"sat\", \"sun\", \"1st mon\", \"last fri\"]"
      ),
      ("days", ["첫째 월요일, 마지막 금"], "[\"1st mon\", \"last fri\"]"),
      ("days", ["6th mon"], "\"6th mon\""), ("every", ["2 weeks"], "\"2 weeks\""),
      ("from", ["2026-11-23"], "2026-11-23"), ("until", ["x"], "\"x\""),
      ("days", ["mondy"], "\"mondy\""), ("days", ["mon,,tue"], "[\"mon\", \"\", \"tue\"]"),
      ("date", ["2026-12-24"], "2026-12-24"), ("date", ["2026-02-29"], "\"2026-02-29\""),
      ("date", ["2026-1-1"], "\"2026-1-1\""), ("date", ["+026-01-01"], "\"+026-01-01\""),
      ("except", ["2026-12-24,2026-12-25", "x"], "[2026-12-24, 2026-12-25, \"x\"]"),
      ("except", ["2026-12-28..2027-01-02,2026-12-25"], "[\"2026-12-28..2027-01-02\", 2026-12-25]"),
      ("snooze", ["5m"], "\"5m\""), ("snooze", ["5m, 10m", "1h"], "[\"5m\", \"10m\", \"1h\"]"),
      ("volume", ["080"], "80"), ("volume", ["-1"], "-1"), ("volume", ["1e2"], "\"1e2\""),
      ("auto_snoozes", ["9999999999999999999"], "\"9999999999999999999\""),
      ("wake", ["true"], "true"), ("wake", ["yes"], "\"yes\""), ("sound", ["7"], "\"7\""),
      ("label", ["a", "b\"]"], "\"b\\\"]\""), ("on_ring", ["a,b", "c"], "[\"a,b\", \"c\"]"),
    ] {
      #expect(SettingText.value(of: key, texts, context.weekdays).text == value, "\(key) \(texts)")
    }
  }

  @Test(
    "a list stays a list if its key takes one, and even if it does not",
    arguments: [
      ("days", ["mon", "sun"], "[\"mon\", \"sun\"]"), ("days", ["weekdays"], "\"weekdays\""),
      ("snooze", ["5m"], "\"5m\""), ("time", ["7:30"], "[\"7:30\"]"), ("odd", ["5"], "[\"5\"]"),
    ])
  func list(key: String, list: [String], value: String) {
    #expect(SettingText.setting(key, list: list, context.weekdays).value?.text == value)
  }

  @Test func `days and calendars that an alarm already excepts are not added again`() {
    func day(_ day: Int) -> CivilDate { CivilDate("2026-12-\(day)") ?? .init(daysSinceEpoch: 0) }
    let excepted = ExceptedDays([day(24)...day(26), day(28)...day(28)])
    func added(_ values: TOMLValue.Kind...) -> [TOMLValue.Kind]? {
      let setting = TOMLEdit.Setting("except", .append(values))
      let left = setting.without(excepted, ["a.ics"])?.change
      if case .append(let new) = left { return new } else { return nil }
    }
    let new: [TOMLValue.Kind] = [
      .date(day(23)), .date(day(27)), .string("2026-12-24..2026-12-27"),
      .string("2026-12-23..2026-12-24"), .string("2026-12-26..2026-12-28"), .string("b.ics"),
      .integer(24),
    ]
    let known: [TOMLValue.Kind] = [
      .date(day(24)), .date(day(26)), .date(day(28)), .string("2026-12-24..2026-12-26"),
      .string("2026-12-25..2026-12-25"), .string("a.ics"),
    ]
    for value in new { #expect(added(value, known[0]) == [value]) }
    for value in known { #expect(added(value) == nil) }
    let whole = TOMLEdit.Setting("except", .set(known[0]))
    #expect(whole.without(excepted, []) == whole)
  }

  @Test func `every key of an alarm is there, and no other`() {
    let reading = read("[[alarm]]\ntime = 07:30\n" + completeAlarm)
    #expect(reading.diagnostics.filter { $0.severity == .warning } == [])
  }

  /// The text of an alarm with all keys that commands know.
  private var completeAlarm: String {
    SettingText.keys.filter { $0 != "time" }.map { "\($0) = 1\n" }.joined()
  }

  @Test func `another program may set no command, device or path`() {
    for (key, texts, isAllowed) in [
      ("time", ["7:30"], true), ("label", ["~/x"], true), ("volume", ["50"], true),
      ("snooze", ["5m"], true), ("sound", ["Harp", "Birds"], true),
      ("except", ["2026-12-25", "2026-12-28..2027-01-02"], true),
      ("sound", ["/x.ogg"], false), ("sound", ["Harp", "Music/x.ogg"], false),
      ("sound", ["~"], false), ("sound", [".."], false), ("except", ["holidays.ics"], false),
      ("except", ["2026-12-25", "/x"], false), ("device", ["default"], false),
      // A letter before "/" or "`" can make one `Character` of both.
      ("sound", ["a\u{0D4E}/b.ogg"], false), ("sound", ["~\u{301}x"], false),
      ("sound", (0..<100).map { "a\($0)" }, true), ("sound", (0...100).map { "a\($0)" }, false),
      ("group", ["work"], true), ("group", ["a\u{0D4E}\u{1B}[31m"], false),
      ("label", ["a\nb"], false), ("id", ["a\u{202E}b"], false),
      ("on_ring", ["true"], false), ("on_stop", ["true"], false), ("on_before", ["true"], false),
    ] {
      let setting = SettingText.setting(key, texts)
      #expect((CallerPolicy.refusal(of: setting) == nil) == isAllowed, "\(key) \(texts)")
    }
    #expect(CallerPolicy.refusal(of: TOMLEdit.Setting(removing: "on_ring")) != nil)
    #expect(CallerPolicy.refusal(of: TOMLEdit.Setting(removing: "sound")) == nil)
  }
}
