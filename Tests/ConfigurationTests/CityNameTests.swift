// SPDX-License-Identifier: GPL-3.0-or-later

import Cities
import Configuration
import Scheduling
import Testing

private let seoul = City(
  title: "Seoul", name: "Seoul", korean: "서울", country: "South Korea", countryCode: "KR",
  latitude: 37.57, longitude: 126.98, population: 10_349_312, zone: "Asia/Seoul")

@Suite("Cities in a config") struct CityNameTests {
  @Test(arguments: Complaints.cases("cities"))
  func `a city that is unknown or has no effect is reported`(text: String, expected: [String]) {
    let reading = reading(text)
    #expect(reading.diagnostics.map { String($0.description.dropFirst(2)) } == expected)
    let isEmpty = reading.configuration.alarms.isEmpty && reading.configuration.clocks.isEmpty
    #expect(isEmpty == expected.contains { $0.contains(": error: ") })
  }

  private func alarm(_ lines: String, clock: String = "") -> Reading {
    reading("[[alarm]]\n\(lines)\n" + (clock.isEmpty ? "" : "[[clock]]\n\(clock)\n"))
  }

  @Test func `sunrise or sunset is for the alarm's city, or else for the first clock with a city`()
  {
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
      // The rule uses the time zone of the alarm's city, and not that of the machine.
      #expect(rule?.zone == "Asia/Seoul")
    }
    #expect(
      reading("[[clock]]\ncity = \"Seoul\"\n").configuration.clocks == [
        WorldClock(city: seoul, named: "Seoul")
      ])
    let other = alarm(
      "time = \"sunrise\"", clock: "timezone = \"UTC\"\n[[clock]]\ncity = \"Seoul\"")
    #expect(other.configuration.alarms.first?.recurrence.sun?.city == "Seoul")
    #expect(other.configuration.alarms.first?.id == "sunrise")
    // If the first city is unknown, the alarm must not move to the second one.
    let typo = alarm(
      "time = \"sunrise\"", clock: "city = \"Soeul\"\n[[clock]]\ncity = \"Seoul\"")
    #expect(typo.faultyAlarms == ["sunrise"])
    let zoned = alarm("time = \"sunrise\"\ncity = \"Seoul\"\ntimezone = \"Europe/Berlin\"")
    #expect(zoned.configuration.alarms.first?.recurrence.zone == "Europe/Berlin")
  }

  @Test func `the reader looks up all cities of a config at once`() {
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

  @Test func `without a table of cities, any name is accepted but has no place`() {
    let reading = read("[[clock]]\ncity = \"Xyzzy\"\n")
    #expect(reading.diagnostics.isEmpty)
    #expect(reading.configuration.clocks == [WorldClock(city: nil, named: "Xyzzy")])
    #expect(reading.configuration.clocks.first?.zone == nil)
    #expect(
      complaints(about: "[[alarm]]\ntime = \"sunrise\"\ncity = \"Seoul\"\n") == [
        """
        2:8: error: the table of cities cannot be read, so sunrise and sunset are unknown
        hint: write a time of day, such as 07:30
        """
      ])
  }

  private func reading(_ text: String) -> Reading {
    var context = context
    context.cities = { names in names.contains("Seoul") ? ["Seoul": seoul] : [:] }
    context.cityNames = { ["Seoul", "서울", "New York"] }
    return Configuration.read(Array(text.utf8), file: "c", in: context)
  }
}
