// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts `Codable` values to the tree and back. A struct becomes a table with a key for each
// property: `canSnooze` becomes `can_snooze`, and a property that is nil has no key. An enum
// becomes its raw value or, if it has none, a table whose only key is the case. A date has its own
// form in the tree, and so has each type that encodes itself as a `Value`.

import Scheduling

/// A value of the tree does not have the form of a type.
public struct ValueFault: Error {
  /// The key of a table whose value is missing or wrong; empty if the value is not a table.
  public let key: String
  public init(key: String = "") { self.key = key }
}

/// A property that is not stored under one key, but under several keys of its struct's table.
public protocol SpreadValue: Codable {
  /// Reads the property `key` from `table`, the table of the whole struct.
  init?(_ table: [Value.Entry], _ key: String)
  /// Returns the entries of the struct's table that store the property `key`.
  func entries(_ key: String) -> [Value.Entry]
}

extension Value {
  /// The greatest absolute value of a number that is read. In microseconds, this is 285 years.
  /// Someone else may have written the number, and no later computation with it may overflow.
  fileprivate static let most: Int64 = 1 << 53

  public init(encoding value: some Encodable) { self = Writer.value(of: value) }

  /// Converts this value to `type`; nil if it is not such a value. A property of a struct whose key
  /// is missing or has a value of another type counts as 0, empty or nil, because the other program
  /// may have another version.
  public func decoded<T: Decodable>(_ type: T.Type = T.self) -> T? {
    Reader(value: self).read(type)
  }

  fileprivate var boundedInteger: Int64? {
    integer.flatMap { (-Value.most...Value.most).contains($0) ? $0 : nil }
  }

  /// The number; nil if it is not finite.
  fileprivate var boundedNumber: Double? {
    number.flatMap { abs($0) <= Double(Value.most) ? $0 : nil }
  }
}

// MARK: - Types with a form of their own

extension Value: Codable {
  public func encode(to encoder: any Encoder) throws { (encoder as? Writer)?.single = self }
  public init(from decoder: any Decoder) throws {
    guard let reader = decoder as? Reader else { throw ValueFault() }
    self = reader.value
  }
}

extension SpreadValue {
  /// Only the property of a struct can be spread.
  public func encode(to encoder: any Encoder) throws { throw ValueFault() }
  public init(from decoder: any Decoder) throws { throw ValueFault() }
}

extension CivilDate: Codable {
  public func encode(to encoder: any Encoder) throws { try Value.date(self).encode(to: encoder) }
  public init(from decoder: any Decoder) throws {
    guard case .date(let date) = try Value(from: decoder) else { throw ValueFault() }
    self = date
  }
}

extension Instant: Codable {
  public func encode(to encoder: any Encoder) throws { try Value.instant(self).encode(to: encoder) }
  public init(from decoder: any Decoder) throws {
    guard case .instant(let instant) = try Value(from: decoder) else { throw ValueFault() }
    self = instant
  }
}

private protocol List {
  static func read(_ list: [Value]) -> Any?
  var value: Value { get }
}

extension Array: List where Element: Codable {
  /// Returns nil if the list has an element of another type.
  fileprivate static func read(_ list: [Value]) -> Any? {
    let elements = list.compactMap { $0.decoded(Element.self) }
    return elements.count == list.count ? elements : nil
  }

  fileprivate var value: Value { .list(map { Value(encoding: $0) }) }
}

extension CodingKey {
  fileprivate var snakeCase: String {
    // Most keys have no capital letter. Return them at once, because a status may have
    // thousands of keys.
    guard stringValue.utf8.contains(where: { (65...90).contains($0) }) else { return stringValue }
    return stringValue.reduce(into: "") {
      $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1)
    }
  }

  fileprivate init?(snakeCase: String) {
    let words = snakeCase.split(separator: "_")
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    self.init(stringValue: (words.first.map(String.init) ?? "") + rest.joined())
  }
}

// MARK: - Writing

private final class Writer: Encoder, SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  var entries: [Value.Entry] = []
  /// If an enum's case with values was written: the key of the case, and the writer of the values.
  var nested: (key: String, writer: Writer)?
  /// The value if something else than a table was written, such as an enum's raw value.
  var single: Value?

  static func value<T: Encodable>(of value: T) -> Value {
    switch value {
    case let flag as Bool: return .boolean(flag)
    case let number as Int64: return .integer(number)
    case let number as Double: return .number(number)
    case let text as String: return .string(text)
    case let texts as [String] where T.self == [String].self:
      return .list(texts.map(Value.string), of: .string)
    case let list as any List: return list.value
    case let length as Duration: return .integer(length.wholeMicroseconds)
    case let number as any FixedWidthInteger: return .integer(Int64(number))
    case let number as Float: return .number(Double(number))
    default:
      let writer = Writer()
      try? value.encode(to: writer)  // The writer never throws.
      return writer.value
    }
  }

  private var value: Value {
    let entry = nested.map { [Value.Entry($0.key, $0.writer.value)] } ?? []
    return single ?? .table(entries + entry)
  }

  func container<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(writer: self))
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("see List") }
  func encodeNil() { single = .null }
  func encode<T: Encodable>(_ value: T) { single = Self.value(of: value) }
}

private struct FieldWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: Writer
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey: Key) {}
  func encode<T: Encodable>(_ value: T, forKey key: Key) {
    writer.entries +=
      (value as? any SpreadValue)?.entries(key.snakeCase)
      ?? [Value.Entry(key.snakeCase, Writer.value(of: value))]
  }
  func nestedContainer<N>(keyedBy type: N.Type, forKey key: Key) -> KeyedEncodingContainer<N> {
    let inner = Writer()
    writer.nested = (key.snakeCase, inner)
    return inner.container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey: Key) -> any UnkeyedEncodingContainer {
    writer.unkeyedContainer()
  }
  func superEncoder() -> any Encoder { writer }
  func superEncoder(forKey: Key) -> any Encoder { writer }
}

// MARK: - Reading

private struct Reader: Decoder, SingleValueDecodingContainer {
  let value: Value
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func read<T: Decodable>(_ type: T.Type) -> T? {
    let found: Any? =
      switch type {
      case is Bool.Type: value.boolean
      case is Int64.Type: value.boundedInteger
      case is Double.Type: value.boundedNumber
      case is String.Type: value.string
      case let list as any List.Type: value.list.flatMap { list.read($0) }
      case is Duration.Type: value.boundedInteger.map { Duration.microseconds($0) }
      case let number as any FixedWidthInteger.Type:
        value.boundedInteger.flatMap { number.init(exactly: $0) }
      case is Float.Type: value.boundedNumber.map { Float($0) }
      default: try? T(from: self)
      }
    // If `T` is an optional, nil could be cast to it.
    return found.flatMap { $0 as? T }
  }

  func container<Key>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let entries = value.table else { throw ValueFault() }
    return KeyedDecodingContainer(FieldReader(reader: self, entries: entries))
  }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw ValueFault() }
  func decodeNil() -> Bool { value == .null }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = read(type) else { throw ValueFault() }
    return value
  }
}

private struct FieldReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: Reader
  let entries: [Value.Entry]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { entries.compactMap { Key(snakeCase: $0.key) } }

  private static var blanks: [Value] {
    [.string(""), .integer(0), .boolean(false), .list([]), .table([])]
  }

  func contains(_ key: Key) -> Bool { entries[key.snakeCase] != nil }
  func decodeNil(forKey key: Key) -> Bool { entries[key.snakeCase] == .null }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
    if let spread = type as? any SpreadValue.Type {
      return spread.init(entries, key.snakeCase) as? T
    }
    return entries[key.snakeCase].flatMap { $0.decoded(type) }
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard
      let value = decodeIfPresent(type, forKey: key)
        ?? Self.blanks.lazy.compactMap({ $0.decoded(type) }).first
    else { throw ValueFault(key: key.snakeCase) }
    return value
  }
  func nestedContainer<N>(keyedBy type: N.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<N>
  {
    guard let inner = entries[key.snakeCase] else { throw ValueFault(key: key.snakeCase) }
    return try Reader(value: inner).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey: Key) throws -> any UnkeyedDecodingContainer {
    throw ValueFault()
  }
  func superDecoder() throws -> any Decoder { throw ValueFault() }
  func superDecoder(forKey: Key) throws -> any Decoder { throw ValueFault() }
}
