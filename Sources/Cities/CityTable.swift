// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of `cities.tsv`, whose columns `desktop/cities/README.md` explains. The table goes by in
// pieces of whole lines and is never held: of 19,000 cities a search wants ten. Next:
// `CitySearch.swift`, `CityLookup.swift`.

import Scheduling

/// Where a row is in the piece at hand, without its line end.
struct Row {
  enum Kind { case country, city }
  let kind: Kind
  /// Where its columns begin, after the one that tells its kind.
  let start: Int
  let end: Int

  /// Hands over every row of `lines`. Lines that are none, such as comments, are passed over.
  static func each(in lines: Span<UInt8>, _ take: (Row) -> Void) {
    var start = 0
    while start < lines.count {
      let end = lines.index(of: UInt8(ascii: "\n"), from: start, to: lines.count)
      let tab = lines.index(of: UInt8(ascii: "\t"), from: start, to: end)
      if lines.has(Self.city, from: start, to: tab) {
        take(Row(kind: .city, start: tab + 1, end: end))
      } else if lines.has(Self.country, from: start, to: tab) {
        take(Row(kind: .country, start: tab + 1, end: end))
      }
      start = end + 1
    }
  }

  private static let city = Array("city".utf8)
  private static let country = Array("country".utf8)

  /// The columns as text.
  func columns(_ lines: Span<UInt8>) -> [String] {
    var columns: [String] = []
    var start = start
    while start <= end {
      let tab = lines.index(of: UInt8(ascii: "\t"), from: start, to: end)
      var bytes: [UInt8] = []
      for index in start..<tab { bytes.append(lines[index]) }
      columns.append(String(decoding: bytes, as: UTF8.self))
      start = tab + 1
    }
    return columns
  }

  /// Where the column of that number begins; the row's end where it has fewer.
  func start(of column: Int, _ lines: Span<UInt8>) -> Int {
    var start = start
    for _ in 0..<column {
      start = min(end, lines.index(of: UInt8(ascii: "\t"), from: start, to: end) + 1)
    }
    return start
  }

  /// The two letters of a country as one number, in the column that begins at `index`.
  func countryCode(_ lines: Span<UInt8>, at index: Int) -> CountryCode? {
    guard index + 2 <= end else { return nil }
    return CountryCode(lines[index], lines[index + 1])
  }
}

/// `KR`, as a number to look things up by.
struct CountryCode: Hashable {
  let number: Int
  static let count = 26 * 26

  init?(_ first: UInt8, _ second: UInt8) {
    guard (0x41...0x5A).contains(first), (0x41...0x5A).contains(second) else { return nil }
    number = Int(first - 0x41) * 26 + Int(second - 0x41)
  }
}

/// What the countries are called that have gone by so far.
struct Countries {
  private var names: [String: (english: String, korean: String)] = [:]

  mutating func add(_ columns: [String]) {
    guard columns.count >= 3 else { return }
    names[columns[0]] = (columns[1], columns[2])
  }

  /// The city that a row tells of; nil where the row is damaged.
  func city(_ columns: [String]) -> City? {
    guard columns.count >= 11, let latitude = Double(columns[6]), abs(latitude) <= 90,
      let longitude = Double(columns[7]), abs(longitude) <= 180, let people = Int(columns[8])
    else { return nil }
    let code = columns[4]
    let country = names[code] ?? (code, "")
    let region = String(columns[5].prefix { $0 != "|" })
    let parts: [String] =
      switch columns[10] {
      case "0": [columns[0]]
      case "1": [columns[0], country.english]
      default: [columns[0], region, country.english]
      }
    return City(
      title: parts.joined(separator: ", "), name: columns[0], korean: columns[1],
      local: columns[2], region: region, country: country.english, koreanCountry: country.korean,
      countryCode: code, latitude: latitude, longitude: longitude, population: people,
      zone: columns[9])
  }
}

extension Span<UInt8> {
  /// Where `byte` is next; `end` where it is not.
  func index(of byte: UInt8, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end, self[index] != byte { index += 1 }
    return index
  }

  /// Whether `word` is all that is there.
  fileprivate func has(_ word: [UInt8], from start: Int, to end: Int) -> Bool {
    guard end - start == word.count else { return false }
    for offset in word.indices where self[start + offset] != word[offset] { return false }
    return true
  }
}
