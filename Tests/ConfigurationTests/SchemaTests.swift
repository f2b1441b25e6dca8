// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the tables and keys from which the schema of a config is made. The reader itself records
// them, so only a few properties need tests. `SchemaTests.swift` in ProgramTests validates files.

import Testing

@testable import Configuration

@Suite struct SchemaTests {
  @Test func `all tables of the config are there, each with what it must have`() {
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

  @Test func `every key has a meaning`() {
    for table in Configuration.schema {
      for key in table.keys { #expect(key.meaning != "", "\(table.name).\(key.name)") }
    }
  }
}
