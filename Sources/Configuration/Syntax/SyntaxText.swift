// SPDX-License-Identifier: GPL-3.0-or-later
//
// Corrects keys and values that the user wrote in a wrong form, so that hints can propose them.
// Also recognises characters that look like other characters. `SyntaxScanner.swift` uses both.

import Language
import Scheduling
import TOML

enum SyntaxText {
  /// Whether `text` is a value in TOML.
  static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 200 && !text.contains(where: \.isNewline)
      && (try? TOMLDocument.parse("x = " + text)) != nil
  }

  /// Returns `text` cut short, and without characters that control a terminal.
  static func shown(_ text: String) -> String { TerminalText.escaped(text, limit: 60) }

  /// Returns `text` as a string in TOML, cut off if it is long.
  static func quoted(_ text: String) -> String {
    text.unicodeScalars.count > 60 ? TerminalText.quoted(text) : TerminalText.literal(text)
  }

  /// Returns the TOML value that the user probably meant. Returns `written` itself if it is a valid
  /// value.
  static func value(_ written: String) -> String {
    let text = String(written[...].trimmed)
    if isValue(text) { return text }
    let word = text.lowercased()
    if word == "true" || word == "false" { return word }
    if let time = try? TimeText.parse(text) { return time.description }
    return quoted(String(text.drop { $0 == "\"" }.reversed().drop { $0 == "\"" }.reversed()))
  }

  /// Returns values such as `mon, "fri"` as a list in TOML.
  static func list(_ values: String) -> String {
    "[\(values.split(separator: ",").map { value(String($0)) }.joined(separator: ", "))]"
  }

  /// Returns a hint such as `write label = "Work"`. If `key` is nil, the hint has the value alone.
  static func write(_ key: String?, _ value: String) -> Message {
    Message("write \(key.map { "\(shown($0)) = \(value)" } ?? value)")
  }

  /// The keys that take a list.
  static let listKeys = Set(
    Configuration.schema.flatMap(\.keys).filter(\.value.takesList).map(\.name))

  /// Whether a config writes this heading as `[[…]]`; nil if a config has no such heading.
  static func isList(_ heading: [String]) -> Bool? {
    guard heading.count == 1 else { return nil }
    return Configuration.schema.first?.keys.first { $0.name == heading[0] }
      .map { $0.value == .tables }
  }

  // MARK: - Characters

  /// Returns the plain character for a typographic one, such as `"` for `“`; nil for any other
  /// character.
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

  /// Whether the character looks like white space but is not white space in TOML.
  static func isUnusualSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xA0, 0x1680, 0x2000...0x200D, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF: true
    default: false
    }
  }

  /// Whether the character is a control character that TOML allows only at the end of a line, or
  /// nowhere.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 && scalar != "\t" || scalar.value == 0x7F
  }

  /// Returns the code point of a character in a form such as `U+00A0`.
  static func codePoint(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
