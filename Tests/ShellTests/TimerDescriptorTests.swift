// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the timers of the boot clock and of the wall clock. Suspends and clock changes are not
// tested here: the kernel guarantees that the timers fire then.

import Scheduling
import System
import Testing

@MainActor struct TimerDescriptorTests {
  @Test func `a boot timer fires once when it is due, at once if overdue, and not if disarmed`()
    throws
  {
    var fired: [Duration] = []
    let timer = try BootTimer { fired.append(Clock.now().boot) }
    let start = Clock.now().boot
    timer.arm(start + .seconds(3600))
    timer.arm(start + .milliseconds(50))
    #expect(wait { fired.count == 1 })
    #expect(fired[0] >= start + .milliseconds(50))
    timer.arm(start)
    #expect(wait { fired.count == 2 })
    timer.arm(start + .milliseconds(100))
    timer.arm(nil)
    #expect(!wait(within: .milliseconds(300)) { fired.count > 2 })
  }

  @Test func `a wall timer fires once for each time that it is armed`() throws {
    var count = 0
    for moment in [Clock.now().wall, Clock.now().wall + .milliseconds(50)] {
      count = 0
      let timer = try WallTimer { count += 1 }
      timer.arm(moment)
      #expect(wait { count == 1 })
      #expect(!wait(within: .milliseconds(200)) { count > 1 })
      // A timer that is armed for the same moment again fires again.
      timer.arm(moment)
      #expect(wait { count == 2 })
      timer.arm(nil)
      #expect(!wait(within: .milliseconds(200)) { count > 2 })
    }
  }

  @Test func `a wall timer that its own callback disarms fires no more`() throws {
    var count = 0
    var timer: WallTimer?
    timer = try WallTimer {
      count += 1
      timer?.arm(count < 3 ? Clock.now().wall + .milliseconds(1) : nil)
    }
    timer?.arm(Clock.now().wall)
    #expect(wait { count == 3 })
    #expect(!wait(within: .milliseconds(200)) { count > 3 })
  }
}
