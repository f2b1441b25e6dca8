// SPDX-License-Identifier: GPL-3.0-or-later
//
// Helpers for the tests of this folder: the table of cities that Belfry ships, and searches in it.

import Cities
import Foundation
import Scheduling

enum Table {
  static let bytes: [UInt8] = {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let file = root.appending(path: "desktop/cities/cities.tsv")
    guard let data = try? Data(contentsOf: file) else { fatalError("there is no \(file.path)") }
    return Array(data)
  }()

  /// The cities with at least 100,000 people. They are enough for most searches, which are slow in
  /// a debug build.
  static let large: [UInt8] = {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let large = lines.prefix { line in
      let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      return columns.count < 14 || columns[11].count > 5
    }
    return Array(large.joined(separator: [UInt8(ascii: "\n")]))
  }()

  /// Returns the columns of all rows of one kind, "city" or "country", without the column of the
  /// kind.
  static func rows(_ kind: String) -> [[Substring]] {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let rows = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    return rows.filter { $0.first == kind[...] }.map { Array($0.dropFirst()) }
  }

  static func search(_ text: String, count: Int = 10, in table: [UInt8] = large) -> [City] {
    var search = CitySearch(text, count: count)
    search.read(table.span)
    return search.cities
  }

  static func find(_ names: [String], in table: [UInt8] = bytes) -> [String: City] {
    var lookup = CityLookup(Set(names))
    lookup.read(table.span)
    return lookup.found
  }
}
