// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the exact texts of the notification about a sleep. `SleepTests.swift` in ProgramTests tests
// when a real agent shows it.

import Configuration
import Notifications
import Presentation
import System
import Testing

@testable import Agent
@testable import Scheduling

@MainActor struct SleepWordingTests {
  private static let noClock = "It cannot be woken: this machine has no clock that may wake it."

  @Test func `the warning about a sleep says why the ring would not be heard`() {
    let wording = Wording(zones: Zones(machine: "UTC"), clock: .twentyFourHours)
    let rows: [(kind: RingKind, wakes: Bool, state: WakeTimer.State, causes: [String])] = [
      (.alarm, false, .ready, ["This alarm does not wake it."]),
      (.timer, false, .refused(.noClock), ["This timer does not wake it."]),
      (.alarm, true, .refused(.noClock), [Self.noClock]),
      (.timer, true, .starting, []),
    ]
    for row in rows {
      let ring = ExpectedRing(
        kind: row.kind, id: "tea", label: nil, start: Instant(seconds: 1_795_291_949),
        wakes: row.wakes)
      let lines = ["Will not ring at 07:30 while the computer is asleep."] + row.causes
      let notice = wording.sleepWarning(ring, at: "07:30", row.state)
      #expect(notice.title == "07:30" && notice.body == lines.joined(separator: "\n"))
    }
  }
}
