// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a phone vibrates while an alarm or a timer sounds, with feedbackd, the daemon that
// controls the motor. This machine has no motor, so what is tested is what the daemon is asked for.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct FeedbackTests {
  @Test func `a phone vibrates for as long as something sounds`() throws {
    let daemon = "/usr/libexec/feedbackd"
    guard FileManager.default.isExecutableFile(atPath: daemon) else {
      try leaveOut("the vibration of phones: feedbackd is not installed")
    }
    let desk = try Desk()
    _ = try desk.lab.start(daemon, environment: ["GSETTINGS_BACKEND": "memory"])
    try desk.lab.busWatch.waitForMessage("feedbackd") {
      $0.member == "NameOwnerChanged" && $0.body.first?.string == "org.sigxcpu.Feedback"
    }
    _ = try desk.startRinging()
    let begun = try desk.lab.busWatch.waitForMessage("a vibration") {
      $0.member == "TriggerFeedback"
    }
    // 0 repeats until the end.
    #expect(begun.body.first?.string == "org.belfry.Belfry" && begun.body.last?.integer == 0)

    var since = Lab.now
    for (answer, sounds) in [("snooze 3s", false), ("", true), ("stop", false)] {
      if !answer.isEmpty { #expect(try desk.belfry(answer).status == 0) }
      let asked = try desk.lab.busWatch.waitForMessage("\(answer): a change", since: since) {
        ["TriggerFeedback", "EndFeedback"].contains($0.member)
      }
      #expect(asked.member == (sounds ? "TriggerFeedback" : "EndFeedback"))
      since = asked.time + 0.001
    }
    // The daemon counts its events. It was asked to end those that it had begun.
    #expect(desk.lab.busWatch.calls("EndFeedback").map { $0.body.first?.integer } == [1, 2])
  }
}
