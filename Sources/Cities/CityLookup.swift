// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks up cities by their full names, as a config gives them: `Seoul`, `서울`, `Springfield,
// Illinois`. All names are looked up in one pass over the table. If several cities have the same
// name, the most populous one is found. Next: `CityTable.swift`, which reads the table.

import Scheduling

/// Looks up cities by their full names. The caller passes the table piece by piece.
public struct CityLookup {
  private struct Wanted {
    let text: String
    /// The countries or regions in which the city must be, such as `illinois` in
    /// `Springfield, Illinois`.
    let qualifiers: [String]
    var columns: [String]?
  }

  private let texts: Set<String>
  /// The names to look up, converted for comparison. Nil until all rows of the kind `letters` have
  /// been read, because these rows say how names are converted.
  private var wanted: [Wanted]?
  /// For each name, its indices in `wanted`.
  private var numbers: [String: [Int]] = [:]
  private var letters = Letters()
  private var countries = Countries()

  public init(_ texts: Set<String>) { self.texts = texts }

  /// Reads the next piece of the table, which must consist of whole lines.
  public mutating func read(_ lines: Span<UInt8>) {
    CityRow.each(in: lines) { row in
      switch row.kind {
      case .letters: letters.add(row.columns(lines))
      case .country: countries.add(row.columns(lines))
      case .city:
        var wanted = wanted.take() ?? understood()
        match(row, lines, &wanted)
        self.wanted = wanted
      }
    }
  }

  /// The cities that were found, each under the text that was looked up.
  public var found: [String: City] {
    var found: [String: City] = [:]
    for wanted in wanted ?? [] { found[wanted.text] = wanted.columns.flatMap(countries.city) }
    return found
  }

  private mutating func understood() -> [Wanted] {
    var wanted: [Wanted] = []
    for text in texts {
      let parts = text.split(separator: ",").map { letters.compared(String($0)) }
      guard let name = parts.first, !name.isEmpty else { continue }
      numbers[name, default: []].append(wanted.count)
      wanted.append(Wanted(text: text, qualifiers: Array(parts.dropFirst())))
    }
    return wanted
  }

  private func match(_ row: CityRow, _ lines: Span<UInt8>, _ wanted: inout [Wanted]) {
    let end = lines.index(of: UInt8(ascii: "\t"), from: row.start, to: row.end)
    var start = row.start
    while start < end {
      let bar = lines.index(of: UInt8(ascii: "|"), from: start, to: end)
      for number in numbers[lines.text(from: start, to: bar)] ?? []
      where wanted[number].columns == nil {
        let columns = row.columns(lines)
        if isThere(columns, wanted[number].qualifiers) { wanted[number].columns = columns }
      }
      start = bar + 1
    }
  }

  /// Whether the city in this row lies in all of the given countries or regions.
  private func isThere(_ columns: [String], _ qualifiers: [String]) -> Bool {
    guard columns.count >= 4 else { return false }
    let places = columns[3].split(separator: "|") + (countries[columns[2]]?.names ?? [])
    return qualifiers.allSatisfy { places.contains($0[...]) }
  }
}

/// The names of the most populous cities. If the user mistyped a name, one of these may be
/// suggested.
public struct LargestCities {
  public private(set) var names: [String] = []
  private var left: Int

  public init(count: Int) { left = count }

  /// Reads the next piece of the table, which must consist of whole lines.
  public mutating func read(_ lines: Span<UInt8>) {
    CityRow.each(in: lines) { row in
      guard row.kind == .city, left > 0 else { return }
      left -= 1
      names += row.columns(lines).dropFirst(4).prefix(2).filter { !$0.isEmpty }
    }
  }
}
