// SPDX-License-Identifier: GPL-3.0-or-later
//
// A value without quotes: a number, a date, a time, true or false; if it is none of these, what was
// meant. `TimeText` and `DurationText` know how people write times and durations.

import Language
import Scheduling
import TOML

extension SyntaxScanner {
  /// Takes a value without quotes of `key`; of an element of a list if that is nil.
  mutating func word(of key: String?) throws(SyntaxFault) {
    let start = next
    try refuseTypographicQuotes(key)
    while let scalar = peek, !Self.endsWord(scalar) { next += 1 }
    let word = string(start..<next)
    if Self.isPlainNumber(word), isLineEnd || at(",") || at("]") { return }
    let phrase = Self.trimmed(text[start...].prefix { !endsPhrase.contains($0) })
    if SyntaxText.isValue(word) {
      if phrase == word { return }
      // A date may have its time behind a space.
      if SyntaxText.isValue(phrase) { next = start + phrase.unicodeScalars.count }
      // `every = 2 weeks`
      let isCount = Self.isPlainNumber(word) && Self.isWords(phrase)
      let fault =
        isCount
        ? Self.fault(of: phrase, word: phrase, key: key, at: start)
        : Self.fault(ofTime: phrase, at: start)
      guard let fault else { return }
      throw fault
    }
    if word.hasSuffix(";"), SyntaxText.isValue(String(word.dropLast())) {
      next -= 1
      return
    }
    if word.isEmpty {
      try refuseOddCharacter()
      throw unknown
    }
    throw Self.fault(of: phrase, word: word, key: key, at: start)
  }

  private static func isWords(_ phrase: String) -> Bool {
    phrase.contains(where: \.isLetter)
      && phrase.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
  }

  /// Ends a value that has no quotes but needs them: what is before it is meant as one.
  var endsPhrase: String.UnicodeScalarView { (depth > 0 ? ",]}#\n" : "#\n").unicodeScalars }

  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    " \t\n,]}#".unicodeScalars.contains(scalar) || SyntaxText.isUnusualSpace(scalar)
      || SyntaxText.isControl(scalar)
  }

  /// Most numbers are: TOML need not be asked.
  private static func isPlainNumber(_ word: String) -> Bool {
    (1...18).contains(word.utf8.count) && word.allSatisfy(\.isDigit)
      && (word.utf8.count == 1 || !word.hasPrefix("0"))
  }

  private func refuseTypographicQuotes(_ key: String?) throws(SyntaxFault) {
    guard let first = peek, let plain = SyntaxText.plain(first), plain == "\"" || plain == "'"
    else {
      return
    }
    let inside = text[(next + 1)...].prefix {
      $0 != "\n" && $0 != "#" && $0 != plain && SyntaxText.plain($0) != plain
    }
    throw SyntaxFault(
      at: next,
      Message("\(String(first)) (\(SyntaxText.codePoint(first))) is a typographic character"),
      hint: SyntaxText.write(key, SyntaxText.quoted(Self.string(inside))))
  }

  // MARK: - What was meant

  private static func fault(
    of phrase: String, word: String, key: String?, at start: Int
  ) -> SyntaxFault {
    let shown = SyntaxText.shown(word)
    let meant =
      fault(ofFlag: phrase, at: start) ?? fault(ofTime: phrase, at: start)
      ?? fault(ofTime: word, at: start)
    if let meant { return meant }
    if let digit = word.first(where: { !"+-.".contains($0) }), digit.isDigit {
      if (try? DurationText.parse(phrase)) != nil {
        return SyntaxFault(
          at: start, Message("a duration needs quotes"),
          hint: SyntaxText.write(key, SyntaxText.quoted(phrase)))
      }
      if let fault = fault(ofDate: word, at: start) ?? fault(ofNumber: word, at: start) {
        return fault
      }
      // `3rd floor` is text.
      if !word.contains(where: \.isLetter) {
        return SyntaxFault(at: start, Message("\(shown) is not a number"))
      }
    }
    if let key, SyntaxText.listKeys.contains(key), phrase.contains(",") {
      return SyntaxFault(
        at: start, Message("a list needs brackets"), hint: SyntaxText.write(key, list(phrase)))
    }
    return SyntaxFault(
      at: start, Message("text needs quotes"),
      hint: SyntaxText.write(key, SyntaxText.value(phrase)))
  }

  private static func fault(ofFlag word: String, at start: Int) -> SyntaxFault? {
    let small = word.lowercased()
    switch small {
    case "true", "false":
      return SyntaxFault(
        at: start, Message("true and false are written in small letters"),
        hint: Message("write \(small)"))
    case "yes", "on", "no", "off":
      let flag = small == "yes" || small == "on"
      return SyntaxFault(
        at: start, Message("\(word) is neither true nor false"),
        hint: Message("write \(String(flag)), or \(SyntaxText.quoted(word)) if it is text"))
    default: return nil
    }
  }

  /// Nil if it does not look like a time.
  private static func fault(ofTime phrase: String, at start: Int) -> SyntaxFault? {
    // `12.12` may be a number, and what is said in words is text.
    guard phrase.first?.isDigit == true,
      phrase.contains(":") || phrase.last.map({ $0.isASCII && $0.isLetter }) == true
    else { return nil }
    do throws(TimeText.Fault) {
      let time = try TimeText.parse(phrase)
      return SyntaxFault(
        at: start,
        phrase.last?.isLetter == true
          ? Message("a time with am or pm needs quotes")
          : Message("the hour of a time has two digits"),
        hint: Message("write \(time.description)"))
    } catch {
      let looksLikeTime =
        phrase.allSatisfy { $0.isDigit || $0 == ":" || $0 == "." } && phrase.contains(":")
      guard looksLikeTime || error == .twentyFour else { return nil }
      return SyntaxFault(
        at: start, Message("\(SyntaxText.shown(phrase)) is not a time of day"),
        hint: error == .twentyFour
          ? Message("midnight is 00:00") : Message(#"write it like 07:30 or "7:30 pm""#))
    }
  }

  /// Nil if it does not look like a date.
  private static func fault(ofDate word: String, at start: Int) -> SyntaxFault? {
    let date = word.prefix { $0.isDigit || "-./".contains($0) }
    let parts = date.split(omittingEmptySubsequences: false) { "-./".contains($0) }
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
      parts[0].count == 4 || parts[2].count == 4 || date.contains("-")
    else { return nil }
    return SyntaxFault(
      at: start, Message("\(SyntaxText.shown(String(date))) is not a date"),
      hint: hint(forDate: parts))
  }

  private static func hint(forDate parts: [Substring]) -> Message {
    let padded = parts.map { $0.count == 1 ? "0\($0)" : String($0) }
    guard padded.map(\.count) == [4, 2, 2] else {
      return Message("write it like 2026-12-24, without quotes")
    }
    let date = padded.joined(separator: "-")
    if SyntaxText.isValue(date) { return Message("write \(date)") }
    let month = "\(padded[0])-\(padded[1])-"
    let last = (28...31).last { SyntaxText.isValue(month + String($0)) }
    return last.map { Message("write a day from 01 to \($0)") }
      ?? Message("write a month from 01 to 12")
  }

  /// Nil if it does not look like a number.
  private static func fault(ofNumber word: String, at start: Int) -> SyntaxFault? {
    let shown = SyntaxText.shown(word)
    if word.utf8.count > 1, word.hasPrefix("0"), word.allSatisfy(\.isDigit) {
      return SyntaxFault(
        at: start, Message("\(shown) is neither a number nor a time"),
        hint: Message("a time is written 07:30, a number without zeros in front"))
    }
    if word.hasSuffix("%"), SyntaxText.isValue(String(word.dropLast())) {
      return SyntaxFault(
        at: start, Message("\(shown) is not a number"),
        hint: Message("write \(String(word.dropLast()))"))
    }
    let digits = word.drop { $0 == "-" || $0 == "+" }
    let isWhole = !digits.isEmpty && digits.allSatisfy(\.isDigit)
    guard isWhole && Int64(word) == nil || Double(word).map(\.isInfinite) == true else {
      return nil
    }
    return SyntaxFault(at: start, Message("\(shown) is too large a number"))
  }
}
