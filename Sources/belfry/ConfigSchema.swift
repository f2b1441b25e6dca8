// SPDX-License-Identifier: GPL-3.0-or-later
//
// The config's schema as JSON Schema, for editors. It keeps to what draft 4 and all later ones have
// in common, since taplo, which most editors use for TOML, knows draft 4.

import Configuration
import Persistence

extension JSON {
  /// The schema of `tables`, the first of which is the file itself.
  static func schema(_ tables: [TableSchema]) -> JSON {
    guard let file = tables.first else { return .object([]) }
    return .object(
      [
        Member("$schema", .string("http://json-schema.org/draft-04/schema#")),
        Member("title", .string("Belfry")),
        Member("description", .string("Alarms and settings of the alarm clock Belfry.")),
      ] + table(file, among: tables))
  }

  private static func table(_ table: TableSchema, among tables: [TableSchema]) -> [Member] {
    let keys = table.keys.map { key in
      let meaning = Member("description", .string(table.meaning(of: key.name)))
      let inner = tables.first { $0.name == key.name }.map { JSON.table($0, among: []) } ?? []
      return Member(key.name, .object([meaning] + key.value.schema(tableOf: inner)))
    }
    let required = table.keys.filter(\.isRequired).map { JSON.string($0.name) }
    let exclusive = table.exclusive.map { pair in
      JSON.object(["not": .object(["required": .array(pair.map(JSON.string))])])
    }
    return [
      Member("type", .string("object")), Member("properties", .object(keys)),
      Member("additionalProperties", .boolean(false)),
    ] + (required.isEmpty ? [] : [Member("required", .array(required))])
      + (exclusive.isEmpty ? [] : [Member("allOf", .array(exclusive))])
  }
}

extension ValueSchema {
  /// The members that say what values there are. `tableOf` has those of the key's own table.
  fileprivate func schema(tableOf inner: [JSON.Member] = []) -> [JSON.Member] {
    switch self {
    case .flag: [type("boolean")]
    case .wholeNumber(let range):
      [type("integer"), .init("minimum", .integer(Int64(range.lowerBound)))]
        + (range.upperBound == .max ? [] : [.init("maximum", .integer(Int64(range.upperBound)))])
    case .text(let pattern):
      [type("string")] + (pattern.isEmpty ? [] : [.init("pattern", .string(pattern))])
    case .word(let words): [.init("enum", .array(words.map(JSON.string)))]
    case .list(let element, let count):
      [type("array"), .init("items", .object(element.schema()))]
        + (count.lowerBound == 0 ? [] : [.init("minItems", .integer(Int64(count.lowerBound)))])
        + (count.upperBound == .max ? [] : [.init("maxItems", .integer(Int64(count.upperBound)))])
    case .either(let values): [.init("anyOf", .array(values.map { .object($0.schema()) }))]
    case .table: inner
    case .tables: [type("array"), .init("items", .object(inner))]
    }
  }

  private func type(_ name: String) -> JSON.Member { .init("type", .string(name)) }
}
