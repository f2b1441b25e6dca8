// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms by the sun as their users meet them, with the table of cities as it is shipped. The expected
// times are those of PyEphem 4.2.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SunCommandTests {
  private struct Ring: Decodable {
    var at: String
  }

  private func rings(_ desk: Desk, _ day: String, _ count: Int = 1) throws -> [String] {
    let json = try desk.belfry("next --json --count \(count) --from \(day)T00:00:00Z").output
    return try JSONDecoder().decode([Ring].self, from: Data(json.utf8)).map(\.at)
  }

  @Test func `an alarm rings with the sun of its city`() throws {
    let desk = try Desk(Lab(.bus))
    for (place, line, day, expected) in [
      ("Seoul", "sunrise", "2026-06-20", "2026-06-20T20:11"),
      ("Seoul", "sunrise - 30m", "2026-12-30", "2026-12-30T22:17"),
      ("Sydney", "sunset + 1h", "2026-06-21", "2026-06-21T07:54"),
      ("London", "sunset", "2026-06-21", "2026-06-21T20:22"),
      ("New York City", "sunrise", "2026-11-21", "2026-11-21T11:50"),
      ("Quito", "sunset", "2026-03-20", "2026-03-20T23:25"),
    ] {
      try desk.saveText("")
      let added = try desk.belfry(["add", line, "--days", "daily", "--city", place])
      #expect(added.status == 0, "\(added.errors)")
      let at = try #require(try rings(desk, day).first)
      let minutes = { (text: String) in
        ISO8601DateFormatter().date(from: String(text.prefix(16)) + ":00Z")
      }
      let (found, wanted) = (minutes(at), minutes(expected))
      let difference = try #require(found).timeIntervalSince(try #require(wanted))
      #expect(abs(difference) <= 120, "\(place), \(line): \(at), and not \(expected)")
    }
  }

  @Test func `where the sun does not rise there is no ring, and the reason is told`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(
      """
      [[alarm]]
      id = "light"
      time = "sunrise"
      days = "daily"

      [[clock]]
      timezone = "Asia/Seoul"

      [[clock]]
      city = "Tromsø"

      """)
    let from = "--from 2026-12-24T12:00:00Z"
    let told = try desk.belfry("explain light --count 1 \(from)").output
    #expect(told.hasPrefix("light: sunrise, daily, Europe/Oslo"))
    #expect(told.contains("left out: the sun does not rise, it stays down all day"))
    #expect(told.contains("the sun rises at ") && told.contains(" in Troms"))
    #expect(try rings(desk, "2026-12-24")[0] > "2027-01-10")
    let summer = try desk.belfry("explain light --count 1 --from 2026-06-21T12:00:00Z").output
    #expect(summer.contains("left out: the sun does not set, it stays up all day"))
    let json = try desk.belfry("explain light --json --count 1 \(from)").output
    #expect(json.contains("\"reason\": \"sun-down\""))
    let list = try desk.belfry("list --json").output
    #expect(list.contains("\"time\": \"sunrise\"") && list.contains("\"city\": \"Troms"))
  }

  @Test func `what is typed is written as the config has it, or refused`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("")
    let refused = try desk.belfry(["add", "sunrise - 30m"])
    #expect(refused.status == 64 && refused.errors.contains("a time by the sun needs a city"))
    #expect(try desk.belfry(["add", "sunrise", "-x"]).status == 64)
    #expect(try String(contentsOf: desk.config, encoding: .utf8) == "")
    #expect(
      try desk.belfry(["add", "Sunrise-30m", "--days", "daily", "--city", "Seoul"]).output
        .hasPrefix("sunrise\nrings in "))
    #expect(
      try String(contentsOf: desk.config, encoding: .utf8).contains(
        "time = \"sunrise - 30m\"\ndays = \"daily\"\ncity = \"Seoul\""))
    #expect(try desk.belfry("list").output.contains("30 min before sunrise"))
    let edited = try desk.belfry(["edit", "sunrise", "--city", "Busan", "--id", "light"])
    #expect(edited.status == 0 && edited.errors.isEmpty, "\(edited.errors)")
    #expect(try desk.belfry(["edit", "light", "--time", "sunset + 1h"]).status == 0)
    #expect(try desk.belfry("list").output.contains("1 h after sunset"))
    #expect(try desk.belfry("config check").output.contains("no mistakes"))
  }
}
