// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the content of the table of cities, and that each city is found by its title.

import Cities
import Foundation
import Scheduling
import Testing

@Suite("the table of cities is complete and consistent")
struct CityTableTests {
  @Test("the table is small, and every row of it has all columns")
  func rows() {
    #expect(Table.bytes.count < 2_500_000)
    let cities = Table.rows("city")
    let countries = Table.rows("country")
    #expect(cities.count > 19_000 && countries.count > 240)
    #expect(cities.allSatisfy { $0.count == 13 && !$0[0].isEmpty && !$0[11].isEmpty })
    #expect(countries.allSatisfy { $0.count == 6 && $0[0].utf8.count == 2 && !$0[4].isEmpty })
    let codes = Set(countries.map { $0[0] })
    #expect(cities.allSatisfy { codes.contains($0[2]) })
    let people = cities.compactMap { Int($0[10]) }
    #expect(people.count == cities.count)
    #expect(people == people.sorted(by: >))
  }

  @Test("the table has the capital of every country, with a Korean name")
  func capitals() {
    let cities = Dictionary(
      Table.rows("city").map { ("\($0[4])/\($0[2])", $0[5]) },
      uniquingKeysWith: { first, _ in first })
    for country in Table.rows("country") where !country[5].isEmpty {
      #expect(cities["\(country[5])/\(country[0])"]?.isEmpty == false, "\(country[3])")
    }
    // The list includes capitals that are small, or that have another name in GeoNames, the source
    // of the table.
    for capital in [
      "Seoul/KR", "Washington/US", "Kathmandu/NP", "Vaduz/LI", "Ulaanbaatar/MN", "Astana/KZ",
      "Naypyidaw/MM", "Brasília/BR", "Funafuti/TV", "Reykjavik/IS", "St. John's/AG", "Canberra/AU",
      "Bern/CH", "Vatican City/VA", "Ottawa/CA", "Wellington/NZ", "Nuuk/GL", "Pyongyang/KP",
    ] {
      #expect(cities[capital]?.isEmpty == false, "\(capital)")
    }
  }

  @Test("the table has every city of 100,000 people, and Korean names of the large ones")
  func large() {
    let cities = Table.rows("city")
    #expect(cities.count { Int($0[10]) ?? 0 >= 100_000 } > 6_000)
    #expect(cities.prefix(100).count { $0[5].isEmpty } == 0)
    #expect(cities.prefix(500).count { $0[5].isEmpty } <= 25)
    #expect(cities.prefix(1000).count { $0[5].isEmpty } <= 100)
    let korean = cities.filter { $0[2] == "KR" }
    #expect(korean.count { $0[5].isEmpty } <= 2)
  }

  @Test("every time zone in the table is in the tz database")
  func zones() {
    let zones = Set(Table.rows("city").map { String($0[11]) })
    #expect(zones.count > 350)
    for zone in zones.sorted() {
      #expect(FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/\(zone)"), "\(zone)")
    }
  }

  @Test("the title of a city finds this city and no other")
  func titles() {
    // Look up all titles in one pass, because a pass over the table is slow. The value of `row[12]`
    // says whether the title needs the country and the region.
    let countries = Dictionary(
      uniqueKeysWithValues: Table.rows("country").map { ($0[0], $0[3]) })
    var rows: [String: [Substring]] = [:]
    for row in Table.rows("city") {
      let country = countries[row[2]] ?? ""
      let title =
        switch row[12] {
        case "0": "\(row[4])"
        case "1": "\(row[4]), \(country)"
        default: "\(row[4]), \(row[7]), \(country)"
        }
      #expect(rows[title] == nil, "\(title) twice")
      rows[title] = row
    }
    let found = Table.find(Array(rows.keys))
    for (title, row) in rows {
      #expect(
        found[title]?.population == Int(row[10]) && found[title]?.zone == String(row[11]),
        "\(title)")
      #expect(found[title]?.title == title, "\(title)")
    }
  }
}
