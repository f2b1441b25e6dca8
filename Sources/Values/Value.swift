// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tree of values that everything stored or sent is converted to: the state, the settings and
// the history on disk, the status on the bus, and the output of the commands. `ValueCoder.swift`
// converts Swift's types to this tree and back. Three formats write and read the tree: JSON
// (`JSONWriter.swift`, `JSONReader.swift`), TOML (`TOMLTree.swift` in TOML) and GVariant
// (`VariantTree.swift` in System).

import Scheduling

public enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  /// JSON and GVariant have no dates and times. There, each of the next four is a text.
  case date(CivilDate)
  case time(CivilTime)
  case dateTime(CivilDateTime)
  case instant(Instant)
  case list([Value], of: Element = .any)
  /// A table with its keys in the order in which they were given.
  case table([Entry])

  /// What the elements of a list are. GVariant needs this for a list that is empty.
  public enum Element: Hashable, Sendable { case any, string }

  public struct Entry: Hashable, Sendable {
    public var key: String
    public var value: Value
    public init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
  }

  /// Returns a table with those of `entries` whose value is not nil.
  public static func table(_ entries: KeyValuePairs<String, Value?>) -> Value {
    .table(entries.compactMap { key, value in value.map { Entry(key, $0) } })
  }

  /// The value of `key` in a table. If the key occurs several times, the last value counts.
  public subscript(_ key: String) -> Value? { table?[key] }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The value if this is a number, with or without a fraction; otherwise nil.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
  public var list: [Value]? { if case .list(let values, _) = self { values } else { nil } }
  public var table: [Entry]? { if case .table(let entries) = self { entries } else { nil } }

  /// The text of a date or a time, as in RFC 3339; nil for any other value. An instant is in UTC.
  public var dateText: String? {
    switch self {
    case .date(let date): return date.description
    case .time(let time): return time.description
    case .dateTime(let local): return "\(local.date)T\(local.time.inFull())"
    case .instant(let instant):
      let local = CivilDateTime(localSeconds: instant.seconds)
      return "\(local.date)T\(local.time.inFull(instant.nanosecond))Z"
    default: return nil
    }
  }
}

extension Instant {
  /// The nanoseconds since the last full second.
  public var nanosecond: UInt32 { UInt32(microseconds - seconds * 1_000_000) * 1000 }
}

extension CivilTime {
  /// Returns the time with its seconds, even if they are 0. A fraction has six digits if they
  /// suffice, and otherwise nine.
  public func inFull(_ nanosecond: UInt32 = 0) -> String {
    let time = second == 0 ? "\(self):00" : "\(self)"
    if nanosecond == 0 { return time }
    return nanosecond % 1000 == 0
      ? "\(time).\(padded(Int(nanosecond / 1000), 6))" : "\(time).\(padded(Int(nanosecond), 9))"
  }
}

extension [Value.Entry] {
  public subscript(_ key: String) -> Value? { last { $0.key == key }?.value }
}
