// SPDX-License-Identifier: GPL-3.0-or-later
//
// The values of a statement that is not TOML: texts in quotes, lists and inline tables. What has no
// quotes is judged by `SyntaxWords.swift`.

import Language
import TOML

extension SyntaxScanner {
  /// Takes the value of `key`; of an element of a list if that is nil.
  mutating func value(of key: String?) throws(SyntaxFault) {
    if at("\"") || at("'") { return try quotedText() }
    guard at("[") || at("{") else { return try word(of: key) }
    guard depth < TOMLDocument.deepest else {
      throw SyntaxFault(
        at: next,
        Message("lists and tables are more than \(TOMLDocument.deepest) deep in one another"))
    }
    depth += 1
    try at("[") ? list() : table()
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
      if at(isLong ? long : quote) {
        next += isLong ? 3 : 1
        // Up to two quotes more belong to the text.
        for _ in 0..<2 where isLong && at(quote) { next += 1 }
        return
      }
      if quote == "\"", at("\\") {
        try escape(isLong: isLong)
      } else {
        if !isLineEnd { try refuseControlInText() }
        next += 1
      }
    }
    throw unclosed(start, isLong ? long : quote)
  }

  private func unclosed(_ start: Int, _ quotes: String) -> SyntaxFault {
    let inside = start + quotes.count..<max(start + quotes.count, next)
    if quotes.count == 3 {
      return SyntaxFault(
        at: start, Message("there is no \(quotes) at the end of this text"),
        hint: Message("write \(quotes) after its last line"))
    }
    let wrong = inside.last { SyntaxText.plain(text[$0]).map { String($0) } == quotes }
    if let wrong {
      var scanner = self
      scanner.next = wrong
      do throws(SyntaxFault) { try scanner.refuseOddCharacter() } catch { return error }
    }
    if Self.trimmed(text[inside]).hasSuffix("\\\"") {
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

  /// Takes a backslash and what belongs to it.
  private mutating func escape(isLong: Bool) throws(SyntaxFault) {
    let start = next
    next += 1
    guard let letter = peek else { return }
    next += 1
    if "btnfre\"\\".unicodeScalars.contains(letter) { return }
    // In a text of several lines it may stand at the end of a line.
    if isLong, " \t\n".unicodeScalars.contains(letter) { return }
    let digits = ["x": 2, "u": 4, "U": 8][letter] ?? 0
    let number = string(next..<next + digits)
    if digits > 0, number.utf8.count == digits, number.allSatisfy({ $0.isASCII && $0.isHexDigit }),
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

  private func refuseControlInText() throws(SyntaxFault) {
    do throws(SyntaxFault) { try refuseControl() } catch {
      var fault = error
      let digits = SyntaxText.codePoint(text[next]).dropFirst(2)
      fault.hint = Message("remove it, or write \\u\(String(digits)) between \" and \"")
      throw fault
    }
  }

  // MARK: - Lists and inline tables

  private mutating func list() throws(SyntaxFault) {
    let start = next
    next += 1
    while true {
      let isNewLine = try skipBetween()
      if skip("]") { return }
      if next >= text.count || isNewLine && isStatement { throw unclosed(start, "[", "]") }
      if at(",") { throw noValueBeforeComma }
      try value(of: nil)
      if try comma(behindValueIn: start, "[", "]") { return }
    }
  }

  private mutating func table() throws(SyntaxFault) {
    let start = next
    next += 1
    while true {
      let isNewLine = try skipBetween()
      if skip("}") { return }
      if next >= text.count || isNewLine && isHeading { throw unclosed(start, "{", "}") }
      if at(",") { throw noValueBeforeComma }
      let keyStart = next
      _ = try key()
      let name = string(keyStart..<next)
      try join(name, from: keyStart)
      try value(of: name)
      if try comma(behindValueIn: start, "{", "}") { return }
    }
  }

  private var noValueBeforeComma: SyntaxFault {
    SyntaxFault(
      at: next, Message("there is no value before this comma"), hint: Message("remove the comma"))
  }

  /// Takes the comma behind a value, or the bracket that ends the list: then it is true.
  private mutating func comma(
    behindValueIn start: Int, _ open: String, _ close: String
  ) throws(SyntaxFault) -> Bool {
    let end = next
    let isNewLine = try skipBetween()
    if skip(close) { return true }
    if skip(",") { return false }
    if next >= text.count || isNewLine && (open == "[" ? isStatement : isHeading) {
      throw unclosed(start, open, close)
    }
    try refuseOddCharacter()
    if next == end, text[end - 1] == "\"" || text[end - 1] == "'", !at("\""), !at("'") {
      throw SyntaxFault(
        at: next, Message("the text ended at the quotation mark before this"),
        hint: text[end - 1] == "'"
          ? Message("put the text between \" and \"")
          : Message(#"write \" for a quotation mark in a text"#))
    }
    if ")]}".unicodeScalars.contains(text[next]) { throw unclosed(start, open, close) }
    throw SyntaxFault(
      at: next, Message("there is no comma before this"),
      hint: Message("write a comma between two values"))
  }

  private func unclosed(_ start: Int, _ open: String, _ close: String) -> SyntaxFault {
    SyntaxFault(
      at: start, Message("there is no \(close) for this \(open)"),
      hint: Message("write \(close) after the last value"))
  }

  /// Takes white space, line ends and comments; true if a line ended.
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

  /// Whether a line that begins here belongs to no list: a key and `=`, or a heading.
  private var isStatement: Bool { isAssignment || isHeading }

  private var isHeading: Bool {
    guard at("[") else { return false }
    let line = text[next...].prefix { $0 != "\n" && $0 != "#" }
    let name = Self.trimmed(line).drop { $0 == "[" }.prefix { $0 != "]" }
    return name.first?.isLetter == true && !SyntaxText.isValue(String(name))
      && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
  }
}
