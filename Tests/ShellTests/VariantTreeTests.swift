// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which types of the bus the values of the tree become, and that they are read back.

import CGLib
import Scheduling
import Testing
import Values

@testable import System

struct VariantTreeTests {
  @Test(
    arguments: [
      (.boolean(true), "b"), (.integer(-1), "x"), (.number(0.5), "d"), (.string("a"), "s"),
      (.list([], of: .string), "as"), (.list([.string("a")]), "as"), (.list([]), "aa{sv}"),
      (.list([.table([]), .table(["a": .integer(1)])]), "aa{sv}"), (.list([.integer(1)]), "av"),
      (.list([.integer(1), .string("a")]), "av"), (.table([]), "a{sv}"),
      (.table(["a": .boolean(false), "b": .list([.number(1)])]), "a{sv}"),
    ] as [(Value, String)])
  func `a value has a type of the bus, and is read back`(value: Value, type: String) throws {
    let variant = try #require(Variant(value))
    #expect(variant.type == type)
    let sent = try #require(g_variant_ref_sink(variant.gvariant))
    defer { g_variant_unref(sent) }
    #expect(Value(Variant(sent)).json == value.json)
  }

  @Test func `null has no type, so its key is left out`() {
    #expect(Variant(Value.null) == nil)
    #expect(Variant(.table(["a": .null, "b": .integer(1)])) == .dictionary(["b": .int64(1)]))
  }

  @Test func `a date is a text on the bus`() {
    let date = CivilDate(daysSinceEpoch: 0)
    #expect(Variant(.date(date)) == .string("1970-01-01"))
    #expect(Variant(.instant(Instant(seconds: 0))) == .string("1970-01-01T00:00:00Z"))
  }
}
