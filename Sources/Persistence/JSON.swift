// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON to be written: for the command line's `--json` and the history's lines. Members keep the
// order they were given. Nothing here reads JSON.

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
    switch self {
    case .null: "null"
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    // JSON has no words for what is not finite.
    case .number(let value): value.isFinite ? String(value) : "null"
    case .string(let value): JSON.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { JSON.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  /// One member or element a line, two spaces a level, for people.
  public func pretty(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .array(let values) where !values.isEmpty:
      return "[\n" + values.map { inner + $0.pretty(indent: inner) }.joined(separator: ",\n")
        + "\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map {
        "\(inner)\(JSON.quoted($0.key)): \($0.value.pretty(indent: inner))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    default: return text
    }
  }

  /// Control characters are escaped, C1's and the bidirectional overrides too: JSON is looked at in
  /// terminals.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _
      where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value):
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
