// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a hint proposes to write: keys and values in the form that TOML wants, made of what somebody
// wrote. Next: `SyntaxScanner.swift`, which finds where it is needed.

import Language
import Scheduling
import TOML

enum SyntaxText {
  /// Whether TOML takes `text` as a value.
  static func isValue(_ text: String) -> Bool {
    text.utf8.count <= 200 && !text.contains(where: \.isNewline)
      && (try? TOMLDocument.parse("x = " + text)) != nil
  }

  /// `text` as it may be shown: short, and nothing in it acts on a terminal.
  static func shown(_ text: String) -> String { TerminalText.escaped(text, limit: 60) }

  /// `text` in quotes, with what they need; cut if it is long.
  static func quoted(_ text: String) -> String {
    text.unicodeScalars.count > 60 ? TerminalText.quoted(text) : TerminalText.literal(text)
  }

  /// `written` as a value: as it is if it is one, else what was meant.
  static func value(_ written: String) -> String {
    let text = String(written[...].trimmed)
    if isValue(text) { return text }
    let word = text.lowercased()
    if word == "true" || word == "false" { return word }
    if let time = try? TimeText.parse(text) { return time.description }
    return quoted(String(text.drop { $0 == "\"" }.reversed().drop { $0 == "\"" }.reversed()))
  }

  /// What to write: `label = "Work"`, or the value alone if it has no key.
  static func write(_ key: String?, _ value: String) -> Message {
    Message("write \(key.map { "\(shown($0)) = \(value)" } ?? value)")
  }

  /// The keys that take a list.
  static let listKeys = Set(
    Configuration.schema.flatMap(\.keys).filter(\.value.takesList).map(\.name))

  private static let tables = Configuration.schema.first?.keys ?? []

  /// Whether a heading is written `[[…]]`; nil for one that no config has.
  static func isList(_ heading: [String]) -> Bool? {
    guard heading.count == 1 else { return nil }
    return tables.first { $0.name == heading[0] }.map { $0.value == .tables }
  }

  /// The heading nearest to a mistyped one.
  static func heading(near name: String) -> String? {
    nearMatch(to: name, among: tables.map(\.name))
  }

  /// What a key of this heading is set in.
  static func entry(_ heading: [String]) -> Message? {
    switch heading {
    case []: nil
    case ["alarm"]: Message("this alarm")
    case ["timer"]: Message("this timer")
    case ["clock"]: Message("this clock")
    case ["pause"]: Message("this pause")
    case ["chime"]: Message("this chime")
    default: Message(verbatim: "[\(shown(heading.joined(separator: ".")))]")
    }
  }
}
