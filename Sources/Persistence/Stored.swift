// SPDX-License-Identifier: GPL-3.0-or-later
//
// How records become TOML and come back. A record lists its fields once, and reading and writing
// both follow that list. Next: `StoredValues.swift`, the values of fields; `StateFields.swift` and
// `SettingsText.swift`, the records.

import Scheduling
import TOML

/// A value of one key in the state file.
protocol Stored {
  var stored: TOMLValue.Kind { get }
  /// Nil if `stored` is not such a value.
  init?(stored: TOMLValue.Kind)
}

/// A value that takes several keys of the table in which it is stored, as the phase of an alarm
/// does.
protocol StoredPart {
  var entries: [TOMLTable.Entry] { get }
  init(from table: TOMLTable) throws(StoredFault)
}

/// A value with named fields, stored as a table or as a part of one.
protocol StoredRecord: StoredPart, Stored {
  /// The record that an empty table stands for. A field with the same value as here is left out.
  static var blank: Self { get }
  static var fields: [StoredField<Self>] { get }
}

/// A table was not read because the value of `key` is missing or wrong.
struct StoredFault: Error { let key: String }

/// One field of a record: `StoredField("volume", \.volume)`.
struct StoredField<Record>: Sendable {
  let key: String
  let write: @Sendable (_ record: Record, _ blank: Record) -> [TOMLTable.Entry]
  let read: @Sendable (_ table: TOMLTable, _ record: inout Record) throws(StoredFault) -> Void

  /// `form` is the stored form of a value; `value` is nil for a form that is not valid.
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

  /// A field that is always written, and without which a table cannot be read.
  init<Value: Stored & Equatable & SendableMetatype>(
    required key: String, _ path: any WritableKeyPath<Record, Value> & Sendable
  ) {
    self.init(key, path, isRequired: true, as: { $0 }, from: { $0 })
  }

  /// A field whose keys stand among those of the record.
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

  /// Ignores a key that no field has: a later release may have written it.
  init(from table: TOMLTable) throws(StoredFault) {
    self = Self.blank
    for field in Self.fields { try field.read(table, &self) }
  }

  var stored: TOMLValue.Kind { .table(TOMLTable(entries: entries)) }

  init?(stored: TOMLValue.Kind) {
    guard case .table(let table) = stored else { return nil }
    do throws(StoredFault) { try self.init(from: table) } catch { return nil }
  }
}

/// Nil if the table lacks the first key of the record.
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
  /// The value of `key`; nil if there is none, or one of another type.
  func value<Value: Stored>(_ key: String, as type: Value.Type = Value.self) -> Value? {
    self[key].flatMap { Value(stored: $0.kind) }
  }
}
