// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests saves in every way, edits by command and rings, all at once: no save is lost, and no alarm
// is silenced. `BELFRY_SAVES=5000` tries more saves, and `BELFRY_SEED=17` the same ones again.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ConfigRaceTests {
  @Test func `saves that race with edits and rings are not lost, and silence no alarm`() throws {
    let saves = Chance.asked("BELFRY_SAVES") ?? 60
    let desk = try Desk(Lab(.bus))
    let saver = Lab.repository.appendingPathComponent("Tests/Lab/config-saver.py").path
    #expect(try desk.lab.run("/usr/bin/python3", saver, desk.config.path, "0", "4").status == 0)
    try desk.startAgent()
    try desk.waitForStatus("three to ring") { $0.ringing.count == 3 }
    for command in ["snooze nap 20h", "stop over", "skip far"] {
      #expect(try desk.belfry(command).status == 0)
    }
    let run = try desk.lab.run(
      "/usr/bin/python3", saver, desk.config.path, "\(saves)", "\(Chance.firstSeed)",
      within: patience + Double(saves) * 2)
    #expect(run.status == 0, "\(run.errors)")
    print(run.output, terminator: "")
    // The history has no line for a ring that is not over.
    #expect(try !desk.belfry("history --count 10000 --json").output.contains("\"id\":\"ring\""))
  }
}
