// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gathers diagnostics while a config is read. Bounded: a file of a million mistakes costs no more
// than the first thousand, and their words are not even made.

import Language
import TOML

/// One reading's diagnostics. A class, since the readers of all entries write to the same one.
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
  /// Notes what may be there; nil where that does not matter.
  var recorder: SchemaRecorder?

  init(file: String, spelled: @escaping (String) -> String = { $0 }) {
    (self.file, self.spelled) = (file, spelled)
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
    guard kept.count < Self.limit else {
      leftOut += 1
      return
    }
    kept.append(
      Diagnostic(
        file: file, line: position.line, column: position.column, severity: severity,
        message: message(), hint: hint()))
  }

  /// In the order of the text; at one place, in the order found. Where some were left out, a last
  /// one at the place of the last one kept says how many.
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
