// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a value may be: each form turns a TOML value into a setting, or reports what is wrong with
// it and what to write instead. Here are the plain ones; those of dates and times are in
// `TimeParsers.swift`.

import Language
import TOML

struct ValueParser<Value> {
  /// What it takes, for editors: all that `parse` takes, and maybe more.
  let schema: ValueSchema
  let typing: Typing
  /// Nil where the field is wrong, which it has then reported.
  let parse: (Field) -> Value?

  init(_ schema: ValueSchema, typed typing: Typing = .text, _ parse: @escaping (Field) -> Value?) {
    (self.schema, self.typing, self.parse) = (schema, typing, parse)
  }
}

extension ValueParser where Value == Bool {
  static var flag: ValueParser {
    ValueParser(.flag, typed: .flag) { field in
      if case .boolean(let flag) = field.value.kind { return flag }
      var hint: Message?
      if case .string(let text) = field.value.kind {
        let word = text.lowercased()
        if ["true", "yes", "on"].contains(word) { hint = Message("write true, without quotes") }
        if ["false", "no", "off"].contains(word) { hint = Message("write false, without quotes") }
      }
      field.mustBe(Message("true or false"), hint: hint)
      return nil
    }
  }
}

extension ValueParser where Value == Int {
  static var percent: ValueParser {
    wholeNumber(Message("a whole number from 0 to 100"), in: 0...100)
  }
  static var count: ValueParser {
    wholeNumber(Message("a whole number, 0 or more"), in: 0...Int.max)
  }

  fileprivate static func wholeNumber(_ expected: Message, in range: ClosedRange<Int>)
    -> ValueParser
  {
    ValueParser(.wholeNumber(range), typed: .number) { field in
      var hint: Message?
      switch field.value.kind {
      case .integer(let number) where range.contains(Int(number)): return Int(number)
      case .string(let text):
        let digits = Int(text.prefix(while: \.isDigit))
        if let digits, range.contains(digits) { hint = Message("write \(digits), without quotes") }
      case .float(let number):
        if let whole = Int(exactly: number), range.contains(whole) {
          hint = Message("write \(whole)")
        }
      default: break
      }
      field.mustBe(expected, hint: hint)
      return nil
    }
  }
}

extension ValueParser where Value == Int? {
  /// How often; nil for `"forever"`.
  static var rounds: ValueParser {
    let numbers = 1...1_000_000
    return ValueParser(.either([.wholeNumber(numbers), .word(["forever"])])) { field in
      if case .string("forever") = field.value.kind { return .some(nil) }
      let expected = Message(#"a whole number from 1 to 1000000, or "forever""#)
      return ValueParser<Int>.wholeNumber(expected, in: numbers).parse(field)
    }
  }
}

extension ValueParser where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words that the type has as raw values.
  static var word: ValueParser {
    ValueParser(.word(Value.allCases.map(\.rawValue))) { field in
      let words = Value.allCases.map(\.rawValue)
      guard case .string(let text) = field.value.kind else {
        field.mustBe(alternatives(words))
        return nil
      }
      if let value = Value(rawValue: text) { return value }
      field.mustBe(
        alternatives(words),
        hint: nearMatch(to: text, among: words).map(Message.didYouMean))
      return nil
    }
  }

  private static func alternatives(_ words: [String]) -> Message {
    let quoted = words.map { "\"\($0)\"" }
    return Message("\(quoted.dropLast().joined(separator: ", ")) or \(quoted.last ?? "")")
  }
}

extension ValueParser where Value == String {
  /// A text that is not empty.
  static var name: ValueParser {
    ValueParser(.someText) { field in
      guard let text = text(field) else { return nil }
      guard !text.isEmpty else {
        field.error(
          Message("\(field.key) is empty"),
          hint: Message("leave it out where there is nothing to say"))
        return nil
      }
      return text
    }
  }

  /// What the command line calls an entry.
  static var identifier: ValueParser {
    ValueParser(.someText) { field in
      guard let text = text(field) else { return nil }
      switch Identity.fault(of: text) {
      case nil: return text
      case .empty:
        field.error(
          Message("\(field.key) is empty"), hint: Message(#"write a name such as "work""#))
      case .tooLong:
        field.error(Message("\(field.key) is longer than \(Identity.longest) characters"))
      case .notOneWord:
        let slug = Identity.slug(text)
        field.mustBe(
          Message(#"one word of letters, digits, "-", "_" and ".""#),
          hint: slug.isEmpty ? nil : Message("write \"\(slug)\""))
      }
      return nil
    }
  }

  fileprivate static func text(_ field: Field) -> String? {
    guard case .string(let text) = field.value.kind else {
      field.mustBe(Message("text in quotes"))
      return nil
    }
    // Every name ends up with a C library or a command, where NUL would silently end it.
    guard !text.utf8.contains(0) else {
      field.error(Message("\(field.key) holds a NUL character"))
      return nil
    }
    return text
  }
}

extension ValueParser where Value == String? {
  /// Any text; none where it is empty. What is too long is a warning: the alarm is to ring.
  static var label: ValueParser {
    ValueParser(.anyText) { field in
      guard let text = ValueParser<String>.text(field) else { return nil }
      guard text.utf8.count > Identity.longestLabel else { return text.isEmpty ? nil : text }
      field.diagnostics.warning(
        field.value.position,
        Message("\(field.key) is longer than \(Identity.longestLabel) bytes, and is cut there"))
      return Identity.cut(text)
    }
  }
}

extension ValueParser where Value == [String] {
  /// One name, or several in the order in which they are tried.
  static var names: ValueParser {
    let schema = ValueSchema.either([.someText, .list(.someText, from: 1)])
    return ValueParser(schema, typed: .oneOrMore(separated: false)) { field in
      switch field.value.kind {
      case .string: return ValueParser<String>.name.parse(field).map { [$0] }
      case .array(let elements) where elements.isEmpty:
        field.error(
          Message("\(field.key) is an empty list"), hint: Message("leave it out, or name one"))
        return nil
      case .array(let elements):
        return elements.readAll { ValueParser<String>.name.parse(field.element($0)) }
      default:
        field.mustBe(Message("a name, or a list of names"))
        return nil
      }
    }
  }

  /// Names or paths of sounds, of which one rings. One that is not there is a warning and is taken
  /// all the same: the file may come, and until then the others ring, or the default.
  static func sounds(_ sounds: KnownNames) -> ValueParser {
    ValueParser(names.schema, typed: names.typing) { field in
      guard let names = names.parse(field) else { return nil }
      var positions = [field.value.position]
      if case .array(let elements) = field.value.kind { positions = elements.map(\.position) }
      for (name, position) in zip(names, positions) where !sounds.contains(name) {
        field.diagnostics.warning(
          position, Message("no sound is called \(TerminalText.quoted(name))"),
          hint: sounds.nearest(to: name).map(Message.didYouMean)
            ?? Message("belfry sounds list has all names; until then the default rings"))
      }
      return names
    }
  }
}

extension ValueParser where Value == [[String]] {
  /// A command as the list of its words, or several as a list of such lists; `[]` is none.
  static var commands: ValueParser {
    let schema = ValueSchema.either([.list(.anyText), .list(.list(.anyText, from: 1))])
    return ValueParser(schema, typed: .words) { field in
      guard case .array(let elements) = field.value.kind else {
        field.mustBe(Message("a list of words"), hint: hint(for: field.value))
        return nil
      }
      guard let first = elements.first else { return [] }
      if case .string = first.kind { return command(field).map { [$0] } }
      return elements.readAll { command(field.element($0)) }
    }
  }

  private static func command(_ field: Field) -> [String]? {
    guard case .array(let elements) = field.value.kind else {
      field.mustBe(
        Message("one list of words, or a list of such lists"), hint: hint(for: field.value))
      return nil
    }
    let words = elements.readAll { ValueParser<String>.text(field.element($0)) }
    guard let words else { return nil }
    guard words.first?.isEmpty == false else {
      field.error(
        Message("\(field.key) has a command without a program"),
        hint: Message(#"write ["program", "argument"]"#))
      return nil
    }
    return words
  }

  private static func hint(for value: TOMLValue) -> Message? {
    guard case .string(let text) = value.kind else { return nil }
    let words = text.split(separator: " ").map { TerminalText.quoted(String($0)) }
    return words.isEmpty ? nil : Message("write [\(words.joined(separator: ", "))]")
  }
}

extension ValueParser where Value == Entry {
  static var table: ValueParser { table(Message("a table")) { Message("begin it with [\($0)]") } }

  fileprivate static func table(_ expected: Message, hint: @escaping (String) -> Message)
    -> ValueParser
  {
    ValueParser(.table) { field in
      guard case .table(let table) = field.value.kind else {
        field.mustBe(expected, hint: hint(field.key))
        return nil
      }
      return Entry(table: table, position: field.value.position)
    }
  }
}

extension ValueParser where Value == [Entry] {
  /// A list of tables; what else is in the list is reported and left out.
  static var tables: ValueParser {
    let expected = Message("a list of tables")
    let hint = { (key: String) in Message("begin each with [[\(key)]]") }
    return ValueParser(.tables) { field in
      guard case .array(let elements) = field.value.kind else {
        field.mustBe(expected, hint: hint(field.key))
        return nil
      }
      return elements.enumerated().compactMap { index, element in
        var entry = ValueParser<Entry>.table(expected, hint: hint).parse(field.element(element))
        entry?.index = index
        return entry
      }
    }
  }
}

extension [TOMLValue] {
  /// Every element read, so that each mistake is reported; nil where one was wrong.
  func readAll<Value>(_ read: (TOMLValue) -> Value?) -> [Value]? {
    let values = map(read)
    let right = values.compactMap(\.self)
    return right.count == values.count ? right : nil
  }
}
