// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact text of a config after each kind of edit. The configs are in `Edits.txt`, in the
// styles in which people write them. Next: `ConfigEditChanceTests.swift`, which tests random
// configs and edits.

import Configuration
import Foundation
import Language
import Scheduling
import TOML
import TestData
import Testing

func edited(_ text: String, _ edits: TOMLEdit...) throws -> String {
  let document = try TOMLDocument.parse(text)
  return String(
    decoding: try TOMLEdit.apply(
      edits, to: document, limit: Configuration.largestFile, order: order
    ).bytes,
    as: UTF8.self)
}

/// The order in which an edit writes the keys of an alarm and of a clock.
private let order = [
  "alarm": ["id", "time", "label", "enabled", "sound"], "clock": ["city", "label"],
]

func set(_ key: String, _ value: TOMLValue.Kind) -> TOMLEdit.Setting {
  TOMLEdit.Setting(key, .set(value))
}

func unset(_ key: String) -> TOMLEdit.Setting { TOMLEdit.Setting(key, .unset) }

private let half7 = set("time", .time(time(7, 30)))
private let work = set("label", .string("Work"))
private let off = set("enabled", .boolean(false))

@Suite struct ConfigEditTests {
  private static let edits = [
    "add": TOMLEdit.add(to: "alarm", [[work, half7]]),
    "disable the second": .change(of: "alarm", at: 1, [off]),
    "disable": .change(of: "alarm", at: 0, [off]),
    "unset sound": .change(of: "alarm", at: 0, [unset("sound")]),
    "append to except": .change(
      of: "alarm", at: 0,
      [TOMLEdit.Setting("except", .append([.date(date(2026, 12, 25))]))]),
    "remove the first": .remove(from: "alarm", [0]),
    "remove the second": .remove(from: "alarm", [1]),
    "remove the first two": .remove(from: "alarm", [0, 1]),
    "remove the first and the third": .remove(from: "alarm", [0, 2]),
  ]

  /// A case of `Edits.txt`: an edit, and the text before and after it.
  private typealias Case = (edit: String, before: String, after: String)

  private static let cases: [Case] =
    table("Edits.txt").components(separatedBy: "== ").dropFirst().flatMap { group in
      let parts = group.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return parts[1].components(separatedBy: "\n--\n").map { pair in
        let sides = pair.components(separatedBy: "-->\n")
        let after = sides[1].hasSuffix("\n") ? sides[1] : sides[1] + "\n"
        return (String(parts[0]), sides[0], after)
      }
    }

  @Test func `an edit changes its entry, in the style of the file, and nothing else`() throws {
    #expect(Set(Self.cases.map(\.edit)) == Set(Self.edits.keys))
    for (name, before, after) in Self.cases {
      let edit = try #require(Self.edits[name], "\(name)")
      #expect(try edited(before, edit) == after, "\(name)\n\(before)")
      let windows = before.replacing("\n", with: "\r\n")
      #expect(try edited(windows, edit) == after.replacing("\n", with: "\r\n"), "\(windows)")
      let marked = "\u{FEFF}" + before
      #expect(try edited(marked, edit) == "\u{FEFF}" + after, "\(marked)")
    }
  }

  @Test func `an edit adds no line end at the end of a file that has none`() throws {
    let added = "[[alarm]]\ntime = 07:30\nlabel = \"Work\""
    for (name, before, after) in [
      ("add", "", added + "\n"), ("add", "\u{FEFF}", "\u{FEFF}\(added)\n"),
      ("add", "[agent]", "[agent]\n\n\(added)"),
      (
        "add", "[[alarm]]\r\ntime = 01:00",
        "[[alarm]]\r\ntime = 01:00\r\n\r\n" + added.replacing("\n", with: "\r\n")
      ),
      ("disable", "[[alarm]]\nid = 1", "[[alarm]]\nid = 1\nenabled = false"),
      ("unset sound", "[[alarm]]\nsound = 1", "[[alarm]]"),
    ] {
      #expect(try edited(before, #require(Self.edits[name])) == after, "\(before)")
    }
  }

  @Test func `an entry that is added and removed again leaves no trace`() throws {
    for text in [
      completeFile, "", "[agent]\n", "# only this\n", "[[alarm]]\ntime = 1\n",
      "[[alarm]]\ntime = 1\n\n[agent]\n", "x = 1\r\n", "[[alarm]]\nid = 1\n[[alarm]]\nid = 2\n",
      "[agent]", "[[alarm]]\r\ntime = 1",
    ] {
      let count = (try TOMLDocument.parse(text).root["alarm"]).map {
        if case .array(let values) = $0.kind { values.count } else { 0 }
      }
      let there = try edited(text, .add(to: "alarm", [[half7]]))
      #expect(try edited(there, .remove(from: "alarm", [count ?? 0])) == text)
      // Entries that one edit adds together must look like entries that are added one by one.
      let two = try edited(there, .add(to: "alarm", [[work, half7]]))
      #expect(try edited(text, .add(to: "alarm", [[half7], [work, half7]])) == two)
    }
  }

  @Test func `an entry is moved with its comments, and the text between entries stays`() throws {
    let forth = TOMLEdit.move(in: "clock", from: 0, to: 2)
    let back = TOMLEdit.move(in: "clock", from: 2, to: 0)
    let blocks =
      "# a\n[[clock]] # A\ncity = \"A\"\n\n\n[agent]\n[[clock]]\ncity = \"B\"\n# b\n\n# free\n\n"
      + "[[clock]]\ncity = \"C\""
    #expect(
      try edited("x = 1\n" + blocks, forth)
        == "x = 1\n[[clock]]\ncity = \"B\"\n# b\n\n\n[agent]\n[[clock]]\ncity = \"C\"\n\n"
        + "# free\n\n# a\n[[clock]] # A\ncity = \"A\""
    )
    for text in [
      "x = 1\n" + blocks, "[[clock]]\n[[clock]]\na = 1\n[[clock]]\n",
    ] {
      #expect(try edited(text, forth, back) == text)
      #expect(try edited(text, .move(in: "clock", from: 1, to: 1)) == text)
    }
  }

  @Test func `several edits are made in their order`() throws {
    #expect(
      try edited(
        "[[clock]]\ncity = \"A\"\n", .add(to: "clock", [[set("city", .string("B"))]]),
        .move(in: "clock", from: 1, to: 0), .change(of: "clock", at: 1, [work]))
        == "[[clock]]\ncity = \"B\"\n\n[[clock]]\ncity = \"A\"\nlabel = \"Work\"\n")
    #expect(try edited("x = \n1".replacing("\n", with: ""), .remove(from: "alarm", [])) == "x = 1")
  }

  @Test func `an edit that cannot be made is refused, with the line of the obstacle`() throws {
    let add = TOMLEdit.add(to: "alarm", [[half7]])
    let change = TOMLEdit.change(of: "alarm", at: 0, [off])
    for (text, edit, failure) in [
      ("\n\n[alarm]\n", add, TOMLEdit.Failure.notPlain(line: 3)),
      ("alarm = 3\n", add, .notPlain(line: 1)),
      ("\nalarm.time = 3\n", add, .notPlain(line: 2)),
      ("", change, .notPlain(line: 1)),
      ("[[alarm]]\n", .change(of: "alarm", at: -1, [off]), .notPlain(line: 1)),
      ("[[alarm]]\n", .remove(from: "alarm", [0, 1]), .notPlain(line: 1)),
      ("[[alarm]]\n", .move(in: "alarm", from: 0, to: .max), .notPlain(line: 1)),
      (
        "[[alarm]]\n[agent]\n[[alarm]]\n[defaults]\n[alarm.x]\n",
        .move(in: "alarm", from: 1, to: 0), .notPlain(line: 3)
      ),
    ] {
      #expect(throws: failure) { try edited(text, edit) }
    }
    // In this config, the first alarm cannot be edited, but the second one can.
    #expect(
      try edited("[[alarm]]\n[alarm.a]\n[[alarm]]\n", .change(of: "alarm", at: 1, [off]))
        == "[[alarm]]\n[alarm.a]\n[[alarm]]\nenabled = false\n")
    let large = "# " + String(repeating: "x", count: Configuration.largestFile - 3) + "\n"
    #expect(throws: TOMLEdit.Failure.tooLarge) { try edited(large, add) }
  }

  @Test func `any text and any value is written so that it is read as the same`() throws {
    for text in ["", "\"", "\\", "'''", "\u{0}\u{1}\u{7F}\u{9B}", "가\u{202E}🎉\u{FEFF}", "a\r\n\tb"]
    {
      let result = try edited(
        "[[alarm]]\n", .change(of: "alarm", at: 0, [set("label", .string(text))]))
      #expect(!result.unicodeScalars.dropFirst(10).dropLast().contains(where: TerminalText.acts))
    }
    for value: TOMLValue.Kind in [
      .integer(.min), .float(-0.0), .float(1e300), .float(.infinity), .float(.nan), .boolean(true),
      .time(time(1, 2), nanosecond: 30),
      .dateTime(CivilDateTime(date(1, 1, 1), time(0, 0, 1))),
      .offsetDateTime(CivilDateTime(date(9999, 12, 31), .midnight), minutesEast: -570),
      .array([TOMLValue(.array([])), TOMLValue(.table(TOMLTable()))]),
    ] {
      _ = try edited("[[alarm]]\n", .change(of: "alarm", at: 0, [set("x y", value)]))
    }
  }
}
