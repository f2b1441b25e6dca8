// SPDX-License-Identifier: GPL-3.0-or-later
//
// The characters of a statement that is not TOML, one by one: where the scanner is, comments, and
// characters that look like those of TOML but are others.

import Language
import TOML

extension SyntaxScanner {
  var peek: Unicode.Scalar? { next < text.count ? text[next] : nil }

  /// Whether the line, or the text, ends here.
  var isLineEnd: Bool { next >= text.count || text[next] == "\n" }

  func at(_ expected: String) -> Bool {
    text[min(next, text.count)...].starts(with: expected.unicodeScalars)
  }

  mutating func skip(_ expected: String) -> Bool {
    guard at(expected) else { return false }
    next += expected.unicodeScalars.count
    return true
  }

  mutating func skipSpaces() { while at(" ") || at("\t") { next += 1 } }

  /// Goes to the next line that is neither empty nor a comment, if it stands at the end of one.
  mutating func skipLines() {
    while isLineEnd || at("#"), next < text.count {
      while !isLineEnd { next += 1 }
      next += 1
      skipSpaces()
    }
  }

  func string(_ range: Range<Int>) -> String {
    Self.string(text[range.clamped(to: 0..<text.count)])
  }

  static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    return String(string)
  }

  /// Without white space around it.
  static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var rest = scalars.drop { $0 == " " || $0 == "\t" }
    while rest.last == " " || rest.last == "\t" { rest.removeLast() }
    return string(rest)
  }

  /// The error of which nothing is known but the place.
  var unknown: SyntaxFault { SyntaxFault(at: next, Message("this line is not valid TOML")) }

  /// Whether a key and `=` stand here.
  var isAssignment: Bool {
    var name = text[next...].prefix { !Self.endsKey($0) }
    guard let first = name.first, first.properties.isAlphabetic else { return false }
    name = text[name.endIndex...].drop { $0 == " " || $0 == "\t" }
    return name.first == "="
  }

  /// Takes a comment, without its line end.
  mutating func skipComment() throws(SyntaxFault) -> Bool {
    // Behind a value, `;` is taken for an end of the line.
    if let other = ["//", "--", "/*", ";"].first(where: { at($0) }), other != ";" || next == 0 {
      throw SyntaxFault(
        at: next, Message("a comment begins with #"),
        hint: Message("write # instead of \(other)"))
    }
    guard at("#") else { return false }
    while !isLineEnd {
      try refuseControl()
      next += 1
    }
    return true
  }

  /// Refuses a character that looks like one of TOML's, or like nothing.
  func refuseOddCharacter() throws(SyntaxFault) {
    guard let scalar = peek else { return }
    if let plain = SyntaxText.plain(scalar) {
      throw SyntaxFault(
        at: next,
        Message("\(String(scalar)) (\(SyntaxText.codePoint(scalar))) is a typographic character"),
        hint: Message("write \(String(plain)) instead"))
    }
    if SyntaxText.isUnusualSpace(scalar) {
      throw SyntaxFault(
        at: next, Message("there is an unusual space (\(SyntaxText.codePoint(scalar))) here"),
        hint: Message("write a plain space"))
    }
    if !isLineEnd { try refuseControl() }
  }

  func refuseControl() throws(SyntaxFault) {
    guard let scalar = peek, SyntaxText.isControl(scalar) else { return }
    throw SyntaxFault(
      at: next, Message("there is a control character (\(SyntaxText.codePoint(scalar))) here"),
      hint: Message("remove it"))
  }
}

extension SyntaxText {
  /// The plain character that is meant by a typographic one.
  static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "“", "”", "„", "‟", "«", "»", "″", "＂": "\""
    case "‘", "’", "‚", "‛", "′", "＇": "'"
    case "＝": "="
    case "：": ":"
    case "，", "、": ","
    case "［", "【": "["
    case "］", "】": "]"
    case "｛": "{"
    case "｝": "}"
    case "＃": "#"
    case "．": "."
    case "–", "—", "−", "－": "-"
    default: nil
    }
  }

  /// Whether it is white space to people and none to TOML.
  static func isUnusualSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA0, 0x1680, 0x2000...0x200D, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF: true
    default: false
    }
  }

  /// Whether TOML has it nowhere, but for line ends.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
  }

  /// `U+00A0`
  static func codePoint(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
