// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the world clock, `belfry world`, with the table of cities that Belfry installs. A
// transcript tests commands that change its clocks, and `CitySearchTests.swift` tests how cities
// are found.

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

  @Test func `belfry world lists the clocks in the order of the config, with offset, day and sun`()
    throws
  {
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
    let clocks: [Clock] = try desk.decoded("world --json")
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

  @Test func `by default, the desktop or else the locale selects a clock of 12 or 24 hours`() throws
  {
    try desk.saveText("[[clock]]\ntimezone = \"UTC\"\n")
    let twelve = #/ \d?\d:\d\d [ap]m /#
    for (format, desktop, isTwelve) in [
      ("12h", "GNOME", true), ("12h", "Budgie:GNOME", true), ("24h", "GNOME", false),
      ("12h", "KDE", false), ("12h", "", false),
      // The schema of Cinnamon's settings is not installed here, so the locale decides.
      ("12h", "X-Cinnamon", false),
    ] {
      try desk.lab.write(
        "[org/gnome/desktop/interface]\nclock-format='\(format)'\n",
        to: ".config/glib-2.0/settings/keyfile")
      var environment = ["TZ": "UTC", "XDG_CURRENT_DESKTOP": desktop]
      let told = try desk.belfry("world", environment: environment)
      #expect(told.status == 0 && told.errors == "", "\(desktop)")
      #expect(told.output.contains(twelve) == isTwelve, "\(desktop), \(format): \(told.output)")
      // GLib ends a program that asks for a settings schema that is not installed. This must not
      // happen to `belfry`.
      environment["XDG_DATA_DIRS"] = desk.lab.folder.path
      let bare = try desk.belfry("world", environment: environment)
      #expect(bare.status == 0 && !bare.output.contains(twelve), "\(desktop)")
    }
  }

  @Test func `without the table of cities, clocks of time zones still show the time`() throws {
    try FileManager.default.removeItem(
      at: desk.lab.folder.appendingPathComponent("share/belfry/cities.tsv"))
    try desk.saveText("[[clock]]\ntimezone = \"UTC\"\n\n[[clock]]\ncity = \"Seoul\"\n")
    let list = try desk.belfry("world")
    #expect(list.status == 1)
    #expect(list.output.contains(#/^UTC    \d\d:\d\d  today  same time\nSeoul  \?\n$/#))
    #expect(list.errors.hasPrefix("belfry: the table of cities cannot be read"))
    #expect(try desk.belfry("world search seoul").errors == list.errors)
    #expect(try desk.belfry("config check").status == 0)
  }
}
