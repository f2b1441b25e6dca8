// SPDX-License-Identifier: GPL-3.0-or-later
//
// A diagnostic describes an error in a config, its position, and a correction. Next:
// `EntryReader.swift`, which finds errors; `Excerpt.swift`, which shows their lines on a terminal.

import Language
import TOML

public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    case error, warning

    public var word: Message {
      switch self {
      case .error: Message("error")
      case .warning: Message("warning")
      }
    }
  }

  /// The name of the file. It may contain characters that control a terminal.
  public var file: String
  /// The line, counted from 1. The column is also counted from 1, in Unicode code points.
  public var line: Int
  public var column: Int
  public var severity: Severity
  /// A sentence that does not begin with a capital letter or end with a full stop. It is safe to
  /// print on a terminal.
  public var message: Message
  /// How to correct the error. This is written like `message`, and as safe to print.
  public var hint: Message?

  public init(
    file: String, line: Int, column: Int, severity: Severity, message: Message, hint: Message? = nil
  ) {
    (self.file, self.line, self.column) = (file, line, column)
    (self.severity, self.message, self.hint) = (severity, message, hint)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The diagnostic as text, such as `config.toml:12:8: error: no weekday is called "mondy"`, with
  /// the hint in a second line.
  public var description: String { description(in: \.description) }

  /// Returns the description in another language. If `source` is given, the line with the error
  /// is shown between headline and hint.
  public func description(
    showing source: SourceLines? = nil, in translated: (Message) -> String = \.description
  ) -> String {
    let headline =
      "\(TerminalText.escaped(file)):\(line):\(column): "
      + "\(translated(severity.word)): \(translated(message))"
    let hint = hint.map { translated(Message("hint: \($0)")) }
    return [headline, source.flatMap(excerpt), hint].compactMap(\.self).joined(separator: "\n")
  }
}

extension Diagnostic {
  /// Makes the error for a file that cannot be read at all. `reason` is a message of the system,
  /// such as `Permission denied`.
  public init(file: String, unreadable reason: String) {
    self.init(file: file, error: Message("cannot be read: \(TerminalText.escaped(reason))"))
  }

  /// Makes an error at the beginning of the line with the number `line`, counted from 1.
  public init(file: String, line: Int = 1, error message: Message, hint: Message? = nil) {
    self.init(
      file: file, line: line, column: 1, severity: .error, message: message, hint: hint)
  }
}

// MARK: - While a config is read

/// Collects the first `limit` diagnostics while a config is read, and only counts the others, so
/// that a file with a million errors costs little time and memory. This is a class, because the
/// readers of all entries add to the same collection.
final class DiagnosticCollector {
  private let file: String
  /// Returns the form in which the user wrote a key, such as `--every` for `every`.
  let spelled: (String) -> String
  private var kept: [Diagnostic] = []
  private var leftOut = 0
  /// The number of all errors, including errors whose diagnostics were left out.
  private(set) var errors = 0
  private let limit: Int
  /// The keys that were read from each table, for the schema; nil if the schema is not needed.
  var asked: [TableSchema]?

  init(
    file: String, limit: Int = .max, spelled: @escaping (String) -> String = { $0 }
  ) {
    (self.file, self.limit, self.spelled) = (file, limit, spelled)
  }

  /// Whether the user typed the value of `key` after a command. A name in the file is never spelled
  /// in another way.
  func isTyped(_ key: String) -> Bool { spelled(key) != key }

  func error(
    _ position: TOMLPosition, _ message: @autoclosure () -> Message,
    hint: @autoclosure () -> Message? = nil
  ) {
    errors += 1
    add(.error, position, message, hint)
  }

  func warning(
    _ position: TOMLPosition, _ message: @autoclosure () -> Message,
    hint: @autoclosure () -> Message? = nil
  ) {
    add(.warning, position, message, hint)
  }

  private func add(
    _ severity: Diagnostic.Severity, _ position: TOMLPosition, _ message: () -> Message,
    _ hint: () -> Message?
  ) {
    guard kept.count < limit else {
      leftOut += 1
      return
    }
    kept.append(
      Diagnostic(
        file: file, line: position.line, column: position.column, severity: severity,
        message: message(), hint: hint()))
  }

  /// The diagnostics in the order of the text. If some were left out, a last diagnostic says how
  /// many.
  var sorted: [Diagnostic] {
    let all = kept.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset)
        < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
    guard leftOut > 0, var last = all.last else { return all }
    last.severity = errors > all.count(where: { $0.severity == .error }) ? .error : .warning
    (last.message, last.hint) = (Message("and \(leftOut) more, not shown"), nil)
    return all + [last]
  }
}
