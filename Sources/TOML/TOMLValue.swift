// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parsed TOML values, each with its position in the text. Dates and times hold the numbers as they
// are written. Extensions at the end of the file convert them to civil time. Next:
// `TOMLDocument.swift`, which makes these values.

import Scheduling

/// A position in a text. The position that comes first in the text is the smaller one.
public struct TOMLPosition: Hashable, Comparable, Sendable {
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in Unicode code points, as editors do.
  public var column: Int

  public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  public static let start = TOMLPosition(line: 1, column: 1)

  public static func < (a: TOMLPosition, b: TOMLPosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

public struct TOMLDate: Hashable, Sendable {
  /// 0...9999
  public var year: Int16
  /// 1...12
  public var month: UInt8
  /// 1...31, at most the length of the month.
  public var day: UInt8

  public init(year: Int16, month: UInt8, day: UInt8) {
    (self.year, self.month, self.day) = (year, month, day)
  }
}

public struct TOMLTime: Hashable, Sendable {
  /// 0...23
  public var hour: UInt8
  /// 0...59
  public var minute: UInt8
  /// 0...59
  public var second: UInt8
  /// 0...999,999,999
  public var nanosecond: UInt32

  public init(hour: UInt8, minute: UInt8, second: UInt8, nanosecond: UInt32 = 0) {
    (self.hour, self.minute, self.second) = (hour, minute, second)
    self.nanosecond = nanosecond
  }
}

public struct TOMLValue: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case date(TOMLDate)
    case time(TOMLTime)
    case dateTime(TOMLDate, TOMLTime)
    case offsetDateTime(TOMLDate, TOMLTime, minutesEast: Int16)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  public var kind: Kind
  /// The position at which the value begins. A table under a header begins with that header. A
  /// table that a dotted key creates begins with its part of the key.
  public var position: TOMLPosition
  /// The position after the value's last character. It has no meaning for a table under a header,
  /// or for a list of such tables.
  let end: TOMLPosition

  init(kind: Kind, position: TOMLPosition, end: TOMLPosition) {
    (self.kind, self.position, self.end) = (kind, position, end)
  }

  /// The positions of this value and of all keys and values inside it.
  public var positions: [TOMLPosition] {
    switch kind {
    case .array(let values): [position] + values.flatMap(\.positions)
    case .table(let table):
      [position] + table.entries.flatMap { [$0.keyPosition] + $0.value.positions }
    default: [position]
    }
  }

  /// Makes a value that does not come from a text.
  public init(_ kind: Kind) { self.init(kind: kind, position: .start, end: .start) }
}

public struct TOMLTable: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var key: String
    public var keyPosition: TOMLPosition
    public var value: TOMLValue

    public init(key: String, keyPosition: TOMLPosition, value: TOMLValue) {
      (self.key, self.keyPosition, self.value) = (key, keyPosition, value)
    }
  }

  /// The entries in the order of the text. No key occurs twice.
  public var entries: [Entry]

  public init(entries: [Entry] = []) { self.entries = entries }

  /// Returns the value of `key`. A linear search is enough, because tables that people write are
  /// short.
  public subscript(key: String) -> TOMLValue? { entries.first { $0.key == key }?.value }
}

// MARK: - Dates and times as text

extension TOMLDate: CustomStringConvertible {
  public var description: String {
    "\(padded(Int(year), 4))-\(padded(Int(month)))-\(padded(Int(day)))"
  }
}

extension TOMLTime: CustomStringConvertible {
  public var description: String {
    "\(padded(Int(hour))):\(padded(Int(minute)))"
      + (second == 0 ? "" : ":\(padded(Int(second)))")
  }
}

// MARK: - As civil time

extension TOMLDate {
  public init(_ date: CivilDate) {
    self.init(year: Int16(date.year), month: UInt8(date.month), day: UInt8(date.day))
  }

  /// The date as a civil date; nil for the year 0, which `CivilDate` does not have.
  public var civil: CivilDate? { CivilDate(year: Int(year), month: Int(month), day: Int(day)) }
}

extension TOMLTime {
  public init(_ time: CivilTime) {
    self.init(hour: UInt8(time.hour), minute: UInt8(time.minute), second: UInt8(time.second))
  }

  /// The time in whole seconds; fractions are dropped.
  public var civil: CivilTime? {
    CivilTime(hour: Int(hour), minute: Int(minute), second: Int(second))
  }
}

extension CivilDateTime {
  public init?(_ date: TOMLDate, _ time: TOMLTime) {
    guard let date = date.civil, let time = time.civil else { return nil }
    self.init(date, time)
  }
}
