// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the JSON schema of the output and belfry(1) describe every key of a status and of a
// check. `OutputSchemaTests.swift` in ProgramTests validates what the commands really print.

import Foundation
import Scheduling
import TestData
import Testing

@testable import Doctor
@testable import Presentation

@MainActor struct OutputKeyTests {
  private static let schema = "desktop/samples/output.schema.json"
  private static let page = "desktop/man/belfry.1"

  /// For each definition of the schema, a record whose properties are its keys.
  private static let records: [(definition: String, record: any Record)] = [
    ("status", Status()), ("ringing", Status.Ringing()), ("ring", Status.Coming()),
    ("alarm", Status.Alarm()),
    ("pause", Status.Pause(1, Pause(from: CivilDate(daysSinceEpoch: 0)))),
    ("missed", Status.Missed()), ("answered", Status.Answered()), ("timer", Status.Timer()),
    ("recent", Status.Recent(RecentTimer(duration: .zero, label: nil))),
    ("stopwatch", Status.Stopwatch()), ("lap", Status.Lap()), ("clock", Status.City()),
    ("agent", Status.Agent()), ("finding", Check(.config, .ok, "")),
  ]

  @Test func `the schema has every property of a status`() throws {
    let definitions = try Self.definitions
    for (name, record) in Self.records {
      for case (let label?, let value) in Mirror(reflecting: record).children where label != "asOf"
      {
        let key = label.replacing(/[A-Z]/) { "_" + $0.0.lowercased() }
        // A moment has a second key for its seconds.
        let isMoment = "\(type(of: value))".contains("Moment")
        let second = key == "at" ? "epoch" : key + "_epoch"
        for key in isMoment ? [key, second] : [key] {
          let isThere = definitions[name]?.contains(key) == true
          #expect(
            isThere,
            "Add \(key) to definitions.\(name).properties in \(Self.schema), with a description")
        }
      }
    }
  }

  @Test func `the manual page explains every key of the schema`() throws {
    let explained = try Self.explained
    for (name, keys) in try Self.definitions {
      for key in keys where !key.hasSuffix("_epoch") {
        #expect(
          explained.contains(key),
          """
          Add ".It Ic \(key) Ta" and a sentence to \(Self.page), in the section JSON, where it \
          describes the object \(name) of \(Self.schema)
          """)
      }
    }
  }

  /// For each definition of the schema, the names of its properties.
  private static var definitions: [String: Set<String>] {
    get throws {
      let data = try Data(contentsOf: repository.appendingPathComponent(schema))
      let whole = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      let definitions = try #require(whole?["definitions"] as? [String: [String: Any]])
      return definitions.mapValues { Set(($0["properties"] as? [String: Any] ?? [:]).keys) }
    }
  }

  /// The words that the section JSON of the page marks as keys: those after `Ic`, up to the next
  /// macro.
  private static var explained: Set<String> {
    get throws {
      let text = try String(contentsOf: repository.appendingPathComponent(page), encoding: .utf8)
      var (words, section): (Set<String>, Substring) = ([], "")
      for line in text.split(separator: "\n") {
        if line.hasPrefix(".Sh ") { section = line.dropFirst(4) }
        guard section == "JSON" else { continue }
        var isKey = false
        for word in line.split(whereSeparator: { " .".contains($0) }) {
          if word == "Ic" { isKey = true } else if word.contains(/^[A-Z][a-z]$/) { isKey = false }
          if isKey { words.insert(String(word)) }
        }
      }
      return words
    }
  }
}
