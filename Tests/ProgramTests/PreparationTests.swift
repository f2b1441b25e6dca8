// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done ahead of a ring, by the real agent. The rest of it, in virtual time, is in
// `PreparationTests.swift` of SchedulingTests.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AheadTests {
  private func lines(_ desk: Desk) -> [String] {
    let file = desk.lab.home.appendingPathComponent("log")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `a command runs ahead of its ring, once over a crash, and not for a skipped one`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(12)
    let command =
      #"on_before = ["sh", "-c", 'echo "$BELFRY_EVENT|$BELFRY_ID|$BELFRY_LABEL|$BELFRY_DUE|$(date +%s)" >>log']"#
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#, #"before = "9s""#, command),
      Desk.alarm("other", at: due, #"before = "9s""#, command))
    try desk.startAgent()
    try desk.belfry("skip other")
    try desk.wait("the command") { lines(desk).count == 1 }
    let told = lines(desk)[0].split(separator: "|").map(String.init)
    #expect(Array(told.prefix(3)) == ["before", "work", "Work"])
    #expect(ISO8601DateFormatter().date(from: told[3])?.timeIntervalSince1970 == due.epoch)
    let ran = try #require(Double(told[4]))
    #expect(ran >= due.epoch - 9 && ran < due.epoch)
    try desk.crash(desk.agent)
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.belfry("stop")
    #expect(lines(desk).count == 1)
  }

  @Test(arguments: ["skip work", "move work 23:59:59", "disable work", "remove work", "pause 3d"])
  func `a command that still runs ends where its ring is not to come`(line: String) throws {
    let desk = try Desk(Lab(.bus))
    // Not so near to midnight that it is moved to the next day.
    let due = Second.ahead(1200)
    let command =
      #"on_before = ["sh", "-c", 'echo $$ >>log; trap "echo ended >>log; exit" TERM; sleep 1000 & wait']"#
    try desk.save(
      Desk.alarm("work", at: due, #"before = "30m""#, command),
      Desk.alarm("other", at: due, #"before = "30m""#, #"on_before = ["sleep", "999"]"#))
    let agent = try desk.startAgent()
    try desk.wait("the commands") {
      try lines(desk).count == 1 && desk.children(of: agent).count == 2
    }
    try desk.belfry(line)
    try desk.wait("it to be told") { lines(desk).count == 2 }
    #expect(lines(desk)[1] == "ended")
    // A pause is for all.
    let left = line.hasPrefix("pause") ? 0 : 1
    try desk.wait("its group to be gone") { try desk.children(of: agent).count == left }
    try desk.belfry("disable other")
    try desk.wait("nothing to be left") { try desk.children(of: agent).isEmpty }
  }

  @Test func `it is time to sleep, closed by hand it stays so, and it is skipped by its button`()
    throws
  {
    let desk = try Desk()
    // What has a time in seconds rings long after this test.
    let due = Second.ahead(1800)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#, #"bedtime = "32m""#))
    try desk.startAgent()
    let shown = try desk.waitForNotification("Time to sleep")
    let line = try #require(shown.body.split(separator: "\n").first)
    let told = line.split(separator: ", ").map(String.init)
    #expect(told[0] == "“Work” rings \(due.told)")
    #expect(["in 30 min.", "in 29 min."].contains(told[1]))
    #expect(shown.hints["urgency"]?.integer == 0)
    try desk.lab.closeByHand(shown)
    let state = desk.lab.home.appendingPathComponent(".local/state/belfry/state.toml")
    try desk.wait("it to be noted") {
      try String(contentsOf: state, encoding: .utf8).contains("bedtime_closed = ")
    }
    try desk.crash(desk.agent)
    let started = Lab.now
    try desk.startAgent()
    #expect(try desk.belfry("explain work").output.contains("time to sleep"))
    #expect(desk.lab.busWatch.notifications(since: started).isEmpty)

    // With its own word the next is told, and that takes the place of a barrier as well.
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#, #"bedtime = "32m""#),
      Desk.alarm("other", at: due, #"label = "Other""#, #"bedtime = "31m""#))
    let other = try desk.waitForNotification("Time to sleep", since: started)
    #expect(other.body.hasPrefix("“Other” rings"))
    try desk.lab.press("skip", on: other)
    try desk.wait("it to be skipped") { try desk.belfry("list").output.contains("skipped") }
    try desk.waitForShown(0)
    #expect(desk.lab.busWatch.notifications(since: started).count == 1)
  }
}
