// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts records to dictionaries for the bus and to objects for JSON, and back. Each property of
// a record becomes a key: `canSnooze` becomes `can_snooze`. A property that is nil has no key. The
// records are in `Status.swift`.

import Configuration
import Scheduling
import System

public nonisolated protocol Record: Codable, Equatable, Sendable {}

nonisolated extension Record {
  public var entries: [Variant.Entry] {
    let writer = Writer()
    try? encode(to: writer)  // The writer never throws.
    return writer.entries
  }

  /// Reads a record from a dictionary. Returns nil if `variant` is not a dictionary. A key that is
  /// missing or has another type counts as 0, empty or nil, because the other program may have
  /// another version.
  public static func read(_ variant: Variant) -> Self? {
    variant.dictionary == nil ? nil : try? Self(from: Reader(value: variant))
  }

  public static func readAll(_ variant: Variant) -> [Self]? {
    variant.dictionaries?.compactMap { read(.dictionary($0)) }
  }
}

/// A moment. In a record it has two keys: `at` with the time in RFC 3339 and the offset of its
/// zone, and `epoch` with the seconds since 1970. If the property has another name `x`, the keys
/// are `x` and `x_epoch`.
public nonisolated struct Moment: Codable, Hashable, Sendable {
  public var text: String
  public var epoch: Int64

  /// Makes a moment in `zone`, or in the zone of the machine if `zone` is nil.
  public init(_ instant: Instant, _ zones: Zones, in zone: String? = nil) {
    (text, epoch) = (zones.rfc3339(instant, in: zone), instant.seconds)
  }

  fileprivate init?(_ variant: Variant, _ key: String) {
    guard let epoch = variant[Self.epochKey(key)]?.int64 else { return nil }
    (text, self.epoch) = (variant[key]?.string ?? "", epoch)
  }

  public var instant: Instant { Instant(seconds: epoch) }

  fileprivate func write(_ key: String, to entries: inout [Variant.Entry]) {
    entries.append(Variant.Entry(key, .string(text)))
    entries.append(Variant.Entry(Self.epochKey(key), .int64(epoch)))
  }

  private static func epochKey(_ key: String) -> String { key == "at" ? "epoch" : key + "_epoch" }
}

/// An array of records of any type.
private nonisolated protocol Rows {
  static func read(_ rows: Variant) -> Any?
  var variant: Variant { get }
}

nonisolated extension Array: Rows where Element: Record {
  fileprivate static func read(_ rows: Variant) -> Any? { Element.readAll(rows) }
  fileprivate var variant: Variant { .dictionaries(map(\.entries)) }
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
}

// MARK: - Writing

private nonisolated final class Writer: Encoder, SingleValueEncodingContainer {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  var entries: [Variant.Entry] = []
  /// The raw value if an enum was written. If a record was written, `single` is nil and the values
  /// of the record are in `entries`.
  var single: Variant?

  func container<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(writer: self))
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("lists are Rows") }
  func encodeNil() {}
  func encode<T: Encodable>(_ value: T) throws { single = try variant(value) }

  func variant<T: Encodable>(_ value: T) throws -> Variant {
    switch value {
    case let flag as Bool: return .boolean(flag)
    case let number as Int64: return .int64(number)
    case let number as Double: return .double(number)
    case let text as String: return .string(text)
    case let texts as [String] where T.self == [String].self: return .strings(texts)
    case let rows as any Rows: return rows.variant
    default:
      let writer = Writer()
      try value.encode(to: writer)
      return writer.single ?? .dictionary(writer.entries)
    }
  }
}

private nonisolated struct FieldWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: Writer
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey: Key) {}
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    if let moment = value as? Moment { return moment.write(key.snakeCase, to: &writer.entries) }
    writer.entries.append(Variant.Entry(key.snakeCase, try writer.variant(value)))
  }
  func nestedContainer<N>(keyedBy: N.Type, forKey: Key) -> KeyedEncodingContainer<N> {
    writer.container(keyedBy: N.self)
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

  func container<Key>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(FieldReader(reader: self))
  }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw mismatch }
  func decodeNil() -> Bool { false }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard let value = read(type, value) else { throw mismatch }
    return value
  }

  func read<T: Decodable>(_ type: T.Type, _ value: Variant) -> T? {
    let found: Any? =
      switch type {
      case is Bool.Type: value.boolean
      case is Int64.Type: value.int64
      case is Double.Type: value.double
      case is String.Type: value.string
      case is [String].Type: value.strings
      case let rows as any Rows.Type: rows.read(value)
      default: try? T(from: Reader(value: value))
      }
    return found as? T
  }

  var mismatch: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "a value of another type"))
  }
}

private nonisolated struct FieldReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: Reader
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { reader.value[key.snakeCase] != nil }
  func decodeNil(forKey: Key) -> Bool { false }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
    let key = key.snakeCase
    if type is Moment.Type { return Moment(reader.value, key) as? T }
    return reader.value[key].flatMap { reader.read(type, $0) }
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let blanks: [Variant] = [
      .string(""), .int64(0), .double(0), .boolean(false), .strings([]), .dictionaries([]),
      .dictionary([]),
    ]
    guard
      let value = decodeIfPresent(type, forKey: key)
        ?? blanks.lazy.compactMap({ reader.read(type, $0) }).first
    else { throw reader.mismatch }
    return value
  }
  func nestedContainer<N>(keyedBy: N.Type, forKey: Key) -> KeyedDecodingContainer<N> {
    reader.container(keyedBy: N.self)
  }
  func nestedUnkeyedContainer(forKey: Key) throws -> any UnkeyedDecodingContainer {
    throw reader.mismatch
  }
  func superDecoder() -> any Decoder { reader }
  func superDecoder(forKey: Key) -> any Decoder { reader }
}
