// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a ringing alarm can be snoozed only as often as its config allows.
// `DesktopServersTests.swift` tests the buttons of notifications on each notification server. Next:
// `AgentLifeTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AnsweringTests {
  @Test
  func `an alarm with no snoozes left can be stopped, but not snoozed by command or closing`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    let due = Second.ahead(2)
    try desk.saveText(
      "[agent]\non_close = \"snooze\"\n\n" + Desk.defaults
        + Desk.alarm("work", at: due, #"label = "Work""#, "snoozes = 1")
        + Desk.alarm("pill", at: due, #"label = "Pill""#, "snooze = []"))
    let pill = try desk.waitForNotification("Pill")
    #expect(pill.buttons == ["default: Quiet for 1 min", "stop: Stop"])
    // The notification server dunst draws no buttons, so the notification's text names commands
    // instead. It must not name `belfry snooze`, because the agent would refuse that for this
    // alarm.
    #expect(!pill.body.contains("belfry snooze"))
    let work = try desk.waitForNotification("Work")
    #expect(work.buttons.contains("snooze:3: Snooze 3 s"))
    #expect(try desk.belfry("snooze") == (0, "snoozed work\n", ""))
    let again = try desk.lab.busWatch.waitForNotification(since: work.time) {
      $0.title == "Work" && $0.text.hasSuffix(", snoozed once.")
    }
    #expect(again.buttons == ["default: Quiet for 1 min", "stop: Stop"])
    for (line, words) in [
      ("snooze work", "work takes no more snoozes (snoozes = 1)\nhint: belfry stop work ends it"),
      ("snooze pill 5m", "pill takes no snooze (snooze = [])\nhint: belfry stop pill ends it"),
    ] {
      #expect(try desk.belfry(line) == (1, "", "belfry: \(words)\n"))
    }
    #expect(try desk.belfry("stop pill").status == 0)
    try desk.waitForShown(1)
    let closed = try desk.lab.closeByHand(again).time
    let shown = try desk.waitForNotification("Work", since: closed)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
    try desk.lab.press("stop", on: shown)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
  }

  @Test func `the notification of a snoozed alarm can snooze it for another length from now`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(2), "label = 'Work'", "snooze = ['1h', '4s']"))
    try desk.lab.press("snooze:3600", on: try desk.waitForNotification("Work"))
    let snoozed = try desk.lab.busWatch.waitForNotification {
      $0.body.hasPrefix("Snoozed until ")
    }
    #expect(snoozed.buttons == ["snooze:4: Snooze 4 s", "stop: Stop"])
    let asked = Lab.now
    let pressed = try desk.lab.press("snooze:4", on: snoozed).time
    let again = try desk.lab.busWatch.waitForNotification(since: pressed) {
      $0.hints["urgency"] == .integer(2)
    }
    #expect(again.time - asked >= 4 && again.time - pressed <= 6, "\(again.time - pressed)")
    try desk.lab.press("stop", on: again)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
  }
}
