// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that every command shows a moved ring, also after a crash of the agent, and that a move can
// be undone. A transcript tests what `belfry move` refuses. `SchedulingTests/MoveTests.swift` tests
// the rules of moves.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MoveCommandTests {
  private struct Ring: Decodable {
    var epoch: Int
    var movedFromEpoch: Int?
  }

  private func next(_ desk: Desk) throws -> [Ring] { try desk.decoded("next --count 2 --json") }

  @Test func `each command that lists rings shows a moved ring, until the move is undone`() throws {
    let desk = try Desk(Lab(.bus))
    // Set the alarm half a day ahead, so that it does not become due during the test.
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
    #expect(try desk.belfry("skip work --count 3").output.contains(", skipped from "))
    #expect(try next(desk)[0].epoch == first + 3 * 86_400)
    #expect(try desk.belfry("unskip work").output.contains(" \(hour):58:59"))
    #expect(try next(desk).map(\.epoch) == before.map(\.epoch))
    // If the next ring is skipped, `move` moves the ring after it, and prints that ring.
    try desk.belfry("skip work")
    #expect(try desk.belfry("move work \(hour):59:30").output.contains(" \(hour):59:30"))
    #expect(try next(desk)[0].movedFromEpoch == before[1].epoch)
  }
}
