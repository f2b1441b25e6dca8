// SPDX-License-Identifier: GPL-3.0-or-later
//
// A config of 100,000 alarms, in time of the processor, so that it does not matter how busy the
// machine is. The bounds are those of a debug build; what release takes is printed by the same test
// there.

import Foundation
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
    let configured = work { _ = schedule.apply(.configured(alarms), at: now, in: zones) }
    now.wall = now.wall + .milliseconds(1)
    now.boot += .milliseconds(1)
    let ticked = work { _ = schedule.apply(.tick, at: now, in: zones) }
    var deadline = Deadline()
    let asked = work { deadline = schedule.nextDeadline(after: now) }
    #expect(deadline.wall != nil)
    print("100,000 alarms: configured in \(configured), ticked in \(ticked), deadline in \(asked)")
    #expect(ticked + asked < .seconds(3))
  }

  /// What the processor does in `body`.
  private func work(_ body: () -> Void) -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let begun = now()
    body()
    return now() - begun
  }
}
