// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables and keys that a config may have. The JSON schema for editors is made from them, and
// commands and edits use them, too. The reader itself records the keys while it reads a sample, so
// the schema always matches the reader.

import TOML

/// Describes which values a key accepts. The description is the same on every machine, so it does
/// not list the machine's sounds, for example.
public indirect enum ValueSchema: Hashable, Sendable {
  case flag
  case wholeNumber(ClosedRange<Int>)
  /// Text that matches a regular expression.
  case text(String)
  case word([String])
  case list(ValueSchema, ClosedRange<Int>)
  case either([ValueSchema])
  case table
  case tables

  static let anyText = ValueSchema.text("")
  static let someText = ValueSchema.text(".")
  /// A duration such as `10m`: text in which at least one character is not a digit, dot or space.
  static let duration = ValueSchema.text("[^0-9. ]")
  /// A date such as `2026-12-24`, which TOML writes without quotes. The JSON schema describes it as
  /// text, because JSON has no dates.
  static let date = ValueSchema.text(#"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"#)
  static func list(_ element: ValueSchema, from least: Int = 0) -> ValueSchema {
    list(element, least...Int.max)
  }
}

extension ValueSchema {
  var takesList: Bool {
    switch self {
    case .list: true
    case .either(let values): values.contains(where: \.takesList)
    default: false
    }
  }
}

/// How text from the command line or from another program becomes a value of the config.
enum Typing: Hashable, Sendable {
  case text, number, flag, time, date
  /// Text that names days or dates, with commas between them.
  case days, dates
  /// One text or a list of texts. If `separated`, each text may contain several elements with
  /// commas between them.
  case oneOrMore(separated: Bool)
  case words
}

/// A table of the config, and its keys in the order in which they are read.
public struct TableSchema: Hashable, Sendable {
  public struct Key: Hashable, Sendable {
    public var name: String
    public var value: ValueSchema
    var typing: Typing
    public var meaning: String
    public var isRequired = false
  }

  public struct Need: Hashable, Sendable {
    public var key: String
    public var other: String
  }

  /// The name of the table; empty for the top level of the file.
  public var name = ""
  public var keys: [Key] = []
  /// Pairs of keys that exclude each other.
  public var exclusive: [[String]] = []
  /// Keys that have an effect only together with another key.
  public var needs: [Need] = []
}

extension Configuration {
  /// The keys of each table, in the order in which the reader reads them and edits write them.
  static let keyOrder = Dictionary(
    uniqueKeysWithValues: schema.map { ($0.name, $0.keys.map(\.name)) })

  /// The schema of the file's top level, followed by the schemas of its tables.
  public static let schema = readSchema()

  private static func readSchema() -> [TableSchema] {
    let sample = "[defaults]\n[agent]\n[[alarm]]\n[[pause]]\n[[timer]]\n[[clock]]\n[[chime]]"
    guard let root = try? TOMLDocument.parse(sample).root else { return [] }
    let diagnostics = DiagnosticCollector(file: "")
    diagnostics.asked = []
    let reader = ConfigurationReader(ReadingContext(isKnownZone: { _ in true }), diagnostics)
    _ = reader.read(root)
    var tables = diagnostics.asked ?? []
    // The first of `tables` is the file's top level. The others follow in the order in which their
    // keys were read.
    for (index, key) in zip(tables.indices.dropFirst(), tables.first?.keys ?? []) {
      tables[index].name = key.name
    }
    return tables
  }
}
