// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the list of tables and keys from which the JSON schema of the config is made. The code that
// reads a config also makes this list, so it cannot lack a key, and only a few properties need
// tests. `SchemaTests.swift` in ProgramTests validates files against the schema.

import Testing

@testable import Configuration

@Suite struct SchemaTests {
  @Test func `the schema has all tables of the config, with the keys that each must have`() {
    let tables = Configuration.schema
    #expect(
      tables.map(\.name) == ["", "defaults", "agent", "alarm", "pause", "timer", "clock", "chime"])
    #expect(
      tables.map { $0.keys.filter(\.isRequired).map(\.name) } == [
        [], [], [], ["time"], ["from"], ["name", "duration"], [], ["every"],
      ])
    #expect(
      tables.map(\.exclusive) == [
        [], [], [], [["days", "date"], ["date", "every"]], [], [], [["city", "timezone"]], [],
      ])
    #expect(tables.flatMap(\.needs) == [TableSchema.Need(key: "every", other: "from")])
  }

  @Test func `lists may be empty, but no command is`() {
    func value(_ key: String) -> ValueSchema? {
      Configuration.schema.first { $0.name == "alarm" }?.keys.first { $0.name == key }?.value
    }
    #expect(
      value("on_ring")
        == .either([
          .list(.anyText, 0...Int.max), .list(.list(.anyText, 1...Int.max), 0...Int.max),
        ]))
    #expect(value("volume") == .wholeNumber(0...100))
    #expect(value("snoozes") == .wholeNumber(0...Int.max))
  }

  @Test func `every key has a meaning`() {
    for table in Configuration.schema {
      for key in table.keys { #expect(key.meaning != "", "\(table.name).\(key.name)") }
    }
  }
}
