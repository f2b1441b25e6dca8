// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints the measured figures as a table. Each row compares Belfry with `floor`, a bare C program
// that does the same job, and with Belfry's last release.

import Foundation

/// A figure that was measured several times, shown as its median and its range.
struct Figure {
  var values: [Double]

  init(_ values: [Double]) { self.values = values.sorted() }
  init(_ value: Double) { self.init([value]) }

  var median: Double { values.isEmpty ? .nan : values[values.count / 2] }

  /// The figure that 95 of 100 values do not exceed.
  var most: Figure {
    Figure(values.isEmpty ? .nan : values[(values.count * 95 + 99) / 100 - 1])
  }

  var text: String {
    guard let low = values.first, let high = values.last else { return "–" }
    return values.count == 1 || low == high
      ? Self.number(median) : "\(Self.number(median)) (\(Self.number(low))–\(Self.number(high)))"
  }

  static func number(_ value: Double) -> String {
    value.isNaN ? "–" : String(format: abs(value) >= 100 ? "%.0f" : "%.1f", value)
  }
}

struct Row {
  var name: String
  var unit: String
  var floor: Figure?
  var belfry: Figure
}

struct Table {
  private(set) var rows: [Row] = []
  private let last: [String: Double]

  /// Reads the figures of the last release from the file `last`. Each line has the name of a
  /// figure, a tab, and Belfry's median.
  init(last: URL) {
    let lines = (try? String(contentsOf: last, encoding: .utf8))?.split(separator: "\n") ?? []
    self.last = Dictionary(
      lines.compactMap { line in
        let fields = line.split(separator: "\t")
        guard fields.count == 2, let value = Double(fields[1]) else { return nil }
        return (String(fields[0]), value)
      }, uniquingKeysWith: { $1 })
  }

  /// Adds a row to the table, and prints it at once, because the whole table takes minutes.
  mutating func add(_ name: String, _ unit: String, floor: Figure? = nil, _ belfry: Figure) {
    rows.append(Row(name: name, unit: unit, floor: floor, belfry: belfry))
    FileHandle.standardError.write(Data("\(name): \(belfry.text) \(unit)\n".utf8))
  }

  var text: String {
    let cells = rows.map { row in
      let before = last[row.name]
      return [
        row.name, row.unit, row.floor?.text ?? "", row.belfry.text,
        row.floor.map { Self.ratio(row.belfry.median, $0.median) } ?? "",
        before.map(Figure.number) ?? "", before.map { Self.ratio(row.belfry.median, $0) } ?? "",
      ]
    }
    let head = ["figure", "unit", "floor", "Belfry", "ratio", "last release", "ratio"]
    let lines = [head, head.map { _ in "---" }] + cells
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// Returns a table that shows how much each figure grows from one number of alarms to the next.
  func growth(_ sizes: [Int]) -> String {
    let head = ["figure", "unit"] + sizes.map(Self.alarms) + sizes.dropFirst().map { "to \($0)" }
    let suffix = Self.alarms(sizes[0])
    let cells = rows.filter { $0.name.hasSuffix(suffix) }.map { row in
      let name = String(row.name.dropLast(suffix.count + 2))
      let figures = sizes.map { size in
        rows.first { $0.name == "\(name), \(Self.alarms(size))" && $0.unit == row.unit }?.belfry
          ?? Figure([])
      }
      return [name, row.unit] + figures.map { Figure.number($0.median) }
        + zip(figures, figures.dropFirst()).map { "× " + Self.ratio($1.median, $0.median) }
    }
    let lines = [head, head.map { _ in "---" }] + cells
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func alarms(_ count: Int) -> String { "\(count) alarms" }

  private static func ratio(_ value: Double, _ other: Double) -> String {
    other == 0 || other.isNaN || value.isNaN ? "–" : String(format: "%.2f", value / other)
  }

  /// Writes the figures to `file`, which has those of the last release. Figures that were not
  /// measured keep their old values.
  func keep(as file: URL) throws {
    let measured = rows.map { ($0.name, $0.belfry.median) }
    let kept = last.filter { name, _ in !rows.contains { $0.name == name } }
    let lines = (kept.sorted { $0.key < $1.key } + measured).map { name, value in
      "\(name)\t\(String(format: "%.4g", value))"
    }
    try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
  }
}
