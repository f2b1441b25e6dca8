// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact text of a config after each kind of edit, for files in the styles in which people
// write them. Next: `ConfigEditChanceTests.swift`, which tests random files and edits.

import Configuration
import Language
import Scheduling
import TOML
import Testing

func edited(_ text: String, _ edits: TOMLEdit...) throws -> String {
  let document = try TOMLDocument.parse(text)
  return String(
    decoding: try TOMLEdit.apply(
      edits, to: document, limit: Configuration.largestFile, order: order
    ).bytes,
    as: UTF8.self)
}

/// The order in which edits write keys.
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
  /// Checks cases, each of which has a text, an edit, and the exact text after the edit.
  private func check(_ cases: [(String, TOMLEdit, String)]) throws {
    for (before, edit, after) in cases {
      #expect(try edited(before, edit) == after, "\(edit)\n\(before)")
      let windows = before.replacing("\n", with: "\r\n")
      #expect(try edited(windows, edit) == after.replacing("\n", with: "\r\n"), "\(windows)")
      let marked = "\u{FEFF}" + before
      #expect(try edited(marked, edit) == "\u{FEFF}" + after, "\(marked)")
    }
  }

  @Test func `an alarm is added behind the others, in their style`() throws {
    let add = TOMLEdit.add(to: "alarm", [[work, half7]])
    try check([
      ("[agent]\n", add, "[agent]\n\n[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n"),
      ("[agent]\n\n", add, "[agent]\n\n[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n"),
      ("# mine\n", add, "# mine\n\n[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n"),
      (
        "[[alarm]]\ntime = 1:00 # a\n# b\n\n# c\n[agent]\n".replacing("1:00", with: "01:00"), add,
        "[[alarm]]\ntime = 01:00 # a\n# b\n\n[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n\n# c\n[agent]\n"
      ),
      (
        "[[alarm]]\ntime=01:00\n[[alarm]]\n\ttime=02:00\n[agent]\n", add,
        "[[alarm]]\ntime=01:00\n[[alarm]]\n\ttime=02:00\n[[alarm]]\n\ttime=07:30\n\tlabel=\"Work\"\n[agent]\n"
      ),
      (
        "  [[ \"alarm\" ]]\n    time  =  01:00\n    label =  ''\n", add,
        "  [[ \"alarm\" ]]\n    time  =  01:00\n    label =  ''\n\n"
          + "  [[alarm]]\n    time  =  07:30\n    label =  \"Work\"\n"
      ),
      (
        "[[alarm]]\ntime = 01:00\n[agent]\n[alarm.more]\nx = 1\n", add,
        "[[alarm]]\ntime = 01:00\n[agent]\n[alarm.more]\nx = 1\n\n[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n"
      ),
    ])
    #expect(try edited("", add) == "[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n")
    #expect(try edited("\u{FEFF}", add) == "\u{FEFF}[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n")
    #expect(
      try edited("[agent]", add) == "[agent]\n\n[[alarm]]\ntime = 07:30\nlabel = \"Work\"")
    #expect(
      try edited("[[alarm]]\r\ntime = 01:00", add)
        == "[[alarm]]\r\ntime = 01:00\r\n\r\n[[alarm]]\r\ntime = 07:30\r\nlabel = \"Work\"")
  }

  @Test func `a key is changed where it stands, and nothing around it`() throws {
    let disable = TOMLEdit.change(of: "alarm", at: 1, [off])
    try check([
      (
        "[[alarm]]\n[[alarm]]\nenabled  =\ttrue   # why\nx = 1\n", disable,
        "[[alarm]]\n[[alarm]]\nenabled  =\tfalse   # why\nx = 1\n"
      ),
      (
        "[[alarm]]\n[[alarm]]\n\"enabled\"= '''\ntrue'''\n", disable,
        "[[alarm]]\n[[alarm]]\n\"enabled\"= false\n"
      ),
    ])
  }

  @Test func `a key is put among the others where the manual has it`() throws {
    let change = TOMLEdit.change(of: "alarm", at: 0, [off])
    try check([
      ("[[alarm]] # mine\n", change, "[[alarm]] # mine\nenabled = false\n"),
      (
        "[[alarm]]\ntime = 07:30 # early\nsound = \"Gong\"\n", change,
        "[[alarm]]\ntime = 07:30 # early\nenabled = false\nsound = \"Gong\"\n"
      ),
      (
        "[[alarm]]\n  sound=\"Gong\"\n", change, "[[alarm]]\n  enabled=false\n  sound=\"Gong\"\n"
      ),
      (
        "[[alarm]]\nlabel  = \"\"\"\n\n\"\"\"\nid     = 1\n\n[agent]\n", change,
        "[[alarm]]\nlabel  = \"\"\"\n\n\"\"\"\nid     = 1\nenabled = false\n\n[agent]\n"
      ),
    ])
    #expect(try edited("[[alarm]]\nid = 1", change) == "[[alarm]]\nid = 1\nenabled = false")
  }

  @Test func `a key is taken out with its line`() throws {
    let change = TOMLEdit.change(of: "alarm", at: 0, [unset("sound")])
    try check([
      (
        "[[alarm]]\n# a\nsound = \"x\" # b\n# c\ntime = 07:30\n", change,
        "[[alarm]]\n# a\n# c\ntime = 07:30\n"
      ),
      ("[[alarm]]\ntime = 07:30\n", change, "[[alarm]]\ntime = 07:30\n"),
    ])
    #expect(try edited("[[alarm]]\nsound = 1", change) == "[[alarm]]")
  }

  @Test func `an array takes further elements`() throws {
    let change = TOMLEdit.change(
      of: "alarm", at: 0,
      [TOMLEdit.Setting("except", .append([.date(date(2026, 12, 25))]))])
    try check([
      ("[[alarm]]\n", change, "[[alarm]]\nexcept = [2026-12-25]\n"),
      ("[[alarm]]\nexcept = []\n", change, "[[alarm]]\nexcept = [2026-12-25]\n"),
      (
        "[[alarm]]\nexcept = [2026-01-01] # new\n", change,
        "[[alarm]]\nexcept = [2026-01-01, 2026-12-25] # new\n"
      ),
      (
        "[[alarm]]\nexcept = [\n  2026-01-01, # new\n]\n", change,
        "[[alarm]]\nexcept = [\n  2026-01-01, 2026-12-25, # new\n]\n"
      ),
      (
        "[[alarm]]\nexcept = [ # none\n]  # yet\n", change,
        "[[alarm]]\nexcept = [2026-12-25 # none\n]  # yet\n"
      ),
      ("[[alarm]]\nexcept = 2026-01-01\n", change, "[[alarm]]\nexcept = [2026-12-25]\n"),
    ])
  }

  @Test func `an entry goes with the comments that are its own`() throws {
    let second = TOMLEdit.remove(from: "alarm", [1])
    let first = TOMLEdit.remove(from: "alarm", [0])
    try check([
      (
        "# Title\n\n# a\n[[alarm]]\nid = \"a\"\n\n# b\n# bb\n[[alarm]] # b\nid = \"b\"\n# end of b\n\n# c\n\n[agent]\n",
        second, "# Title\n\n# a\n[[alarm]]\nid = \"a\"\n\n# c\n\n[agent]\n"
      ),
      (
        "[[alarm]]\nid = 1\n# b\n[[alarm]]\nid = 2\n# c\n[[alarm]]\nid = 3\n", second,
        "[[alarm]]\nid = 1\n# c\n[[alarm]]\nid = 3\n"
      ),
      ("# Title\n[[alarm]]\nid = 1\n", first, "# Title\n"),
      ("[[alarm]]\nid = 1\n\n[agent]\n", first, "[agent]\n"),
      ("[agent]\n\n\n[[alarm]]\nid = 1\n\n\n[defaults]\n", first, "[agent]\n\n\n\n[defaults]\n"),
      ("[agent]\n\n[[alarm]]\nid = 1\n[defaults]\n", first, "[agent]\n\n[defaults]\n"),
      ("[agent]\n\n[[alarm]]\nid = 1\n", first, "[agent]\n"),
      (
        "[[alarm]]\nid = 1\n\n[[alarm]]\nid = 2\n\n[[alarm]]\nid = 3\n",
        .remove(from: "alarm", [0, 1]), "[[alarm]]\nid = 3\n"
      ),
      (
        "x = 1\n\n[[alarm]]\nid = 1\n\n[[alarm]]\nid = 2\n\n[[alarm]]\nid = 3\n",
        .remove(from: "alarm", [0, 2]), "x = 1\n\n[[alarm]]\nid = 2\n"
      ),
      (
        "[[alarm]]\nlabel = \"\"\"\n# not a comment\"\"\"\n[[alarm]]\nid = 2\n", second,
        "[[alarm]]\nlabel = \"\"\"\n# not a comment\"\"\"\n"
      ),
    ])
  }

  @Test func `what is added and removed again leaves no trace`() throws {
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
      // Several entries that are added at once must look like entries that are added one by one.
      let two = try edited(there, .add(to: "alarm", [[work, half7]]))
      #expect(try edited(text, .add(to: "alarm", [[half7], [work, half7]])) == two)
    }
  }

  @Test func `an entry is moved with its comments, and what is between stays`() throws {
    let forth = TOMLEdit.move(in: "clock", from: 0, to: 2)
    let back = TOMLEdit.move(in: "clock", from: 2, to: 0)
    let blocks =
      "# a\n[[clock]] # A\ncity = \"A\"\n\n\n[agent]\n[[clock]]\ncity = \"B\"\n# b\n\n# free\n\n[[clock]]\ncity = \"C\""
    #expect(
      try edited("x = 1\n" + blocks, forth)
        == "x = 1\n[[clock]]\ncity = \"B\"\n# b\n\n\n[agent]\n[[clock]]\ncity = \"C\"\n\n# free\n\n# a\n[[clock]] # A\ncity = \"A\""
    )
    for text in [
      "x = 1\n" + blocks, "[[clock]]\n[[clock]]\na = 1\n[[clock]]\n",
    ] {
      #expect(try edited(text, forth, back) == text)
      #expect(try edited(text, .move(in: "clock", from: 1, to: 1)) == text)
    }
  }

  @Test func `several edits are made one after another`() throws {
    #expect(
      try edited(
        "[[clock]]\ncity = \"A\"\n", .add(to: "clock", [[set("city", .string("B"))]]),
        .move(in: "clock", from: 1, to: 0), .change(of: "clock", at: 1, [work]))
        == "[[clock]]\ncity = \"B\"\n\n[[clock]]\ncity = \"A\"\nlabel = \"Work\"\n")
    #expect(try edited("x = \n1".replacing("\n", with: ""), .remove(from: "alarm", [])) == "x = 1")
  }

  @Test func `what cannot be done is refused, with the place`() throws {
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
    // One entry of this list cannot be edited, but the other entry can.
    #expect(
      try edited("[[alarm]]\n[alarm.a]\n[[alarm]]\n", .change(of: "alarm", at: 1, [off]))
        == "[[alarm]]\n[alarm.a]\n[[alarm]]\nenabled = false\n")
    let large = "# " + String(repeating: "x", count: Configuration.largestFile - 3) + "\n"
    #expect(throws: TOMLEdit.Failure.tooLarge) { try edited(large, add) }
  }

  @Test func `whatever a text is, it is written so that it is read as the same`() throws {
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
