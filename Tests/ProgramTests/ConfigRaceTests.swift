// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests a config that is saved by editors and edited by commands at random moments while alarms
// ring. No save may be lost, and no ring may be silenced. `BELFRY_SAVES=5000` sets the number of
// saves, and `BELFRY_SEED=17` repeats a run.

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
    // A ring gets a line in the history when it is over, so a ring that never ended has none.
    #expect(try !desk.belfry("history --count 10000 --json").output.contains("\"id\":\"ring\""))
  }
}
