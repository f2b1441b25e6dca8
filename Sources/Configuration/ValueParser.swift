// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parsers turn a value of the config into a setting, or report an error and its correction. This
// file has the parsers for simple values. The parsers for durations, times and dates are in
// `TimeParsers.swift` and `DayParsers.swift`, those for zones and cities in `PlaceParsers.swift`.

import Language
import TOML

struct ValueParser<Value> {
  /// Describes the values to editors. The schema allows every value that `parse` accepts, and maybe
  /// more values.
  let schema: ValueSchema
  let typing: Typing
  /// Returns the setting. If the field is wrong, reports the error and returns nil.
  let parse: (Field) -> Value?

  init(_ schema: ValueSchema, typed typing: Typing = .text, _ parse: @escaping (Field) -> Value?) {
    (self.schema, self.typing, self.parse) = (schema, typing, parse)
  }
}

extension ValueParser {
  /// Parses one value, or a list of values. `range` is the number of values that a list may have.
  /// `emptyHint` is the hint of the error for an empty list, if the list must not be empty.
  static func oneOrMore<One>(
    _ one: ValueParser<One>, _ range: ClosedRange<Int> = 1...Int.max, typed typing: Typing,
    emptyHint: @autoclosure @escaping () -> Message? = nil
  ) -> ValueParser where Value == [One] {
    let schema = ValueSchema.either([one.schema, .list(one.schema, range)])
    return ValueParser(schema, typed: typing) { field in
      guard case .array(let elements) = field.value.kind else {
        return one.parse(field).map { [$0] }
      }
      guard elements.count >= range.lowerBound else {
        field.error(Message("\(field.name) is an empty list"), hint: emptyHint())
        return nil
      }
      guard elements.count <= range.upperBound else {
        field.error(
          Message(
            "\(field.name) has \(elements.count) values: it takes up to \(range.upperBound)"))
        return nil
      }
      return elements.readAll { one.parse(field.element($0)) }
    }
  }

  /// Parses a value that `one` parses, or `"forever"`, for which the value is nil.
  static func orForever<One>(_ one: ValueParser<One>) -> ValueParser where Value == One? {
    ValueParser(.either([one.schema, .word(["forever"])])) { field in
      if case .string("forever") = field.value.kind { return .some(nil) }
      return one.parse(field)
    }
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
        if let digits, range.contains(digits) {
          hint =
            field.isTyped ? Message("write \(digits)") : Message("write \(digits), without quotes")
        }
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
  /// Parses a number of rounds. The value is nil for `"forever"`.
  static var rounds: ValueParser {
    orForever(
      .wholeNumber(Message(#"a whole number from 1 to 1000000, or "forever""#), in: 1...1_000_000))
  }
}

extension ValueParser where Value: RawRepresentable<String> & CaseIterable {
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
  static var name: ValueParser {
    ValueParser(.someText) { field in
      guard let text = text(field) else { return nil }
      guard !text.isEmpty else {
        field.error(
          Message("\(field.name) is empty"),
          hint: Message("leave it out"))
        return nil
      }
      return text
    }
  }

  static var identifier: ValueParser {
    ValueParser(.someText) { field in
      guard let text = text(field) else { return nil }
      switch Identity.fault(of: text) {
      case nil: return text
      case .empty:
        field.error(
          Message("\(field.name) is empty"), hint: Message(#"write a name such as "work""#))
      case .tooLong:
        field.error(Message("\(field.name) is longer than \(Identity.longest) characters"))
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
    // Every name is passed to a C library or a command. There a NUL would end the name.
    guard !text.utf8.contains(0) else {
      field.error(Message("\(field.name) holds a NUL character"))
      return nil
    }
    return text
  }
}

extension ValueParser where Value == String? {
  /// Parses any text. The value is nil if the text is empty. A text that is too long is cut with a
  /// warning, because the alarm should still ring.
  static var label: ValueParser {
    ValueParser(.anyText) { field in
      guard let text = ValueParser<String>.text(field) else { return nil }
      guard text.utf8.count > Identity.longestLabel else { return text.isEmpty ? nil : text }
      field.diagnostics.warning(
        field.value.position,
        Message("\(field.name) is longer than \(Identity.longestLabel) bytes, and is cut there"))
      return Identity.cut(text)
    }
  }
}

extension ValueParser where Value == [String] {
  static var names: ValueParser {
    oneOrMore(
      .name, typed: .oneOrMore(separated: false),
      emptyHint: Message("leave out the key, or give it at least one value"))
  }

  /// Parses names or paths of sounds. A sound that is missing or cannot be played is only a
  /// warning, because the file may change later. Until then, another sound of the list or the
  /// default sound is played.
  static func sounds(_ sounds: KnownNames) -> ValueParser {
    ValueParser(names.schema, typed: names.typing) { field in
      guard let names = names.parse(field) else { return nil }
      var positions = [field.value.position]
      if case .array(let elements) = field.value.kind { positions = elements.map(\.position) }
      for (name, position) in zip(names, positions) {
        let isKnown = sounds.contains(name)
        if let problem = sounds.problem(of: name) {
          field.diagnostics.warning(position, problem.message, hint: problem.hint)
          continue
        }
        if isKnown { continue }
        field.diagnostics.warning(
          position, Message("no sound is called \(TerminalText.quoted(name))"),
          hint: sounds.nearest(to: name).map(Message.didYouMean)
            ?? Message(
              "belfry sounds list shows all names; until this is fixed, the default sound plays"))
      }
      return names
    }
  }
}

extension ValueParser where Value == [[String]] {
  /// Parses a command as a list of words, or several commands as a list of such lists. `[]` means
  /// no command.
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
        Message("\(field.name) has a command without a program"),
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

extension ValueParser where Value == EntryTable {
  static var table: ValueParser { table(Message("a table")) { Message("begin it with [\($0)]") } }

  fileprivate static func table(_ expected: Message, hint: @escaping (String) -> Message)
    -> ValueParser
  {
    ValueParser(.table) { field in
      guard case .table(let table) = field.value.kind else {
        field.mustBe(expected, hint: hint(field.key))
        return nil
      }
      return EntryTable(table: table, position: field.value.position)
    }
  }
}

extension ValueParser where Value == [EntryTable] {
  /// Parses a list of tables. Other elements are reported and left out.
  static var tables: ValueParser {
    let expected = Message("a list of tables")
    let hint = { (key: String) in Message("begin each with [[\(key)]]") }
    return ValueParser(.tables) { field in
      guard case .array(let elements) = field.value.kind else {
        field.mustBe(expected, hint: hint(field.key))
        return nil
      }
      return elements.enumerated().compactMap { index, element in
        var entry = ValueParser<EntryTable>.table(expected, hint: hint).parse(
          field.element(element))
        entry?.index = index
        return entry
      }
    }
  }
}
