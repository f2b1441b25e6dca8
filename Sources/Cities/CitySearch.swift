// SPDX-License-Identifier: GPL-3.0-or-later
//
// Cities by what a person has typed so far: names in every language of the table, countries,
// regions, zones. A name in full comes first, of a city, then of a country or region; the beginning
// of a name before that of a word in it; and then the most populous. Next: `CityLookup.swift`, for names written out.

import Scheduling

/// A search, fed with the table piece by piece.
public struct CitySearch {
  private var queries: [Query]
  private var countries = Countries()
  private let count: Int

  /// The longest text that is looked for, in scalars; no name is as long.
  private static let longest = 100

  /// Looks for at most `count` cities. Behind commas stand country or region: `London, Canada`; the
  /// last words may too, where no name has them.
  public init(_ text: String, count: Int) {
    self.count = max(0, count)
    let scalars = Folding.scalars(of: text)
    let parts = scalars.split(separator: UInt32(UInt8(ascii: ","))).map(Folding.trimmed)
      .filter { !$0.isEmpty }
    guard let phrase = parts.first, scalars.count <= Self.longest else {
      queries = []
      return
    }
    queries = [Query(phrase, Array(parts.dropFirst()))]
    let spaces = phrase.indices.filter { phrase[$0] == 0x20 }
    for space in spaces.suffix(3).reversed() {
      let last = Folding.trimmed(phrase[(space + 1)...])
      queries.append(Query(Folding.trimmed(phrase[..<space]), [last] + parts.dropFirst()))
    }
  }

  /// Takes in the next piece of the table, whole lines.
  public mutating func read(_ lines: Span<UInt8>) {
    guard !queries.isEmpty, count > 0 else { return }
    Row.each(in: lines) { row in
      switch row.kind {
      case .country:
        countries.add(row.columns(lines))
        for index in queries.indices { queries[index].takeCountry(row, lines) }
      case .city:
        for index in queries.indices { queries[index].takeCity(row, lines, atMost: count) }
      }
    }
  }

  /// What was found, the best first.
  public var cities: [City] {
    let found = queries.first { $0.hasFound }?.rows ?? []
    return found.prefix(count).compactMap(countries.city)
  }
}

/// One way to understand what was typed.
private struct Query {
  /// Why a city is found, the best reason first.
  private enum Rank: Int, CaseIterable, Comparable {
    case name, place, beginningOfName, beginningOfWord, beginningOfPlace

    static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }

    /// The better of two reasons, of which there may be none.
    static func best(_ a: Rank?, _ b: Rank?) -> Rank? {
      guard let a, let b else { return a ?? b }
      return min(a, b)
    }
  }

  /// How well countries match, by `CountryCode`.
  private typealias CountryRanks = [Rank?]

  private let phrase: Pattern
  private let qualifiers: [Pattern]
  private let mayBeZone: Bool
  /// `ca` may be a country's code, and more likely is on the way to Cairo.
  private let mayBeCode: Bool
  private var phraseCountries = CountryRanks(repeating: nil, count: CountryCode.count)
  private var qualifierCountries: [CountryRanks]
  private var found = [[[String]]](repeating: [], count: Rank.allCases.count)

  init(_ phrase: [UInt32], _ qualifiers: [[UInt32]]) {
    self.phrase = Pattern(phrase)
    self.qualifiers = qualifiers.map { Pattern($0) }
    mayBeCode = phrase.count <= 2 && phrase.allSatisfy { $0 < 0x80 }
    mayBeZone = phrase.contains(UInt32(UInt8(ascii: "/")))
    qualifierCountries = qualifiers.map { _ in
      CountryRanks(repeating: nil, count: CountryCode.count)
    }
  }

  var hasFound: Bool { found.contains { !$0.isEmpty } }

  /// Without the wards of a city that is called as its region is: who asks for Tokyo means none of them.
  var rows: [[String]] {
    let sites = Set(found[Rank.name.rawValue].map(Self.site))
    var found = found
    found[Rank.place.rawValue].removeAll { sites.contains(Self.site($0)) }
    return found.flatMap { $0 }
  }

  /// Country, region and zone.
  private static func site(_ row: [String]) -> [String] {
    Array(row.dropFirst(4).prefix(2) + row.dropFirst(9).prefix(1))
  }

  mutating func takeCountry(_ row: Row, _ lines: Span<UInt8>) {
    guard let code = row.countryCode(lines, at: row.start) else { return }
    let names = row.start(of: 1, lines)
    phraseCountries[code.number] = rank(phrase, names, row.end, columns: 3, lines).rank
    for (index, qualifier) in qualifiers.enumerated() {
      qualifierCountries[index][code.number] =
        rank(qualifier, names, row.end, columns: 3, lines).rank
    }
  }

  mutating func takeCity(_ row: Row, _ lines: Span<UInt8>, atMost count: Int) {
    let (named, country) = rank(phrase, row.start, row.end, columns: 4, lines)
    guard let code = row.countryCode(lines, at: country) else { return }
    let region = country + 3
    let place = named == .name ? nil : placeRank(row, region, code, lines)
    guard let rank = Rank.best(named, place), found[rank.rawValue].count < count else { return }
    for (index, qualifier) in qualifiers.enumerated()
    where qualifierCountries[index][code.number] == nil {
      guard self.rank(qualifier, region, row.end, columns: 1, lines).rank != nil else { return }
    }
    found[rank.rawValue].append(row.columns(lines))
  }

  /// How the phrase is the country, the region or the zone of a city.
  private func placeRank(
    _ row: Row, _ region: Int, _ code: CountryCode, _ lines: Span<UInt8>
  ) -> Rank? {
    if mayBeZone {
      let zone = row.start(of: 9, lines)
      return phrase.match(lines, from: zone, to: row.end) == nil ? nil : .beginningOfPlace
    }
    var best = phraseCountries[code.number]
    if best != .name {
      best = Rank.best(best, rank(phrase, region, row.end, columns: 1, lines).rank)
    }
    return best.map { $0 == .name && !mayBeCode ? .place : .beginningOfPlace }
  }

  /// The best that `pattern` is among the names from `start` on, and where the column after these
  /// `columns` begins.
  private func rank(
    _ pattern: Pattern, _ start: Int, _ end: Int, columns: Int, _ lines: Span<UInt8>
  ) -> (rank: Rank?, end: Int) {
    var best: Rank?
    var left = columns
    var (isName, isWord) = (true, true)
    var index = start
    while index < end {
      let byte = lines[index]
      if Folding.endsName(byte) {
        if byte == UInt8(ascii: "\t") {
          left -= 1
          if left == 0 { return (best, index + 1) }
        }
        (isName, isWord) = (true, true)
      } else if Folding.endsWord(byte) {
        isWord = true
      } else {
        if isWord, best != .name, let match = pattern.match(lines, from: index, to: end) {
          best = Rank.best(
            best, !isName ? .beginningOfWord : match == .whole ? .name : .beginningOfName)
        }
        (isName, isWord) = (false, false)
      }
      index += 1
    }
    return (best, end)
  }
}
