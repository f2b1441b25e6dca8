// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a message between the agent and `belfry-sound` becomes bytes: each is an array of variants,
// serialised by GLib. Both programs are of one version; a message that is not understood is an
// error of the program and not of a person. Next: `SoundCommand.swift`, what is said.

import Scheduling
import System

/// A command, or a report about the last one.
package nonisolated struct SoundMessage<Body: Field> {
  /// The number of the command, which each report about it repeats.
  package var number: Int
  package var body: Body

  package init(number: Int, body: Body) { (self.number, self.body) = (number, body) }

  package init(_ bytes: [UInt8]) throws(Malformed) {
    var next = try Fields(require(Variant(bytes, type: "av")))
    (number, body) = (try next(), try next())
  }

  package var bytes: [UInt8] { Variant(fields: [number, body]).bytes }
}

/// Bytes or fields that are not what is read from them.
package nonisolated struct Malformed: Error {}

/// What goes into a message.
package nonisolated protocol Field {
  var variant: Variant { get }
  init(_ variant: Variant) throws(Malformed)
}

/// What goes into a message as fields of its own.
package nonisolated protocol Record: Field {
  var fields: [any Field] { get }
  init(_ next: inout Fields) throws(Malformed)
}

/// The fields of a record, read one after another.
package nonisolated struct Fields {
  private var rest: ArraySlice<Variant>

  fileprivate init(_ variant: Variant) throws(Malformed) {
    guard case .array("v", let fields) = variant else { throw Malformed() }
    rest = fields[...]
  }

  fileprivate var isAtEnd: Bool { rest.isEmpty }

  package mutating func callAsFunction<Value: Field>() throws(Malformed) -> Value {
    try Value(require(rest.popFirst()))
  }
}

nonisolated extension Record {
  package var variant: Variant { Variant(fields: fields) }
  package init(_ variant: Variant) throws(Malformed) {
    var next = try Fields(variant)
    try self.init(&next)
    guard next.isAtEnd else { throw Malformed() }
  }
}

nonisolated extension Variant {
  fileprivate init(fields: [any Field]) {
    self = .array(of: "v", fields.map { .boxed($0.variant) })
  }
}

private nonisolated func require<Value>(_ value: Value?) throws(Malformed) -> Value {
  guard let value else { throw Malformed() }
  return value
}

// MARK: - Values

nonisolated extension Field where Self: FixedWidthInteger {
  package var variant: Variant { .int64(Int64(self)) }
  package init(_ variant: Variant) throws(Malformed) {
    self = try require(variant.int64.flatMap { Self(exactly: $0) })
  }
}

nonisolated extension Int: Field {}
nonisolated extension Int64: Field {}
nonisolated extension Int32: Field {}
nonisolated extension UInt32: Field {}

nonisolated extension Float: Field {
  package var variant: Variant { .double(Double(self)) }
  package init(_ variant: Variant) throws(Malformed) {
    self = Float(try require(variant.double))
  }
}

nonisolated extension Bool: Field {
  package var variant: Variant { .boolean(self) }
  package init(_ variant: Variant) throws(Malformed) { self = try require(variant.boolean) }
}

nonisolated extension String: Field {
  package var variant: Variant { .string(self) }
  package init(_ variant: Variant) throws(Malformed) { self = try require(variant.string) }
}

nonisolated extension Duration: Field {
  package var variant: Variant { .int64(wholeMicroseconds) }
  package init(_ variant: Variant) throws(Malformed) { self = .microseconds(try Int64(variant)) }
}

nonisolated extension Array: Field where Element: Field {
  package var variant: Variant { Variant(fields: self) }
  package init(_ variant: Variant) throws(Malformed) {
    self = []
    var next = try Fields(variant)
    while !next.isAtEnd { append(try next()) }
  }
}

nonisolated extension Optional: Field where Wrapped: Field {
  package var variant: Variant { (map { [$0] } ?? []).variant }
  package init(_ variant: Variant) throws(Malformed) {
    var next = try Fields(variant)
    self = next.isAtEnd ? nil : try next() as Wrapped
  }
}
