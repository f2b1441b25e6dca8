// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the real agent does before a ring: it runs a command, and shows a notice at bedtime.
// `PreparationTests.swift` and `BedtimeTests.swift` in SchedulingTests test all other cases with a
// simulated clock.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AheadTests {
  @Test
  func `a command runs once before a ring, even after a crash, and not before a skipped ring`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    let due = Second.ahead(12)
    let words = #""$BELFRY_EVENT|$BELFRY_ID|$BELFRY_LABEL|$BELFRY_DUE|$(date +%s)""#
    let command = "on_before = ['sh', '-c', '''echo \(words) >>log''']"
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#, #"before = "9s""#, command),
      Desk.alarm("other", at: due, #"before = "9s""#, command))
    try desk.waitForStatus("both alarms") { $0.alarms.count == 2 }
    try desk.belfry("skip other")
    try desk.wait("the command") { desk.lines("log").count == 1 }
    let told = desk.lines("log")[0].split(separator: "|").map(String.init)
    #expect(Array(told.prefix(3)) == ["before", "work", "Work"])
    #expect(ISO8601DateFormatter().date(from: told[3])?.timeIntervalSince1970 == due.epoch)
    let ran = try #require(Double(told[4]))
    #expect(ran >= due.epoch - 9 && ran < due.epoch)
    // On a busy disk, the command runs before the state is saved: see `EffectSequence`.
    try desk.wait("the preparation to be saved") { desk.state.contains("prepared = ") }
    try desk.crash(desk.agent)
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.belfry("stop")
    #expect(desk.lines("log").count == 1)
  }

  @Test func `the bedtime notice is shown, and its button skips the ring`() throws {
    let desk = try Desk()
    // The ring is too far ahead to begin during this test.
    let due = Second.ahead(1800)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#, #"bedtime = "32m""#))
    try desk.startAgent()
    let shown = try desk.waitForNotification("Time to sleep")
    let line = try #require(shown.body.split(separator: "\n").first)
    let told = line.split(separator: ", ").map(String.init)
    #expect(told[0] == "“Work” rings \(due.told)")
    #expect(["in 30 min.", "in 29 min."].contains(told[1]))
    #expect(shown.hints["urgency"]?.integer == 0)
    #expect(try desk.belfry("explain work").output.contains("bedtime notification"))
    try desk.lab.press("skip", on: shown)
    try desk.wait("it to be skipped") { try desk.belfry("list").output.contains("skipped") }
    try desk.waitForShown(0)
  }
}
