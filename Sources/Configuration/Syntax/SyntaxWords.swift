// SPDX-License-Identifier: GPL-3.0-or-later
//
// Scans a value without quotes. If the value is not a number, a date, a time, true or false, this
// file guesses what the user meant. `TimeText` and `DurationText` know how people write times and
// durations.

import Language
import Scheduling
import TOML

extension SyntaxScanner {
  /// Scans a value without quotes. If `key` is nil, the value is an element of a list.
  mutating func word(of key: String?) throws(SyntaxFault) {
    let start = next
    try refuseTypographicQuotes(key)
    while let scalar = peek, !Self.endsWord(scalar) { next += 1 }
    let word = string(start..<next)
    let phrase = phrase(at: start)
    if SyntaxText.isValue(word) {
      // In TOML, a space may stand between a date and a time.
      if SyntaxText.isValue(phrase) {
        next = start + phrase.unicodeScalars.count
      } else if word.allSatisfy(\.isDigit), Self.isWords(phrase) {
        // A number is followed by a word, as in `every = 2 weeks`.
        throw Self.fault(of: phrase, word: phrase, key: key, at: start)
      } else if let fault = Self.fault(ofTime: phrase, at: start) {
        throw fault
      }
    } else if word.hasSuffix(";"), SyntaxText.isValue(String(word.dropLast())) {
      next -= 1
    } else if word.isEmpty {
      try refuseOddCharacter()
      throw unknown
    } else {
      throw Self.fault(of: phrase, word: word, key: key, at: start)
    }
  }

  private static func isWords(_ phrase: String) -> Bool {
    phrase.contains(where: \.isLetter)
      && phrase.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }
  }

  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    " \t\n,]}#".unicodeScalars.contains(scalar) || SyntaxText.isUnusualSpace(scalar)
      || SyntaxText.isControl(scalar)
  }

  private func refuseTypographicQuotes(_ key: String?) throws(SyntaxFault) {
    let quote = peek.flatMap(SyntaxText.plain)
    guard quote == "\"" || quote == "'" else { return }
    let inside = text[(next + 1)...].prefix {
      $0 != "\n" && $0 != "#" && $0 != quote && SyntaxText.plain($0) != quote
    }
    let hint = SyntaxText.write(key, SyntaxText.quoted(Self.string(inside)))
    if let fault = typographic(at: next, hint: hint) { throw fault }
  }

  // MARK: - What the user meant

  /// Returns the error of `phrase`, whose first word is `word`.
  private static func fault(
    of phrase: String, word: String, key: String?, at start: Int
  ) -> SyntaxFault {
    let known =
      fault(ofFlag: phrase, at: start) ?? fault(ofTime: phrase, at: start)
      ?? fault(ofTime: word, at: start)
    if let known { return known }
    if word.first(where: { !"+-.".contains($0) })?.isDigit == true {
      // Any error means that the phrase is not a duration.
      if (try? DurationText.parse(phrase)) != nil {
        return SyntaxFault(
          at: start, Message("a duration needs quotes"),
          hint: SyntaxText.write(key, SyntaxText.quoted(phrase)))
      }
      if let known = fault(ofDate: word, at: start) ?? fault(ofNumber: word, at: start) {
        return known
      }
    }
    if let key, SyntaxText.listKeys.contains(key), phrase.contains(",") {
      return SyntaxFault(
        at: start, Message("a list needs brackets"),
        hint: SyntaxText.write(key, SyntaxText.list(phrase)))
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

  /// Returns the error of a wrongly written time; nil if the phrase does not look like a time.
  private static func fault(ofTime phrase: String, at start: Int) -> SyntaxFault? {
    // `12.12` may be a number and not a time. A phrase that does not begin with a digit is text.
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

  /// Returns the error of a wrongly written date; nil if the word does not look like a date.
  private static func fault(ofDate word: String, at start: Int) -> SyntaxFault? {
    let date = word.prefix { $0.isDigit || "-./".contains($0) }
    let parts = date.split(omittingEmptySubsequences: false) { "-./".contains($0) }
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
      parts[0].count == 4 || parts[2].count == 4 || date.contains("-")
    else { return nil }
    let padded = parts.map { $0.count == 1 ? "0\($0)" : String($0) }.joined(separator: "-")
    // A date in the right form that does not exist needs no hint about the form.
    let hint = padded == date ? nil : Message("write it like 2026-12-24, without quotes")
    return SyntaxFault(
      at: start, Message("\(SyntaxText.shown(String(date))) is not a date"),
      hint: CivilDate(padded) == nil ? hint : Message("write \(padded)"))
  }

  /// Returns the error of a wrongly written number; nil if the word does not look like a number.
  private static func fault(ofNumber word: String, at start: Int) -> SyntaxFault? {
    let shown = SyntaxText.shown(word)
    let isWhole = word.allSatisfy(\.isDigit)
    if isWhole, word.hasPrefix("0") {
      return SyntaxFault(
        at: start, Message("\(shown) is neither a number nor a time"),
        hint: Message("a time is written 07:30, a number without zeros in front"))
    }
    if isWhole || Double(word)?.isInfinite == true {
      return SyntaxFault(at: start, Message("\(shown) is too large a number"))
    }
    // A word with a letter, such as `3rd` in `3rd floor`, is text and not a number.
    if word.contains(where: \.isLetter) { return nil }
    let number = String(word.dropLast())
    let isPercentage = word.hasSuffix("%") && SyntaxText.isValue(number)
    return SyntaxFault(
      at: start, Message("\(shown) is not a number"),
      hint: isPercentage ? Message("write \(number)") : nil)
  }
}
