// SPDX-License-Identifier: GPL-3.0-or-later
//
// A record is a dictionary on the bus and an object in JSON, with a key for each property.
// `VariantCoder.swift` in System converts it; the records are in `Status.swift`.

import Configuration
import Scheduling
import System

public nonisolated protocol Record: Codable, Equatable, Sendable {}

nonisolated extension Record {
  public var entries: [Variant.Entry] { Variant(encoding: self).dictionary ?? [] }

  /// Reads a record from a dictionary. Returns nil if `variant` is not a dictionary.
  public static func read(_ variant: Variant) -> Self? { variant.decoded() }

  public static func readAll(_ variant: Variant) -> [Self]? {
    variant.dictionaries == nil ? nil : variant.decoded()
  }
}

/// A moment. In a record it has two keys: `at` with the time in RFC 3339 and the offset of its
/// zone, and `epoch` with the seconds since 1970. If the property has another name `x`, the keys
/// are `x` and `x_epoch`.
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
