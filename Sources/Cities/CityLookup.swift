// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cities by names written out, as a config has them: `Seoul`, `서울`, `Springfield, Illinois`. All
// names are looked for in one reading of the table, however many they are. A name that several have
// is the most populous one's.

import Scheduling

/// A lookup, fed with the table piece by piece.
public struct CityLookup {
  private struct Wanted {
    let text: String
    let name: [UInt32]
    let qualifiers: [[UInt32]]
    /// For each qualifier the countries that it is a name of.
    var countries: [Set<CountryCode>]
    var columns: [String]?
  }

  private var wanted: [Wanted] = []
  /// Where in `wanted` a name stands, by its hash.
  private var names: [UInt64: [Int]] = [:]
  /// Where a qualifier stands, in `wanted` and in its qualifiers.
  private var qualifiers: [UInt64: [(wanted: Int, index: Int)]] = [:]
  private var countries = Countries()

  public init(_ texts: Set<String>) {
    for text in texts {
      let parts = Folding.scalars(of: text).split(separator: UInt32(UInt8(ascii: ",")))
        .map(Folding.trimmed)
      guard let name = parts.first, !name.isEmpty else { continue }
      let number = wanted.count
      names[Self.hash(name), default: []].append(number)
      for (index, part) in parts.dropFirst().enumerated() {
        qualifiers[Self.hash(part), default: []].append((number, index))
      }
      wanted.append(
        Wanted(
          text: text, name: name, qualifiers: Array(parts.dropFirst()),
          countries: parts.dropFirst().map { _ in [] }))
    }
  }

  /// Takes in the next piece of the table, whole lines.
  public mutating func read(_ lines: Span<UInt8>) {
    guard !wanted.isEmpty else { return }
    Row.each(in: lines) { row in
      switch row.kind {
      case .country: takeCountry(row, lines)
      case .city: takeCity(row, lines)
      }
    }
  }

  /// The cities that were found, by the text that was looked for.
  public var found: [String: City] {
    var found: [String: City] = [:]
    for wanted in wanted { found[wanted.text] = wanted.columns.flatMap(countries.city) }
    return found
  }

  private mutating func takeCountry(_ row: Row, _ lines: Span<UInt8>) {
    countries.add(row.columns(lines))
    guard !qualifiers.isEmpty, let code = row.countryCode(lines, at: row.start) else { return }
    _ = Self.eachName(lines, from: row.start(of: 1, lines), to: row.end, columns: 3) { hash, name in
      for (number, index) in qualifiers[hash] ?? []
      where Self.isWhole(name, wanted[number].qualifiers[index], lines) {
        wanted[number].countries[index].insert(code)
      }
    }
  }

  private mutating func takeCity(_ row: Row, _ lines: Span<UInt8>) {
    var hits: [Int] = []
    let country = Self.eachName(lines, from: row.start, to: row.end, columns: 4) { hash, name in
      for number in names[hash] ?? []
      where wanted[number].columns == nil && Self.isWhole(name, wanted[number].name, lines) {
        hits.append(number)
      }
    }
    for number in hits where isThere(wanted[number], row, country, lines) {
      wanted[number].columns = row.columns(lines)
    }
  }

  /// Whether a city is where the qualifiers say.
  private func isThere(
    _ wanted: Wanted, _ row: Row, _ country: Int, _ lines: Span<UInt8>
  ) -> Bool {
    guard let code = row.countryCode(lines, at: country) else { return false }
    return wanted.qualifiers.indices.allSatisfy { index in
      if wanted.countries[index].contains(code) { return true }
      var isRegion = false
      _ = Self.eachName(lines, from: country + 3, to: row.end, columns: 1) { _, name in
        if Self.isWhole(name, wanted.qualifiers[index], lines) { isRegion = true }
      }
      return isRegion
    }
  }

  /// Hands over the names of these `columns`, each as its hash and as its scalars from the first on.
  /// Returns where the column after them begins.
  private static func eachName(
    _ lines: Span<UInt8>, from start: Int, to end: Int, columns: Int,
    _ take: (UInt64, FoldedScalars) -> Void
  ) -> Int {
    var (start, column) = (start, 0)
    while column < columns, start < end {
      let name = FoldedScalars(from: start, to: end)
      var rest = name
      var hash = emptyHash
      while let scalar = rest.next(lines) { hash = hashed(hash, scalar) }
      if hash != emptyHash { take(hash, name) }
      if rest.index < end, lines[rest.index] == UInt8(ascii: "\t") { column += 1 }
      start = rest.index + 1
    }
    return min(start, end)
  }

  private static func isWhole(
    _ name: FoldedScalars, _ wanted: [UInt32], _ lines: Span<UInt8>
  ) -> Bool {
    var name = name
    for scalar in wanted where name.next(lines) != scalar { return false }
    return name.next(lines) == nil
  }

  /// FNV-1a, over whole scalars.
  private static let emptyHash: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func hashed(_ hash: UInt64, _ scalar: UInt32) -> UInt64 {
    (hash ^ UInt64(scalar)) &* 0x100_0000_01B3
  }

  private static func hash(_ scalars: [UInt32]) -> UInt64 { scalars.reduce(emptyHash, hashed) }
}

/// Names of the most populous cities, to guess from what was mistyped.
public struct LargestCities {
  public private(set) var names: [String] = []
  private var left: Int

  public init(count: Int) { left = count }

  /// Takes in the next piece of the table, whole lines.
  public mutating func read(_ lines: Span<UInt8>) {
    guard left > 0 else { return }
    Row.each(in: lines) { row in
      guard row.kind == .city, left > 0 else { return }
      left -= 1
      names += row.columns(lines).prefix(2).filter { !$0.isEmpty }
    }
  }
}
