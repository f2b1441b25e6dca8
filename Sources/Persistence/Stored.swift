// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts records to TOML and back. A record lists its fields once, and both directions use that
// list. Next: `StoredValues.swift`, which has the values of fields; `StateFields.swift` and
// `SettingsText.swift`, which have the records.

import Scheduling
import TOML

/// A value that is stored under one key, such as a number or a date.
protocol Stored {
  var stored: TOMLValue.Kind { get }
  /// Returns nil if `stored` is not a value of this type.
  init?(stored: TOMLValue.Kind)
}

/// A value that is stored under several keys of the table around it, such as the phase of an alarm.
protocol StoredPart {
  var entries: [TOMLTable.Entry] { get }
  init(from table: TOMLTable) throws(StoredFault)
}

/// A value with named fields. It is stored as a table, or its fields are stored in the table around
/// it.
protocol StoredRecord: StoredPart, Stored {
  /// The record with the default values of its fields. Reading begins with these values, and a
  /// field that has its default value is not written.
  static var blank: Self { get }
  static var fields: [StoredField<Self>] { get }
}

/// A table could not be read because the value of `key` is missing or wrong.
struct StoredFault: Error { let key: String }

/// One field of a record, such as `StoredField("volume", \.volume)`.
struct StoredField<Record>: Sendable {
  let key: String
  let write: @Sendable (_ record: Record, _ blank: Record) -> [TOMLTable.Entry]
  let read: @Sendable (_ table: TOMLTable, _ record: inout Record) throws(StoredFault) -> Void

  /// Makes a field whose value is stored in another form, such as seconds. `form` converts a value
  /// to that form. `value` converts it back, and returns nil if the form is not valid.
  init<Value: Equatable & SendableMetatype, Form: Stored & SendableMetatype>(
    _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable,
    isRequired: Bool = false, as form: @escaping @Sendable (Value) -> Form,
    from value: @escaping @Sendable (Form) -> Value?
  ) {
    self.key = key
    write = { record, blank in
      let value = record[keyPath: path]
      let isLeftOut = !isRequired && value == blank[keyPath: path]
      return isLeftOut ? [] : [TOMLTable.Entry(key, form(value).stored)]
    }
    read = { table, record throws(StoredFault) in
      let stored = table[key]?.kind
      if stored == nil, !isRequired { return }
      guard let value = stored.flatMap({ Form(stored: $0) }).flatMap(value) else {
        throw StoredFault(key: key)
      }
      record[keyPath: path] = value
    }
  }

  init<Value: Stored & Equatable & SendableMetatype>(
    _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable
  ) {
    self.init(key, path, as: { $0 }, from: { $0 })
  }

  /// Makes a field that is always written. A table without this field cannot be read.
  init<Value: Stored & Equatable & SendableMetatype>(
    required key: String, _ path: any WritableKeyPath<Record, Value> & Sendable
  ) {
    self.init(key, path, isRequired: true, as: { $0 }, from: { $0 })
  }

  /// Makes a field that is a value with keys of its own. These keys are stored among the keys of
  /// the record.
  init<Part: StoredPart & SendableMetatype>(
    part path: any WritableKeyPath<Record, Part> & Sendable
  ) {
    key = ""
    write = { record, _ in record[keyPath: path].entries }
    read = { table, record throws(StoredFault) in record[keyPath: path] = try Part(from: table) }
  }
}

extension StoredRecord {
  var entries: [TOMLTable.Entry] {
    let blank = Self.blank
    return Self.fields.flatMap { $0.write(self, blank) }
  }

  /// Reads a record. Keys that are not in `fields` are ignored, because a later release may have
  /// written them.
  init(from table: TOMLTable) throws(StoredFault) {
    self = Self.blank
    for field in Self.fields { try field.read(table, &self) }
  }

  var stored: TOMLValue.Kind { .table(TOMLTable(entries: entries)) }

  init?(stored: TOMLValue.Kind) {
    guard let table = stored.table else { return nil }
    do throws(StoredFault) { try self.init(from: table) } catch { return nil }
  }
}

/// Nil is stored without any keys. So an optional record is nil if the table does not have the
/// record's first key.
extension Optional: StoredPart where Wrapped: StoredRecord {
  var entries: [TOMLTable.Entry] { map(\.entries) ?? [] }
  init(from table: TOMLTable) throws(StoredFault) {
    self = table[Wrapped.fields[0].key] == nil ? nil : try Wrapped(from: table)
  }
}

extension TOMLTable.Entry {
  init(_ key: String, _ value: TOMLValue.Kind) {
    self.init(key: key, keyPosition: .start, value: TOMLValue(value))
  }
}

extension TOMLTable {
  /// Returns the value of `key`; nil if the key is missing or its value is of another type.
  func value<Value: Stored>(_ key: String, as type: Value.Type = Value.self) -> Value? {
    self[key].flatMap { Value(stored: $0.kind) }
  }
}
