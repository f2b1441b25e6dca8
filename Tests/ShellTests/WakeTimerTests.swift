// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the wake timer and its program `belfry-wake` with this machine's kernel, which may refuse
// to let a test wake the machine. `Tests/Machine` tests both on a virtual machine that really
// suspends.

import CGLib
import Foundation
import Glibc
import Lab
import Scheduling
import Testing

@testable import System

@Suite(.serialized, .realServersFirst) struct WakeTimerTests {
  /// Whether the kernel lets this process wake the machine.
  private nonisolated static let isAllowed: Bool = {
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

  /// Makes a wake timer on a machine with a clock that can wake it, and waits until its program has
  /// answered.
  private static func timer(
    _ clocks: URL, program: String? = nil, onFire: @escaping () -> Void = {}
  ) -> WakeTimer {
    let timer = WakeTimer(program: program, clocks: clocks.path, onFire: onFire, onState: {})
    wait { timer.state != .starting }
    return timer
  }

  @Test(.enabled(if: isAllowed, "the kernel does not let this process wake the machine"))
  func `a wake timer fires when it is due, and arming it again replaces the earlier time`() throws {
    let clocks = try Self.clocks("enabled\n")
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    var fired: [Instant] = []
    let timer = Self.timer(clocks) { fired.append(Clock.now().wall) }
    #expect(timer.state == .ready)
    timer.arm(Clock.now().wall + .hours(1))
    let due = Clock.now().wall + .milliseconds(150)
    timer.arm(due)
    #expect(wait { !fired.isEmpty })
    #expect(try #require(fired.first) >= due)
    timer.arm(Clock.now().wall + .milliseconds(50))
    timer.arm(nil)
    #expect(!wait(within: .milliseconds(200)) { fired.count > 1 })
  }

  @Test(.enabled(if: isAllowed, "the kernel does not let this process wake the machine"))
  func `a wake timer starts its program again if that is killed, and sets the time again`() throws {
    let clocks = try Self.clocks("enabled\n")
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    var count = 0
    let timer = Self.timer(clocks) { count += 1 }
    timer.arm(Clock.now().wall + .seconds(3))
    #expect(timer.state == .ready)
    try kill(#require(timer.process), SIGKILL)
    #expect(wait { timer.state == .starting })
    #expect(wait { timer.state == .ready })
    #expect(wait { count == 1 })
  }

  @Test(.enabled(if: isAllowed, "the kernel does not let this process wake the machine"))
  func `the program of a wake timer ends with the timer`() throws {
    let clocks = try Self.clocks("enabled\n")
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    var timer: WakeTimer? = Self.timer(clocks)
    let process = try #require(timer?.process)
    withExtendedLifetime(timer) {}
    timer = nil
    #expect(wait { kill(process, 0) != 0 })
  }

  @Test(
    "a machine without a clock that can wake it is said not to be woken",
    .enabled(if: isAllowed, "the kernel does not let this process wake the machine"),
    arguments: [nil, "disabled\n"])
  func noClock(wakeup: String?) throws {
    let clocks = try Self.clocks(wakeup)
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    #expect(Self.timer(clocks).state == .refused(.noClock))
  }

  @Test func `a wake timer that was refused tries again when its program changes`() throws {
    let lab = try Lab()
    let clocks = try Self.clocks("enabled\n")
    defer { try? FileManager.default.removeItem(at: clocks) }  // If this fails, /tmp keeps it.
    let program = lab.folder.appendingPathComponent("belfry-wake").path
    let timer = Self.timer(clocks, program: program)
    guard case .refused(.notStarted) = timer.state else {
      Issue.record("\(timer.state)")
      return
    }
    try lab.run("sh", "-ec", "printf '#!/bin/sh\necho refused 1\n' >$0; chmod +x $0", program)
    #expect(wait { timer.state == .refused(.notPermitted(program: program)) })
    try lab.run("sh", "-ec", "printf '#!/bin/sh\necho ready; cat >$0.orders\n' >$0", program)
    #expect(wait { timer.state == .ready })
    timer.arm(Instant(seconds: 4_000_000_000))
    timer.arm(nil)
    let orders = program + ".orders"
    #expect(
      wait {
        (try? String(contentsOfFile: orders, encoding: .utf8)) == "never\n4000000000000000\nnever\n"
      })
  }

  // MARK: - The program

  private static let program = Lab.programs.appendingPathComponent("belfry-wake").path

  /// What the program answers to an input that then ends: its output and its exit status.
  private static let orders: [(String, String, Int32)] = [
    ("", "ready\n", 0), ("never\n", "ready\n", 0), ("9007199254740992\nnever\n", "ready\n", 0),
    ("0\n", "ready\n", 2), ("9007199254740993\n", "ready\n", 2),
    ("00000000000000001\n", "ready\n", 2), ("-1\n", "ready\n", 2), ("+1\n", "ready\n", 2),
    (" 1\n", "ready\n", 2), ("1 \n", "ready\n", 2), ("0x1\n", "ready\n", 2),
    ("1e9\n", "ready\n", 2), ("1\r\n", "ready\n", 2), ("\n", "ready\n", 2),
    ("Never\n", "ready\n", 2), ("nevermore\n", "ready\n", 2), ("never\0\n", "ready\n", 2),
    ("never", "ready\n", 2), (String(repeating: "1", count: 5000), "ready\n", 2),
  ]

  @Test(.enabled(if: isAllowed, "the kernel does not let this process wake the machine"))
  func `belfry-wake carries out correct orders only`() throws {
    let lab = try Lab()
    let file = lab.folder.appendingPathComponent("orders")
    for (input, output, status) in Self.orders {
      try input.write(to: file, atomically: true, encoding: .utf8)
      let done = try lab.run("sh", "-c", #"exec "$0" <"$1""#, Self.program, file.path)
      #expect(done.status == status, "\(input)")
      #expect(done.output == output, "\(input)")
      #expect(done.errors.isEmpty == (status == 0), "\(input): \(done.errors)")
    }
  }

  @Test(.enabled(if: isAllowed, "the kernel does not let this process wake the machine"))
  func `belfry-wake reports the moment, and without the right it says so and ends`() throws {
    let lab = try Lab()
    let fired = try lab.run("sh", "-c", #"{ echo 1; sleep 0.2; } | "$0""#, Self.program)
    #expect(fired.output == "ready\nfired\n")
    let refused = try lab.run("setpriv", "--bounding-set=-wake_alarm", Self.program)
    #expect(refused.output == "refused \(EPERM)\n")
    #expect(refused.status == 1)
    #expect(try lab.run(Self.program, "--help").status == 64)
  }

  /// A program with a capability ignores some variables, and a library that it loads might not.
  @Test func `belfry-wake calls nothing but the C library`() throws {
    let symbols = try Lab().run("readelf", "--dyn-syms", "--wide", Self.program)
    let foreign = symbols.output.split(separator: "\n").filter {
      $0.contains(" UND ") && $0.contains("@") && !$0.contains("@GLIBC_")
    }
    #expect(foreign == [])
    #expect(symbols.output.contains("timerfd_create@GLIBC_"))
    #expect(!symbols.output.contains("getenv"))
  }
}
