// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry move`, `skip` and `unskip`: what they say and what the others tell of it, over restarts, and
// a moved ring that is heard. What becomes of rings is the core's (`SchedulingTests/MoveTests.swift`).

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MoveCommandTests {
  private struct Ring: Decodable {
    var id: String
    var at: String
    var epoch: Int
    var movedFrom: Int?

    enum CodingKeys: String, CodingKey {
      case id, at, epoch
      case movedFrom = "moved_from"
    }
  }

  private func next(_ desk: Desk, _ options: String = "") throws -> [Ring] {
    let json = try desk.belfry("next --count 2 --json \(options)").output
    return try JSONDecoder().decode([Ring].self, from: Data(json.utf8))
  }

  @Test func `a moved ring is told by all that tell rings, and taken back`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 23:58:59\ndays = \"daily\"\n")
    let agent = try desk.startAgent()
    let before = try next(desk)
    try desk.belfry("skip work")
    let (own, moved) = (before[1].epoch, before[1].epoch - 3600)
    let told = try desk.belfry("move work 10:58:59 pm").output
    #expect(told.hasPrefix("work will ring tomorrow 22:58:59") || told.contains(" 22:58:59"))
    #expect(try next(desk).first.map { [$0.epoch, $0.movedFrom] } == [moved, own])
    #expect(try desk.belfry("unskip work").output.contains(" 23:58:59"))
    #expect(try next(desk).map(\.epoch) == before.map(\.epoch))
    #expect(try next(desk)[0].movedFrom == nil)

    try desk.saveText(
      "[agent]\nclock = \"12h\"\n[[alarm]]\nid = \"work\"\ntime = 23:58:59\ndays = \"daily\"\n")
    try desk.wait("the other clock") {
      try desk.belfry("move work 22:58:59").output.contains(" 10:58:59")
    }
    #expect(try desk.belfry("unskip work").output.contains(" 11:58:59"))

    let first = before[0].epoch
    try desk.belfry("move work 23:59:30")
    #expect(try next(desk)[0].movedFrom == first && next(desk)[0].epoch == first + 31)
    for line in ["list", "next", "explain work"] {
      #expect(try desk.belfry(line).output.contains("moved from "), "\(line)")
    }
    for line in ["status --json", "list --json", "explain work --json"] {
      #expect(try desk.belfry(line).output.contains("\"moved_from\": \(first)"), "\(line)")
    }
    // As all of the state.
    #expect(try next(desk, "--from @\(first - 60)").map(\.epoch) == [first, first + 86_400])

    // Remembered over a crash, other keys, and while it is off.
    try desk.crash(agent)
    try desk.startAgent()
    try desk.belfry("edit work --label Work --volume 50")
    try desk.belfry("disable work")
    try desk.belfry("enable work")
    try desk.waitForStatus("the alarm") { $0.alarms.first?.epoch == first + 31 }
    #expect(try desk.belfry("skip work --count 3").output.hasPrefix("work will not ring before "))
    #expect(try next(desk)[0].epoch == first + 3 * 86_400)
    #expect(try desk.belfry("unskip work").status == 0)
    #expect(try next(desk).map(\.epoch) == before.map(\.epoch))
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
      ("move work", 64, "Usage: belfry move"),
      ("move work 25:00", 64, "\"25:00\" is no time of day: write it as "),
      ("skip work --count 0", 64, "--count takes 1 to 1000, not 0."),
      ("skip work --count 1 --until 2099-12-25", 64, "Say --count or --until, not both."),
      ("skip work --until soon", 64, "\"soon\" is no date: write it as 2026-12-24."),
      ("skip work --until 2099-12-24", 1, "work has no ring before 2099-12-24"),
      ("move off 8:15", 1, "off is disabled"), ("move wrok 8:15", 1, "did you mean \"work\"?"),
    ] {
      let done = try desk.belfry(line)
      #expect(
        done.status == Int32(status) && done.errors.contains(complaint), "\(line): \(done.errors)")
    }
    #expect(try desk.belfry("move work 8:15 pm").output.hasSuffix(" 24 Dec 2099 20:15\n"))
    #expect(
      try desk.belfry("skip work --count 9").output == "work will not ring any more\n")
    try desk.expectFailure("move work 9:00", "work has no ring to come")
    #expect(try desk.belfry("unskip work").output.hasSuffix(" 24 Dec 2099 12:00\n"))
  }

  @Test func `a moved ring is heard at its new second, and says so`() throws {
    let desk = try Desk()
    let (own, due) = (Second.ahead(60), Second.ahead(8))
    try desk.save(Desk.alarm("work", at: own, #"label = "Work""#))
    try desk.startAgent()
    try desk.belfry("move work \(due.time)")
    let posted = try desk.waitForNotification("Work")
    #expect(isOnSecond(posted.time, due.epoch))
    #expect(posted.text == "Alarm, \(due.shown), moved from \(own.shown).")
    #expect(try desk.belfry("status --json").output.contains("\"moved_from\": \(Int(own.epoch))"))
    try desk.belfry("stop work")
    #expect(try desk.status().state("work") == "over")
  }
}
