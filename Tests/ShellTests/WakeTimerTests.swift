// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the wake timer with this machine's kernel, which may refuse to let a test wake the machine.
// `Tests/Machine` tests the timer on a virtual machine that really suspends.

import CGLib
import Foundation
import Glibc
import Scheduling
import System
import Testing

@MainActor struct WakeTimerTests {
  /// Whether the kernel lets this process wake the machine.
  private static let isAllowed: Bool = {
    let descriptor = timerfd_create(CLOCK_REALTIME_ALARM, 0)
    defer { close(descriptor) }
    return descriptor >= 0
  }()

  /// Makes a folder like the kernel's list of clocks, with one clock. `wakeup` is the text of the
  /// file that says whether that clock can wake the machine; if it is nil, there is no such file.
  private static func clocks(_ wakeup: String?) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("belfry-clocks-\(UUID().uuidString)")
    let power = folder.appendingPathComponent("rtc0/device/power")
    try FileManager.default.createDirectory(at: power, withIntermediateDirectories: true)
    try wakeup?.write(
      to: power.appendingPathComponent("wakeup"), atomically: true, encoding: .utf8)
    return folder
  }

  @Test func `a wake timer fires when it is due, and arming it again replaces the earlier time`()
    throws
  {
    let clocks = try Self.clocks("enabled\n")
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    var fired: [Instant] = []
    guard Self.isAllowed else {
      #expect(throws: WakeTimer.Refusal.notPermitted) {
        try WakeTimer(clocks: clocks.path) {}
      }
      return
    }
    let timer = try WakeTimer(clocks: clocks.path) { fired.append(Clock.now().wall) }
    #expect(timer.arm(Clock.now().wall + .hours(1)) == nil)
    let due = Clock.now().wall + .milliseconds(150)
    #expect(timer.arm(due) == nil)
    #expect(wait { !fired.isEmpty })
    #expect(try #require(fired.first) >= due)
    #expect(timer.arm(Clock.now().wall + .milliseconds(50)) == nil)
    #expect(timer.arm(nil) == nil)
    #expect(!wait(within: .milliseconds(200)) { fired.count > 1 })
  }

  @Test(
    "no wake timer is made on a machine without a clock that can wake it",
    arguments: [nil, "disabled\n"])
  func noClock(wakeup: String?) throws {
    let clocks = try Self.clocks(wakeup)
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    #expect(throws: Self.isAllowed ? WakeTimer.Refusal.noClock : .notPermitted) {
      try WakeTimer(clocks: clocks.path) {}
    }
  }
}
