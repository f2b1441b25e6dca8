// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints lines, tables and JSON. Escapes control characters in texts from the config or the bus.
// Without `--color`, uses colours only on a terminal, and not if `NO_COLOR` is set.

import Configuration
import Language
import Presentation
import Screen
import System
import Values

@MainActor enum Terminal {
  static var color = TableOption.Color.auto

  /// Whether the user wants no colour in any program (no-color.org). `--color=always` overrides
  /// this.
  private static let forbidsColour = Environment.value("NO_COLOR") != nil

  /// The palette for standard output.
  static var palette: Palette {
    switch color {
    case .always: .colour
    case .never: .none
    case .auto:
      StandardOutput.isTerminal && !forbidsColour && Environment.value("TERM") != "dumb"
        ? .colour : .none
    }
  }

  static var screenPalette: Palette {
    color == .never || color == .auto && forbidsColour ? .monochrome : .colour
  }

  /// Prints a line. Control characters in `text` are escaped.
  static func printLine(_ text: String) { printLine(StyledText(text)) }

  static func printLine(_ text: StyledText) { print(text.rendered(palette)) }

  /// Prints an error on standard error. Each line of `message` says what is wrong or, if it begins
  /// with `hint:` or `fix:`, what to do about it.
  static func complain(_ message: String) {
    let advice = [tr("hint: \("")"), tr("fix: \("")")]
    for line in message.split(separator: "\n") {
      let shown = TerminalText.escaped(String(line), limit: longestComplaint)
      let isAdvice = advice.contains(where: shown.hasPrefix)
      StandardError.write(isAdvice ? "\(shown)\n" : "belfry: \(shown)\n")
    }
  }

  /// The most code points in a line of an error message. Some messages repeat what the user typed,
  /// which may be of any length.
  private static let longestComplaint = 1000

  /// Prints a table. `heading` has the headings of the columns, with `|` between two of them.
  static func table(_ rows: [[StyledText]], heading: String) {
    var lines = rows
    if StandardOutput.isTerminal, !rows.isEmpty {
      // An empty column is not printed, so leave out its heading.
      let cells = heading.split(separator: "|").enumerated().map { column, name in
        rows.contains { column < $0.count && !$0[column].isEmpty }
          ? StyledText(String(name), .dim) : StyledText()
      }
      lines.insert(cells, at: 0)
    }
    for line in Columns.lines(lines) { printLine(line) }
  }

  static func table(_ rows: [[String]], heading: String) {
    let styled = rows.map { row in
      row.enumerated().map { StyledText($1, $0 == 0 ? .bold : .plain) }
    }
    table(styled, heading: heading)
  }

  static func json(_ value: Value) { print(value.prettyJSON()) }
  static func json(_ record: some Record) { json(Value(encoding: record)) }
  static func json(_ records: [some Record]) { json(.list(records.map { Value(encoding: $0) })) }
}
