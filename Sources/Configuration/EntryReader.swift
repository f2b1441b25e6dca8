// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads one table of the config key by key. A table's keys are those it was asked for, so each key
// stands in one place: its name, what it may be, what it means, and its rank in the file. Whatever
// else is in a table is unknown. Next: `ValueParser.swift`, which says what a value may be.

import Language
import TOML

/// A key and its value, on its way to becoming a setting.
struct Field {
  var key: String
  var value: TOMLValue
  var diagnostics: DiagnosticCollector

  /// The error that says what is expected and what is there.
  func mustBe(_ expected: @autoclosure () -> Message, hint: @autoclosure () -> Message? = nil) {
    diagnostics.error(
      value.position, Message("\(key) must be \(expected()), not \(value.shown)"), hint: hint())
  }

  func error(_ message: @autoclosure () -> Message, hint: @autoclosure () -> Message? = nil) {
    diagnostics.error(value.position, message(), hint: hint())
  }

  /// An element of the array that this field is, under the same name.
  func element(_ value: TOMLValue) -> Field {
    Field(key: key, value: value, diagnostics: diagnostics)
  }
}

/// A table of the config, and where it begins.
struct Entry {
  var table: TOMLTable
  var position: TOMLPosition
  /// Where it stands in its list, from 0.
  var index = 0
}

struct EntryReader {
  private let entry: Entry
  private let diagnostics: DiagnosticCollector
  private(set) var keys: [String] = []
  private var wrongKeys: [String] = []
  /// Where this table is in `DiagnosticCollector.asked`.
  private let place: Int

  init(_ entry: Entry, _ diagnostics: DiagnosticCollector) {
    (self.entry, self.diagnostics) = (entry, diagnostics)
    place = diagnostics.asked?.count ?? 0
    diagnostics.asked?.append(TableSchema())
  }

  /// Hands `key`'s value to `take` if it is there and right.
  mutating func read<Value>(
    _ key: String, _ parser: @autoclosure () -> ValueParser<Value>, means meaning: String,
    _ take: (Value) -> Void
  ) {
    if let value = value(key, parser(), means: meaning) { take(value) }
  }

  /// `key`'s value; nil if it is left out, or wrong, which is reported. `meaning` is for whoever
  /// writes one, in English: the schema is one file for everybody.
  mutating func value<Value>(
    _ key: String, _ parser: @autoclosure () -> ValueParser<Value>, means meaning: String
  ) -> Value? {
    keys.append(key)
    if diagnostics.asked != nil {
      let parser = parser()
      diagnostics.asked?[place].keys.append(
        TableSchema.Key(
          name: key, value: parser.schema, typing: parser.typing, meaning: meaning))
    }
    guard let value = entry.table[key] else { return nil }
    let result = parser().parse(
      Field(key: diagnostics.spelled(key), value: value, diagnostics: diagnostics))
    if result == nil { wrongKeys.append(key) }
    return result
  }

  /// As `value`; a key that is left out is an error at the head of the table.
  mutating func required<Value>(
    _ key: String, _ parser: @autoclosure () -> ValueParser<Value>, means meaning: String,
    orElse message: @autoclosure () -> Message, hint: @autoclosure () -> Message
  ) -> Value? {
    if !has(key) { diagnostics.error(entry.position, message(), hint: hint()) }
    let value = value(key, parser(), means: meaning)
    diagnostics.asked?[place].keys[keys.count - 1].isRequired = true
    return value
  }

  /// Whether `key` is there, right or wrong.
  func has(_ key: String) -> Bool { entry.table[key] != nil }

  /// Whether `key` was read and had an error.
  func isWrong(_ key: String) -> Bool { wrongKeys.contains(key) }

  /// Where the value of `key` begins.
  func position(of key: String) -> TOMLPosition? { entry.table[key]?.position }

  /// The place of the one of the two keys that stands later, if both are there.
  func later(of first: String, _ second: String) -> TOMLPosition? {
    diagnostics.asked?[place].exclusive.append([first, second])
    let both = entry.table.entries.filter { $0.key == first || $0.key == second }
    return both.count == 2 ? both.map(\.keyPosition).max() : nil
  }

  /// Whether `key`, which is there, wants another that is not.
  func lacks(_ other: String, neededBy key: String) -> Bool {
    diagnostics.asked?[place].needs.append(TableSchema.Need(key: key, other: other))
    return has(key) && !has(other)
  }

  func warnOfNoVolume(_ volume: Int) {
    guard volume == 0, let place = position(of: "volume"), !isWrong("volume") else { return }
    diagnostics.warning(
      place, Message("volume is 0: this will not be heard"),
      hint: Message("write 1 or more, up to 100"))
  }

  /// Warns of every key that was not asked for. `elsewhere` tells the table that has such a key.
  func warnOfTheRest(elsewhere: (String) -> String? = { _ in nil }) {
    for unknown in entry.table.entries where !keys.contains(unknown.key) {
      let name = TerminalText.quoted(unknown.key)
      diagnostics.warning(
        unknown.keyPosition,
        unknown.value.isTable
          ? Message("unknown table \(name)") : Message("unknown key \(name)"),
        hint: elsewhere(unknown.key).map { Message("\(name) belongs under \($0)") }
          ?? nearMatch(to: unknown.key, among: keys).map(Message.didYouMean))
    }
  }
}

extension TOMLValue {
  /// Whether it was written as a table, or as an array of tables.
  fileprivate var isTable: Bool {
    switch kind {
    case .table: true
    case .array(let elements): elements.first?.isTable ?? false
    default: false
    }
  }

  /// The value in a message, short and harmless.
  var shown: Message {
    switch kind {
    case .string(let text): Message(verbatim: TerminalText.quoted(text))
    case .integer(let number): Message(verbatim: String(number))
    case .float(let number): Message(verbatim: String(number))
    case .boolean(let flag): Message(verbatim: String(flag))
    case .date(let date): Message(verbatim: date.description)
    case .time(let time): Message(verbatim: time.description)
    case .dateTime(let date, let time), .offsetDateTime(let date, let time, _):
      Message(verbatim: "\(date)T\(time)")
    case .array: Message("a list")
    case .table: Message("a table")
    }
  }
}
