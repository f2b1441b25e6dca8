// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a config may hold, as values: for the schema that editors complete and check by, and for
// commands and edits, which learn from it which keys there are, in which order, and what may be
// typed for them. It is noted from the reader itself, so that it cannot differ from what is read.

import TOML

/// What values a key takes, as far as that can be said without looking at the world.
public indirect enum ValueSchema: Hashable, Sendable {
  case flag
  case wholeNumber(ClosedRange<Int>)
  /// A text that matches a regular expression.
  case text(String)
  case word([String])
  case list(ValueSchema, ClosedRange<Int>)
  case either([ValueSchema])
  /// A table of its own, or several.
  case table
  case tables

  static let anyText = ValueSchema.text("")
  static let someText = ValueSchema.text(".")
  /// More than a number; what more, the reader says.
  static let duration = ValueSchema.text("[^0-9. ]")
  /// A date as JSON has it: as text.
  static let date = ValueSchema.text(#"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"#)
  static func list(_ element: ValueSchema, from least: Int = 0) -> ValueSchema {
    list(element, least...Int.max)
  }
}

extension ValueSchema {
  /// Whether it takes a list of values.
  var takesList: Bool {
    switch self {
    case .list: true
    case .either(let values): values.contains(where: \.takesList)
    default: false
    }
  }
}

/// How what is typed after a command, or comes from another program, becomes a value.
enum Typing: Hashable, Sendable {
  case text, number, flag, time, date
  /// Names of days, and dates, with commas between them.
  case days, dates
  /// One text, or a list of several: as they are, or with commas between them.
  case oneOrMore(separated: Bool)
  case words
}

/// A table of the config, and its keys in the order in which they are read.
public struct TableSchema: Hashable, Sendable {
  public struct Key: Hashable, Sendable {
    public var name: String
    public var value: ValueSchema
    var typing: Typing
    /// What the key means, for whoever writes one.
    public var meaning: String
    public var isRequired = false
  }

  public struct Need: Hashable, Sendable {
    public var key: String
    public var other: String
  }

  /// Empty for the file itself.
  public var name = ""
  public var keys: [Key] = []
  /// Pairs of keys of which only one may be there.
  public var exclusive: [[String]] = []
  /// Keys, and another that each must not be without.
  public var needs: [Need] = []

  /// What the key means, for whoever writes one.
  public func meaning(of key: String) -> String {
    keys.first { $0.name == key }?.meaning ?? ""
  }
}

extension Configuration {
  /// The keys of each table, in the order in which they are read and new ones are written.
  static let keyOrder = Dictionary(
    uniqueKeysWithValues: schema.map { ($0.name, $0.keys.map(\.name)) })

  /// The file, then its tables.
  public static let schema = readSchema()

  private static func readSchema() -> [TableSchema] {
    let sample = "[defaults]\n[agent]\n[[alarm]]\n[[pause]]\n[[timer]]\n[[clock]]\n[[chime]]"
    guard let root = try? TOMLDocument.parse(sample).root else { return [] }
    let diagnostics = DiagnosticCollector(file: "")
    diagnostics.asked = []
    let reader = ConfigurationReader(ReadingContext(isKnownZone: { _ in true }), diagnostics)
    _ = reader.read(root)
    var tables = diagnostics.asked ?? []
    // The tables were begun in the order in which the file's keys were read.
    for (index, key) in (tables.first?.keys ?? []).enumerated() where index + 1 < tables.count {
      tables[index + 1].name = key.name
    }
    return tables
  }
}
