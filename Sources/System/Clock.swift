// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the wall clock and the boot clock for the core, and provides the timers that wait for these
// clocks. The core (`Scheduling`) decides what a moment means for an alarm. Next:
// `WakeTimer.swift`, which wakes a suspended machine.

import CGLib
import Glibc
import Scheduling

public enum Clock {
  /// Identifies the current boot of the machine: every boot has a new id.
  private static let bootID = SystemFile.line("/proc/sys/kernel/random/boot_id") ?? "unknown"

  /// Reads the wall clock and, right after it, the boot clock (`clock_gettime`). `isSynchronized`
  /// comes from the kernel (`adjtimex`): the wall clock counts as right if its maximum error is
  /// under 16 s, the limit that `timedatectl` uses as well.
  public static func now() -> Now {
    Now(
      wall: Instant(microseconds: microseconds(CLOCK_REALTIME)),
      boot: .microseconds(microseconds(CLOCK_BOOTTIME)), bootID: bootID,
      isSynchronized: isSynchronized)
  }

  /// The current reading of the wall clock. Unlike `now`, this may be read on any thread.
  public static var wall: Instant {
    Instant(microseconds: microseconds(CLOCK_REALTIME))
  }

  private static var isSynchronized: Bool {
    var clock = timex()
    return adjtimex(&clock) >= 0 && clock.maxerror < 16_000_000
  }

  private static func microseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

/// Calls back when the wall clock reaches a moment, and when someone sets the clock
/// (`TFD_TIMER_CANCEL_ON_SET`). A program needs only one such timer, armed for its earliest moment.
@MainActor public final class WallTimer {
  private let timer: TimerDescriptor
  private let onFire: () -> Void
  private var overlooked: Source?

  /// `onFire` is called on the main loop.
  public init(onFire: @escaping () -> Void) throws(SystemError) {
    self.onFire = onFire
    timer = try TimerDescriptor(CLOCK_REALTIME, onFire: onFire)
    arm(nil)
  }

  /// Makes the timer wait for `moment` instead of the moment given before. With nil, the timer
  /// calls back only when the clock is set. If `moment` has passed, the timer calls back once,
  /// immediately.
  public func arm(_ moment: Instant?) {
    let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    // If someone has set the clock since the timer was last read or armed, the kernel returns
    // ECANCELED, and the timer will not call back for that. A second attempt arms the timer.
    let problem = timer.set(moment ?? .distantFuture, flags)
    if problem?.code == ECANCELED {
      timer.judge(timer.set(moment ?? .distantFuture, flags))
      overlooked = MainLoop.after(.zero) { [onFire] in onFire() }
    } else {
      timer.judge(problem)
    }
  }
}

/// Calls back when the boot clock (`CLOCK_BOOTTIME`) reaches a moment. The boot clock counts
/// elapsed time, suspend included, and does not move when the wall clock is set.
@MainActor public final class BootTimer {
  private let timer: TimerDescriptor

  /// `onFire` is called on the main loop.
  public init(onFire: @escaping () -> Void) throws(SystemError) {
    timer = try TimerDescriptor(CLOCK_BOOTTIME, onFire: onFire)
  }

  /// Makes the timer wait until the boot clock shows `reading`, instead of the reading given
  /// before. With nil, the timer waits for nothing. If `reading` has passed, the timer calls back
  /// immediately.
  public func arm(_ reading: Duration?) {
    let moment = reading.map { Instant(microseconds: $0.wholeMicroseconds) }
    timer.judge(timer.set(moment, Int32(TFD_TIMER_ABSTIME)))
  }
}

/// A kernel timer with a descriptor (`timerfd_create`), so that the main loop can wait for it.
@MainActor final class TimerDescriptor {
  private let descriptor: OpenDescriptor
  private let source: Source
  private let onFire: () -> Void
  private var retry: Source?

  /// `onFire` is called on the main loop.
  init(_ clock: clockid_t, onFire: @escaping () -> Void) throws(SystemError) {
    let number = timerfd_create(clock, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    guard number >= 0 else { throw SystemError("timerfd_create") }
    let descriptor = OpenDescriptor(adopting: number)
    (self.descriptor, self.onFire) = (descriptor, onFire)
    source = MainLoop.onReadable(number, isFirst: true) {
      // Reading clears the descriptor's readable state. If the clock was set, `read` fails with
      // ECANCELED. In both cases the caller must look at the clock again.
      var expirations: UInt64 = 0
      _ = read(descriptor.number, &expirations, MemoryLayout<UInt64>.size)
      onFire()
    }
  }

  /// Sets the timer to `moment`; nil disarms the timer (`timerfd_settime`). Returns the error if
  /// that failed.
  func set(_ moment: Instant?, _ flags: Int32) -> SystemError? {
    var setting = itimerspec()
    if let moment {
      // In microseconds: the least value is 1, because zero would disarm the timer. The greatest is
      // 1 << 53 (the year 2255), which every kernel can hold.
      let microseconds = max(1, min(moment.microseconds, 1 << 53))
      setting.it_value.tv_sec = time_t(microseconds / 1_000_000)
      setting.it_value.tv_nsec = Int(microseconds % 1_000_000) * 1000
    }
    let result = timerfd_settime(descriptor.number, flags, &setting, nil)
    return result == 0 ? nil : SystemError("timerfd_settime")
  }

  /// If `set` has failed, makes the timer call back in a second, so that its owner handles what is
  /// due, and sets it again.
  func judge(_ problem: SystemError?) {
    guard let problem else {
      retry = nil
      return
    }
    if retry == nil { Log.error("a timer cannot be set; looking each second: \(problem)") }
    retry = MainLoop.after(.seconds(1)) { [onFire] in onFire() }
  }
}
