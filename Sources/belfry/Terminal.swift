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
  /// As `--color` says.
  static var color = TableOption.Color.auto

  /// The user wants no colour (no-color.org), unless this command is asked for it.
  private static let forbidsColour = Environment.value("NO_COLOR") != nil

  /// What standard output is to have of styles.
  static var palette: Palette {
    switch color {
    case .always: .colour
    case .never: .none
    case .auto:
      StandardOutput.isTerminal && !forbidsColour && Environment.value("TERM") != "dumb"
        ? .colour : .none
    }
  }

  /// What a whole screen is to have of styles.
  static var screenPalette: Palette {
    color == .never || color == .auto && forbidsColour ? .monochrome : .colour
  }

  /// Prints `text`, which comes from outside, harmlessly.
  static func show(_ text: String) { show(StyledText(text)) }

  static func show(_ text: StyledText) { print(text.rendered(palette)) }

  /// Lines on standard error, harmless whatever name of a file is in them. Each says what is wrong
  /// or, behind `hint:` or `fix:`, what to do about the one before.
  static func complain(_ message: String) {
    let advice = [tr("hint: \("")"), tr("fix: \("")")]
    for line in message.split(separator: "\n") {
      let shown = TerminalText.escaped(String(line), limit: longestComplaint)
      let isAdvice = advice.contains(where: shown.hasPrefix)
      StandardError.write(isAdvice ? "\(shown)\n" : "belfry: \(shown)\n")
    }
  }

  /// In code points. What was typed may be of any length, and is part of some complaints.
  private static let longestComplaint = 1000

  /// Rows in columns, two spaces between, as wide as the widest cell is on a terminal; `heading` is
  /// for people alone.
  static func table(_ rows: [[StyledText]], heading: [String] = []) {
    var lines = rows
    if StandardOutput.isTerminal, !rows.isEmpty, !heading.isEmpty {
      // A column that nothing is in has no heading, either.
      let cells = heading.enumerated().map { column, name in
        rows.contains { column < $0.count && !$0[column].isEmpty }
          ? StyledText(name, .dim) : StyledText()
      }
      lines.insert(cells, at: 0)
    }
    for line in Columns.lines(lines) { show(line) }
  }

  /// The same of plain text, the first column of which stands out.
  static func table(_ rows: [[String]], heading: [String] = []) {
    let styled = rows.map { row in
      row.enumerated().map { StyledText($1, $0 == 0 ? .bold : .plain) }
    }
    table(styled, heading: heading)
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
