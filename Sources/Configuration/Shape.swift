// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a config may hold, as values: for the schema that editors complete and check by. It is not
// written down anywhere but noted from the reader itself, so that it cannot differ from what is read.
// What the keys mean is in `KeyWords.swift`.

import TOML

/// What values a key takes, as far as that can be said without looking at the world.
public indirect enum Shape: Hashable, Sendable {
  case flag
  case wholeNumber(ClosedRange<Int>)
  /// A text that matches a regular expression.
  case text(String)
  case word([String])
  case list(Shape, ClosedRange<Int>)
  case either([Shape])
  /// A table of its own, or several.
  case table
  case tables

  static let anyText = Shape.text("")
  static let someText = Shape.text(".")
  static let duration = Shape.text(#"^ *([0-9]+ *d *)?([0-9]+ *h *)?([0-9]+ *m *)?([0-9]+ *s *)?$"#)
  /// A date as JSON has it: as text.
  static let date = Shape.text(#"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"#)
  static func list(_ element: Shape, from least: Int = 0) -> Shape {
    list(element, least...Int.max)
  }
}

/// A table of the config, and its keys in the order in which they are read.
public struct TableShape: Hashable, Sendable {
  public struct Key: Hashable, Sendable {
    public var name: String
    public var shape: Shape
    public var isRequired = false
  }

  /// Empty for the file itself.
  public var name = ""
  public var keys: [Key] = []
  /// Pairs of keys of which only one may be there.
  public var exclusive: [[String]] = []

  /// What the key means, for whoever writes one.
  public func meaning(of key: String) -> String {
    KeyWords.meanings["\(name).\(key)"] ?? KeyWords.meanings[key] ?? ""
  }
}

extension Configuration {
  /// The file, then its tables.
  public static var shapes: [TableShape] {
    let sample = "[defaults]\n[agent]\n[[alarm]]\n[[timer]]\n[[clock]]"
    guard let root = try? TOMLDocument.parse(sample).root else { return [] }
    let findings = Findings(file: "")
    let recorder = ShapeRecorder()
    findings.recorder = recorder
    let reader = ConfigurationReader(ReadingContext(isKnownZone: { _ in true }), findings)
    _ = reader.read(root)
    var shapes = recorder.tables
    // The tables were begun in the order in which the file's keys were read.
    for (index, key) in (shapes.first?.keys ?? []).enumerated() where index + 1 < shapes.count {
      shapes[index + 1].name = key.name
    }
    return shapes
  }
}

/// Notes what readers ask for.
final class ShapeRecorder {
  private(set) var tables: [TableShape] = []

  /// The number of a table whose reading begins.
  func begin() -> Int {
    tables.append(TableShape())
    return tables.count - 1
  }

  func note(_ key: String, _ shape: Shape, in table: Int) {
    tables[table].keys.append(TableShape.Key(name: key, shape: shape))
  }

  func require(_ key: String, in table: Int) {
    guard let index = tables[table].keys.firstIndex(where: { $0.name == key }) else { return }
    tables[table].keys[index].isRequired = true
  }

  func exclude(_ first: String, _ second: String, in table: Int) {
    tables[table].exclusive.append([first, second])
  }
}
