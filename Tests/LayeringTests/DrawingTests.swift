// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares the tables of states at the head of some source files with the states in the code. Each
// table begins with a column whose heading is the name of the enumeration, in backquotes.

import Foundation
import Testing

struct DrawingTests {
  /// A table, by the file that contains it, and the enumeration that it draws.
  struct Drawing: CustomTestStringConvertible, Sendable {
    let file: String
    let type: String
    let declaration: String

    var testDescription: String { "\(file): \(type)" }
  }

  static let drawings = [
    Drawing(
      file: "Scheduling/OccurrenceLife.swift", type: "Phase", declaration: "Scheduling/State.swift"),
    Drawing(
      file: "Scheduling/Timers/TimerLife.swift", type: "Phase",
      declaration: "Scheduling/Timers/Timer.swift"),
    Drawing(
      file: "Sound/SoundSupervisor.swift", type: "State", declaration: "Sound/SoundEvent.swift"),
    Drawing(
      file: "Notifications/Board.swift", type: "Link", declaration: "Notifications/Board.swift"),
    Drawing(
      file: "Notifications/BoardEntry.swift", type: "State",
      declaration: "Notifications/BoardEntry.swift"),
  ]

  /// After some states, a timer is removed. This is an end, and not a state.
  static let ends: Set = ["removed"]

  @Test(arguments: drawings)
  func `a table of states has the states of the code, and leads only to these`(
    drawing: Drawing
  ) throws {
    let states = try Self.cases(of: drawing.type, in: drawing.declaration)
    let rows = try Self.rows(of: drawing.type, in: drawing.file)
    #expect(rows.map(\.first).filter { $0 != "" }.sorted() == states.sorted())
    let next = rows.flatMap { Self.words($0.next) }
    #expect(Set(next).subtracting(Self.ends).subtracting(states) == [])
    // Each state but the first can be reached.
    #expect(Set(states).subtracting(next).count <= 1)
  }

  @Test func `the guide to the sources leads to each table of states`() throws {
    let guide = try Self.text("README.md")
    for drawing in Self.drawings { #expect(guide.contains("(\(drawing.file))"), "\(drawing)") }
  }

  // MARK: - Reading the sources

  private static func text(_ path: String) throws -> String {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    return try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
  }

  private static func words(_ cell: String) -> [String] {
    cell.split { !$0.isLetter }.map(String.init).filter { $0 != "or" }
  }

  /// Returns the first and last cell of each row of the table whose heading is `type`.
  private static func rows(
    of type: String, in file: String
  ) throws -> [(first: String, next: String)] {
    let table = try text(file).split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("// | `\(type)` ") }.prefix { $0.hasPrefix("// |") }
    return table.dropFirst(2).map { row in
      let cells = row.split(separator: "|").dropFirst()
        .map { $0.trimmingCharacters(in: .whitespaces) }
      return (cells[0], cells[cells.count - 1])
    }
  }

  /// Returns the names of the cases of the first enumeration called `type`.
  private static func cases(of type: String, in file: String) throws -> [String] {
    let lines = try text(file).split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.firstMatch(of: /^ *(public )?enum (\w+):/)?.2 != Substring(type) }
    let end = try #require(lines.first).prefix { $0 == " " } + "}"
    return lines.prefix { $0 != end }.compactMap { line in
      line.firstMatch(of: /^ *(indirect )?case (\w+)/).map { String($0.2) }
    }
  }
}
