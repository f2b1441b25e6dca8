// SPDX-License-Identifier: GPL-3.0-or-later
//
// How values become TOML and come back. A record lists its fields once, and both ways follow from the
// list; a field that is as in the blank record is left out, so that a later release can add one. Next:
// `SettingsText.swift`, the records.

import Configuration
import Scheduling
import TOML

/// A value that the state file holds.
protocol Stored {
  var stored: TOMLValue.Kind { get }
  /// Nil if `stored` is no such value.
  init?(stored: TOMLValue.Kind)
}

/// A value with named fields, stored as a table.
protocol StoredRecord: Stored {
  /// What a record is whose table is empty.
  static var blank: Self { get }
  static var fields: [StoredField<Self>] { get }
}

/// One field of a record: `StoredField("volume", \.volume)`.
struct StoredField<Record>: Sendable {
  let key: String
  /// Nil if the value is the same in both records.
  let value: @Sendable (_ record: Record, _ blank: Record) -> TOMLValue.Kind?
  /// False if the value is not one of this field.
  let set: @Sendable (TOMLValue.Kind, inout Record) -> Bool

  init<Value: Stored & Equatable & SendableMetatype>(
    _ key: String, _ path: any WritableKeyPath<Record, Value> & Sendable
  ) {
    self.key = key
    value = { record, blank in
      record[keyPath: path] == blank[keyPath: path] ? nil : record[keyPath: path].stored
    }
    set = { stored, record in
      guard let value = Value(stored: stored) else { return false }
      record[keyPath: path] = value
      return true
    }
  }
}

extension StoredRecord {
  var stored: TOMLValue.Kind {
    let blank = Self.blank
    return .table(
      TOMLTable(
        entries: Self.fields.compactMap { field in
          field.value(self, blank).map { TOMLTable.Entry(field.key, $0) }
        }))
  }

  /// A key that no field has is passed over: a later release may have written it.
  init?(stored: TOMLValue.Kind) {
    guard case .table(let table) = stored else { return nil }
    self = Self.blank
    for field in Self.fields {
      if let value = table[field.key], !field.set(value.kind, &self) { return nil }
    }
  }
}

extension TOMLTable.Entry {
  init(_ key: String, _ value: TOMLValue.Kind) {
    self.init(key: key, keyPosition: .start, value: TOMLValue(value))
  }
}

// MARK: - Plain values

extension Bool: Stored {
  var stored: TOMLValue.Kind { .boolean(self) }
  init?(stored: TOMLValue.Kind) {
    guard case .boolean(let flag) = stored else { return nil }
    self = flag
  }
}

extension Int: Stored {
  var stored: TOMLValue.Kind { .integer(Int64(self)) }
  init?(stored: TOMLValue.Kind) {
    guard case .integer(let number) = stored else { return nil }
    self.init(exactly: number)
  }
}

extension Double: Stored {
  var stored: TOMLValue.Kind { .float(self) }
  init?(stored: TOMLValue.Kind) {
    switch stored {
    case .float(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}

extension String: Stored {
  var stored: TOMLValue.Kind { .string(self) }
  init?(stored: TOMLValue.Kind) {
    guard case .string(let text) = stored else { return nil }
    self = text
  }
}

/// In microseconds.
extension Duration: Stored {
  var stored: TOMLValue.Kind { .integer(wholeMicroseconds) }
  init?(stored: TOMLValue.Kind) {
    guard case .integer(let number) = stored else { return nil }
    self = .microseconds(number)
  }
}

extension CivilDate: Stored {
  var stored: TOMLValue.Kind { .date(TOMLDate(self)) }
  init?(stored: TOMLValue.Kind) {
    guard case .date(let date) = stored, let civil = date.civil else { return nil }
    self = civil
  }
}

extension CivilTime: Stored {
  var stored: TOMLValue.Kind { .time(TOMLTime(self)) }
  init?(stored: TOMLValue.Kind) {
    guard case .time(let time) = stored, let civil = time.civil else { return nil }
    self = civil
  }
}

extension Array: Stored where Element: Stored {
  var stored: TOMLValue.Kind { .array(map { TOMLValue($0.stored) }) }
  init?(stored: TOMLValue.Kind) {
    guard case .array(let values) = stored else { return nil }
    let elements = values.compactMap { Element(stored: $0.kind) }
    guard elements.count == values.count else { return nil }
    self = elements
  }
}

/// TOML has no word for nothing: `false` stands for it, and so no optional flag can be stored.
extension Optional: Stored where Wrapped: Stored {
  var stored: TOMLValue.Kind { map(\.stored) ?? .boolean(false) }
  init?(stored: TOMLValue.Kind) {
    if stored == .boolean(false) {
      self = .none
    } else {
      guard let value = Wrapped(stored: stored) else { return nil }
      self = value
    }
  }
}

/// An enumeration of words or numbers.
protocol StoredCase: Stored, RawRepresentable where RawValue: Stored {}

extension StoredCase {
  var stored: TOMLValue.Kind { rawValue.stored }
  init?(stored: TOMLValue.Kind) {
    guard let raw = RawValue(stored: stored) else { return nil }
    self.init(rawValue: raw)
  }
}
