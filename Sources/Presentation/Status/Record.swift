// SPDX-License-Identifier: GPL-3.0-or-later
//
// A record is a dictionary on the bus and an object in JSON, with a key for each property.
// `ValueCoder.swift` in Values converts it to the tree of values, from which both are made. The
// records are in `Status.swift`.

import Scheduling
import System
import Values

public protocol Record: Codable, Equatable, Sendable {}

extension Record {
  public var entries: [Variant.Entry] { Variant(Value(encoding: self))?.dictionary ?? [] }

  /// Reads a record from a dictionary of the bus. Returns nil if `variant` is not a dictionary.
  public static func read(_ variant: Variant) -> Self? { Value(variant).decoded() }

  public static func readAll(_ variant: Variant) -> [Self]? {
    variant.dictionaries == nil ? nil : Value(variant).decoded()
  }
}

/// A moment. In a record it has two keys: `at` with the time and the offset of the time zone in RFC
/// 3339, and `epoch` with the seconds since 1970. If the property is not named `at` but `x`, the
/// keys are `x` and `x_epoch`.
public struct Moment: SpreadValue, Hashable, Sendable {
  public var text: String
  public var epoch: Int64

  /// Makes a moment in `zone`, or in the zone of the machine if `zone` is nil.
  public init(_ instant: Instant, _ zones: Zones, in zone: String? = nil) {
    (text, epoch) = (zones.rfc3339(instant, in: zone), instant.seconds)
  }

  public init?(_ table: [Value.Entry], _ key: String) {
    guard let epoch = table[Self.epochKey(key)]?.integer else { return nil }
    (text, self.epoch) = (table[key]?.string ?? "", epoch)
  }

  public func entries(_ key: String) -> [Value.Entry] {
    [Value.Entry(key, .string(text)), Value.Entry(Self.epochKey(key), .integer(epoch))]
  }

  public var instant: Instant { Instant(seconds: epoch) }

  private static func epochKey(_ key: String) -> String { key == "at" ? "epoch" : key + "_epoch" }
}
