// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON values and how they are written, for `--json` on the command line and for the lines of the
// history. Members of an object keep the order in which they were given. Next: `JSONReader.swift`,
// which reads JSON.

import Language

public indirect enum JSON: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  public struct Member: Hashable, Sendable {
    public var key: String
    public var value: JSON
    public init(_ key: String, _ value: JSON) { (self.key, self.value) = (key, value) }
  }

  /// Returns an object with the members whose value is not nil.
  public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// The value as JSON text in one line, as RFC 8259 defines it.
  public var text: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// Returns the value as text for people to read. Each member or element has a line of its own,
  /// indented by two spaces for each level.
  public func pretty() -> String {
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
    case .array(let values):
      Self.list(values, in: ("[", "]"), to: &text, indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.list(members, in: ("{", "}"), to: &text, indent) { member, text, inner in
        text += TerminalText.literal(member.key)
        text += inner == nil ? ":" : ": "
        member.value.write(to: &text, indent: inner)
      }
    }
  }

  private static func list<Item>(
    _ items: [Item], in brackets: (String, String), to text: inout String, _ indent: Int?,
    _ write: (Item, inout String, Int?) -> Void
  ) {
    text += brackets.0
    let inner = indent.map { $0 + 2 }
    for (i, item) in items.enumerated() {
      if i > 0 { text += "," }
      breakLine(in: &text, inner)
      write(item, &text, inner)
    }
    if !items.isEmpty { breakLine(in: &text, indent) }
    text += brackets.1
  }

  private static func breakLine(in text: inout String, _ indent: Int?) {
    guard let indent else { return }
    text += "\n"
    for _ in 0..<indent { text += " " }
  }
}
