// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values that are sent over the bus. `Variant` represents, as a Swift value, the types of
// `GVariant` that Belfry's interface and the services it calls use. Next: `Bus.swift`.

import CGLib

public enum Variant: Hashable, Sendable {
  case boolean(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case double(Double)
  case string(String)
  /// A value of the D-Bus type `o`. The text must be a valid object path.
  case path(String)
  /// A value of the D-Bus type `v`, which contains a value of any type.
  indirect case boxed(Variant)
  /// A value of the D-Bus type `a{sv}`, a dictionary, with the keys in the order given.
  case dictionary([Entry])
  case tuple([Variant])
  /// An entry of a dictionary of another type, such as `{ss}`. Only for values that are sent.
  indirect case entry(Variant, Variant)
  /// An array of elements of one type. The type is stored because the array may be empty.
  case array(of: String, [Variant])
  /// A received value whose D-Bus type has no case in this enum.
  case unknown(type: String)

  public struct Entry: Hashable, Sendable {
    public var key: String
    public var value: Variant
    public init(_ key: String, _ value: Variant) { (self.key, self.value) = (key, value) }
  }

  /// A value of the D-Bus type `as`, an array of strings.
  public static func strings(_ values: [String]) -> Variant {
    .array(of: "s", values.map(Variant.string))
  }

  /// A value of the D-Bus type `aa{sv}`, an array of dictionaries.
  public static func dictionaries(_ rows: [[Entry]]) -> Variant {
    .array(of: "a{sv}", rows.map(Variant.dictionary))
  }

  public static func dictionary(_ entries: KeyValuePairs<String, Variant?>) -> Variant {
    .dictionary(self.entries(entries))
  }

  /// Returns the entries of a dictionary, without those whose value is nil.
  public static func entries(_ entries: KeyValuePairs<String, Variant?>) -> [Entry] {
    entries.compactMap { key, value in value.map { Entry(key, $0) } }
  }

  public subscript(_ key: String) -> Variant? { dictionary?[key] }
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var int32: Int32? { if case .int32(let value) = self { value } else { nil } }
  public var uint32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
  public var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
  public var double: Double? { if case .double(let value) = self { value } else { nil } }
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  public var strings: [String]? {
    if case .array(of: "s", let values) = self { values.compactMap(\.string) } else { nil }
  }
  /// The elements of a tuple or an array; empty for every other value.
  public var elements: [Variant] {
    switch self {
    case .array(_, let values), .tuple(let values): values
    default: []
    }
  }
  public var dictionary: [Entry]? {
    if case .dictionary(let value) = self { value } else { nil }
  }
  public var dictionaries: [[Entry]]? {
    if case .array(of: "a{sv}", let values) = self { values.compactMap(\.dictionary) } else { nil }
  }
}

extension [Variant.Entry] {
  public subscript(_ key: String) -> Variant? { first { $0.key == key }?.value }
}

extension Variant {
  /// This value as a floating `GVariant`. A string ends at its first NUL, because the bus cannot
  /// carry NULs.
  package var gvariant: OpaquePointer {
    switch self {
    case .boolean(let value): g_variant_new_boolean(value ? 1 : 0)
    case .int32(let value): g_variant_new_int32(value)
    case .uint32(let value): g_variant_new_uint32(value)
    case .int64(let value): g_variant_new_int64(gint64(value))
    case .double(let value): g_variant_new_double(value)
    case .string(let value): g_variant_new_string(value)
    case .path(let value): g_variant_new_object_path(value)
    case .boxed(let value): g_variant_new_variant(value.gvariant)
    case .dictionary(let entries): Variant.dictionary(entries)
    case .tuple(let values):
      g_variant_new_tuple(values.map { Optional($0.gvariant) }, gsize(values.count))
    case .entry(let key, let value): g_variant_new_dict_entry(key.gvariant, value.gvariant)
    case .array(let type, let values): Variant.array(type, values.map(\.gvariant))
    case .unknown: preconditionFailure("only what comes in can be unknown")
    }
  }

  private static func dictionary(_ entries: [Entry]) -> OpaquePointer {
    array(
      "{sv}",
      entries.map {
        g_variant_new_dict_entry(
          g_variant_new_string($0.key), g_variant_new_variant($0.value.gvariant))
      })
  }

  private static func array(_ element: String, _ children: [OpaquePointer]) -> OpaquePointer {
    let type = g_variant_type_new(element)
    defer { g_variant_type_free(type) }
    return g_variant_new_array(type, children.map { $0 }, gsize(children.count))
  }

  /// The type in D-Bus notation, such as `a{sv}`.
  package var type: String {
    let value = g_variant_ref_sink(gvariant)
    defer { g_variant_unref(value) }
    return String(cString: g_variant_get_type_string(value))
  }

  /// Reads a value of `type` from its serialised `bytes`; nil if `bytes` is no valid value of that
  /// type (`g_variant_is_normal_form`).
  package init?(_ bytes: [UInt8], type: String) {
    let (type, data) = (g_variant_type_new(type), g_bytes_new(bytes, gsize(bytes.count)))
    let value = g_variant_ref_sink(g_variant_new_from_bytes(type, data, 0))
    defer {
      g_variant_type_free(type)
      g_bytes_unref(data)
      g_variant_unref(value)
    }
    guard let value, g_variant_is_normal_form(value) != 0 else { return nil }
    self.init(value)
  }

  /// Parses a value of `type` from GLib's text format (`g_variant_parse`); nil if `text` is not a
  /// value of that type.
  package init?(text: String, type: String) {
    let type = g_variant_type_new(type)
    defer { g_variant_type_free(type) }
    guard let value = g_variant_parse(type, text, nil, nil, nil) else { return nil }
    defer { g_variant_unref(value) }
    self.init(value)
  }

  /// Converts `gvariant`. A value of the D-Bus type `v` becomes the value inside it.
  init(_ gvariant: OpaquePointer) {
    switch String(cString: g_variant_get_type_string(gvariant)) {
    case "b": self = .boolean(g_variant_get_boolean(gvariant) != 0)
    case "i": self = .int32(g_variant_get_int32(gvariant))
    case "u": self = .uint32(g_variant_get_uint32(gvariant))
    case "x": self = .int64(Int64(g_variant_get_int64(gvariant)))
    // An unsigned number too large for Int64 is clamped; no real count is that large.
    case "t": self = .int64(Int64(clamping: g_variant_get_uint64(gvariant)))
    case "d": self = .double(g_variant_get_double(gvariant))
    case "s", "o", "g": self = .string(String(cString: g_variant_get_string(gvariant, nil)))
    case "v": self = Variant.children(of: gvariant).first ?? .unknown(type: "v")
    case "a{sv}": self = .dictionary(Variant.entries(of: gvariant))
    case let type where type.hasPrefix("("): self = .tuple(Variant.children(of: gvariant))
    case let type where type.hasPrefix("a") && !type.hasPrefix("a{"):
      self = .array(of: String(type.dropFirst()), Variant.children(of: gvariant))
    case let type: self = .unknown(type: type)
    }
  }

  /// The elements of a tuple or array, such as the arguments of a call.
  package static func children(of gvariant: OpaquePointer) -> [Variant] {
    map(gvariant) { Variant($0) }
  }

  private static func entries(of gvariant: OpaquePointer) -> [Entry] {
    map(gvariant) { entry in
      let pair = children(of: entry)
      return pair.count == 2 ? pair[0].string.map { Entry($0, pair[1]) } : nil
    }.compactMap { $0 }
  }

  private static func map<T>(_ gvariant: OpaquePointer, _ body: (OpaquePointer) -> T) -> [T] {
    (0..<g_variant_n_children(gvariant)).compactMap { index in
      guard let child = g_variant_get_child_value(gvariant, index) else { return nil }
      defer { g_variant_unref(child) }
      return body(child)
    }
  }
}
