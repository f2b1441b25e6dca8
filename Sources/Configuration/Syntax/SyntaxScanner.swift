// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the first common error in a statement that is not TOML: in a heading, in a key, between a
// key and its value, or after the value. It accepts more than TOML does, because it only explains
// texts that toml++ has refused. Values are scanned in `SyntaxValues.swift`.

import Language
import TOML

struct SyntaxScanner {
  /// A heading, or a key with its value.
  struct Statement {
    var path: [String]
    var isKey: Bool
    /// Whether the heading has two brackets, as in `[[alarm]]`.
    var isList = false
  }

  let text: [Unicode.Scalar]
  var next = 0
  /// The number of lists and inline tables that are open at the position `next`.
  var depth = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  /// Scans the first statement of the text. Throws the statement's first error. Returns nil if
  /// there is no statement.
  mutating func statement() throws(SyntaxFault) -> Statement? {
    try refuseConflictMark()
    if try skipComment() { return nil }
    if at("[") { return try heading() }
    let path = try key()
    let name = string(0..<next)
    try join(name, from: 0)
    let value = next
    try self.value(of: name)
    try lineEnd(behind: value, of: name)
    return Statement(path: path, isKey: true)
  }

  private func refuseConflictMark() throws(SyntaxFault) {
    guard ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains(where: at) else { return }
    throw SyntaxFault(
      at: next, Message("this line marks a merge conflict"),
      hint: Message("keep one of the two versions, and remove the marks"))
  }

  // MARK: - Headings and keys

  private mutating func heading() throws(SyntaxFault) -> Statement {
    let start = next
    let isList = skip("[[")
    if !isList { next += 1 }
    skipSpaces()
    if at("]") {
      throw SyntaxFault(
        at: start, Message("this heading has no name"), hint: Message("write it like [[alarm]]"))
    }
    let name = next
    let path = try key()
    let nameEnd = next
    skipSpaces()
    let closed = text[next...].prefix { $0 == "]" }.count
    if closed != (isList ? 2 : 1) {
      if peek?.properties.isAlphabetic == true { throw spaces(inName: name, until: "]#\n") }
      try refuseOddCharacter()
      let shown = SyntaxText.shown(string(name..<nameEnd))
      throw SyntaxFault(
        at: start, Message("the brackets of this heading do not match"),
        hint: Message("write \(SyntaxText.isList(path) ?? isList ? "[[\(shown)]]" : "[\(shown)]")"))
    }
    next += closed
    skipSpaces()
    if try !skipComment(), !isLineEnd {
      try refuseOddCharacter()
      throw SyntaxFault(
        at: next, Message("a heading needs a line of its own"),
        hint: Message("begin a new line here"))
    }
    return Statement(path: path, isKey: false, isList: isList)
  }

  /// Scans a key to its end. Returns the parts between its dots.
  mutating func key() throws(SyntaxFault) -> [String] {
    var parts: [String] = []
    var end = next
    repeat {
      skipSpaces()
      parts.append(try keyPart())
      end = next
      skipSpaces()
    } while skip(".")
    next = end
    return parts
  }

  private mutating func keyPart() throws(SyntaxFault) -> String {
    let start = next
    if at("\"") || at("'") {
      try quotedText()
      return string(start + 1..<max(start + 1, next - 1))
    }
    while let scalar = peek, !Self.endsKey(scalar) { next += 1 }
    if next > start { return string(start..<next) }
    try refuseOddCharacter()
    guard at("=") else { throw unknown }
    throw SyntaxFault(
      at: next, Message("there is no key before this ="),
      hint: Message("write it like time = 07:30"))
  }

  private static func endsKey(_ scalar: Unicode.Scalar) -> Bool {
    " \t\n\r.=:[]{},#\"'".unicodeScalars.contains(scalar) || SyntaxText.plain(scalar) != nil
      || SyntaxText.isUnusualSpace(scalar) || SyntaxText.isControl(scalar)
  }

  /// Returns the error of a name that consists of several words. `fade in` probably means
  /// `fade_in`.
  private func spaces(inName start: Int, until ends: String) -> SyntaxFault {
    let name = Self.string(text[start...].prefix { !ends.unicodeScalars.contains($0) })
    let meant = name.split(separator: " ").joined(separator: "_")
    return SyntaxFault(
      at: start, Message("a name cannot have spaces"),
      hint: Message("write \(SyntaxText.shown(meant))"))
  }

  /// Scans the `=` after the key `name`, which begins at `start`, and the spaces around it.
  mutating func join(_ name: String, from start: Int) throws(SyntaxFault) {
    let end = next
    skipSpaces()
    if let wrong = [":=", "==", "=>", "->", ":", "："].first(where: at) {
      let value = phrase(at: next + wrong.unicodeScalars.count)
      throw SyntaxFault(
        at: next, Message("a key and its value are joined by =, not by \(wrong)"),
        hint: value.isEmpty ? nil : SyntaxText.write(name, SyntaxText.value(value)))
    }
    let shown = SyntaxText.shown(name)
    guard skip("=") else {
      try refuseOddCharacter()
      let more = text[next...].prefix { !"=\"'#,}\n".unicodeScalars.contains($0) }
      if text[more.endIndex...].first == "=" { throw spaces(inName: start, until: "=") }
      let value = phrase(at: next)
      throw SyntaxFault(
        at: value.isEmpty ? end : next, Message("there is no = after \(shown)"),
        hint: value.isEmpty
          ? Message("write \(shown) = and its value")
          : SyntaxText.write(name, SyntaxText.value(value)))
    }
    skipSpaces()
    guard isLineEnd || at("#") else { return }
    throw SyntaxFault(
      at: next, Message("\(shown) has no value"),
      hint: Message("write a value after the =, or remove the line"))
  }

  // MARK: - After a value

  /// Throws an error if anything but a comment follows the value that begins at `value`.
  private mutating func lineEnd(behind value: Int, of name: String) throws(SyntaxFault) {
    let end = next
    skipSpaces()
    if try skipComment() || isLineEnd { return }
    try refuseOddCharacter()
    if at(";") {
      throw SyntaxFault(
        at: next, Message("a line does not end with ;"), hint: Message("remove it"))
    }
    if at("]") || at("}") {
      throw SyntaxFault(
        at: next, Message("there is no \(at("]") ? "[" : "{") for this \(string(next..<next + 1))"),
        hint: Message("remove it"))
    }
    try refuseSecondKey()
    if at(",") {
      let values = Self.string(text[value...].prefix { $0 != "#" && $0 != "\n" })
      throw SyntaxFault(
        at: value, Message("a list needs brackets"),
        hint: SyntaxText.write(name, SyntaxText.list(values)))
    }
    try refuseText(behindQuoteAt: end - 1)
    throw SyntaxFault(
      at: next, Message("there is more after the value"),
      hint: Message("remove it, or write # before a comment"))
  }

  private func refuseSecondKey() throws(SyntaxFault) {
    var second = self
    if second.skip(",") { second.skipSpaces() }
    guard second.isAssignment else { return }
    let name = Self.string(text[second.next...].prefix { !Self.endsKey($0) })
    throw SyntaxFault(
      at: second.next, Message("two keys cannot stand in one line"),
      hint: Message("begin a new line before \(SyntaxText.shown(name))"))
  }

  /// Throws an error if text follows a closing quotation mark directly, as in `"say "hi" to"`.
  func refuseText(behindQuoteAt index: Int) throws(SyntaxFault) {
    guard next == index + 1, text[index] == "\"" || text[index] == "'" else { return }
    throw SyntaxFault(
      at: next, Message("the text ended at the quotation mark before this"),
      hint: text[index] == "'"
        ? Message("put the text between \" and \"")
        : Message(#"write \" for a quotation mark in a text"#))
  }

  /// Whether the text continues with a key and `=`.
  var isAssignment: Bool {
    var rest = text[next...].drop { !Self.endsKey($0) }
    guard rest.startIndex > next, text[next].properties.isAlphabetic else { return false }
    rest = rest.drop { $0 == " " || $0 == "\t" }
    return rest.first == "="
  }
}

// MARK: - Characters

extension SyntaxScanner {
  var peek: Unicode.Scalar? { next < text.count ? text[next] : nil }

  /// Whether the line or the text ends at the position `next`.
  var isLineEnd: Bool { next >= text.count || text[next] == "\n" }

  func at(_ expected: String) -> Bool { text[next...].starts(with: expected.unicodeScalars) }

  mutating func skip(_ expected: String) -> Bool {
    guard at(expected) else { return false }
    next += expected.unicodeScalars.count
    return true
  }

  mutating func skipSpaces() { while at(" ") || at("\t") { next += 1 } }

  func string(_ range: Range<Int>) -> String {
    Self.string(text[range.clamped(to: 0..<text.count)])
  }

  static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    return String(string)
  }

  /// Returns the text from `index` on that was probably meant as one value. A comment or the end of
  /// the line ends the value. In a list or inline table, a comma or closing bracket also ends it.
  func phrase(at index: Int) -> String {
    let ends = (depth > 0 ? ",]}#\n" : "#\n").unicodeScalars
    let phrase = text[min(index, text.count)...].prefix { !ends.contains($0) }
    return String(Self.string(phrase)[...].trimmed)
  }

  var unknown: SyntaxFault { SyntaxFault(at: next, Message("this line is not valid TOML")) }

  /// Scans a comment to the end of its line. Returns false if no comment begins here.
  mutating func skipComment() throws(SyntaxFault) -> Bool {
    // `;` counts as a comment only at the beginning of a statement. After a value, `;` means the
    // end of the line, as in many programming languages.
    if let mark = ["//", "--", "/*", ";"].first(where: at), mark != ";" || next == 0 {
      throw SyntaxFault(
        at: next, Message("a comment begins with #"),
        hint: Message("write # instead of \(mark)"))
    }
    guard at("#") else { return false }
    while !isLineEnd {
      try refuseControl()
      next += 1
    }
    return true
  }

  /// Throws an error if the next character looks like another character or like a space.
  func refuseOddCharacter() throws(SyntaxFault) {
    if let fault = typographic(at: next) { throw fault }
    if let scalar = peek, SyntaxText.isUnusualSpace(scalar) { throw unusual(scalar) }
    try refuseControl()
  }

  func refuseControl() throws(SyntaxFault) {
    if let scalar = peek, !isLineEnd, SyntaxText.isControl(scalar) { throw unusual(scalar) }
  }

  private func unusual(_ scalar: Unicode.Scalar) -> SyntaxFault {
    SyntaxFault(
      at: next, Message("there is an unusual character (\(SyntaxText.codePoint(scalar))) here"),
      hint: Message("write a plain space instead, or remove it"))
  }

  /// Returns the error of a typographic character such as `“`; nil for other characters. `hint`
  /// says what to write instead.
  func typographic(at index: Int, hint: Message? = nil) -> SyntaxFault? {
    guard index < text.count, let plain = SyntaxText.plain(text[index]) else { return nil }
    let shown = "\(String(text[index])) (\(SyntaxText.codePoint(text[index])))"
    return SyntaxFault(
      at: index, Message("\(shown) is a typographic character"),
      hint: hint ?? Message("write \(String(plain)) instead"))
  }
}
