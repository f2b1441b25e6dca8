// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with a config, where, and what to write instead. Short sentences for people; other
// programs take the fields. Next: `Excerpt.swift` for terminals, `Findings.swift` for how they are
// gathered.

import TOML

public struct Diagnostic: Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable { case error, warning }

  /// As it was given; whoever shows it makes it harmless first.
  public var file: String
  /// Both from 1; the column counts Unicode code points.
  public var line: Int
  public var column: Int
  public var severity: Severity
  /// A sentence without a capital or a full stop. Holds nothing that acts on a terminal.
  public var message: String
  /// What to do about it, in the same form.
  public var hint: String?

  public init(
    file: String, line: Int, column: Int, severity: Severity, message: String, hint: String? = nil
  ) {
    (self.file, self.line, self.column) = (file, line, column)
    (self.severity, self.message, self.hint) = (severity, message, hint)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `config.toml:12:8: error: no weekday is called "mondy"`, and the hint in a line of its own.
  public var description: String {
    [headline, hintLine].compactMap(\.self).joined(separator: "\n")
  }

  var headline: String {
    "\(TerminalText.escaped(file)):\(line):\(column): \(severity.rawValue): \(message)"
  }
  var hintLine: String? { hint.map { "hint: " + $0 } }
}

// MARK: - Files that were not read

/// Why a whole file cannot be read as a config; what it holds was never looked at.
public enum UnreadableFile: Hashable, Sendable {
  /// With the system's words, such as `Permission denied`.
  case failed(String)
  case directory
  /// Larger than `Configuration.largestFile`.
  case tooLarge
}

extension Diagnostic {
  public init(file: String, unreadable reason: UnreadableFile) {
    let message =
      switch reason {
      case .failed(let words): "cannot be read: " + TerminalText.escaped(words)
      case .directory: "is a directory"
      case .tooLarge: "is larger than 16 MiB"
      }
    self.init(file: file, line: 1, column: 1, severity: .error, message: message)
  }
}
