// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a config says at one moment of an edit: its text, parsed once, and what that means. Next:
// `TOMLEdit.swift`.

import Scheduling
import TOML

public struct ConfigSnapshot {
  public let reading: Reading
  /// What is wrong inside the entries that the last edits wrote. An edit is judged by this, and by
  /// nothing that is wrong with others.
  public let complaints: [Diagnostic]
  private let document: TOMLDocument
  private let file: String
  private let context: ReadingContext

  public var bytes: [UInt8] { document.bytes }

  /// The result of `edits`; `spelled` is how the user knows the keys that they set.
  private init(
    _ document: TOMLDocument, file: String, in context: ReadingContext,
    after edits: [TOMLEdit] = [],
    spelled: @escaping (String) -> String = { $0 }
  ) {
    (self.document, self.file, self.context) = (document, file, context)
    let written = Set(edits.flatMap { $0.written(in: document.root) }.flatMap(\.positions))
    let keys = Set(edits.flatMap(\.keys))
    let diagnostics = DiagnosticCollector(file: file, keeping: written) { key in
      keys.contains(key) ? spelled(key) : key
    }
    var reading = ConfigurationReader(context, diagnostics).read(document.root)
    reading.diagnostics = diagnostics.sorted
    self.reading = reading
    complaints = diagnostics.ofWanted
  }

  /// Throws what is wrong where `bytes` are not TOML. `file` is the name that diagnostics give it.
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

  /// What the alarm in that place of the list is called, as far as that can be told.
  public func id(_ place: Int) -> String? {
    reading.alarmNames.indices.contains(place) ? reading.alarmNames[place] : nil
  }

  /// The alarm in that place, if it has no error.
  public func alarm(_ place: Int) -> Alarm? {
    id(place).flatMap { id in reading.configuration.alarms.first { $0.id == id } }
  }
}
