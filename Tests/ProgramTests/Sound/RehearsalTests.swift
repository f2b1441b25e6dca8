// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry rehearse`, which rings an alarm for practice, with its sound, notification and
// commands. A rehearsal is not in the history, and does not change the state of the alarm.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct RehearsalTests {
  private static let work = """
    [[alarm]]
    id = "work"
    time = 04:00
    label = "Work"
    enabled = false
    ring_for = "3s"
    on_ring = ["sh", "-c", 'echo "$BELFRY_EVENT $BELFRY_ID $BELFRY_REHEARSAL" >>log']
    on_stop = ["sh", "-c", 'echo "$BELFRY_EVENT $BELFRY_ID $BELFRY_REHEARSAL" >>log']

    """

  @Test func `a rehearsal rings at once, ends by itself, and is not in the history`() throws {
    let desk = try Desk()
    try desk.save(Self.work)
    try desk.startAgent()
    let asked = Lab.now
    #expect(
      try desk.belfry("rehearse work").output
        == "work rings for 3 s; belfry stop work ends it\n")
    let heard = try desk.lab.recorder.waitForSound(after: asked)
    let shown = try desk.waitForNotification("Work", since: asked)
    #expect(shown.body.hasPrefix("Rehearsal: this is how it will ring"))
    #expect(shown.actions.map(\.key).contains("stop") && shown.actions.count == 2)
    let silent = try desk.lab.recorder.waitForSilence(after: heard + 1)
    #expect(silent - asked > 3 - recorderError)
    try desk.wait("its commands") { desk.lines("log") == ["ring work 1", "stop work 1"] }
    try desk.waitForStatus("nothing to ring") { $0.ringing.isEmpty }
    #expect(try desk.belfry("history --json").output == "[]\n")
    #expect(try desk.status().missed.isEmpty && desk.status().state("work") == "off")
  }
}
