// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how long commands of `on_before` may run. `HookTests.swift` and `PreparationTests.swift` in
// ProgramTests test the commands of a real agent.

import Foundation
import Presentation
import System
import Testing

@testable import Agent
@testable import Scheduling

@MainActor struct HooksTests {
  /// Runs the main loop until `condition` holds, or for five seconds at most.
  private func wait(until condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(5)
    while !condition(), ContinuousClock.now < deadline {
      let tick = MainLoop.after(.milliseconds(5)) { MainLoop.quit() }
      MainLoop.run()
      withExtendedLifetime(tick) {}
    }
  }

  /// While the machine is suspended, the time limit of a command stands still. In this test, the
  /// ring begins although nearly all of the time limit is left.
  @Test(arguments: [(60, true), (59, false)])
  func `when the ring begins, a command of on_before ends once it has had a minute`(
    seconds: Int64, isEnded: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func exists(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }
    var settings = RingSettings()
    // The shell makes the files itself, because a process that it starts may take too long.
    settings.onBefore = [
      ["sh", "-c", "trap ': >ended; exit' TERM; : >begun; sleep 60 & wait"]
    ]
    let due = Instant(seconds: 1_795_291_949)
    var ring = OpenRing(
      kind: .alarm, id: "work", settings: settings, ring: Ring(due: due, since: due - .minutes(30)))
    let moment = Moment(due, Zones(machine: "UTC"))

    let hooks = Hooks(folder: folder.path, state: folder.path)
    hooks.start(.before, ring, due: moment, at: .zero)
    wait { exists("begun") }
    ring.ring.since = due
    hooks.start(.ring, ring, due: moment, at: .seconds(seconds))
    let begin = ContinuousClock.now
    wait { exists("ended") || !isEnded && ContinuousClock.now > begin + .milliseconds(200) }
    #expect(exists("begun") && exists("ended") == isEnded)
    hooks.stop()
    wait { exists("ended") }
  }
}
