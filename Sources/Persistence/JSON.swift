// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON to be written: for the command line's `--json` and the history's lines. Members keep the
// order they were given. Next: `JSONReader.swift`.

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

  /// An object of the members that have a value.
  public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// As RFC 8259 has it, in one line.
  public var text: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// One member or element a line, two spaces a level, for people.
  public func pretty() -> String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  /// Nil: all in one line.
  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += String(value)
    case .integer(let value): text += String(value)
    // JSON has no words for what is not finite.
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
