// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with a config, where, and what to write instead. Short sentences for people; other
// programs take the fields. Next: `Excerpt.swift` for terminals, `EntryReader.swift`, which finds
// what is wrong.

import Language
import TOML

public struct Diagnostic: Error, Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    case error, warning

    /// As people are told.
    public var word: Message {
      switch self {
      case .error: Message("error")
      case .warning: Message("warning")
      }
    }
  }

  /// As it was given; whoever shows it makes it harmless first.
  public var file: String
  /// Both from 1; the column counts Unicode code points.
  public var line: Int
  public var column: Int
  public var severity: Severity
  /// A sentence without a capital or a full stop. Holds nothing that acts on a terminal.
  public var message: Message
  /// What to do about it, in the same form.
  public var hint: Message?

  public init(
    file: String, line: Int, column: Int, severity: Severity, message: Message, hint: Message? = nil
  ) {
    (self.file, self.line, self.column) = (file, line, column)
    (self.severity, self.message, self.hint) = (severity, message, hint)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `config.toml:12:8: error: no weekday is called "mondy"`, and the hint in a line of its own.
  public var description: String { description(in: \.description) }

  /// The same in the language that `translated` speaks.
  public func description(in translated: (Message) -> String) -> String {
    [headline(translated), hintLine(translated)].compactMap(\.self).joined(separator: "\n")
  }

  func headline(_ translated: (Message) -> String) -> String {
    "\(TerminalText.escaped(file)):\(line):\(column): "
      + "\(translated(severity.word)): \(translated(message))"
  }

  func hintLine(_ translated: (Message) -> String) -> String? {
    hint.map { translated(Message("hint: \($0)")) }
  }
}

// MARK: - Files that were not read

/// Why a whole file cannot be read as a config; what it holds was never looked at.
public enum UnreadableFile: Hashable, Sendable {
  /// With the system's words, such as `Permission denied`.
  case failed(String)
  case directory
  /// Neither a file nor a directory: "pipe", "device" or "socket".
  case special(kind: String)
  /// Larger than `Configuration.largestFile`.
  case tooLarge
}

extension Diagnostic {
  public init(file: String, unreadable reason: UnreadableFile) {
    let message =
      switch reason {
      case .failed(let words): Message("cannot be read: \(TerminalText.escaped(words))")
      case .directory: Message("is a directory")
      case .special("pipe"): Message("cannot be read: is a pipe")
      case .special("device"): Message("cannot be read: is a device")
      case .special(let kind): Message("cannot be read: is a \(kind)")
      case .tooLarge: Message("is larger than 16 MiB")
      }
    self.init(file: file, line: 1, column: 1, severity: .error, message: message)
  }
}

// MARK: - While a config is read

/// Gathers one reading's diagnostics. Bounded: a file of a million mistakes costs no more than the
/// first thousand, and the words of the others are not even made. A class, since the readers of all
/// entries write to the same one.
final class DiagnosticCollector {
  private let file: String
  /// How the user knows a key.
  let spelled: (String) -> String
  private var kept: [Diagnostic] = []
  private var leftOut = 0
  /// How many were errors, those left out as well.
  private(set) var errors = 0
  /// That a text so full of mistakes has been read in full helps nobody.
  static let limit = 1000
  /// Diagnostics at these places are kept whatever the limit: somebody asks for just them.
  private let wanted: Set<TOMLPosition>
  /// The tables that were read and what was asked of each, for the schema; nil where that does not
  /// matter.
  var asked: [TableSchema]?

  init(
    file: String, keeping wanted: Set<TOMLPosition> = [],
    spelled: @escaping (String) -> String = { $0 }
  ) {
    (self.file, self.wanted, self.spelled) = (file, wanted, spelled)
  }

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
    guard kept.count < Self.limit || wanted.contains(position) else {
      leftOut += 1
      return
    }
    kept.append(
      Diagnostic(
        file: file, line: position.line, column: position.column, severity: severity,
        message: message(), hint: hint()))
  }

  /// Those at the places that were asked for.
  var ofWanted: [Diagnostic] {
    inOrder.filter { wanted.contains(TOMLPosition(line: $0.line, column: $0.column)) }
  }

  /// In the order of the text; at one place, in the order found. Where some were left out, a last
  /// one at the place of the last one kept says how many.
  var sorted: [Diagnostic] {
    let all = inOrder
    guard leftOut > 0, var last = all.last else { return all }
    last.severity = errors > all.count(where: { $0.severity == .error }) ? .error : .warning
    (last.message, last.hint) = (Message("and \(leftOut) more, not shown"), nil)
    return all + [last]
  }

  private var inOrder: [Diagnostic] {
    kept.enumerated().sorted {
      ($0.element.line, $0.element.column, $0.offset)
        < ($1.element.line, $1.element.column, $1.offset)
    }.map(\.element)
  }
}
