// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a program on the session bus cannot delay a ring. Each test lets such a program do its
// worst while an alarm becomes due. `BusInputTests.swift` tests wrong calls.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct HostileBusTests {
  /// The size of each message of a hostile program.
  private static let large = "20000000"

  private static func path(_ script: String) -> String {
    Lab.repository.appendingPathComponent("Tests/Lab/\(script)").path
  }

  @Test func `a media player that sends 20 MB in each message does not delay a ring or Stop`()
    throws
  {
    let desk = try Desk(Lab(.notifications, .sound))
    let player = try desk.lab.start(
      "/usr/bin/python3",
      arguments: [Self.path("media-player.py"), "large", "Playing", "--large", Self.large])
    try player.waitForOutput("ready")
    let due = Second.ahead(6)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let agent = try desk.startAgent()
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    // The agent asks the player for its status when the ring begins.
    try agent.waitForErrors("its messages of more than 65536 bytes are ignored")
    let stopped = Lab.now
    try desk.belfry("stop work")
    #expect(Lab.now - stopped < 2)
  }
}
