// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry world` and alarms at sunrise or sunset, with the table of cities that Belfry
// installs. `CitySearchTests.swift` tests how cities are found, and `ConfigEditTests.swift` tests
// how an edit changes the config.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct WorldTests {
  /// A clock in the output of `belfry world --json`.
  private struct Clock: Decodable {
    var label: String?
    var city: String?
    var country: String?
    var timezone: String?
    var at: String?
    var offset: Int?
    var relativeDay: String?
    var sunrise: String?
    var korean: String?
  }

  private let desk: Desk

  init() throws { desk = try Desk(Lab(.bus)) }

  private func clocks(_ line: String = "world --json") throws -> [Clock] {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Clock].self, from: Data(desk.belfry(line).output.utf8))
  }

  @Test func `clocks are told in the order of the config, with offset, day and sun`() throws {
    try desk.expect("world", "No clock is set. Set one with belfry world add Seoul.")
    try desk.saveText(
      """
      [agent]
      clock = "24h"

      [[clock]]
      city = "서울"
      label = "Home"

      [[clock]]
      city = "Kathmandu"
      label = "\\u001B[31m"

      [[clock]]
      timezone = "America/St_Johns"

      """)
    let list = try desk.belfry("world", environment: ["TZ": "Asia/Kathmandu"])
    #expect(list.status == 0 && list.errors == "")
    let lines = list.output.split(separator: "\n").map(String.init)
    let patterns = [
      /Home              \d\d:\d\d  \w+ +\+3 h 15 min  .*/,
      /\\u001B\[31m +\d\d:\d\d  today +same time +sun \d\d:\d\d to \d\d:\d\d/,
      /America\/St_Johns  \d\d:\d\d  \w+ +-\d+ h 15 min.*/,
    ]
    try #require(lines.count == patterns.count)
    for (line, pattern) in zip(lines, patterns) {
      #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
    }
    let clocks = try clocks()
    #expect(clocks.map(\.city) == ["서울", "Kathmandu", nil])
    #expect(clocks.map(\.country) == ["South Korea", "Nepal", nil])
    #expect(clocks.map(\.timezone) == ["Asia/Seoul", "Asia/Kathmandu", "America/St_Johns"])
    #expect(clocks.map(\.offset).prefix(2) == [32_400, 20_700])
    #expect(clocks[0].sunrise?.hasSuffix("+09:00") == true && clocks[2].sunrise == nil)
    for clock in clocks {
      let at = try #require(clock.at.flatMap(ISO8601DateFormatter().date))
      #expect(abs(at.timeIntervalSince1970 - Lab.now) < 60)
      #expect(["yesterday", "today", "tomorrow"].contains(clock.relativeDay))
    }
    // The agent's status has the same city and sunset.
    try desk.startAgent()
    let status = try desk.belfry("status --json").output
    #expect(status.contains(#""city": "서울""#) && status.contains(#""sunset": ""#))
  }

  @Test func `auto is 12 or 24 hours as the desktop says, and else as the locale does`() throws {
    try desk.saveText("[[clock]]\ntimezone = \"UTC\"\n")
    let settings = desk.lab.home.appendingPathComponent(".config/glib-2.0/settings")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    let twelve = #/ \d?\d:\d\d [ap]m /#
    for (format, desktop, isTwelve) in [
      ("12h", "GNOME", true), ("12h", "Budgie:GNOME", true), ("24h", "GNOME", false),
      ("12h", "KDE", false), ("12h", "", false),
      // Cinnamon's settings schema is not installed here, so the locale decides.
      ("12h", "X-Cinnamon", false),
    ] {
      try "[org/gnome/desktop/interface]\nclock-format='\(format)'\n".write(
        to: settings.appendingPathComponent("keyfile"), atomically: true, encoding: .utf8)
      var environment = ["TZ": "UTC", "XDG_CURRENT_DESKTOP": desktop]
      let told = try desk.belfry("world", environment: environment)
      #expect(told.status == 0 && told.errors == "", "\(desktop)")
      #expect(told.output.contains(twelve) == isTwelve, "\(desktop), \(format): \(told.output)")
      // If the desktop's settings schema is not installed, the program must not end.
      environment["XDG_DATA_DIRS"] = desk.lab.folder.path
      let bare = try desk.belfry("world", environment: environment)
      #expect(bare.status == 0 && !bare.output.contains(twelve), "\(desktop)")
    }
  }

  @Test func `cities are found, added, moved and removed, and nothing else is touched`() throws {
    let before = "# Mine.\n[agent]\nclock = \"24h\"   # as at work\n"
    try desk.saveText(before)
    for (text, first) in [("ㅅㅇ", "Seoul"), ("münchen", "Munich"), ("london canada", "London, C")] {
      #expect(try desk.belfry("world search \(text)").output.hasPrefix(first), "\(text)")
    }
    let found = try clocks("world search kathmandu --count 1 --json")
    #expect(found.map(\.korean) == ["카트만두"] && found.map(\.offset) == [20_700])
    let added = try desk.belfry("world add 서울 --label Home")
    #expect(added.output.contains(#/^Home  \d\d:\d\d  \w+  \+9 h  sun \d\d:\d\d to \d\d:\d\d\n$/#))
    for city in ["new york", "London, Canada", "Asia/Kathmandu"] {
      #expect(try desk.belfry("world add \(city)").status == 0, "\(city)")
    }
    func names() throws -> [String?] {
      try clocks().map { $0.label == "" ? $0.city ?? $0.timezone : $0.label }
    }
    #expect(try names() == ["Home", "New York", "London, Canada", "Asia/Kathmandu"])
    #expect(try desk.belfry("world move 뉴욕 1").output.hasPrefix("New York "))
    #expect(try desk.belfry("world move home 4").status == 0)
    #expect(try names() == ["New York", "London, Canada", "Asia/Kathmandu", "Home"])
    try desk.expect("world remove Home", "removed Home")
    try desk.expect("world remove London, Ontario", "removed London, Canada")
    try desk.expect("world remove asia/kathmandu", "removed Asia/Kathmandu")
    try desk.expect("world remove nyc", "removed New York")
    #expect(try desk.text == before)
  }

  @Test func `what cannot be done to the clocks is said, and changes nothing`() throws {
    // A clock with an error is ignored, and `world move` does not count it.
    let clocks = ["Soeul", "Seoul", "Busan"].map { "[[clock]]\ncity = \"\($0)\"\n" }.joined()
    try desk.saveText(clocks)
    for (line, complaint) in [
      ("search Soeul", "no city is called \"Soeul\"\nhint: did you mean \"Seoul\"?"),
      ("search xyzzyxyzzy", "no city is called \"xyzzyxyzzy\"\nhint: try a larger city nearby"),
      ("search \u{1B}[31m", "no city is called \"\\u001B[31m\"\nhint: try a larger city nearby"),
      ("add 서울", "Seoul is there already: give it a --label"),
      ("add new yor", "no city is called \"new yor\"\nhint: did you mean \"New York\"?"),
      ("add Asia/Soul", "no city is called \"Asia/Soul\"\nhint: belfry world search finds cities"),
      ("remove Busn", "no clock is called \"Busn\"\nhint: did you mean \"Busan\"?"),
      ("move Paris 1", "no clock is called \"Paris\"\nhint: belfry world shows them"),
      ("move Seoul 3", "there are only 2 clocks"),
    ] {
      try desk.expectFailure("world \(line)", complaint)
    }
    for line in [
      "search", "search seoul --count 0", "add", "remove", "move Seoul", "move Seoul 0",
      "move Seoul first",
    ] {
      #expect(try desk.belfry("world \(line)").status == 64, "\(line)")
    }
    let long = try desk.belfry("world search \(String(repeating: "a", count: 10_000))")
    #expect(long.status == 1 && long.errors.utf8.count < 200)
    #expect(try desk.text == clocks)
    let moved = try desk.belfry("world move Busan 1")
    let mistake = "\(desk.config.path):2:8: error: no city is called \"Soeul\"\n"
    #expect(moved.errors.hasPrefix(mistake) && moved.output.hasPrefix("Busan "))
  }

  @Test func `without the table the rest of the world still has its time`() throws {
    try FileManager.default.removeItem(
      at: desk.lab.folder.appendingPathComponent("share/belfry/cities.tsv"))
    try desk.saveText("[[clock]]\ntimezone = \"UTC\"\n\n[[clock]]\ncity = \"Seoul\"\n")
    let list = try desk.belfry("world")
    #expect(list.status == 1)
    #expect(list.output.contains(#/^UTC    \d\d:\d\d  today  same time\nSeoul  \?\n$/#))
    #expect(list.errors.hasPrefix("belfry: the table of cities is missing"))
    #expect(try desk.belfry("world search seoul").errors == list.errors)
    #expect(try desk.belfry("config check").status == 0)
  }

  // MARK: - Alarms at sunrise and sunset

  private func ring(_ day: String) throws -> String {
    struct Ring: Decodable { var at: String }
    let json = try desk.belfry("next --json --count 1 --from \(day)T00:00:00Z").output
    return try #require(try JSONDecoder().decode([Ring].self, from: Data(json.utf8)).first).at
  }

  /// PyEphem 4.2 computed the expected times.
  @Test func `an alarm rings with the sun of its city`() throws {
    for (place, line, day, expected) in [
      ("Seoul", "sunrise - 30m", "2026-12-30", "2026-12-30T22:17"),
      ("Sydney", "sunset + 1h", "2026-06-21", "2026-06-21T07:54"),
      ("New York City", "sunrise", "2026-11-21", "2026-11-21T11:50"),
      ("Quito", "sunset", "2026-03-20", "2026-03-20T23:25"),
    ] {
      try desk.saveText("")
      let added = try desk.belfry(["add", line, "--days", "daily", "--city", place])
      #expect(added.status == 0, "\(added.errors)")
      func moment(_ text: String) -> Date? {
        ISO8601DateFormatter().date(from: String(text.prefix(16)) + ":00Z")
      }
      let (found, wanted) = (try #require(moment(ring(day))), try #require(moment(expected)))
      #expect(abs(found.timeIntervalSince(wanted)) <= 120, "\(place), \(line): \(found)")
    }
  }

  @Test func `a time by the sun is written as the config has it, told, and explained`() throws {
    try desk.saveText("")
    let refused = try desk.belfry(["add", "sunrise - 30m"])
    #expect(refused.status == 64 && refused.errors.contains("a time by the sun needs a city"))
    let added = try desk.belfry(["add", "Sunrise-30m", "--days", "daily", "--city", "Tromsø"])
    #expect(added.output.hasPrefix("sunrise\nrings in "))
    #expect(
      try desk.text.contains(
        "time = \"sunrise - 30m\"\ndays = \"daily\"\ncity = \"Troms"))
    #expect(try desk.belfry("list").output.contains("30 min before sunrise"))
    #expect(try desk.belfry(["edit", "sunrise", "--time", "sunset + 1h"]).status == 0)
    #expect(try desk.belfry("list").output.contains("1 h after sunset"))
    #expect(try desk.belfry(["edit", "sunset", "--time", "sunrise", "--id", "light"]).status == 0)

    let winter = "explain light --count 1 --from 2026-12-24T12:00:00Z"
    let told = try desk.belfry(winter).output
    #expect(told.hasPrefix("light: sunrise, daily, "))
    #expect(told.contains("left out: the sun does not rise, it stays down all day"))
    #expect(told.contains("the sun rises at ") && told.contains(" in Troms"))
    #expect(try ring("2026-12-24") > "2027-01-10")
    let summer = try desk.belfry("explain light --count 1 --from 2026-06-21T12:00:00Z").output
    #expect(summer.contains("left out: the sun does not set, it stays up all day"))
    #expect(try desk.belfry("\(winter) --json").output.contains("\"reason\": \"sun-down\""))
  }
}
