// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts `Codable` values to a `Variant` and back. A struct becomes a dictionary with a key for
// each property: `canSnooze` becomes `can_snooze`, and a property that is nil has no key. An enum
// becomes its raw value or, if it has none, a dictionary whose only key is the case.

import Scheduling

/// A property that is not stored under one key, but under several keys of its struct's dictionary.
public nonisolated protocol SpreadValue: Codable {
  /// Reads the property `key` from `variant`, the dictionary of the whole struct.
  init?(_ variant: Variant, _ key: String)
  /// Returns the entries of the struct's dictionary that store the property `key`.
  func entries(_ key: String) -> [Variant.Entry]
}

nonisolated extension Variant {
  public init(encoding value: some Encodable) { self = Writer.variant(value) }

  /// Converts this variant to a value of `type`; nil if that is impossible. A key that is missing
  /// or has another type counts as 0, empty or nil, because the other program may have another
  /// version.
  public func decoded<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
    Reader(value: self).read(type)
  }
}

private nonisolated protocol List {
  static func read(_ list: Variant) -> Any?
  var variant: Variant { get }
}

nonisolated extension Array: List where Element: Codable {
  fileprivate static func read(_ list: Variant) -> Any? {
    if case .array(_, let values) = list {
      values.compactMap { $0.decoded(Element.self) }
    } else {
      nil
    }
  }

  fileprivate var variant: Variant {
    let values = map { Variant(encoding: $0) }
    let rows = values.compactMap(\.dictionary)
    return rows.count == values.count
      ? .dictionaries(rows) : .array(of: "v", values.map(Variant.boxed))
  }
}

nonisolated extension CodingKey {
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

private nonisolated final class Writer: Encoder, SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  var entries: [Variant.Entry] = []
  /// If an enum's case with values was written: the key of the case, and the writer of the values.
  var nested: (key: String, writer: Writer)?
  /// The raw value if an enum was written.
  private var single: Variant?

  static func variant<T: Encodable>(_ value: T) -> Variant {
    switch value {
    case let flag as Bool: return .boolean(flag)
    case let number as Int64: return .int64(number)
    case let number as Double: return .double(number)
    case let text as String: return .string(text)
    case let texts as [String] where T.self == [String].self: return .strings(texts)
    case let list as any List: return list.variant
    case let length as Duration: return .int64(length.wholeMicroseconds)
    case let number as any FixedWidthInteger: return .int64(Int64(number))
    case let number as Float: return .double(Double(number))
    default:
      let writer = Writer()
      try? value.encode(to: writer)  // The writer never throws.
      return writer.variant
    }
  }

  private var variant: Variant {
    let entry = nested.map { [Variant.Entry($0.key, $0.writer.variant)] } ?? []
    return single ?? .dictionary(entries + entry)
  }

  func container<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(writer: self))
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("see List") }
  func encodeNil() {}
  func encode<T: Encodable>(_ value: T) { single = Self.variant(value) }
}

private nonisolated struct FieldWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: Writer
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey: Key) {}
  func encode<T: Encodable>(_ value: T, forKey key: Key) {
    writer.entries +=
      (value as? any SpreadValue)?.entries(key.snakeCase)
      ?? [Variant.Entry(key.snakeCase, Writer.variant(value))]
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

private nonisolated struct Reader: Decoder, SingleValueDecodingContainer {
  let value: Variant
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func read<T: Decodable>(_ type: T.Type) -> T? {
    let found: Any? =
      switch type {
      case is Bool.Type: value.boolean
      case is Int64.Type: value.int64
      case is Double.Type: value.double
      case is String.Type: value.string
      case is [String].Type: value.strings
      case let list as any List.Type: list.read(value)
      case is Duration.Type: value.int64.map { Duration.microseconds($0) }
      case let number as any FixedWidthInteger.Type:
        value.int64.flatMap { number.init(exactly: $0) }
      case is Float.Type: value.double.map { Float($0) }
      default: try? T(from: self)
      }
    return found as? T
  }

  func container<Key>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let entries = value.dictionary else { throw mismatch }
    return KeyedDecodingContainer(FieldReader(reader: self, entries: entries))
  }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch }
  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = read(type) else { throw mismatch }
    return value
  }

  var mismatch: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "a value of another type"))
  }
}

private nonisolated struct FieldReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: Reader
  let entries: [Variant.Entry]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { entries.compactMap { Key(snakeCase: $0.key) } }

  private static var blanks: [Variant] {
    [
      .string(""), .int64(0), .double(0), .boolean(false), .strings([]), .dictionaries([]),
      .dictionary([]),
    ]
  }

  func contains(_ key: Key) -> Bool { entries[key.snakeCase] != nil }
  func decodeNil(forKey: Key) -> Bool { false }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
    if let spread = type as? any SpreadValue.Type {
      return spread.init(reader.value, key.snakeCase) as? T
    }
    return entries[key.snakeCase].flatMap { $0.decoded(type) }
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard
      let value = decodeIfPresent(type, forKey: key)
        ?? Self.blanks.lazy.compactMap({ $0.decoded(type) }).first
    else { throw reader.mismatch }
    return value
  }
  func nestedContainer<N>(keyedBy type: N.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<N>
  {
    guard let inner = entries[key.snakeCase] else { throw reader.mismatch }
    return try Reader(value: inner).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey: Key) throws -> any UnkeyedDecodingContainer {
    throw reader.mismatch
  }
  func superDecoder() throws -> any Decoder { throw reader.mismatch }
  func superDecoder(forKey: Key) throws -> any Decoder { throw reader.mismatch }
}
