// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts values of the bus into JSON and back, so that a record has the same keys in both. Next:
// `Record.swift`, for the records.

import Persistence
import System

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
    case .strings(let values): self = .array(values.map(JSON.string))
    case .dictionary(let entries): self = JSON(entries)
    case .dictionaries(let values): self = .array(values.map { JSON($0) })
    case .tuple(let values), .array(_, let values): self = .array(values.map { JSON($0) })
    case .unknown: self = .null
    }
  }
}

nonisolated extension Variant {
  /// Converts JSON to a value of the bus. Fails for null and for an array: the bus needs the type
  /// of its elements, which JSON does not give.
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
