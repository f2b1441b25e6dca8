// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads one statement of which it is known that something is wrong with it, and stops at the first
// error that people make: headings, keys, what joins a key and its value, and what follows the
// value. It is no judge: text that it finds nothing wrong with may be wrong all the same. Values
// are read by `SyntaxValues.swift`.

import Language
import TOML

struct SyntaxScanner {
  /// A heading, or a key with its value.
  struct Statement {
    var path: [String]
    var isKey: Bool
    /// Of a heading: whether it has two brackets.
    var isList = false
    /// Where it begins in the text.
    var index: Int
  }

  let text: [Unicode.Scalar]
  var next = 0
  /// How many lists and inline tables are open.
  var depth = 0

  init(_ text: [Unicode.Scalar]) { self.text = text }

  /// Throws what is wrong; nil if there is no statement.
  mutating func statement() throws(SyntaxFault) -> Statement? {
    skipSpaces()
    try refuseConflictMark()
    guard try !skipComment() else { return nil }
    if at("[") { return try heading() }
    let start = next
    let path = try key()
    let name = string(start..<next)
    try join(name, from: start)
    let value = next
    try self.value(of: name)
    try lineEnd(behind: value, of: name)
    return Statement(path: path, isKey: true, index: start)
  }

  private func refuseConflictMark() throws(SyntaxFault) {
    let mark = text[next...].prefix(7)
    guard mark.count == 7, let first = mark.first, "<=>|".unicodeScalars.contains(first),
      mark.allSatisfy({ $0 == first })
    else { return }
    throw SyntaxFault(
      at: next, Message("this line marks a merge conflict"),
      hint: Message("keep one of the two versions, and remove the marks"))
  }

  // MARK: - Headings

  private mutating func heading() throws(SyntaxFault) -> Statement {
    let start = next
    let isList = at("[[")
    next += isList ? 2 : 1
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
      try refuseRest(ofHeading: name..<nameEnd)
      let isList = SyntaxText.isList(path) ?? isList
      let shown = SyntaxText.shown(string(name..<nameEnd))
      throw SyntaxFault(
        at: start, Message("the brackets of this heading do not match"),
        hint: Message("write \(isList ? "[[\(shown)]]" : "[\(shown)]")"))
    }
    next += closed
    skipSpaces()
    if try !skipComment(), !isLineEnd {
      try refuseOddCharacter()
      throw SyntaxFault(
        at: next, Message("a heading needs a line of its own"),
        hint: Message("begin a new line here"))
    }
    return Statement(path: path, isKey: false, isList: isList, index: start)
  }

  /// The name of a heading goes on behind a space.
  private func refuseRest(ofHeading name: Range<Int>) throws(SyntaxFault) {
    guard next > name.upperBound, let character = peek, character.properties.isAlphabetic else {
      try refuseOddCharacter()
      return
    }
    let rest = text[next...].prefix { !"]#\n".unicodeScalars.contains($0) }
    let whole = Self.joined(string(name) + " " + Self.string(rest))
    let meant = SyntaxText.heading(near: whole) ?? whole
    throw SyntaxFault(
      at: name.lowerBound, Message("a name cannot have spaces"),
      hint: Message("write \(SyntaxText.shown(meant))"))
  }

  /// Words joined as the keys of a config are: `fade in` is `fade_in`.
  private static func joined(_ words: String) -> String {
    words.split(separator: " ").joined(separator: "_")
  }

  // MARK: - Keys

  /// The parts of a key, to its end.
  mutating func key() throws(SyntaxFault) -> [String] {
    let start = next
    var parts: [String] = []
    var end = next
    repeat {
      skipSpaces()
      parts.append(try keyPart())
      end = next
      skipSpaces()
    } while skip(".")
    next = end
    guard parts.count <= TOMLDocument.dotsInAKey + 1 else {
      throw SyntaxFault(
        at: start, Message("more than \(TOMLDocument.dotsInAKey) dots in one key"))
    }
    return parts
  }

  private mutating func keyPart() throws(SyntaxFault) -> String {
    let start = next
    if at("\"") || at("'") {
      try quotedText()
      return string(start + 1..<max(start + 1, next - 1))
    }
    while let scalar = peek, !Self.endsKey(scalar) { next += 1 }
    guard next == start else {
      try refuseSign(inName: start..<next)
      return string(start..<next)
    }
    try refuseOddCharacter()
    throw at("=")
      ? SyntaxFault(
        at: next, Message("there is no key before this ="),
        hint: Message("write it like time = 07:30"))
      : unknown
  }

  private func refuseSign(inName name: Range<Int>) throws(SyntaxFault) {
    let isSign = { (scalar: Unicode.Scalar) in
      scalar.isASCII && !scalar.properties.isAlphabetic
        && !"0123456789-_".unicodeScalars.contains(scalar)
    }
    guard let index = name.first(where: { isSign(text[$0]) }) else { return }
    throw SyntaxFault(
      at: index, Message("\(String(text[index])) cannot stand in a name"),
      hint: Message("names have letters, digits, - and _"))
  }

  static func endsKey(_ scalar: Unicode.Scalar) -> Bool {
    " \t\n\r.=:[]{},#\"'".unicodeScalars.contains(scalar) || SyntaxText.plain(scalar) != nil
      || SyntaxText.isUnusualSpace(scalar) || SyntaxText.isControl(scalar)
  }

  // MARK: - What joins a key and its value

  /// Takes the `=`, and what is white space behind it.
  mutating func join(_ name: String, from start: Int) throws(SyntaxFault) {
    let end = next
    skipSpaces()
    let sign = string(next..<(next + 2))
    let wrong =
      [":=", "==", "=>", "->"].first { sign == $0 } ?? [":", "："].first { sign.hasPrefix($0) }
    if let wrong {
      throw SyntaxFault(
        at: next, Message("a key and its value are joined by =, not by \(wrong)"),
        hint: hint(name, valueAt: next + wrong.unicodeScalars.count))
    }
    guard skip("=") else {
      try refuseOddCharacter()
      if isLineEnd || at("#") {
        throw SyntaxFault(
          at: end, Message("there is no = after \(SyntaxText.shown(name))"),
          hint: Message("write \(SyntaxText.shown(name)) = and its value"))
      }
      let rest = text[next...].prefix { !"=\"'#,}\n".unicodeScalars.contains($0) }
      if rest.endIndex < text.count, text[rest.endIndex] == "=" {
        let meant = Self.joined(name + " " + Self.string(rest))
        throw SyntaxFault(
          at: start, Message("a name cannot have spaces"),
          hint: Message("write \(SyntaxText.shown(meant))"))
      }
      throw SyntaxFault(
        at: next, Message("there is no = after \(SyntaxText.shown(name))"),
        hint: hint(name, valueAt: next))
    }
    skipSpaces()
    guard isLineEnd || at("#") else { return }
    throw SyntaxFault(
      at: next, Message("\(SyntaxText.shown(name)) has no value"),
      hint: Message("write a value after the =, or remove the line"))
  }

  /// What to write, with the value that begins there; nil if none does.
  private func hint(_ name: String, valueAt index: Int) -> Message? {
    let rest = text[min(index, text.count)...].prefix { !endsPhrase.contains($0) }
    let value = Self.trimmed(rest)
    return value.isEmpty ? nil : SyntaxText.write(name, SyntaxText.value(String(value)))
  }

  // MARK: - What follows a value

  /// Refuses what stands in the line behind a value that begins at `value`.
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
      let rest = Self.string(text[value...].prefix { !"#\n".unicodeScalars.contains($0) })
      throw SyntaxFault(
        at: value, Message("a list needs brackets"), hint: SyntaxText.write(name, Self.list(rest)))
    }
    if next == end, text[value] == "\"" || text[value] == "'" {
      throw SyntaxFault(
        at: next, Message("the text ended at the quotation mark before this"),
        hint: text[value] == "'"
          ? Message("put the text between \" and \"")
          : Message(#"write \" for a quotation mark in a text"#))
    }
    throw SyntaxFault(
      at: next, Message("there is more after the value"),
      hint: Message("remove it, or write # before a comment"))
  }

  private func refuseSecondKey() throws(SyntaxFault) {
    var second = self
    if second.skip(",") { second.skipSpaces() }
    let start = second.next
    guard second.isAssignment else { return }
    let name = Self.string(text[start...].prefix { !Self.endsKey($0) })
    throw SyntaxFault(
      at: start, Message("two keys cannot stand in one line"),
      hint: Message("begin a new line before \(SyntaxText.shown(name))"))
  }

  /// `mon, "fri"` as a list.
  static func list(_ values: String) -> String {
    let items = values.split(separator: ",").map { SyntaxText.value(String($0)) }
    return "[\(items.joined(separator: ", "))]"
  }
}
