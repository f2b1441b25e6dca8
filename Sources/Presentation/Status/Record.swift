// SPDX-License-Identifier: GPL-3.0-or-later
//
// A record is a dictionary on the bus and an object in JSON, with a key for each property.
// `VariantCoder.swift` in System converts it to a value of the bus; this file converts values of
// the bus to JSON and back. The records are in `Status.swift`.

import Configuration
import Persistence
import Scheduling
import System

public nonisolated protocol Record: Codable, Equatable, Sendable {}

nonisolated extension Record {
  public var entries: [Variant.Entry] { Variant(encoding: self).dictionary ?? [] }

  /// Reads a record from a dictionary of the bus. Returns nil if `variant` is not a dictionary.
  public static func read(_ variant: Variant) -> Self? { variant.decoded() }

  public static func readAll(_ variant: Variant) -> [Self]? {
    variant.dictionaries == nil ? nil : variant.decoded()
  }
}

/// A moment. In a record it has two keys: `at` with the time and the offset of the time zone in RFC
/// 3339, and `epoch` with the seconds since 1970. If the property is not named `at` but `x`, the
/// keys are `x` and `x_epoch`.
public nonisolated struct Moment: SpreadValue, Hashable, Sendable {
  public var text: String
  public var epoch: Int64

  /// Makes a moment in `zone`, or in the zone of the machine if `zone` is nil.
  public init(_ instant: Instant, _ zones: Zones, in zone: String? = nil) {
    (text, epoch) = (zones.rfc3339(instant, in: zone), instant.seconds)
  }

  public init?(_ variant: Variant, _ key: String) {
    guard let epoch = variant[Self.epochKey(key)]?.int64 else { return nil }
    (text, self.epoch) = (variant[key]?.string ?? "", epoch)
  }

  public func entries(_ key: String) -> [Variant.Entry] {
    [Variant.Entry(key, .string(text)), Variant.Entry(Self.epochKey(key), .int64(epoch))]
  }

  public var instant: Instant { Instant(seconds: epoch) }

  private static func epochKey(_ key: String) -> String { key == "at" ? "epoch" : key + "_epoch" }
}

nonisolated extension JSON {
  public init(_ record: some Record) { self.init(record.entries) }

  public init(_ entries: [Variant.Entry]) {
    self = .object(entries.map { Member($0.key, JSON($0.value)) })
  }

  public init(_ variant: Variant) {
    switch variant {
    case .boolean(let value): self = .boolean(value)
    case .int32(let value): self = .integer(Int64(value))
    case .uint32(let value): self = .integer(Int64(value))
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .number(value)
    case .string(let value), .path(let value): self = .string(value)
    case .boxed(let value): self = JSON(value)
    case .dictionary(let entries): self = JSON(entries)
    case .tuple(let values), .array(_, let values): self = .array(values.map { JSON($0) })
    case .unknown: self = .null
    }
  }
}

nonisolated extension Variant {
  /// Converts JSON to a value of the bus. Fails for null and for arrays: the bus needs the type of
  /// an array's elements, which JSON does not give.
  public init?(_ json: JSON) {
    switch json {
    case .boolean(let value): self = .boolean(value)
    case .string(let value): self = .string(value)
    case .integer(let value): self = .int64(value)
    case .number(let value): self = .double(value)
    case .object(let members):
      self = .dictionary(
        members.compactMap { member in
          Variant(member.value).map { Variant.Entry(member.key, $0) }
        })
    case .null, .array: return nil
    }
  }
}

nonisolated extension Record {
  /// Reads a record from a JSON object. Returns nil if `json` is not an object. A missing key
  /// counts as 0, empty or nil, as in `read(_: Variant)`.
  public static func read(_ json: JSON) -> Self? { Variant(json).flatMap { read($0) } }
}
