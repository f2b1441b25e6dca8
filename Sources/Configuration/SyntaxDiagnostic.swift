// SPDX-License-Identifier: GPL-3.0-or-later
//
// A text that is not TOML, as a diagnostic: in toml++'s own words, which change with its versions and
// so are neither translated nor looked into. What to write instead is told by the line itself, for
// the slips that a config invites: times, words and durations without their quotes.

import Language
import Scheduling
import TOML

extension Diagnostic {
  /// `bytes` are the text, for a hint.
  init(file: String, notTOML fault: TOMLError, in bytes: [UInt8]) {
    switch fault {
    case .notUTF8(let place):
      self.init(
        file: file, line: place.line, column: place.column, severity: .error,
        message: Message("this is not UTF-8 text"),
        hint: Message("save the file in the encoding UTF-8"))
    case .syntax(let words, let place):
      // It quotes the text, which may be long.
      let reason = TerminalText.escaped(words, limit: 200)
      self.init(
        file: file, line: place.line, column: place.column, severity: .error,
        message: Message("this is not TOML: \(reason)"),
        hint: Self.hint(forLine: SourceLines(bytes).text(place.line)))
    }
  }

  private static func hint(forLine line: String) -> Message? {
    let code = line.prefix { $0 != "#" }.trimmed
    for list in ["alarm", "timer", "clock", "pause", "chime"] where code == "[\(list)]" {
      return Message("begin each with [[\(list)]]")
    }
    guard let equals = code.firstIndex(of: "=") else { return nil }
    let value = line[equals...].dropFirst().trimmed
    if let quote = value.first, quote == "\"" || quote == "'" {
      return value.count { $0 == quote } == 1 ? Message("text in quotes ends in its line") : nil
    }
    let first = value.drop { $0 == "[" }.prefix { !",]#".contains($0) }.trimmed
    return hint(forValue: String(first))
  }

  /// Nil for a value that is right: then something else is wrong.
  private static func hint(forValue value: String) -> Message? {
    guard let first = value.first else { return nil }
    if first.isLetter {
      let word = value.lowercased()
      guard ["true", "false"].contains(word) else { return inQuotes(value) }
      return word == value ? nil : Message("write \(word)")
    }
    guard first.isNumber else { return nil }
    if value.utf8.count > 1, value.hasPrefix("0"), value.allSatisfy(\.isNumber) {
      return Message("a time is written 07:30, a number without zeros in front")
    }
    // Why it is not a duration does not matter.
    if (try? DurationText.parse(value)) != nil { return inQuotes(value) }
    do throws(TimeText.Fault) {
      let time = try TimeText.parse(value).description
      return time == value ? nil : Message("write \(time)")
    } catch {
      let isTime = value.contains(":") && !value.contains("-")
      return switch error {
      case .twentyFour: Message("midnight is 00:00")
      case .malformed where isTime: Message(#"write it like 07:30 or "7:30 pm""#)
      case .fraction, .malformed: nil
      }
    }
  }

  private static func inQuotes(_ text: String) -> Message {
    Message("text needs quotes: \(TerminalText.quoted(text))")
  }
}
