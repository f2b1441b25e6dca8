// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines and tables for people. Text from a config or from the bus never acts on the terminal.

import Configuration
import Desktop
import Persistence

enum Terminal {
  /// Prints `text`, which comes from outside, harmlessly.
  static func show(_ text: String) { print(TerminalText.escaped(text)) }

  /// One line on standard error.
  static func complain(_ message: String) {
    StandardError.write("belfry: \(message)\n")
  }

  /// Rows in columns, two spaces between, as wide as the widest cell is on a terminal.
  static func table(_ rows: [[String]]) {
    let cells = rows.map { $0.map { TerminalText.escaped($0) } }
    let columns = cells.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      cells.map { column < $0.count ? width($0[column]) : 0 }.max() ?? 0
    }
    for row in cells {
      let line = row.enumerated().map { column, cell in
        cell + String(repeating: " ", count: widths[column] - width(cell))
      }
      print(line.joined(separator: "  ").trimmedAtEnd)
    }
  }

  static func json(_ value: JSON) { print(value.pretty()) }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + TerminalText.width(of: $1) }
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
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
    case .string(let value): self = .string(value)
    case .strings(let values): self = .array(values.map(JSON.string))
    case .dictionary(let entries): self = JSON(entries)
    case .dictionaries(let values): self = .array(values.map { JSON($0) })
    case .unknown: self = .null
    }
  }

  init(_ entries: [Variant.Entry]) {
    self = .object(entries.map { Member($0.key, JSON($0.value)) })
  }
}
