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
    var place: TOMLPosition
    var message = Message("this line is not valid TOML")
    var hint: Message?
    switch error {
    case .notUTF8(let position):
      place = position
      message = Message("this is not UTF-8 text")
      hint = Message("save the file in the encoding UTF-8")
    case .syntax(let stop):
      let broken = TOMLBreak(bytes, at: stop)
      place = stop
      if let (name, line) = broken.earlier {
        let indentation = broken.text.prefix { $0 == " " || $0 == "\t" }
        place = TOMLPosition(line: broken.line, column: 1 + indentation.unicodeScalars.count)
        let shown = LineCorrection.shown(name.joined(separator: "."))
        message = Message("\(shown) is set twice; first in line \(line)")
        hint =
          LineCorrection.isList(name) == true && broken.text.contains("[")
          ? Message("begin each with [[\(shown)]]") : Message("keep one of the two")
      } else if let correction = LineCorrection(broken.text) {
        place = TOMLPosition(line: broken.line, column: correction.column)
        hint = Message("write \(LineCorrection.shown(correction.text))")
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
    let corrected = Self.isTOML(plain) ? plain[...].trimmed : Self.statement(body)[...]
    text = String(corrected)
    guard !text.isEmpty, text != line[...].trimmed, Self.isTOML(text) else { return nil }
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
      parts[1].first?.isNumber == true
    {
      if parts[1].count(where: { "-./".contains($0) }) == 2 {
        return Message("write it like 2026-12-24, without quotes")
      }
      if parts[1].contains(":") { return Message(#"write it like 07:30 or "7:30 pm""#) }
    }
    return Message(#"write one setting in a line, such as label = "Work"; # begins a comment"#)
  }

  private static func statement(_ body: Substring) -> String {
    if body.hasPrefix("[") {
      let name = body.filter { $0 != "[" && $0 != "]" }[...].trimmed
      let isList = isList([String(name)]) ?? body.hasPrefix("[[")
      return isList ? "[[\(name)]]" : "[\(name)]"
    }
    let head = body.prefix { $0 != "=" }
    let hasEquals = head.endIndex < body.endIndex
    let name = hasEquals ? head.trimmed : body.prefix { !" \t:-".contains($0) }
    let words = name.split { " \t:".contains($0) }.joined(separator: "_")
    let rest = body[(hasEquals ? head : name).endIndex...]
    let value = rest.drop { " \t=:>-".contains($0) }
    let isAsWritten = words == name && rest.prefix { $0 != " " } == "="
    let begin = isAsWritten ? String(body[..<value.startIndex]) : "\(words) = "
    return self.value(value, isList: listKeys.contains(words)).map { begin + $0 } ?? ""
  }

  /// Returns the TOML value that the user probably meant; nil if Belfry does not know it.
  private static func value(_ written: Substring, isList: Bool = false) -> String? {
    var text = written.trimmed
    while text.hasSuffix(";") { text.removeLast() }
    if isTOML("x = \(text)") { return String(text) }
    if text.hasPrefix("[") || isList && (text.contains(",") || text.hasSuffix("]")) {
      // The list may continue in the next line.
      if text.hasSuffix("[") || text.hasSuffix(",") { return nil }
      let inner = String(text.drop { $0 == "[" }.reversed().drop { $0 == "]" }.reversed())
      let written = inner.split(separator: ",")
      // With lists inside the list, or a comma inside a text, Belfry does not know what is meant.
      let isClear = written.allSatisfy { $0.count { $0 == "\"" } % 2 == 0 }
      let parts = written.map { value($0) }
      if !isClear || inner.contains("[") || parts.contains(nil) { return nil }
      return "[\(parts.compactMap(\.self).joined(separator: ", "))]"
    }
    let word = text.lowercased()
    if word == "true" || word == "false" { return word }
    if let time = TimeText.parse(String(text)) { return time.description }
    if text.first?.isDigit == true, !isLength(String(text)) {
      let date = text.split(separator: "-").map { $0.count == 1 ? "0\($0)" : String($0) }
      let number = text.hasSuffix("%") ? String(text.dropLast()) : ""
      return [date.joined(separator: "-"), number].first { isTOML("x = \($0)") }
    }
    let isQuote = { (character: Character) in character == "\"" || character == "'" }
    let bare = String(text.drop(while: isQuote).reversed().drop(while: isQuote).reversed())
    // With several texts or a text of several lines, Belfry does not know what is meant.
    let isUnclear = ["\" \"", "\"\"\"", "{"].contains(where: text.includes)
    return bare.isEmpty || isUnclear ? nil : TerminalText.literal(bare)
  }

  /// Whether the text is a duration such as `10m`, or an interval. Any error means no.
  private static func isLength(_ text: String) -> Bool {
    !text.contains(":") && ((try? DurationText.parse(text)) != nil || Interval.parse(text) != nil)
  }

  private static func isTOML(_ text: String) -> Bool {
    (try? TOMLDocument.parse(text)) != nil
  }

  static func shown(_ text: String) -> String { TerminalText.escaped(text, limit: 200) }

  private static let listKeys = Set(
    Configuration.schema.flatMap(\.keys).filter(\.value.takesList).map(\.name))

  /// Whether a heading with this name stands for a list, as `[[alarm]]` does, so that it has double
  /// brackets. Nil if a config has no heading with this name.
  static func isList(_ heading: [String]) -> Bool? {
    guard heading.count == 1 else { return nil }
    return Configuration.schema.first?.keys.first { $0.name == heading[0] }
      .map { $0.value == .tables }
  }

  /// Returns the plain character for one that looks like it, such as `"` for `“`, and a space for
  /// an unusual space or a control character. Returns any other character unchanged.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "“", "”", "„", "‟", "«", "»", "″", "＂": "\""
    case "‘", "’", "‚", "‛", "′", "＇": "'"
    case "＝": "="
    case "：": ":"
    case "，", "、": ","
    case "［", "【": "["
    case "］", "】": "]"
    case "＃": "#"
    case "\t": scalar
    case _ where scalar.properties.isWhitespace || scalar.properties.generalCategory == .control:
      " "
    case "\u{200B}"..."\u{200D}", "\u{2060}", "\u{FEFF}": " "
    default: scalar
    }
  }
}
