// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests Snooze and Stop on a ringing alarm: when the alarm is silent, when it rings again, and how
// often it can be snoozed. `DesktopServersTests.swift` tests each click on each notification
// server. Next: `AgentLifeTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AnsweringTests {
  /// Waits for silence after a snooze or stop at `moment`, and returns when the silence began. The
  /// limit allows for a busy machine. `PlayerTests` measures the delay itself.
  @discardableResult
  private func expectSilence(
    after moment: Epoch, on desk: Desk, _ location: SourceLocation = #_sourceLocation
  ) throws -> Epoch {
    let last = try desk.lab.recorder.waitForSilence(after: moment)
    #expect(
      last - moment < 1, "heard for \(last - moment) s more", sourceLocation: location)
    return last
  }

  @Test func `Snooze silences an alarm until its snoozed second, and Stop ends it`() throws {
    let desk = try Desk()
    let recorder = desk.lab.recorder
    let posted = try desk.startRinging()
    let pressed = try desk.lab.press("snooze:3", on: posted).time
    let silent = try expectSilence(after: pressed, on: desk)
    let until = pressed + 3
    let quiet = try desk.lab.busWatch.waitForNotification(since: pressed) {
      $0.text == "Snoozed until \(Second(epoch: until.rounded(.down)).shown)."
    }
    #expect(quiet.title == "Work")
    #expect(quiet.hints["urgency"] == .integer(0))
    #expect(quiet.buttons == ["stop: Stop"])
    let snoozed = try desk.status()
    #expect(snoozed.state("work") == "snoozed" && snoozed.ringing.isEmpty)

    let again = try desk.lab.busWatch.waitForNotification(since: pressed) {
      $0.text.hasSuffix(", snoozed once.")
    }
    #expect(isOnSecond(again.time, until))
    #expect(isOnSecond(try recorder.waitForSound(after: silent + 0.1), until))
    #expect(try desk.waitForClosing(of: quiet) == 3)

    let stopped = try desk.lab.press("stop", on: again).time
    try expectSilence(after: stopped, on: desk)
    try desk.waitForStatus("it to be over") { $0.ringing.isEmpty && $0.state("work") == "over" }
    try desk.waitForShown(0)
  }

  @Test func `an alarm that used up its snoozes can only be stopped, by any means`() throws {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.saveText(
      "[agent]\non_close = \"snooze\"\n\n" + Desk.defaults
        + Desk.alarm("work", at: due, #"label = "Work""#, "snoozes = 1")
        + Desk.alarm("pill", at: due, #"label = "Pill""#, "snooze = []"))
    try desk.startAgent()
    let pill = try desk.waitForNotification("Pill")
    #expect(pill.buttons == ["default: Quiet for 1 min", "stop: Stop"])
    // dunst draws no buttons, so the text names commands instead. It must not name `belfry snooze`
    // here, since the agent would refuse that command.
    #expect(!pill.body.contains("belfry snooze"))
    let work = try desk.waitForNotification("Work")
    #expect(work.buttons.contains("snooze:3: Snooze 3 s"))
    #expect(try desk.belfry("snooze") == (0, "snoozed work\n", ""))
    let again = try desk.waitForNotification("Work", since: work.time + 2.5)
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
}
