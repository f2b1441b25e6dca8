// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a config says at one moment of an edit: its text, parsed once, and what that means. Next:
// `TOMLEdit.swift`.

import Scheduling
import TOML

public struct ConfigSnapshot: Sendable {
  public let reading: Reading
  private let document: TOMLDocument
  private let file: String

  public var bytes: [UInt8] { document.bytes }

  private init(_ document: TOMLDocument, file: String, in context: ReadingContext) {
    (self.document, self.file) = (document, file)
    let diagnostics = DiagnosticCollector(file: file)
    var reading = ConfigurationReader(context, diagnostics).read(document.root)
    reading.diagnostics = diagnostics.sorted
    self.reading = reading
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
    by edits: [TOMLEdit], in context: ReadingContext
  ) throws(TOMLEdit.Failure) -> ConfigSnapshot {
    if edits.isEmpty { return self }
    return ConfigSnapshot(
      try TOMLEdit.apply(edits, to: document, limit: Configuration.largestFile), file: file,
      in: context)
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
