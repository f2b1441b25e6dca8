// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the agent follows a change of the machine's time zone. Next: `SleepTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ZoneTests {
  @Test func `a change of the machine's time zone moves the alarms at once`() throws {
    let desk = try Desk(Lab(.bus))
    let zone = desk.lab.home.appendingPathComponent("localtime")
    func move(to name: String) throws {
      let new = zone.path + ".new"
      try FileManager.default.createSymbolicLink(
        atPath: new, withDestinationPath: "/usr/share/zoneinfo/\(name)")
      rename(new, zone.path)
    }
    try move(to: "Asia/Seoul")
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = \"daily\"\n")
    try desk.startAgent(environment: ["TZ": ":" + zone.path])
    let inSeoul = try #require(try desk.status().alarms.first?.epoch)
    // 07:30 in Seoul is 22:30 in UTC, which is 81,000 seconds after midnight.
    #expect(inSeoul % 86_400 == 81_000)
    try move(to: "Asia/Kathmandu")
    try desk.waitForStatus("07:30 in Kathmandu") { status in
      // 07:30 in Kathmandu is 01:45 in UTC, which is 6300 seconds after midnight.
      status.alarms.first?.epoch.map { $0 % 86_400 == 6300 } ?? false
    }
  }
}
