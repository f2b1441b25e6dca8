// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the tree of values to GVariant and back, for the bus. `ValueCoder.swift` in Values
// converts Swift's types to the tree.

import Values

extension Variant {
  /// Converts a value of the tree; nil if it is `null`, which GVariant cannot express.
  public init?(_ value: Value) {
    switch value {
    case .null: return nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .int64(number)
    case .number(let number): self = .double(number)
    case .string(let text): self = .string(text)
    case .date, .time, .dateTime, .instant: self = .string(value.dateText ?? "")
    case .table(let entries): self = Variant(entries)
    case .list([], of: .string): self = .strings([])
    case .list(let values, _):
      let values = values.compactMap { Variant($0) }
      let (texts, rows) = (values.compactMap(\.string), values.compactMap(\.dictionary))
      // A list that is empty counts as a list of tables.
      if rows.count == values.count {
        self = .dictionaries(rows)
      } else if texts.count == values.count {
        self = .strings(texts)
      } else {
        self = .array(of: "v", values.map(Variant.boxed))
      }
    }
  }

  /// Makes a dictionary. Leaves out the keys whose value is `null`.
  public init(_ table: [Value.Entry]) {
    self = .dictionary(
      table.compactMap { entry in Variant(entry.value).map { Entry(entry.key, $0) } })
  }
}

extension Value {
  public init(_ variant: Variant) {
    switch variant {
    case .boolean(let value): self = .boolean(value)
    case .int32(let value): self = .integer(Int64(value))
    case .uint32(let value): self = .integer(Int64(value))
    case .int64(let value): self = .integer(value)
    case .double(let value): self = .number(value)
    case .string(let value), .path(let value): self = .string(value)
    case .boxed(let value): self = Value(value)
    case .dictionary(let entries): self = .table(entries.map { Entry($0.key, Value($0.value)) })
    case .tuple(let values), .array(_, let values): self = .list(values.map { Value($0) })
    case .entry, .unknown: self = .null
    }
  }
}
