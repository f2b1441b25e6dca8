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
    ("", ["2:8: error: city is empty\nhint: leave it out"]),
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

  private func alarm(_ lines: String, clock: String = "") -> Reading {
    reading("[[alarm]]\n\(lines)\n" + (clock.isEmpty ? "" : "[[clock]]\n\(clock)\n"))
  }

  @Test func `a time by the sun is that of the alarm's city, else of the first clock with one`() {
    for (time, event, offset) in [
      ("sunrise", SunTime.Event.sunrise, Duration.zero), ("sunrise - 30m", .sunrise, .minutes(-30)),
      ("Sunset+1h", .sunset, .hours(1)), (" sunset  -  1h 30m ", .sunset, .minutes(-90)),
      ("sunrise - 12h", .sunrise, .hours(-12)),
    ] {
      let found = alarm("time = \"\(time)\"\ncity = \"Seoul\"")
      let rule = found.configuration.alarms.first?.recurrence
      #expect(found.diagnostics == [], "\(time)")
      #expect(
        rule?.sun
          == SunTime(event, offset: offset, city: "Seoul", latitude: 37.57, longitude: 126.98))
      // The alarm rings in the local time of its city.
      #expect(rule?.zone == "Asia/Seoul")
    }
    let other = alarm(
      "time = \"sunrise\"", clock: "timezone = \"UTC\"\n[[clock]]\ncity = \"Seoul\"")
    #expect(other.configuration.alarms.first?.recurrence.sun?.city == "Seoul")
    #expect(other.configuration.alarms.first?.id == "sunrise")
    let zoned = alarm("time = \"sunrise\"\ncity = \"Seoul\"\ntimezone = \"Europe/Berlin\"")
    #expect(zoned.configuration.alarms.first?.recurrence.zone == "Europe/Berlin")
  }

  @Test(arguments: [
    (
      "time = \"sunrise\"",
      "2:8: error: a time by the sun needs a city, and neither this alarm nor a clock has one\n"
        + "hint: write city = \"Seoul\" too"
    ),
    (
      "time = \"sunrise - soon\"\ncity = \"Seoul\"",
      "2:8: error: time must be a time by the sun, not \"sunrise - soon\"\n"
        + "hint: write it like \"sunrise - 30m\" or \"sunset + 1h\""
    ),
    (
      "time = \"sunrise - 30\"\ncity = \"Seoul\"",
      "2:8: error: time must be a time by the sun, not \"sunrise - 30\"\n"
        + "hint: write it like \"sunrise - 30m\" or \"sunset + 1h\""
    ),
    (
      "time = \"sunset + 13h\"\ncity = \"Seoul\"",
      "2:8: error: time must be at most \"12h\" from the sun, not \"sunset + 13h\""
    ),
    (
      "time = \"sunrise\"\ncity = \"Soeul\"",
      "3:8: error: no city is called \"Soeul\"\nhint: did you mean \"Seoul\"?"
    ),
    (
      "time = 07:30\ncity = \"Seoul\"",
      "3:8: warning: city does nothing here: the time is not by the sun\n"
        + "hint: write time = \"sunrise\", or timezone = \"Asia/Seoul\""
    ),
  ])
  func `mistakes in a time by the sun are told`(lines: String, complaint: String) {
    let found = alarm(lines)
    #expect(found.diagnostics.map { String($0.description.dropFirst(2)) } == [complaint])
    #expect(found.configuration.alarms.isEmpty == complaint.contains("error"))
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
