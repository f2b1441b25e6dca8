// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry move`, `skip` and `unskip`: how a moved ring is shown and moved back, what the
// commands refuse, and a moved ring that sounds. `SchedulingTests/MoveTests.swift` tests the rules
// of the core.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MoveCommandTests {
  private struct Ring: Decodable {
    var epoch: Int
    var movedFromEpoch: Int?
  }

  private func next(_ desk: Desk) throws -> [Ring] {
    let json = try desk.belfry("next --count 2 --json").output
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode([Ring].self, from: Data(json.utf8))
  }

  @Test func `a moved ring is told by all that tell rings, over a crash, and taken back`() throws {
    let desk = try Desk(Lab(.bus))
    // Set the alarm half a day ahead, so that it is not due during the test.
    let hour = Second(epoch: Lab.now + 43_200).time.prefix(2)
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = \(hour):58:59\ndays = \"daily\"\n")
    let agent = try desk.startAgent()
    let before = try next(desk)
    let first = before[0].epoch
    #expect(try desk.belfry("move work \(hour):59:30").output.contains(" \(hour):59:30"))
    #expect(try next(desk)[0].movedFromEpoch == first && next(desk)[0].epoch == first + 31)
    for line in ["list", "next", "explain work"] {
      #expect(try desk.belfry(line).output.contains("moved from "), "\(line)")
    }
    for line in ["status --json", "list --json", "explain work --json"] {
      #expect(try desk.belfry(line).output.contains("\"moved_from_epoch\": \(first)"), "\(line)")
    }
    try desk.crash(agent)
    try desk.startAgent()
    try desk.waitForStatus("the alarm") { $0.alarms.first?.epoch == first + 31 }
    #expect(try desk.belfry("skip work --count 3").output.hasPrefix("work will not ring before "))
    #expect(try next(desk)[0].epoch == first + 3 * 86_400)
    #expect(try desk.belfry("unskip work").output.contains(" \(hour):58:59"))
    #expect(try next(desk).map(\.epoch) == before.map(\.epoch))
    // If the next ring is skipped, `move` moves the ring after it, and prints that ring.
    try desk.belfry("skip work")
    #expect(try desk.belfry("move work \(hour):59:30").output.contains(" \(hour):59:30"))
    #expect(try next(desk)[0].movedFromEpoch == before[1].epoch)
  }

  @Test func `nonsense is refused, and what cannot be moved says why`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(
      """
      [[alarm]]
      id = "work"
      time = 12:00
      date = 2099-12-24

      [[alarm]]
      id = "off"
      time = 12:00
      enabled = false

      """)
    try desk.startAgent()
    for (line, status, complaint) in [
      ("move work", 64, "Missing expected argument '<time> ...'\nhint: belfry help move\n"),
      ("move work 25:00", 64, "\"25:00\" is no time of day: write it as "),
      ("skip work --count 0", 64, "--count takes 1 to 1000, not 0."),
      ("skip work --count 1 --until 2099-12-25", 64, "Say --count or --until, not both."),
      ("skip work --until soon", 64, "\"soon\" is no date: write it as 2026-12-24."),
      ("skip work --until 2099-12-23", 1, "work has no ring up to 2099-12-23"),
      ("move off 8:15", 1, "off is disabled"), ("move wrok 8:15", 1, "did you mean \"work\"?"),
    ] {
      let done = try desk.belfry(line)
      #expect(
        done.status == Int32(status) && done.errors.contains(complaint), "\(line): \(done.errors)")
    }
    #expect(try desk.belfry("move work 8:15 pm").output.hasSuffix(" 24 Dec 2099 20:15\n"))
    #expect(try desk.belfry("skip work --count 9").output == "work will not ring any more\n")
    try desk.expectFailure("move work 9:00", "work has no ring to come")
  }
}
