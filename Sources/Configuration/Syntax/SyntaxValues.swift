// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scans the values of a statement that is not TOML: texts in quotes, lists and inline tables.
// Values without quotes are scanned in `SyntaxWords.swift`.

import Language
import TOML

extension SyntaxScanner {
  /// Scans the value of `key`. If `key` is nil, scans an element of a list.
  mutating func value(of key: String?) throws(SyntaxFault) {
    if at("\"") || at("'") { return try quotedText() }
    guard at("[") || at("{") else { return try word(of: key) }
    guard depth < TOMLDocument.deepest else { throw unknown }
    depth += 1
    try collection()
    depth -= 1
  }

  // MARK: - Texts

  mutating func quotedText() throws(SyntaxFault) {
    let start = next
    let quote = at("\"") ? "\"" : "'"
    let long = quote + quote + quote
    let isLong = skip(long)
    if !isLong { next += 1 }
    while next < text.count, isLong || !isLineEnd {
      if skip(isLong ? long : quote) {
        // TOML allows up to two quotation marks directly before the closing three. They belong to
        // the text.
        for _ in 0..<2 where isLong { _ = skip(quote) }
        return
      }
      if quote == "\"", at("\\") {
        try escape(isLong: isLong)
      } else {
        try refuseControl()
        next += 1
      }
    }
    throw unclosed(start, isLong ? long : quote)
  }

  /// Returns the error of a text that begins with `quotes` at `start` and is not closed before
  /// `next`.
  private func unclosed(_ start: Int, _ quotes: String) -> SyntaxFault {
    if quotes.count == 3 {
      return SyntaxFault(
        at: start, Message("there is no \(quotes) at the end of this text"),
        hint: Message("write \(quotes) after its last line"))
    }
    let wrong = (start + 1..<max(start + 1, next)).last { index in
      SyntaxText.plain(text[index]).map { String($0) } == quotes
    }
    if let fault = wrong.flatMap({ typographic(at: $0) }) { return fault }
    if string(start..<next)[...].trimmed.hasSuffix("\\\"") {
      return SyntaxFault(
        at: start, Message(#"this text has no closing quotation mark: \" does not end it"#),
        hint: Self.backslashHint)
    }
    return SyntaxFault(
      at: start, Message("this text has no closing quotation mark"),
      hint: Message("text in quotes ends in its line"))
  }

  private static var backslashHint: Message {
    Message(#"write \\ for a backslash, or put the text between ' and '"#)
  }

  /// Scans a backslash and the characters after it that belong to the same escape.
  private mutating func escape(isLong: Bool) throws(SyntaxFault) {
    let start = next
    next += 1
    guard let letter = peek else { return }
    next += 1
    // In a text of several lines, a backslash may also escape the end of a line.
    let plain = isLong ? "btnfre\"\\ \t\n" : "btnfre\"\\"
    if plain.unicodeScalars.contains(letter) { return }
    let digits = ["x": 2, "u": 4, "U": 8][letter] ?? 0
    let number = string(next..<next + digits)
    if digits > 0, number.utf8.count == digits, number.allSatisfy(\.isHexDigit),
      let value = UInt32(number, radix: 16), Unicode.Scalar(value) != nil
    {
      next += digits
      return
    }
    throw SyntaxFault(
      at: start,
      Message("\(SyntaxText.shown("\\" + String(letter))) means nothing in a text"),
      hint: Self.backslashHint)
  }

  // MARK: - Lists and inline tables

  private mutating func collection() throws(SyntaxFault) {
    let start = next
    let (open, close) = at("{") ? ("{", "}") : ("[", "]")
    next += 1
    let unclosed = SyntaxFault(
      at: start, Message("there is no \(close) for this \(open)"),
      hint: Message("write \(close) after the last value"))
    while true {
      var isNewLine = try skipBetween()
      if skip(close) { return }
      if isEnd(of: open, isNewLine) { throw unclosed }
      if at(",") {
        throw SyntaxFault(
          at: next, Message("there is no value before this comma"),
          hint: Message("remove the comma"))
      }
      try element(of: open)
      let end = next
      isNewLine = try skipBetween()
      if skip(close) { return }
      if skip(",") { continue }
      if isEnd(of: open, isNewLine) || ")]}".unicodeScalars.contains(text[next]) { throw unclosed }
      try refuseText(behindQuoteAt: end - 1)
      throw SyntaxFault(
        at: next, Message("there is no comma before this"),
        hint: Message("write a comma between two values"))
    }
  }

  private mutating func element(of open: String) throws(SyntaxFault) {
    guard open == "{" else { return try value(of: nil) }
    let start = next
    _ = try key()
    let name = string(start..<next)
    try join(name, from: start)
    try value(of: name)
  }

  /// Scans white space, line ends and comments. Returns whether they included a line end.
  private mutating func skipBetween() throws(SyntaxFault) -> Bool {
    var isNewLine = false
    while true {
      skipSpaces()
      if try skipComment() { continue }
      guard next < text.count, isLineEnd else {
        try refuseOddCharacter()
        return isNewLine
      }
      next += 1
      isNewLine = true
    }
  }

  /// Whether the list or inline table cannot continue here. It cannot continue at the end of the
  /// text, or at a line that begins with a heading. A list also cannot continue at a line that
  /// begins with a key.
  private func isEnd(of open: String, _ isNewLine: Bool) -> Bool {
    next >= text.count || isNewLine && (isHeading || open == "[" && isAssignment)
  }

  private var isHeading: Bool {
    let name = text[next...].drop { $0 == "[" || $0 == " " }
    guard at("["), name.first?.properties.isAlphabetic == true else { return false }
    return name.drop { $0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0) }
      .first { $0 != " " } == "]"
  }
}
