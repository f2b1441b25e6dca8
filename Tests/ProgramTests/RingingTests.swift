// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests Belfry's main job on real servers: an alarm is seen and heard in the second at which it is
// due, even if its sound is missing, and counts as missed if no one stops it. Next:
// `AnsweringTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct RingingTests {
  @Test
  func `alarms that ring together have a notification each, and only one of their sounds plays`()
    throws
  {
    let desk = try Desk()
    let recorder = desk.lab.recorder
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("first", at: due, #"label = "First""#),
      Desk.alarm("second", at: due, #"label = "Second""#, #"sound = "~/high.wav""#),
      Desk.alarm(
        "third", at: Second(epoch: due.epoch + 1), #"label = "Third""#, #"sound = "~/high.wav""#))
    let first = try desk.waitForNotification("First")
    let second = try desk.waitForNotification("Second")
    #expect(isOnSecond(first.time, due.epoch) && isOnSecond(second.time, due.epoch))
    #expect(isOnSecond(try desk.waitForNotification("Third").time, due.epoch + 1))
    try desk.waitForStatus("all three to ring") { $0.ringing.count == 3 }
    let all = try recorder.waitForSound() + 0.3
    try recorder.waitForSound(after: all)
    #expect(abs(recorder.pitch(from: all - 0.3, to: all) - 400) < 10)

    try desk.lab.press("stop", on: first)
    #expect(
      try desk.waitForStatus("two to ring") { $0.ringing.count == 2 }.state("first") == "over")
    try Lab.wait(for: "the second sound") {
      let now = Lab.now
      return abs(recorder.pitch(from: now - 0.6, to: now - 0.3) - 1000) < 20
    }

    #expect(try desk.belfry("stop").output == "stopped second\nstopped third\n")
    let answered = Lab.now
    #expect(try recorder.waitForSilence(after: answered) < answered + 1)
    #expect(try desk.waitForClosing(of: second) == 3)
  }

  @Test func `if the sound goes on for the next ring, that ring shows the same problem`() throws {
    struct Line: Decodable {
      var id: String
      var device: String?
      var sound: String?
    }
    let desk = try Desk()
    try desk.lab.run("pactl", "set-sink-mute", "lab", "1")
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.saveText(
      "[agent]\nmixer = \"leave\"\n" + Desk.defaults
        + Desk.alarm("first", at: due, #"label = "First""#)
        + Desk.alarm("second", at: Second(epoch: due.epoch + 1), #"label = "Second""#))
    func waitForProblem(_ title: String) throws {
      _ = try desk.lab.busWatch.waitForNotification {
        $0.title == title && $0.body.contains("is muted: nobody hears the alarm.")
      }
    }
    try waitForProblem("First")
    try desk.waitForStatus("two to ring") { $0.ringing.count == 2 }
    try desk.belfry("stop first")
    try waitForProblem("Second")
    try desk.belfry("stop")
    let lines: [Line] = try desk.history(count: 2)
    #expect(lines.map(\.id) == ["first", "second"])
    #expect(lines.allSatisfy { $0.device == "default" && $0.sound != nil }, "\(lines)")
  }

  @Test func `an alarm whose sound and ringtones are missing plays a plain tone, and says so`()
    throws
  {
    let desk = try Desk()
    try FileManager.default.removeItem(
      at: desk.lab.folder.appendingPathComponent("share/belfry/sounds"))
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#, #"sound = "Nope""#))
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 2), due.epoch))
    let body = "Alarm, \(due.shown).\nThere is no sound \"Nope\"; a plain tone plays instead."
    _ = try desk.lab.busWatch.waitForNotification { $0.title == "Work" && $0.text == body }
  }

  @Test
  func `an alarm that nobody answers snoozes by itself as often as allowed, and is then missed`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    let due = Second.ahead(3)
    let short = [#"ring_for = "3s""#, #"snooze = "3s""#].joined(separator: "\n")
    try desk.save(
      Desk.alarm("nap", at: due, short, #"label = "Nap""#, "auto_snoozes = 2"),
      Desk.alarm("tea", at: due, short, #"label = "Tea""#, #"unanswered = "miss""#))
    let watch = desk.lab.busWatch
    var from = due.epoch - 0.3
    for (offset, words) in [(0.0, ""), (6, ", snoozed once"), (12, ", snoozed twice")] {
      let body = "Alarm, \(due.shown)\(words)."
      let posted = try watch.waitForNotification {
        $0.title == "Nap" && $0.text == body
      }
      #expect(isOnSecond(posted.time, due.epoch + offset))
      let heard = try desk.lab.recorder.waitForSound(after: from)
      #expect(isOnSecond(heard, due.epoch + offset))
      // The sound of one ring may end late, so the next ring is looked for only after a gap.
      from = try desk.lab.recorder.waitForGap(after: heard, lasting: 0.2) + 0.01
    }
    let missed = try desk.waitForNotification("2 missed alarms")
    #expect(isOnSecond(missed.time, due.epoch + 15))
    #expect(
      missed.body == "Tea, \(due.shown): nobody answered.\nNap, \(due.shown): nobody answered.")
    let end = try desk.lab.recorder.waitForSilence(after: missed.time)
    #expect(end < missed.time + 1)
    let status = try desk.status()
    #expect(status.missed.map(\.id) == ["tea", "nap"])
    #expect(status.missed.map(\.reason) == ["unanswered", "unanswered"])
    #expect(status.ringing.isEmpty)
    #expect(desk.lab.recorder.isSilent(from: end + 0.01, to: Lab.now))
  }
}
