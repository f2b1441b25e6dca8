// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the example config has every key of the config, with a value or in a comment, and no
// error. `SchemaTests.swift` in ProgramTests validates the example against the schema.

import Cities
import Foundation
import Scheduling
import TestData
import Testing

@testable import Configuration

@Suite struct ExampleTests {
  private static let path = "desktop/samples/example.toml"

  /// A context in which Seoul is a known city.
  private var cities: ReadingContext {
    let seoul = City(
      title: "Seoul", name: "Seoul", korean: "서울", country: "South Korea", countryCode: "KR",
      latitude: 37.57, longitude: 126.98, population: 10_349_312, zone: "Asia/Seoul")
    var cities = context
    cities.cities = { _ in ["Seoul": seoul] }
    return cities
  }

  private static let text: String = {
    let file = repository.appendingPathComponent(path)
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      fatalError("there is no \(file.path)")
    }
    return text
  }()

  @Test func `the example has every key of the config`() {
    var (keys, table): ([String: Set<String>], String) = ([:], "")
    for line in Self.text.split(separator: "\n") {
      if let heading = line.firstMatch(of: /^\[+(\w+)\]/) { table = String(heading.1) }
      if let key = line.firstMatch(of: /^(?:# *)?(\w+) *=/) {
        keys[table, default: []].insert(String(key.1))
      }
    }
    for table in Configuration.schema.dropFirst() {
      for key in table.keys {
        // Alarms and timers share most of their keys. The example has these keys once.
        let isThere = [table.name, "defaults", "alarm"].contains {
          keys[$0]?.contains(key.name) == true
        }
        #expect(
          isThere,
          """
          Write a line for \(key.name) under [\(table.name)] in \(Self.path). If its value there \
          would only be the default, make the line a comment: # \(key.name) = …
          """)
      }
    }
  }

  @Test func `the example is free of errors, also with the lines that are comments`() {
    let whole = Self.text.replacing(/(?m)^# *(\w+ *=)/) { "\($0.1)" }
    for text in [Self.text, whole] {
      #expect(Configuration.read(Array(text.utf8), file: "x", in: cities).diagnostics == [])
    }
  }
}
