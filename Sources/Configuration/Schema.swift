// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables and keys that a config may have, for the JSON schema that editors use, and for
// commands and edits. The reader itself records them while it reads a sample, so they cannot differ
// from what is read.

import TOML

/// The values that a key accepts, as far as they do not depend on the machine.
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
  /// Text that is more than a number.
  static let duration = ValueSchema.text("[^0-9. ]")
  /// A date, which is text in JSON.
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
  /// Lists with commas between the elements.
  case days, dates
  /// One text or a list of texts. If `separated`, a text may itself be a list with commas.
  case oneOrMore(separated: Bool)
  case words
}

/// A table of the config, and its keys in the order in which they are read.
public struct TableSchema: Hashable, Sendable {
  public struct Key: Hashable, Sendable {
    public var name: String
    public var value: ValueSchema
    var typing: Typing
    /// The description of the key.
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
  /// Pairs of keys that exclude each other.
  public var exclusive: [[String]] = []
  /// Keys that make no sense without another key.
  public var needs: [Need] = []

  public func meaning(of key: String) -> String {
    keys.first { $0.name == key }?.meaning ?? ""
  }
}

extension Configuration {
  /// The keys of each table, in the order in which they are read and new ones are written.
  static let keyOrder = Dictionary(
    uniqueKeysWithValues: schema.map { ($0.name, $0.keys.map(\.name)) })

  /// The file itself, followed by its tables.
  public static let schema = readSchema()

  private static func readSchema() -> [TableSchema] {
    let sample = "[defaults]\n[agent]\n[[alarm]]\n[[pause]]\n[[timer]]\n[[clock]]\n[[chime]]"
    guard let root = try? TOMLDocument.parse(sample).root else { return [] }
    let diagnostics = DiagnosticCollector(file: "")
    diagnostics.asked = []
    let reader = ConfigurationReader(ReadingContext(isKnownZone: { _ in true }), diagnostics)
    _ = reader.read(root)
    var tables = diagnostics.asked ?? []
    // The tables are in the order in which the file's keys were read.
    for (index, key) in (tables.first?.keys ?? []).enumerated() where index + 1 < tables.count {
      tables[index + 1].name = key.name
    }
    return tables
  }
}
