// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints lines, tables and JSON. Control characters in a text from the config or the bus are
// escaped, and colours are used only on a terminal whose user wants them.

import Configuration
import Language
import Persistence
import Presentation
import Screen
import System

@MainActor enum Terminal {
  static var color = TableOption.Color.auto

  /// The user wants no colour in any program (no-color.org); `--color=always` still has it.
  private static let forbidsColour = Environment.value("NO_COLOR") != nil

  /// The styles for standard output.
  static var palette: Palette {
    switch color {
    case .always: .colour
    case .never: .none
    case .auto:
      StandardOutput.isTerminal && !forbidsColour && Environment.value("TERM") != "dumb"
        ? .colour : .none
    }
  }

  /// The styles for a full screen.
  static var screenPalette: Palette {
    color == .never || color == .auto && forbidsColour ? .monochrome : .colour
  }

  /// Prints a line. Control characters in `text` are escaped.
  static func show(_ text: String) { show(StyledText(text)) }

  static func show(_ text: StyledText) { print(text.rendered(palette)) }

  /// Prints an error. The lines of `message` say what is wrong or, after `hint:` or `fix:`, what to
  /// do about it.
  static func complain(_ message: String) {
    let advice = [tr("hint: \("")"), tr("fix: \("")")]
    for line in message.split(separator: "\n") {
      let shown = TerminalText.escaped(String(line), limit: longestComplaint)
      let isAdvice = advice.contains(where: shown.hasPrefix)
      StandardError.write(isAdvice ? "\(shown)\n" : "belfry: \(shown)\n")
    }
  }

  /// In code points: some messages repeat what the user typed, which may be of any length.
  private static let longestComplaint = 1000

  /// Prints `rows` in columns. On a terminal, `heading` comes first.
  static func table(_ rows: [[StyledText]], heading: [String] = []) {
    var lines = rows
    if StandardOutput.isTerminal, !rows.isEmpty, !heading.isEmpty {
      // An empty column is not printed, so it needs no heading.
      let cells = heading.enumerated().map { column, name in
        rows.contains { column < $0.count && !$0[column].isEmpty }
          ? StyledText(name, .dim) : StyledText()
      }
      lines.insert(cells, at: 0)
    }
    for line in Columns.lines(lines) { show(line) }
  }

  /// Prints `rows` of plain text, with the first column in bold.
  static func table(_ rows: [[String]], heading: [String] = []) {
    let styled = rows.map { row in
      row.enumerated().map { StyledText($1, $0 == 0 ? .bold : .plain) }
    }
    table(styled, heading: heading)
  }

  static func json(_ value: JSON) { print(value.pretty()) }
  static func json(_ record: some Record) { json(JSON(record)) }
  static func json(_ records: [some Record]) { json(.array(records.map { JSON($0) })) }
}
