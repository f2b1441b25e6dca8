// SPDX-License-Identifier: GPL-3.0-or-later
//
// The waking timer against this machine's kernel, which may allow it or not. A machine that truly
// sleeps is another test's.

import CGLib
import Foundation
import Glibc
import Scheduling
import System
import Testing

@MainActor struct WakeTimerTests {
  /// What the kernel says to this process.
  private static let isAllowed: Bool = {
    let descriptor = timerfd_create(CLOCK_REALTIME_ALARM, 0)
    defer { close(descriptor) }
    return descriptor >= 0
  }()

  /// A list of clocks as the kernel shows it; `wakeup` is what the one clock's device says.
  private static func clocks(_ wakeup: String?) throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("belfry-clocks-\(UUID().uuidString)")
    let power = folder.appendingPathComponent("rtc0/device/power")
    try FileManager.default.createDirectory(at: power, withIntermediateDirectories: true)
    try wakeup?.write(
      to: power.appendingPathComponent("wakeup"), atomically: true, encoding: .utf8)
    return folder
  }

  @Test func `it fires at its moment, and another takes its place`() throws {
    let clocks = try Self.clocks("enabled\n")
    defer { try? FileManager.default.removeItem(at: clocks) }  // It is in a temporary folder.
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

  @Test("a machine without a clock that may wake it is told apart", arguments: [nil, "disabled\n"])
  func noClock(wakeup: String?) throws {
    let clocks = try Self.clocks(wakeup)
    defer { try? FileManager.default.removeItem(at: clocks) }  // It is in a temporary folder.
    #expect(throws: Self.isAllowed ? WakeTimer.Refusal.noClock : .notPermitted) {
      try WakeTimer(clocks: clocks.path) {}
    }
  }
}
