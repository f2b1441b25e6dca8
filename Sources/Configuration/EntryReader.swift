// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads one table of the config key by key. There is no separate list of allowed keys: a table may
// have exactly the keys for which the code calls this reader. So a key's name, values, meaning and
// order are stated only once, in the row or the call that reads the key. Next: `SettingKey.swift`.

import Language
import Scheduling
import TOML

/// A key and its value, before a parser turns the value into a setting.
struct Field {
  var key: String
  var value: TOMLValue
  var diagnostics: DiagnosticCollector
  /// Whether the user typed the value after a command, so that hints must not speak of the file.
  var isTyped = false

  /// The key as messages show it. Many keys are also words of a sentence, so a key of the file is
  /// in quotes.
  var name: String { isTyped ? key : "\"\(key)\"" }

  /// Reports an error: the value must be `expected`.
  func mustBe(_ expected: @autoclosure () -> Message, hint: @autoclosure () -> Message? = nil) {
    diagnostics.error(
      value.position, Message("\(name) must be \(expected()), not \(value.shown)"), hint: hint())
  }

  func error(_ message: @autoclosure () -> Message, hint: @autoclosure () -> Message? = nil) {
    diagnostics.error(value.position, message(), hint: hint())
  }

  /// Returns `value`, an element of the array in this field, as a field with the same key.
  func element(_ value: TOMLValue) -> Field {
    Field(key: key, value: value, diagnostics: diagnostics, isTyped: isTyped)
  }
}

struct EntryTable {
  var table: TOMLTable
  var position: TOMLPosition
  /// The index of the table in its list.
  var index = 0
}

struct EntryReader {
  private let entry: EntryTable
  private let diagnostics: DiagnosticCollector
  private(set) var keys: [String] = []
  private var wrongKeys: [String] = []
  private let errorsBefore: Int
  /// The index of this table in `DiagnosticCollector.asked`.
  private let place: Int

  init(_ entry: EntryTable, _ diagnostics: DiagnosticCollector) {
    (self.entry, self.diagnostics, errorsBefore) = (entry, diagnostics, diagnostics.errors)
    place = diagnostics.asked?.count ?? 0
    diagnostics.asked?.append(TableSchema())
  }

  /// Calls `take` with the value of `key`, if the key is there and its value is valid.
  mutating func read<Value>(
    _ key: String, _ parser: @autoclosure () -> ValueParser<Value>, means meaning: String,
    _ take: (Value) -> Void
  ) {
    if let value = value(key, parser(), means: meaning) { take(value) }
  }

  /// Returns the value of `key`; nil if the key is missing or its value is wrong. A wrong value is
  /// reported. If the key is required, and missing, reports `missing` at the table's heading.
  /// `meaning` is the key's description in the schema.
  mutating func value<Value>(
    _ key: String, _ parser: @autoclosure () -> ValueParser<Value>,
    orElse missing: (Message, hint: Message)? = nil, means meaning: String
  ) -> Value? {
    keys.append(key)
    if diagnostics.asked != nil {
      let parser = parser()
      diagnostics.asked?[place].keys.append(
        TableSchema.Key(
          name: key, value: parser.schema, typing: parser.typing, meaning: meaning,
          isRequired: missing != nil))
    }
    guard let value = entry.table[key] else {
      if let missing { diagnostics.error(entry.position, missing.0, hint: missing.hint) }
      return nil
    }
    let result = parser().parse(
      Field(
        key: diagnostics.spelled(key), value: value, diagnostics: diagnostics,
        isTyped: diagnostics.isTyped(key)))
    if result == nil { wrongKeys.append(key) }
    return result
  }

  /// Whether no error has been reported since this reader was made.
  var isFaultless: Bool { diagnostics.errors == errorsBefore }

  /// Whether the table has the key, even with a wrong value.
  func has(_ key: String) -> Bool { entry.table[key] != nil }

  /// Whether the key was read and its value was wrong.
  func isWrong(_ key: String) -> Bool { wrongKeys.contains(key) }

  /// Whether the table has the key, and its value was right.
  func isRight(_ key: String) -> Bool { has(key) && !isWrong(key) }

  func position(of key: String) -> TOMLPosition? { entry.table[key]?.position }

  /// Returns the position of the later one of two keys that exclude each other. Returns nil unless
  /// the table has both keys.
  func later(of first: String, _ second: String) -> TOMLPosition? {
    diagnostics.asked?[place].exclusive.append([first, second])
    let both = entry.table.entries.filter { $0.key == first || $0.key == second }
    return both.count == 2 ? both.map(\.keyPosition).max() : nil
  }

  /// Whether the table has `key` but lacks the key `other`, which `key` needs.
  func lacks(_ other: String, neededBy key: String) -> Bool {
    diagnostics.asked?[place].needs.append(TableSchema.Need(key: key, other: other))
    return has(key) && !has(other)
  }

  func warnOfNoVolume(_ volume: Int) {
    guard volume == 0, let place = position(of: "volume"), !isWrong("volume") else { return }
    diagnostics.warning(
      place, Message(#""volume" is 0: this will not be heard"#),
      hint: Message("write 1 or more, up to 100"))
  }

  /// Warns about each key of the table that was not read. `home` returns the heading under which a
  /// key belongs.
  func warnOfTheRest(home: (String) -> String? = { _ in nil }) {
    for unknown in entry.table.entries where !keys.contains(unknown.key) {
      let name = TerminalText.quoted(unknown.key)
      diagnostics.warning(
        unknown.keyPosition,
        unknown.value.isTable
          ? Message("unknown table \(name)") : Message("unknown key \(name)"),
        hint: home(unknown.key).map { Message("\(name) belongs under \($0)") }
          ?? nearMatch(to: unknown.key, among: keys).map(Message.didYouMean))
    }
  }
}

extension TOMLValue {
  /// Whether the value is a table or an array of tables.
  fileprivate var isTable: Bool {
    switch kind {
    case .table: true
    case .array(let elements): elements.first?.isTable ?? false
    default: false
    }
  }

  /// The value as messages show it: cut short, and without characters that control a terminal.
  var shown: Message {
    switch kind {
    case .string(let text): Message(verbatim: TerminalText.quoted(text))
    case .integer(let number): Message(verbatim: String(number))
    case .float(let number): Message(verbatim: String(number))
    case .boolean(let flag): Message(verbatim: String(flag))
    case .date(let date): Message(verbatim: date.description)
    case .time(let time, _): Message(verbatim: time.description)
    case .dateTime(let local, _), .offsetDateTime(let local, _, _):
      Message(verbatim: "\(local.date)T\(local.time)")
    case .array: Message("a list")
    case .table: Message("a table")
    }
  }
}

extension [TOMLValue] {
  /// Reads every element of the array, so that all errors are reported. Returns nil if an element
  /// has an error.
  func readAll<Value>(_ read: (TOMLValue) -> Value?) -> [Value]? {
    let values = map(read)
    let right = values.compactMap(\.self)
    return right.count == values.count ? right : nil
  }
}
