// SPDX-License-Identifier: GPL-3.0-or-later
//
// A config of 100,000 alarms. The bounds are those of a debug build on a busy machine; what release
// takes is printed by the same test there.

import Scheduling
import Testing

@Suite("A hundred thousand alarms")
struct SpeedTests {
  @Test("are configured, ticked and asked for their deadline in bounded time")
  func many() {
    let alarms = (0..<100_000).map { i in
      Alarm("\(i)", "\(i / 60 % 24):\(i % 60)", i % 3 == 0 ? "weekdays" : "daily")
    }
    let zones = TestZones()
    var now = Now(wall: Instant(utc: "2026-11-23 00:00"), boot: .zero, bootID: "")
    var schedule = Schedule()
    let clock = ContinuousClock()
    let configured = clock.measure {
      _ = schedule.apply(.configured(alarms), at: now, in: zones)
    }
    now.wall = now.wall + .milliseconds(1)
    now.boot += .milliseconds(1)
    let ticked = clock.measure { _ = schedule.apply(.tick, at: now, in: zones) }
    var deadline = Deadline()
    let asked = clock.measure { deadline = schedule.nextDeadline(after: now) }
    #expect(deadline.wall != nil)
    print("100,000 alarms: configured in \(configured), ticked in \(ticked), deadline in \(asked)")
    #expect(ticked + asked < .seconds(3))
  }
}
