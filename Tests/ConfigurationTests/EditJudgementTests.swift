// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that an edit is refused only for errors inside the entry that it writes. An error of
// another entry does not count, even if its message has the same words.

import Configuration
import TOML
import Testing

@Suite struct EditJudgementTests {
  /// Returns the errors for which `edits` of `text` would be refused.
  private func complaints(_ text: String, _ edits: TOMLEdit...) throws -> [String] {
    let before = try ConfigSnapshot(of: Array(text.utf8), file: "config.toml", in: context)
    return try before.edited(by: edits) { "--\($0)" }.complaints.map {
      [$0.message, $0.hint].compactMap(\.?.description).joined(separator: ": ")
    }
  }

  private func settings(_ texts: KeyValuePairs<String, String>) -> [TOMLEdit.Setting] {
    texts.map { SettingText.setting($0.key, [$0.value], context.weekdays) }
  }

  /// Three alarms: two have the same error, and one has none.
  private static let neighbours = """
    [[alarm]]
    id = "a"
    time = 07:00
    every = "2 weeks"

    [[alarm]]
    id = "b"
    time = 07:00

    [[alarm]]
    id = "c"
    time = "sunset"
    """

  @Test func `an edit is refused for an error that another alarm has, too`() throws {
    let from =
      "--every also needs --from, the day that it is counted from: "
      + "add --from with the first day on which it rings"
    let city =
      "sunrise and sunset need a city, and neither this alarm nor a [[clock]] has one: "
      + "add --city with the name of a city, such as Seoul"
    let text = Self.neighbours
    #expect(
      try complaints(text, .change(of: "alarm", at: 1, settings(["every": "2 weeks"]))) == [from])
    #expect(try complaints(text, .add(to: "alarm", [settings(["time": "sunset"])])) == [city])
  }

  @Test func `an edit is not refused for the errors of other entries`() throws {
    for edit: TOMLEdit in [
      .change(of: "alarm", at: 1, settings(["label": "B"])),
      .add(to: "alarm", [settings(["time": "8:00"])]), .remove(from: "alarm", [1]),
      .add(to: "pause", [settings(["from": "2026-12-24"])]),
    ] {
      #expect(try complaints(Self.neighbours, edit) == [], "\(edit)")
    }
  }

  @Test
  func `messages have the keys that the user typed as options, and other keys as in the config`()
    throws
  {
    let text = "[[alarm]]\ntime = 07:30\nvolume = 101\n"
    #expect(
      try complaints(text, .change(of: "alarm", at: 0, settings(["late": "5"]))) == [
        "\"volume\" must be a whole number from 0 to 100, not 101",
        "--late is \"5\": a duration needs a unit: write \"5m\" for minutes, \"5s\" for seconds",
      ])
    #expect(
      try complaints("", .add(to: "alarm", [settings(["volume": "5"])]))
        == ["this alarm has no time: write time = 07:30"])
    #expect(
      try complaints(
        "",
        .add(
          to: "alarm", [settings(["late": "5", "sound": "", "time": "7", "volume": "x"])]))
        == [
          "--time must be a time of day, not \"7\": write 7:00",
          "--sound is empty: leave it out",
          "--volume must be a whole number from 0 to 100, not \"x\"",
          "--late is \"5\": a duration needs a unit: write \"5m\" for minutes, \"5s\" for seconds",
        ])
  }

  @Test(
    arguments: [
      ("time", "10m", "for a time from now, write \"in 10m\""), ("time", "7", "write 7:00"),
      (
        "time", "7:30 not friday",
        "write the days like \"tomorrow 7:30\" or \"7:30 weekdays except wed\""
      ),
      ("days", "tomorrow", "for one day, use --date tomorrow"),
      ("days", "every third mon", "write --every \"2 weeks\" --days mon, or --days \"2nd mon\""),
      ("days", "x", "write it like mon,fri, \"1st mon\", 15th, weekdays, weekends or daily"),
      ("date", "2027-02-29", "the last day of that month is 2027-02-28"),
      ("date", "x", "write it like 2026-12-24, tomorrow, friday or \"24 dec\""),
      ("volume", "80%", "write 80"),
    ])
  func `a hint is for an option that was typed, and not for the file`(
    key: String, text: String, hint: String
  ) throws {
    let text = key == "time" ? settings([key: text]) : settings(["time": "7:30", key: text])
    let said = try complaints("", .add(to: "alarm", [text]))
    #expect(said.count == 1)
    #expect(said.first?.hasSuffix(": \(hint)") == true, "\(said)")
  }

  @Test func `an edit's own errors are reported even if the file has too many errors to list`()
    throws
  {
    let text = String(repeating: "[[alarm]]\ntime = 25\n", count: 1001)
    let said = try complaints(text, .add(to: "alarm", [settings(["time": "x"])]))
    #expect(said == ["--time must be a time of day, not \"x\": write it like 07:30 or \"7:30 pm\""])
  }
}
