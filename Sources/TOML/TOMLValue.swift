// SPDX-License-Identifier: GPL-3.0-or-later
//
// Parsed TOML values, each with its position in the text. Next: `TOMLDocument.swift`, which makes
// these values.

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

public struct TOMLValue: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case date(CivilDate)
    case time(CivilTime, nanosecond: UInt32 = 0)
    case dateTime(CivilDateTime, nanosecond: UInt32 = 0)
    case offsetDateTime(CivilDateTime, nanosecond: UInt32 = 0, minutesEast: Int16)
    case array([TOMLValue])
    case table(TOMLTable)
  }

  public var kind: Kind
  /// The position at which the value begins. A table under a header begins with that header. A
  /// table that is created by a dotted key, such as `a` in `a.b = 1`, begins with the part of the
  /// key that names it.
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

extension TOMLValue.Kind {
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  public var array: [TOMLValue]? { if case .array(let values) = self { values } else { nil } }
  public var table: TOMLTable? { if case .table(let table) = self { table } else { nil } }
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
