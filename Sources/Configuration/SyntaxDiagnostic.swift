// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explains why a config is not TOML. toml++ only reports where it stopped, so Belfry tries out what
// the user probably meant: the first correction of the line that is valid TOML becomes the hint,
// and the error is where the line and its correction begin to differ.

import Language
import Scheduling
import TOML

extension Diagnostic {
  /// `bytes` must be the text in which `error` was found.
  init(file: String, notTOML error: TOMLError, in bytes: [UInt8]) {
    var (place, message) = (TOMLPosition.start, Message("this line is not valid TOML"))
    let hint: Message
    switch error {
    case .notUTF8(let position):
      (place, message) = (position, Message("this is not UTF-8 text"))
      hint = Message("save the file in the encoding UTF-8")
    case .syntax(let stop):
      let broken = TOMLDocument.statement(reaching: stop.line, of: bytes)
      place = stop
      // The line break makes a byte order mark before the line an error, as it is in the file. At
      // the beginning of a text, it would be allowed.
      if LineCorrection.isTOML("\n" + broken.text) {
        // The line is valid by itself, so a line above has already set the same name.
        let indentation = broken.text.prefix { $0 == " " || $0 == "\t" }
        place = TOMLPosition(line: broken.line, column: 1 + indentation.unicodeScalars.count)
        message = Message("a line above has set this already")
        let list = LineCorrection.heading(broken.text[...]).flatMap { $0.isList ? $0.name : nil }
        hint =
          list.map { Message("begin each with [[\($0)]]") } ?? Message("keep one of the two")
      } else if let correction = LineCorrection(broken.text) {
        place = TOMLPosition(line: broken.line, column: correction.column)
        hint = Message("write \(TerminalText.escaped(correction.text, limit: 200))")
      } else if broken.line < stop.line {
        hint = Message("the value that begins in line \(broken.line) has an error, or no end")
      } else {
        hint = LineCorrection.example(for: broken.text)
      }
    }
    self.init(
      file: file, line: place.line, column: place.column, severity: .error, message: message,
      hint: hint)
  }
}

/// What the user probably meant by a line that is not TOML.
struct LineCorrection {
  /// The line in TOML, without its indentation and comment.
  let text: String
  /// The column in which the correction begins, counted from 1.
  let column: Int

  private static let longest = 1000

  /// Returns nil if Belfry does not know what the line means, or if the line is very long.
  init?(_ line: String) {
    guard line.utf8.count <= Self.longest else { return nil }
    let plain = String(String.UnicodeScalarView(line.unicodeScalars.map(Self.plain)))
    let body = plain.prefix { $0 != "#" }.trimmed
    let heading = Self.heading(body).map { $0.isList ? "[[\($0.name)]]" : "[\($0.name)]" }
    let candidates = [String(plain[...].trimmed)] + (heading.map { [$0] } ?? Self.settings(body))
    guard let found = candidates.first(where: Self.isTOML), !found.isEmpty else { return nil }
    text = found
    let indentation = line.prefix { $0 == " " || $0 == "\t" }
    let difference = zip(line.unicodeScalars, (indentation + text).unicodeScalars)
      .prefix { $0 == $1 }
    column = 1 + difference.count { _ in true }
  }

  /// Returns a hint with an example of the right form, for a line whose meaning Belfry does not
  /// know.
  static func example(for line: String) -> Message {
    let short = line.utf8.count <= longest ? line : ""
    let parts = short.prefix { $0 != "#" }.split(separator: "=").map(\.trimmed)
    if parts.count == 2, !parts.contains(where: { $0.contains(" ") || $0.hasPrefix("[") }),
      parts[1].first?.isDigit == true
    {
      if parts[1].count(where: { "-./".contains($0) }) == 2 {
        return Message("write it like 2026-12-24, without quotes")
      }
      if parts[1].contains(":") { return Message(#"write it like 07:30 or "7:30 pm""#) }
    }
    return Message(#"write one setting in a line, such as label = "Work"; # begins a comment"#)
  }

  /// Returns the name in a heading, and whether it stands for a list, as `[[alarm]]` does. Nil if
  /// the line is not a heading.
  static func heading(_ line: Substring) -> (name: String, isList: Bool)? {
    guard line.trimmed.hasPrefix("[") else { return nil }
    let name = String(line.filter { $0 != "[" && $0 != "]" }[...].trimmed)
    let known = Configuration.schema.first?.keys.first { $0.name == name }
    return (name, known?.value == .tables)
  }

  /// Returns the settings that a line may mean, the likeliest first.
  private static func settings(_ body: Substring) -> [String] {
    let isSign = { (character: Character) in " \t=:>".contains(character) }
    let end = body.firstIndex(of: "=") ?? body.firstIndex(where: isSign) ?? body.endIndex
    let key = body[..<end].split(whereSeparator: isSign).joined(separator: "_")
    var value = body[end...].drop(while: isSign).trimmed
    while value.hasSuffix(";") { value.removeLast() }
    return values(value, isList: listKeys.contains(key)).map { "\(key) = \($0)" }
  }

  /// Returns the TOML values that the user may have meant, the likeliest first.
  private static func values(_ text: Substring, isList: Bool = false) -> [String] {
    if isTOML("x = \(text)") { return [String(text)] }
    if text.hasPrefix("[") || isList && (text.contains(",") || text.hasSuffix("]")) {
      // The list may continue in the next line.
      if text.hasSuffix("[") || text.hasSuffix(",") { return [] }
      let parts = text.trimming("[]").split(separator: ",")
      // If there are lists inside the list, or a comma inside a text, Belfry does not know what is
      // meant.
      let isUnclear = parts.contains { $0.contains("[") || $0.count { $0 == "\"" } % 2 != 0 }
      let found = parts.compactMap { values($0.trimmed).first { isTOML("x = \($0)") } }
      return isUnclear || found.count < parts.count ? [] : ["[\(found.joined(separator: ", "))]"]
    }
    if let time = TimeText.parse(String(text)) { return [time.description] }
    // If the value is a number that is not a duration, several texts, or a text of several lines,
    // Belfry does not know what is meant.
    let isNumber = text.first?.isDigit == true && !isLength(String(text))
    if isNumber || ["\" \"", "\"\"\"", "{"].contains(where: text.includes) { return [] }
    let isQuote = { (character: Character) in character == "\"" || character == "'" }
    var word = text.first.map(isQuote) == true ? text.dropFirst() : text
    if word.last.map(isQuote) == true { word.removeLast() }
    return word.isEmpty ? [] : [text.lowercased(), TerminalText.literal(String(word))]
  }

  /// Whether the text can be read as a duration such as `10m`, or as an interval such as `2 weeks`.
  private static func isLength(_ text: String) -> Bool {
    !text.contains(":") && ((try? DurationText.parse(text)) != nil || Interval.parse(text) != nil)
  }

  static func isTOML(_ text: String) -> Bool {
    (try? TOMLDocument.parse(text)) != nil
  }

  private static let listKeys = Set(
    Configuration.schema.flatMap(\.keys).filter(\.value.takesList).map(\.name))

  /// Returns the plain character for one that looks like it, such as `"` for `“`, and a space for
  /// an unusual space or a control character. Returns any other character unchanged.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "“", "”", "„": "\""
    case "‘", "’": "'"
    // The full-width forms of ASCII are in the same order as ASCII.
    case "！"..."～": Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
    case "\t": scalar
    case _ where scalar.properties.isWhitespace || scalar.properties.generalCategory == .control:
      " "
    case "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}": " "
    default: scalar
    }
  }
}
