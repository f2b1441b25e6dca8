// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds cities by what a user has typed so far: part of a name in any language of the table, a
// country, a region or a time zone. Full names of cities come first, then full names of countries
// and regions, then beginnings of cities' names and of words in them, and last other matches of
// countries, regions and time zones. Among equally good matches, the most populous city comes
// first. `CityLookup.swift` looks up the full names in a config.

import Scheduling

/// Searches for cities. The caller passes the table piece by piece.
public struct CitySearch {
  private let text: String
  private let count: Int
  /// The possible meanings of the text, converted for comparison. Nil until all rows of the kind
  /// `letters` have been read, because these rows define how names are converted.
  private var queries: [Query]?
  private var letters = Letters()
  private var countries = Countries()

  /// The greatest length of a text to search for, in Unicode scalars. Every name is shorter.
  private static let longest = 100

  /// Searches for at most `count` cities. The text may name a country or region after a comma, as
  /// in `London, Canada`. If nothing is found that way, the last words of the text are tried as a
  /// country or region, as in `London Canada`.
  public init(_ text: String, count: Int) {
    (self.text, self.count) = (text, max(0, count))
    if count <= 0 || text.unicodeScalars.count > Self.longest { queries = [] }
  }

  /// Reads the next piece of the table of cities. The piece must consist of whole lines.
  public mutating func read(_ lines: Span<UInt8>) {
    guard queries?.isEmpty != true else { return }
    CityRow.each(in: lines) { row in
      if row.kind == .letters { return letters.add(row.columns(lines)) }
      var queries = queries.take() ?? understood
      if row.kind == .country { countries.add(row.columns(lines)) }
      for index in queries.indices {
        if row.kind == .country {
          queries[index].takeCountry(row, lines)
        } else {
          queries[index].takeCity(row, lines, atMost: count)
        }
      }
      self.queries = queries
    }
  }

  /// The cities that were found, the best match first.
  public var cities: [City] {
    let found = queries?.first { $0.hasFound }?.rows ?? []
    return found.prefix(count).compactMap(countries.city)
  }

  private var understood: [Query] {
    let parts = letters.compared(text).split(separator: ",").map { letters.compared(String($0)) }
      .filter { !$0.isEmpty }
    guard let phrase = parts.first else { return [] }
    var queries = [Query(phrase, Array(parts.dropFirst()), zone: letters)]
    for space in phrase.indices.filter({ phrase[$0] == " " }).suffix(3).reversed() {
      let last = String(phrase[phrase.index(after: space)...])
      queries.append(
        Query(String(phrase[..<space]), [last] + parts.dropFirst(), zone: letters))
    }
    return queries
  }
}

/// One possible meaning of the text to search for: a phrase, and countries or regions in which the
/// city must be.
private struct Query {
  /// The kinds of matches, the best one first.
  private enum Rank: Int, CaseIterable, Comparable {
    case name, place, beginningOfName, beginningOfWord, beginningOfPlace

    static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  private let phrase: [UInt8]
  private let qualifiers: [[UInt8]]
  /// Converts the names of time zones for comparison; nil if the phrase cannot be the name of a
  /// zone.
  private let zoneLetters: Letters?
  /// Whether the phrase may be a country code. A country or region that matches such a phrase gets
  /// the lowest rank: someone who types `ca` more likely wants Cairo than Canada.
  private let mayBeCode: Bool
  /// Maps the code of each country to how well that country matches the phrase.
  private var phraseCountries: [String: Rank] = [:]
  /// For each of `qualifiers`, the codes of the countries that match it.
  private var qualifierCountries: [Set<String>]
  private var found = [[[String]]](repeating: [], count: Rank.allCases.count)

  init(_ phrase: String, _ qualifiers: [String], zone: Letters) {
    self.phrase = Array(phrase.utf8)
    self.qualifiers = qualifiers.map { Array($0.utf8) }
    mayBeCode = self.phrase.count <= 2
    zoneLetters = phrase.utf8.contains(UInt8(ascii: "/")) ? zone : nil
    qualifierCountries = qualifiers.map { _ in [] }
  }

  var hasFound: Bool { found.contains { !$0.isEmpty } }

  /// The rows of the table that were found, the best match first.
  var rows: [[String]] { found.flatMap { $0 } }

  mutating func takeCountry(_ row: CityRow, _ lines: Span<UInt8>) {
    let names = row.skipping(1, from: row.start, lines)
    let code = row.text(at: row.start, lines)
    phraseCountries[code] = rank(phrase, columns: 2, from: names, row, lines)
    for (index, qualifier) in qualifiers.enumerated()
    where rank(qualifier, columns: 2, from: names, row, lines) != nil {
      qualifierCountries[index].insert(code)
    }
  }

  mutating func takeCity(_ row: CityRow, _ lines: Span<UInt8>, atMost count: Int) {
    let country = row.skipping(2, from: row.start, lines)
    let regions = row.skipping(1, from: country, lines)
    let code = row.text(at: country, lines)
    let named = rank(phrase, columns: 2, from: row.start, row, lines)
    let place = named == .name ? nil : placeRank(code, regions, row, lines)
    guard let rank = [named, place].compactMap(\.self).min(), found[rank.rawValue].count < count
    else { return }
    for (index, qualifier) in qualifiers.enumerated()
    where !qualifierCountries[index].contains(code) {
      guard self.rank(qualifier, columns: 1, from: regions, row, lines) != nil else { return }
    }
    found[rank.rawValue].append(row.columns(lines))
  }

  /// Returns how well the phrase matches the country, the regions or the time zone of a city; nil
  /// if it does not match.
  private func placeRank(
    _ code: String, _ regions: Int, _ row: CityRow, _ lines: Span<UInt8>
  ) -> Rank? {
    if let zoneLetters {
      let zone = row.text(at: row.skipping(8, from: regions, lines), lines)
      return zoneLetters.compared(zone).utf8.starts(with: phrase) ? .beginningOfPlace : nil
    }
    let ranks = [rank(phrase, columns: 1, from: regions, row, lines), phraseCountries[code]]
    let best = ranks.compactMap(\.self).min()
    return best.map { $0 == .name && !mayBeCode ? .place : .beginningOfPlace }
  }

  /// Returns how well `wanted` matches a name in a row; nil if no name matches. The names are in
  /// the `columns` columns that begin at the index `start`.
  private func rank(
    _ wanted: [UInt8], columns: Int, from start: Int, _ row: CityRow, _ lines: Span<UInt8>
  ) -> Rank? {
    var best: Rank?
    var (left, isName, isWord) = (columns, true, true)
    for index in start..<row.end {
      switch lines[index] {
      case UInt8(ascii: "\t"):
        left -= 1
        if left == 0 { return best }
        (isName, isWord) = (true, true)
      case UInt8(ascii: "|"): (isName, isWord) = (true, true)
      case UInt8(ascii: " "), UInt8(ascii: "/"): isWord = true
      default:
        if isWord, let end = match(wanted, at: index, row.end, lines) {
          let isWhole = end == row.end || lines[end] == UInt8(ascii: "|") || lines[end] == 9
          if isName, isWhole { return .name }
          best = best == .beginningOfName || isName ? .beginningOfName : .beginningOfWord
        }
        (isName, isWord) = (false, false)
      }
    }
    return best
  }

  /// Returns the index after `wanted` if the text at `index` begins with `wanted`; otherwise nil.
  private func match(
    _ wanted: [UInt8], at index: Int, _ end: Int, _ lines: Span<UInt8>
  ) -> Int? {
    guard index + wanted.count <= end else { return nil }
    for (offset, byte) in wanted.enumerated() where lines[index + offset] != byte { return nil }
    return index + wanted.count
  }
}
