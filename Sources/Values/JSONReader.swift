// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads JSON: the lines of the history, and messages between Belfry's own programs.
// Accepts what RFC 8259 allows, and numbers such as `007`. The depth of nesting is limited, so that
// no text can overflow the stack. Next: `ValueCoder.swift`.

extension Value {
  /// The maximum depth of nesting in JSON. A text with deeper nesting is refused.
  static let deepestJSON = 32

  /// Reads the value in `text`. Returns nil if `text` is not JSON, or holds more than one value.
  public init?(json text: some StringProtocol) {
    var reader = JSONReader(text.unicodeScalars)
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }
}

private struct JSONReader {
  private var rest: ArraySlice<Unicode.Scalar>

  init(_ text: some Sequence<Unicode.Scalar>) { rest = Array(text)[...] }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return rest.isEmpty
    }
  }

  mutating func value(depth: Int) -> Value? {
    skipSpace()
    guard depth < Value.deepestJSON, let first = rest.first else { return nil }
    switch first {
    case "{": return object(depth: depth)
    case "[": return array(depth: depth)
    case "\"": return string().map(Value.string)
    case "t": return skip("true") ? .boolean(true) : nil
    case "f": return skip("false") ? .boolean(false) : nil
    case "n": return skip("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func skipSpace() {
    rest = rest.drop { " \t\r\n".unicodeScalars.contains($0) }
  }

  private mutating func skip(_ word: String) -> Bool {
    guard rest.starts(with: word.unicodeScalars) else { return false }
    rest = rest.dropFirst(word.unicodeScalars.count)
    return true
  }

  /// Skips spaces. If `mark` comes next, skips it and returns true.
  private mutating func takeMark(_ mark: String) -> Bool {
    skipSpace()
    return skip(mark)
  }

  private mutating func object(depth: Int) -> Value? {
    var members: [Value.Entry] = []
    guard skip("{") else { return nil }
    if takeMark("}") { return .table([]) }
    repeat {
      skipSpace()
      guard let key = string(), takeMark(":"), let value = value(depth: depth + 1) else {
        return nil
      }
      members.append(Value.Entry(key, value))
    } while takeMark(",")
    return takeMark("}") ? .table(members) : nil
  }

  private mutating func array(depth: Int) -> Value? {
    var values: [Value] = []
    guard skip("[") else { return nil }
    if takeMark("]") { return .list([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while takeMark(",")
    return takeMark("]") ? .list(values) : nil
  }

  private mutating func string() -> String? {
    guard skip("\"") else { return nil }
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(text)
      case "\\":
        guard let escaped = escape() else { return nil }
        text.append(escaped)
      case _ where scalar.value < 0x20: return nil
      default: text.append(scalar)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    switch rest.popFirst() {
    case "\"": "\""
    case "\\": "\\"
    case "/": "/"
    case "b": "\u{8}"
    case "f": "\u{C}"
    case "n": "\n"
    case "r": "\r"
    case "t": "\t"
    case "u": codePoint()
    default: nil
    }
  }

  /// Reads the code point after `\u`. A code point above U+FFFF is written as two surrogates. A
  /// surrogate alone is not valid.
  private mutating func codePoint() -> Unicode.Scalar? {
    guard let first = codeUnit() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard skip("\\u"), let second = codeUnit(), (0xDC00..<0xE000).contains(second) else {
      return nil
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func codeUnit() -> UInt32? {
    let digits = rest.prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    rest = rest.dropFirst(4)
    return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
  }

  private mutating func number() -> Value? {
    let digits = rest.prefix { "+-.0123456789eE".unicodeScalars.contains($0) }
    rest = rest[digits.endIndex...]
    let text = String(String.UnicodeScalarView(digits))
    if let integer = Int64(text) { return .integer(integer) }
    return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
  }
}
