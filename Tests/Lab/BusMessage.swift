// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decodes a D-Bus message from its bytes on the wire, by the chapter "Marshaling" of the D-Bus
// specification. The text that dbus-monitor prints would be easier to read, but its strings are not
// escaped, and many tests are about labels with quotes and line breaks. Next: `BusWatch.swift`.

import Foundation

/// A value in a message. Variants are unwrapped, and structures become arrays.
public indirect enum BusValue: Hashable, Sendable {
  case bool(Bool)
  /// An integer of any D-Bus type, or the index of a file descriptor.
  case integer(Int64)
  case double(Double)
  /// A string, an object path or a signature.
  case string(String)
  case array([BusValue])
  /// A dictionary. Keys that are not strings are converted to text.
  case dictionary([String: BusValue])

  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  public var array: [BusValue] { if case .array(let value) = self { value } else { [] } }
}

public struct BusMessage: Sendable {
  public enum Kind: UInt8, Sendable {
    case call = 1
    case reply, error, signal
  }

  /// When the monitor received the message from the bus.
  public let time: Epoch
  public let kind: Kind
  public let serial: Int64
  public let path: String?
  public let interface: String?
  public let member: String?
  public let errorName: String?
  public let replySerial: Int64?
  public let destination: String?
  public let sender: String?
  public let body: [BusValue]

  /// Decodes `bytes`. Returns nil if they are no message of protocol version 1.
  init?(_ bytes: [UInt8], time: Epoch) {
    var reader = WireReader(bytes: bytes, bigEndian: bytes.first == UInt8(ascii: "B"))
    let start = reader.values("yyyyuua(yv)")
    guard start.count == 7, start[3] == .integer(1), let serial = start[5].integer,
      let kind = start[1].integer.flatMap({ Kind(rawValue: UInt8($0)) })
    else { return nil }
    let fields = Dictionary(
      start[6].array.map { ($0.array[0].integer ?? 0, $0.array[1]) }, uniquingKeysWith: { $1 })
    self.time = time
    self.kind = kind
    self.serial = serial
    path = fields[1]?.string
    interface = fields[2]?.string
    member = fields[3]?.string
    errorName = fields[4]?.string
    replySerial = fields[5]?.integer
    destination = fields[6]?.string
    sender = fields[7]?.string
    reader.align(8)
    body = reader.values(fields[8]?.string ?? "")
  }
}

/// Reads the values of a message one after another. The bus has already checked the message, so its
/// parts cannot contradict each other.
private struct WireReader {
  let bytes: [UInt8]
  let bigEndian: Bool
  var offset = 0

  mutating func align(_ size: Int) { offset = (offset + size - 1) / size * size }

  mutating func values(_ signature: String) -> [BusValue] {
    var rest = Substring(signature)
    var values: [BusValue] = []
    while !rest.isEmpty { values.append(value(&rest)) }
    return values
  }

  /// Removes the first complete type from `signature`, and reads a value of this type.
  private mutating func value(_ signature: inout Substring) -> BusValue {
    switch signature.removeFirst() {
    case "y": .integer(Int64(integer(UInt8.self)))
    case "b": .bool(integer(UInt32.self) != 0)
    case "n": .integer(Int64(integer(Int16.self)))
    case "q": .integer(Int64(integer(UInt16.self)))
    case "i": .integer(Int64(integer(Int32.self)))
    case "u", "h": .integer(Int64(integer(UInt32.self)))
    case "x": .integer(integer(Int64.self))
    case "t": .integer(Int64(bitPattern: integer(UInt64.self)))
    case "d": .double(Double(bitPattern: integer(UInt64.self)))
    case "s", "o": .string(text(count: Int(integer(UInt32.self))))
    case "g": .string(text(count: Int(integer(UInt8.self))))
    case "v": variant()
    case "(": structure(&signature)
    case "a": array(&signature)
    case let other: preconditionFailure("no D-Bus type is called \(other)")
    }
  }

  private mutating func integer<T: FixedWidthInteger & UnsignedInteger>(_: T.Type) -> T {
    align(MemoryLayout<T>.size)
    let field = bytes[offset..<offset + MemoryLayout<T>.size]
    offset += field.count
    return (bigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | T($1) }
  }

  private mutating func integer<T: FixedWidthInteger & SignedInteger>(_: T.Type) -> T
  where T.Magnitude: UnsignedInteger {
    T(truncatingIfNeeded: integer(T.Magnitude.self))
  }

  private mutating func text(count: Int) -> String {
    defer { offset += count + 1 }
    return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
  }

  private mutating func variant() -> BusValue {
    var signature = Substring(text(count: Int(integer(UInt8.self))))
    return value(&signature)
  }

  private mutating func structure(_ signature: inout Substring) -> BusValue {
    align(8)
    var members: [BusValue] = []
    while signature.first != ")" { members.append(value(&signature)) }
    signature.removeFirst()
    return .array(members)
  }

  private mutating func array(_ signature: inout Substring) -> BusValue {
    let length = Int(integer(UInt32.self))
    let element = Self.takeType(&signature)
    align(Self.alignment(element))
    let end = offset + length
    var entries: [String: BusValue] = [:]
    var values: [BusValue] = []
    while offset < end {
      var rest = element
      if rest.first == "{" {
        rest.removeFirst()
        align(8)
        let key = value(&rest)
        entries[key.string ?? "\(key)"] = value(&rest)
      } else {
        values.append(value(&rest))
      }
    }
    return element.first == "{" ? .dictionary(entries) : .array(values)
  }

  private static func alignment(_ type: Substring) -> Int {
    switch type.first {
    case "y", "g", "v": 1
    case "n", "q": 2
    case "x", "t", "d", "(", "{": 8
    default: 4
    }
  }

  private static func takeType(_ signature: inout Substring) -> Substring {
    var depth = 0
    let end = signature.firstIndex { character in
      if "({".contains(character) { depth += 1 }
      if ")}".contains(character) { depth -= 1 }
      return depth == 0 && character != "a"
    }
    let type = signature[...end!]
    signature = signature[signature.index(after: end!)...]
    return type
  }
}
