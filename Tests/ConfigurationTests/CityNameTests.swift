// SPDX-License-Identifier: GPL-3.0-or-later

import Configuration
import Scheduling
import Testing

private let seoul = City(
  title: "Seoul", name: "Seoul", korean: "서울", country: "South Korea", countryCode: "KR",
  latitude: 37.57, longitude: 126.98, population: 10_349_312, zone: "Asia/Seoul")

@Suite("Cities in a config") struct CityNameTests {
  @Test(arguments: [
    ("Seoul", []),
    (
      "Soeul",
      ["2:8: error: no city is called \"Soeul\"\nhint: did you mean \"Seoul\"?"]
    ),
    (
      "Xyzzy",
      [
        "2:8: error: no city is called \"Xyzzy\"\nhint: belfry world search finds cities"
      ]
    ),
    (
      "\\u001B[31m",
      [
        "2:8: error: no city is called \"\\u001B[31m\"\n"
          + "hint: belfry world search finds cities"
      ]
    ),
    ("", ["2:8: error: city is empty\nhint: leave it out where there is nothing to say"]),
    ("Seoul\\u0000", ["2:8: error: city holds a NUL character"]),
  ])
  func `a city that is not known is an error, and its clock is left out`(
    name: String, complaints: [String]
  ) {
    let reading = reading("[[clock]]\ncity = \"\(name)\"\n")
    #expect(reading.diagnostics.map { String($0.description.dropFirst(2)) } == complaints)
    #expect(
      reading.configuration.clocks
        == (complaints.isEmpty ? [WorldClock(place: .city(seoul, as: "Seoul"))] : []))
  }

  @Test func `all cities of a config are asked for at once`() {
    var asked: [Set<String>] = []
    var context = context
    context.cities = {
      asked.append($0)
      return ["Seoul": seoul]
    }
    let clocks = (1...1000).map { "[[clock]]\ncity = \"City \($0)\"\n" }.joined()
    _ = Configuration.read(Array(clocks.utf8), file: "c", in: context)
    #expect(asked.map(\.count) == [1000])
    asked = []
    _ = Configuration.read(Array("[[clock]]\ntimezone = \"UTC\"\n".utf8), file: "c", in: context)
    #expect(asked.isEmpty)
  }

  @Test func `without a table of cities every name is let pass, and no city comes of it`() {
    let reading = read("[[clock]]\ncity = \"Xyzzy\"\n")
    #expect(reading.diagnostics.isEmpty)
    #expect(reading.configuration.clocks == [WorldClock(place: .city(nil, as: "Xyzzy"))])
    #expect(reading.configuration.clocks.first?.zone == nil)
  }

  private func reading(_ text: String) -> Reading {
    var context = context
    context.cities = { names in names.contains("Seoul") ? ["Seoul": seoul] : [:] }
    context.cityNames = { ["Seoul", "서울", "New York"] }
    return Configuration.read(Array(text.utf8), file: "c", in: context)
  }
}
