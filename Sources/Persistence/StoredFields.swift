// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows that say how a record is stored: the keys of its fields, which of them are required, and
// which numbers are valid. `Codable` alone cannot say this: a field with its default value is left
// out of the file, an entry with an invalid field is refused, and the keys must stay those of
// release 1.0.0. The values of fields are converted by `ValueCoder.swift`. Next:
// `StateFields.swift`, `SettingsText.swift` and `HistoryText.swift`, which have the rows.

import Values

/// A value with keys of its own in the table around it, such as the phase of an alarm.
protocol StoredPart {
  var entries: [Value.Entry] { get }
  init(from table: [Value.Entry]) throws(ValueFault)
}

/// A value with named fields.
protocol StoredRecord: StoredPart {
  /// The record with the default values of its fields. Reading begins with these values.
  static var blank: Self { get }
  static var fields: [StoredField<Self>] { get }
}

/// When a field is written, and whether it must be there.
enum Presence {
  /// Written unless it has its default value.
  case optional
  /// Always written. If the key is missing, the field keeps its default value.
  case written
  /// Always written. A table without the key cannot be read.
  case required
}

/// One field of a record, such as `StoredField("volume", \.volume)`.
struct StoredField<Record>: Sendable {
  let key: String
  let write: @Sendable (_ record: Record, _ blank: Record) -> [Value.Entry]
  let read: @Sendable (_ table: [Value.Entry], _ record: inout Record) throws(ValueFault) -> Void

  /// Makes a field whose value is stored in another form, such as seconds. `form` converts a value
  /// to that form. `value` converts it back, and returns nil if the form is not valid.
  init<Field: Equatable & SendableMetatype, Form: Codable & SendableMetatype>(
    _ key: String, _ path: any WritableKeyPath<Record, Field> & Sendable,
    _ presence: Presence = .optional, as form: @escaping @Sendable (Field) -> Form,
    from value: @escaping @Sendable (Form) -> Field?
  ) {
    self.key = key
    write = { record, blank in
      let value = record[keyPath: path]
      let isLeftOut = presence == .optional && value == blank[keyPath: path]
      return isLeftOut ? [] : [Value.Entry(key, Value(encoding: form(value)))]
    }
    read = { table, record throws(ValueFault) in
      let stored = table[key]
      if stored == nil, presence != .required { return }
      guard let value = stored?.decoded(Form.self).flatMap(value) else {
        throw ValueFault(key: key)
      }
      record[keyPath: path] = value
    }
  }

  init<Field: Codable & Equatable & SendableMetatype>(
    _ key: String, _ path: any WritableKeyPath<Record, Field> & Sendable,
    _ presence: Presence = .optional
  ) {
    self.init(key, path, presence, as: { $0 }, from: { $0 })
  }

  /// Makes a field whose value is a list of records.
  init<Element: StoredRecord & Equatable & SendableMetatype>(
    records key: String, _ path: any WritableKeyPath<Record, [Element]> & Sendable
  ) {
    self.init(
      key, path, as: { $0.map { Value.table($0.entries) } },
      from: { values in
        let elements = values.compactMap { Element(stored: $0) }
        return elements.count == values.count ? elements : nil
      })
  }

  /// Makes a field whose value is a record.
  init<Field: StoredRecord & Equatable & SendableMetatype>(
    record key: String, _ path: any WritableKeyPath<Record, Field> & Sendable
  ) {
    self.init(key, path, as: { Value.table($0.entries) }, from: { Field(stored: $0) })
  }

  /// Makes a field whose value has keys of its own. These keys are stored among the keys of the
  /// record.
  init<Part: StoredPart & SendableMetatype>(
    part path: any WritableKeyPath<Record, Part> & Sendable
  ) {
    key = ""
    write = { record, _ in record[keyPath: path].entries }
    read = { table, record throws(ValueFault) in record[keyPath: path] = try Part(from: table) }
  }

  /// Makes a field that is written for people, and never read. It has no key if `value` returns
  /// nil.
  init(computed key: String, _ value: @escaping @Sendable (Record) -> Value?) {
    self.key = key
    write = { record, _ in value(record).map { [Value.Entry(key, $0)] } ?? [] }
    read = { _, _ in }
  }
}

extension StoredRecord {
  var entries: [Value.Entry] {
    let blank = Self.blank
    return Self.fields.flatMap { $0.write(self, blank) }
  }

  /// Reads a record. Keys that are not in `fields` are ignored, because a later release may have
  /// written them.
  init(from table: [Value.Entry]) throws(ValueFault) {
    self = Self.blank
    for field in Self.fields { try field.read(table, &self) }
  }

  /// Reads a record from a table; nil if it cannot be read.
  init?(stored: Value) {
    guard let table = stored.table else { return nil }
    do throws(ValueFault) { try self.init(from: table) } catch { return nil }
  }
}

/// Nil is stored without any keys. So an optional record is nil if the table does not have the
/// record's first key.
extension Optional: StoredPart where Wrapped: StoredRecord {
  var entries: [Value.Entry] { map(\.entries) ?? [] }
  init(from table: [Value.Entry]) throws(ValueFault) {
    self = table[Wrapped.fields[0].key] == nil ? nil : try Wrapped(from: table)
  }
}
