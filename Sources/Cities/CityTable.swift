// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of the table of cities, `cities.tsv`, whose columns are explained in
// `desktop/cities/README.md`. The table is read in pieces of whole lines and never held in memory:
// of its 19,000 cities, a search needs about ten. The cities are sorted by population, the most
// populous first, so the first match is the most populous one. Names are compared in a simplified
// form that the table already contains; `Letters` converts what the user typed to that form. Next:
// `CitySearch.swift` and `CityLookup.swift`.

import Scheduling

/// The position of a row in the current piece of the table. The line end is not part of the row.
struct CityRow {
  enum Kind: String, CaseIterable { case letters, country, city }
  let kind: Kind
  /// The index at which the second column begins. The first column is the kind of the row.
  let start: Int
  let end: Int

  /// Calls `take` for each row of `lines`. Other lines, such as comments, are skipped.
  static func each(in lines: Span<UInt8>, _ take: (CityRow) -> Void) {
    var start = 0
    while start < lines.count {
      let end = lines.index(of: UInt8(ascii: "\n"), from: start, to: lines.count)
      let tab = lines.index(of: UInt8(ascii: "\t"), from: start, to: end)
      if let kind = Kind(rawValue: lines.text(from: start, to: tab)), tab < end {
        take(CityRow(kind: kind, start: tab + 1, end: end))
      }
      start = end + 1
    }
  }

  /// Returns the texts of all columns except the first, which is the kind of the row.
  func columns(_ lines: Span<UInt8>) -> [String] {
    var columns: [String] = []
    var start = start
    while start <= end {
      let tab = lines.index(of: UInt8(ascii: "\t"), from: start, to: end)
      columns.append(lines.text(from: start, to: tab))
      start = tab + 1
    }
    return columns
  }

  /// The text of the column that begins at `index`.
  func text(at index: Int, _ lines: Span<UInt8>) -> String {
    lines.text(from: index, to: lines.index(of: UInt8(ascii: "\t"), from: index, to: end))
  }

  /// Returns the index at which the column begins that is `count` columns after the column at
  /// `index`.
  func skipping(_ count: Int, from index: Int, _ lines: Span<UInt8>) -> Int {
    var start = index
    for _ in 0..<count {
      start = min(end, lines.index(of: UInt8(ascii: "\t"), from: start, to: end) + 1)
    }
    return start
  }
}

extension Span<UInt8> {
  /// Returns the index of the first `byte` from `start` on, or `end` if there is none before `end`.
  func index(of byte: UInt8, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end, self[index] != byte { index += 1 }
    return index
  }

  /// Returns the bytes as text, or an empty text if they are not UTF-8. The table may be a file
  /// that someone else has made, so it may contain any bytes.
  func text(from start: Int, to end: Int) -> String {
    (try? String(copying: UTF8Span(validating: extracting(start..<end)))) ?? ""
  }
}

/// Converts text to the form in which names are compared: lower case, without accents, and with
/// Hangul syllables split into their letters.
struct Letters {
  private var becoming: [Unicode.Scalar: [Unicode.Scalar]] = [:]

  /// Reads a row of the kind `letters`: a replacement text, and the letters that it replaces.
  mutating func add(_ columns: [String]) {
    guard columns.count >= 2 else { return }
    for letter in columns[1].unicodeScalars {
      becoming[letter] = Array(columns[0].unicodeScalars)
    }
  }

  /// Returns `text` in the form for comparison, with one space between words and none at either
  /// end.
  func compared(_ text: String) -> String {
    var compared = String.UnicodeScalarView()
    for letter in text.lowercased().unicodeScalars.flatMap(Self.typed) {
      let isSpace = letter.value < 0x20 || letter == "|"
      for scalar in isSpace ? [" "] : becoming[letter] ?? [letter]
      where scalar != " " || compared.last != " " && !compared.isEmpty {
        compared.append(scalar)
      }
    }
    if compared.last == " " { compared.removeLast() }
    return String(compared)
  }

  /// Returns the two or three letters of a Hangul syllable, computed from its code point (Unicode,
  /// chapter 3.12). Returns any other scalar unchanged.
  private static func typed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    guard (0xAC00..<0xD7A4).contains(scalar.value) else { return [scalar] }
    let number = scalar.value - 0xAC00
    let codes = [0x1100 + number / 588, 0x1161 + number % 588 / 28, 0x11A7 + number % 28]
    return codes.filter { $0 != 0x11A7 }.compactMap(Unicode.Scalar.init)
  }
}

/// The countries in the rows that have been read so far.
struct Countries {
  struct Country {
    let names: [Substring]
    let english: String
    let korean: String
  }
  private var countries: [String: Country] = [:]

  /// Reads a row of the kind `country`.
  mutating func add(_ columns: [String]) {
    guard columns.count >= 5 else { return }
    countries[columns[0]] = Country(
      names: columns[1].split(separator: "|"), english: columns[3], korean: columns[4])
  }

  subscript(code: String) -> Country? { countries[code] }

  /// Returns the city that a row describes; nil if the row is damaged.
  func city(_ columns: [String]) -> City? {
    guard columns.count >= 13, let latitude = Double(columns[8]), abs(latitude) <= 90,
      let longitude = Double(columns[9]), abs(longitude) <= 180, let people = Int(columns[10])
    else { return nil }
    let (code, name, region) = (columns[2], columns[4], columns[7])
    let country = countries[code]
    let parts: [String] =
      switch columns[12] {
      case "0": [name]
      case "1": [name, country?.english ?? code]
      default: [name, region, country?.english ?? code]
      }
    return City(
      title: parts.joined(separator: ", "), name: name, korean: columns[5], local: columns[6],
      region: region, country: country?.english ?? code, koreanCountry: country?.korean ?? "",
      countryCode: code, latitude: latitude, longitude: longitude, population: people,
      zone: columns[11])
  }
}
