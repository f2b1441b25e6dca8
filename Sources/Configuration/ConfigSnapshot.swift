// SPDX-License-Identifier: GPL-3.0-or-later
//
// The text of a config and the settings read from it, before or after an edit. Next:
// `TOMLEdit.swift`.

import Scheduling
import TOML

public struct ConfigSnapshot {
  public let reading: Reading
  /// The diagnostics inside the entries that the last edits wrote. Only these decide whether an
  /// edit is valid. Errors of other entries do not matter.
  public let complaints: [Diagnostic]
  private let document: TOMLDocument
  private let file: String
  private let context: ReadingContext

  public var bytes: [UInt8] { document.bytes }

  /// `document` must be the result of `edits`. `spelled` returns the form in which the user wrote a
  /// key of these edits, such as `--every` for `every`.
  private init(
    _ document: TOMLDocument, file: String, in context: ReadingContext,
    after edits: [TOMLEdit] = [],
    spelled: @escaping (String) -> String = { $0 }
  ) {
    (self.document, self.file, self.context) = (document, file, context)
    let keys = Set(edits.flatMap(\.keys))
    // Collect all diagnostics after an edit. With a limit, errors of other entries could use up the
    // limit, and an error in an entry that the edit wrote would not be reported.
    let limit = edits.isEmpty ? 1000 : .max
    let diagnostics = DiagnosticCollector(file: file, limit: limit) { key in
      keys.contains(key) ? spelled(key) : key
    }
    var reading = ConfigurationReader(context, diagnostics).read(document.root)
    reading.diagnostics = diagnostics.sorted
    reading.text = String(decoding: document.bytes, as: UTF8.self)
    reading.root = document.root
    self.reading = reading
    complaints = reading.diagnostics(inside: edits.flatMap { $0.written(in: document.root) })
  }

  /// Returns the diagnostics of the entries that `edits` change, at keys that these edits leave as
  /// they are.
  public func complaints(leftBy edits: [TOMLEdit]) -> [Diagnostic] {
    reading.diagnostics(inside: edits.flatMap { $0.kept(in: document.root) })
  }

  /// Reads `bytes` as a config. Throws a diagnostic if they are not TOML. `file` is the name of the
  /// config in diagnostics.
  public init(
    of bytes: [UInt8], file: String, in context: ReadingContext
  ) throws(Diagnostic) {
    do throws(TOMLError) {
      self.init(try TOMLDocument.parse(bytes), file: file, in: context)
    } catch {
      throw Diagnostic(file: file, notTOML: error, in: bytes)
    }
  }

  public func edited(
    by edits: [TOMLEdit], spelled: @escaping (String) -> String = { $0 }
  ) throws(TOMLEdit.Failure) -> ConfigSnapshot {
    if edits.isEmpty { return self }
    return ConfigSnapshot(
      try TOMLEdit.apply(
        edits, to: document, limit: Configuration.largestFile, order: Configuration.keyOrder),
      file: file, in: context, after: edits, spelled: spelled)
  }

  /// Returns the id of the alarm at index `place` of the list `alarm`; nil if the id is unknown
  /// because of an error.
  public func id(_ place: Int) -> String? {
    reading.alarmNames.indices.contains(place) ? reading.alarmNames[place] : nil
  }

  /// Returns the alarm at index `place` of the list `alarm`; nil if the alarm has an error.
  public func alarm(_ place: Int) -> Alarm? {
    id(place).flatMap(reading.configuration.alarm)
  }
}

extension Reading {
  fileprivate func diagnostics(inside values: [TOMLValue]) -> [Diagnostic] {
    let positions = Set(values.flatMap(\.positions))
    return diagnostics.filter { positions.contains(TOMLPosition(line: $0.line, column: $0.column)) }
  }
}
