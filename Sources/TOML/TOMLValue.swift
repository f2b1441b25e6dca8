// SPDX-License-Identifier: GPL-3.0-or-later
//
// TOML as values, each with the place in the text that it came from. They know nothing of alarms;
// dates and times are the bare numbers of the text. Next: `TOMLDocument.swift`, which makes them.

/// A place in a text. The order is that of the text.
public struct TOMLPosition: Hashable, Comparable, Sendable {
  /// From 1.
  public var line: Int
  /// From 1, in Unicode code points, as editors count.
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
  /// 1...31, as long as the month is.
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
  /// Where it begins: for a table under a header, that header; for one that a dotted key made, its
  /// part of the key.
  public var position: TOMLPosition

  init(kind: Kind, position: TOMLPosition) { (self.kind, self.position) = (kind, position) }

  /// A value that comes from no text.
  public init(_ kind: Kind) { self.init(kind: kind, position: .start) }
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

  /// In the order of the text; no key occurs twice.
  public var entries: [Entry]

  public init(entries: [Entry] = []) { self.entries = entries }

  /// Searches from the front: tables of people's files are short.
  public subscript(key: String) -> TOMLValue? { entries.first { $0.key == key }?.value }
}

// MARK: - As the text has them

extension TOMLDate: CustomStringConvertible {
  public var description: String {
    "\(zeroPadded(year, 4))-\(zeroPadded(month, 2))-\(zeroPadded(day, 2))"
  }
}

extension TOMLTime: CustomStringConvertible {
  public var description: String {
    "\(zeroPadded(hour, 2)):\(zeroPadded(minute, 2))"
      + (second == 0 ? "" : ":\(zeroPadded(second, 2))")
  }
}

func zeroPadded(_ number: some BinaryInteger, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
