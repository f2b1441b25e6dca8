// SPDX-License-Identifier: GPL-3.0-or-later
//
// The timer of the boot clock. That it fires after a suspend is the kernel's promise.

import Desktop
import Scheduling
import Testing

@MainActor struct BootTimerTests {
  @Test func `it fires once at its reading, at once where that has passed, and not once disarmed`()
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

  @Test func `armed anew from within, it fires again`() throws {
    var count = 0
    var timer: BootTimer?
    timer = try BootTimer {
      count += 1
      timer?.arm(count < 3 ? Clock.now().boot + .milliseconds(1) : nil)
    }
    timer?.arm(Clock.now().boot)
    #expect(wait { count == 3 })
    #expect(!wait(within: .milliseconds(100)) { count > 3 })
  }
}
