// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines and tables for people. Text from a config or from the bus never acts on the terminal, and
// colour is for terminals whose owner wants it.

import Configuration
import Language
import Persistence
import Presentation
import Screen
import System

@MainActor enum Terminal {
  /// The user wants no colour (no-color.org).
  static let forbidsColour = Environment.value("NO_COLOR") != nil

  /// What standard output is to have of styles.
  static let palette: Palette =
    StandardOutput.isTerminal && !forbidsColour && Environment.value("TERM") != "dumb"
    ? .colour : .none

  /// Prints `text`, which comes from outside, harmlessly.
  static func show(_ text: String) { show(StyledText(text)) }

  static func show(_ text: StyledText) { print(text.rendered(palette)) }

  /// Lines on standard error, harmless whatever name of a file is in them.
  static func complain(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
    StandardError.write("belfry: \(shown)\n")
  }

  /// Rows in columns, two spaces between, as wide as the widest cell is on a terminal.
  static func table(_ rows: [[String]]) { table(rows.map { $0.map { StyledText($0) } }) }

  static func table(_ rows: [[StyledText]]) {
    for line in Columns.lines(rows) { show(line) }
  }

  static func json(_ value: JSON) { print(value.pretty()) }
}

extension JSON {
  /// What came over the bus.
  init(_ variant: Variant) {
    switch variant {
    case .boolean(let value): self = .boolean(value)
    case .int32(let value): self = .integer(Int64(value))
    case .uint32(let value): self = .integer(Int64(value))
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .number(value)
    case .string(let value), .path(let value): self = .string(value)
    case .boxed(let value): self = JSON(value)
    case .strings(let values): self = .array(values.map(JSON.string))
    case .dictionary(let entries): self = JSON(entries)
    case .dictionaries(let values): self = .array(values.map { JSON($0) })
    case .tuple(let values), .array(_, let values): self = .array(values.map { JSON($0) })
    case .unknown: self = .null
    }
  }

  init(_ record: some Record) { self.init(record.entries) }

  init(_ entries: [Variant.Entry]) {
    self = .object(entries.map { Member($0.key, JSON($0.value)) })
  }
}
