// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the ids of alarms. The agent's state is stored under these ids, so they must never change.
// Each expected id is therefore written out here.

import Configuration
import Testing

@Suite struct IdentityTests {
  @Test(
    "an id that is made from a label has the label's letters and digits, in any script",
    arguments: [
      ("Work", "work"), ("Früh auf!", "früh-auf"), ("  Take -- the   bins  ", "take-the-bins"),
      ("아침 회의", "아침-회의"), ("7 Uhr 30", "7-uhr-30"), ("⏰", ""), ("--", ""), ("a_b.c", "a-b-c"),
      ("ÀÉ", "àé"), ("a\u{0}b", "a-b"), ("\u{1B}[31mred", "31mred"),
      (String(repeating: "x", count: 99), String(repeating: "x", count: 40)),
      (String(repeating: "x", count: 39) + " yes", String(repeating: "x", count: 39)),
    ])
  func slug(label: String, expected: String) {
    #expect(Identity.slug(label) == expected)
    #expect(expected.isEmpty || Identity.fault(of: expected) == nil)
  }

  @Test(
    "an id is one word that no command takes for an option",
    arguments: [
      ("work", nil), ("아침", nil), ("a.b_c-d", nil), ("7", nil), ("", .empty), ("-a", .notOneWord),
      (".a", .notOneWord), ("a b", .notOneWord), ("a\n", .notOneWord), ("a/b", .notOneWord),
      ("⏰", .notOneWord), (String(repeating: "x", count: 100), nil),
      (String(repeating: "x", count: 101), .tooLong),
      // A Korean syllable of four letters is one character of 12 bytes, so these are 100
      // characters.
      (String(repeating: "\u{1100}\u{1100}\u{1161}\u{11A8}", count: 100), nil),
      (String(repeating: "\u{1100}\u{1100}\u{1161}\u{11A8}", count: 100) + "\u{300}", .tooLong),
    ] as [(String, Identity.Fault?)])
  func identifier(id: String, fault: Identity.Fault?) {
    #expect(Identity.fault(of: id) == fault)
  }

  @Test(
    "an alarm is named by its id, else by its label or time, and each name is unique",
    arguments: [
      (
        [#"label = "Work""#, #"label = "work!""#, #"label = "WORK""#], ["work", "work-2", "work-3"]
      ),
      ([#"label = "Work""#, #"id = "work""#], ["work-2", "work"]),
      ([#"label = "Work""#, #"id = "work""#, #"id = "work-2""#], ["work-3", "work", "work-2"]),
      ([#"label = "⏰""#, "", #"label = """#], ["0730", "0730-2", "0730-3"]),
      ([#"label = "0730""#, ""], ["0730", "0730-2"]),
      (
        [#"label = "Work 2""#, #"label = "Work""#, #"label = "Work""#],
        ["work-2", "work", "work-3"]
      ),
    ])
  func identities(entries: [String], ids: [String]) {
    let text = entries.map { "[[alarm]]\ntime = 07:30\n\($0)\n" }.joined()
    let reading = read(text)
    #expect(reading.diagnostics == [])
    #expect(reading.configuration.alarms.map(\.id) == ids)
  }

  @Test func `the id of a time with seconds includes the seconds`() {
    #expect(read("alarm = [{time = 07:30:05}]").configuration.alarms.map(\.id) == ["073005"])
  }

  @Test func `an alarm with an error keeps its id, and the others keep theirs`() {
    let reading = read(
      """
      [[alarm]]
      label = "Work"
      time = "soon"
      [[alarm]]
      label = "Work"
      time = 07:30
      [[alarm]]
      id = "gym"
      time = 18:00
      volume = 101
      """)
    #expect(reading.configuration.alarms.map(\.id) == ["work-2"])
    #expect(reading.faultyAlarms == ["work", "gym"])
    #expect(!reading.hasNamelessAlarms)
  }

  @Test(
    "a reading says if an alarm or timer with an error has no certain name",
    arguments: [
      "alarm = [{time = 99}]", "alarm = [{time = 07:30, label = 5}]", "[alarm]", "timer = 5",
      "alarm = [{time = 07:30, id = \"a b\"}]", "timer = [{duration = \"4m\"}]",
      "alarm = [{id = \"a\", time = 07:30}, {id = \"a\", time = 07:30}]",
    ])
  func nameless(text: String) {
    let reading = read(text)
    #expect(reading.hasNamelessTimers == text.hasPrefix("timer"))
    #expect(reading.hasNamelessAlarms == !text.hasPrefix("timer"))
    #expect(reading.faultyAlarms.isEmpty && reading.faultyTimers.isEmpty)
  }

  @Test func `each alarm is found at its place, even among faulty elements`() throws {
    let text = """
      alarm = [
        5, {id = "a", time = 07:30}, {label = "X", time = 99}, {id = "b", time = 07:30},
        {time = 07:30, volume = "x", id = 5},
      ]
      """
    let snapshot = try ConfigSnapshot(of: Array(text.utf8), file: "config.toml", in: context)
    #expect(snapshot.reading.alarmNames == [nil, "a", "x", "b", nil])
    #expect(snapshot.reading.alarmPlaces == ["a": 1, "x": 2, "b": 3])
    #expect((-1...5).map(snapshot.id) == [nil, nil, "a", "x", "b", nil, nil])
    #expect((-1...5).map { snapshot.alarm($0)?.id } == [nil, nil, "a", nil, "b", nil, nil])
  }

  @Test func `a timer with an error is named too`() {
    let reading = read(
      "timer = [{name = \"tea\", duration = 4}, {name = \"egg\", duration = \"7m\"}]")
    #expect(reading.configuration.timers.map(\.name) == ["egg"])
    #expect(reading.faultyTimers == ["tea"])
  }
}
