// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes values as JSON: the output of `--json`, the lines of the history, and messages between
// Belfry's own programs. A table becomes an object. Next: `JSONReader.swift`, which reads JSON.

import Language

extension Value {
  /// The value as JSON text in one line, as RFC 8259 defines it.
  public var json: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// Returns the value as text for people to read. Each member of an object and each element of an
  /// array has a line of its own, indented by two spaces for each level.
  public func prettyJSON() -> String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  /// Writes the value. If `indent` is nil, everything is written in one line.
  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += String(value)
    case .integer(let value): text += String(value)
    // JSON cannot express infinities and NaN.
    case .number(let value): text += value.isFinite ? String(value) : "null"
    case .string(let value): text += TerminalText.literal(value)
    case .date, .time, .dateTime, .instant: text += "\"\(dateText ?? "")\""
    case .list(let values, _):
      Self.write(values.map { ("", $0) }, in: ("[", "]"), to: &text, indent)
    case .table(let entries):
      let colon = indent == nil ? ":" : ": "
      Self.write(
        entries.map { (TerminalText.literal($0.key) + colon, $0.value) }, in: ("{", "}"),
        to: &text, indent)
    }
  }

  /// Writes values between brackets, each after its head: the key and a colon for a member of an
  /// object, nothing for an element of an array.
  private static func write(
    _ items: [(head: String, value: Value)], in brackets: (String, String), to text: inout String,
    _ indent: Int?
  ) {
    func end(_ indent: Int?) -> String {
      indent.map { "\n" + String(repeating: " ", count: $0) } ?? ""
    }
    let inner = indent.map { $0 + 2 }
    text += brackets.0
    for (i, item) in items.enumerated() {
      text += (i > 0 ? "," : "") + end(inner) + item.head
      item.value.write(to: &text, indent: inner)
    }
    text += (items.isEmpty ? "" : end(indent)) + brackets.1
  }
}
