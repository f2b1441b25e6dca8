// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns messages between the agent and `belfry-sound` into bytes and back: `Codable` makes a
// dictionary of the fields, and GLib serialises it. Both programs have the same version, so an
// unknown message is a bug. Next: `SoundRequest.swift`, the commands and reports.

import Scheduling
import System

/// A command, or a report about a command.
package nonisolated struct SoundMessage<Body: Codable>: Codable {
  /// The number of the command, which each report about it repeats.
  package var number: Int
  package var body: Body

  package init(number: Int, body: Body) { (self.number, self.body) = (number, body) }

  package init(_ bytes: [UInt8]) throws(Malformed) {
    guard let fields = Variant(bytes, type: "a{sv}"),
      let message = try? Self(from: Reader(value: fields))
    else { throw Malformed() }
    self = message
  }

  package var bytes: [UInt8] {
    let writer = Writer()
    try? encode(to: writer)  // The writer never throws.
    return writer.variant.bytes
  }
}

/// The error for bytes that are no message, or that are a message of another type.
package nonisolated struct Malformed: Error {}

// MARK: - Writing messages

/// Collects the fields of a value, or holds a value without fields.
private nonisolated final class Writer: Encoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var fields: [(key: String, value: Writer)] = []
  private var single: Variant?

  var variant: Variant {
    single ?? .dictionary(fields.map { Variant.Entry($0.key, $0.value.variant) })
  }

  func field(_ key: any CodingKey) -> Writer {
    let value = Writer()
    fields.append((key.stringValue, value))
    return value
  }

  func write<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let value as Bool: single = .boolean(value)
    case let value as any FixedWidthInteger: single = .int64(Int64(value))
    case let value as Float: single = .double(Double(value))
    case let value as Duration: single = .int64(value.wholeMicroseconds)
    case let value as String: single = .string(value)
    case let value as [String]: single = .strings(value)
    default: try value.encode(to: self)
    }
  }

  func container<Key>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldWriter(writer: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("no other lists") }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    preconditionFailure("no other values")
  }
}

private nonisolated struct FieldWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: Writer
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey: Key) {}
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try writer.field(key).write(value)
  }
  func nestedContainer<Inner>(
    keyedBy: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    writer.field(key).container(keyedBy: keyedBy)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    writer.unkeyedContainer()
  }
  func superEncoder() -> any Encoder { writer }
  func superEncoder(forKey: Key) -> any Encoder { writer }
}

// MARK: - Reading messages

private nonisolated struct Reader: Decoder {
  let value: Variant
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let found: Any? =
      switch type {
      case is Bool.Type: value.boolean
      case let type as any FixedWidthInteger.Type: value.int64.flatMap { type.init(exactly: $0) }
      case is Float.Type: value.double.map { Float($0) }
      case is Duration.Type: value.int64.map { Duration.microseconds($0) }
      case is String.Type: value.string
      case is [String].Type: value.strings
      default: try Value(from: self)
      }
    guard let found = found as? Value else { throw Malformed() }
    return found
  }

  func container<Key>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let fields = value.dictionary else { throw Malformed() }
    return KeyedDecodingContainer(FieldReader(fields: fields))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Malformed() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Malformed() }
}

private nonisolated struct FieldReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let fields: [Variant.Entry]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { fields.compactMap { Key(stringValue: $0.key) } }

  private func field(_ key: Key) throws -> Reader {
    guard let value = fields[key.stringValue] else { throw Malformed() }
    return Reader(value: value)
  }

  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
  func decodeNil(forKey: Key) -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try field(key).read(type)
  }
  func nestedContainer<Inner>(
    keyedBy: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try field(key).container(keyedBy: keyedBy)
  }
  func nestedUnkeyedContainer(forKey: Key) throws -> any UnkeyedDecodingContainer {
    throw Malformed()
  }
  func superDecoder() throws -> any Decoder { throw Malformed() }
  func superDecoder(forKey: Key) throws -> any Decoder { throw Malformed() }
}
