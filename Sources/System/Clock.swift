// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place where clocks are read, and the timers that wait for the wall clock and for the boot
// clock. What a moment means is decided in the core.

import CGLib
import Glibc
import Scheduling

public enum Clock {
  /// Which start of the machine this is; it changes with every boot.
  private static let bootID = SystemFile.line("/proc/sys/kernel/random/boot_id") ?? "unknown"

  /// The wall clock and the boot clock, read one right after the other (`clock_gettime`), and
  /// whether the kernel is told that the wall clock is right (`adjtimex`: its estimated error is
  /// under 16 s, which is where `timedatectl` draws the line as well).
  public static func now() -> Now {
    Now(
      wall: Instant(microseconds: microseconds(CLOCK_REALTIME)),
      boot: .microseconds(microseconds(CLOCK_BOOTTIME)), bootID: bootID,
      isSynchronized: isSynchronized)
  }

  /// The wall clock alone, for a worker.
  public nonisolated static var wall: Instant {
    Instant(microseconds: microseconds(CLOCK_REALTIME))
  }

  private static var isSynchronized: Bool {
    var clock = timex()
    return adjtimex(&clock) >= 0 && clock.maxerror < 16_000_000
  }

  private nonisolated static func microseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}

/// Calls back when the wall clock reaches a moment, and when it is set (`TFD_TIMER_CANCEL_ON_SET`).
/// One is enough for a program: whoever waits arms it for the earliest.
public final class WallTimer {
  private var timer: TimerDescriptor?
  private var armed: Instant?

  /// `onFire` is called on the main loop.
  public init(onFire: @escaping () -> Void) throws(SystemError) {
    timer = try TimerDescriptor(CLOCK_REALTIME) { [weak self] in
      // Whatever is waited for is armed by who is called: the same moment again, armed for good
      // measure, calls back for ever.
      self?.armed = nil
      onFire()
    }
    arm(nil)
  }

  /// Waits for `moment`, in place of any other; nil waits for nothing but a clock that is set. A
  /// moment that has passed calls back at once, and once.
  public func arm(_ moment: Instant?) {
    guard let timer, moment != armed || moment == nil else { return }
    armed = moment
    let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
    // The clock may be set between the reading and the arming: the kernel then answers ECANCELED
    // and has armed nothing, so it is armed once more.
    if !timer.set(moment ?? .distantFuture, flags), errno == ECANCELED {
      _ = timer.set(moment ?? .distantFuture, flags)
    }
  }
}

/// Calls back when the boot clock (`CLOCK_BOOTTIME`) reaches a moment: that much time has gone by,
/// suspend included, whatever the wall clock is set to.
public final class BootTimer {
  private var timer: TimerDescriptor?
  private var armed: Duration?

  /// `onFire` is called on the main loop.
  public init(onFire: @escaping () -> Void) throws(SystemError) {
    timer = try TimerDescriptor(CLOCK_BOOTTIME) { [weak self] in
      self?.armed = nil
      onFire()
    }
  }

  /// Waits for `reading` of the boot clock, in place of any other; nil waits for nothing. One that
  /// has passed calls back at once.
  public func arm(_ reading: Duration?) {
    guard reading != armed else { return }
    armed = reading
    // It cannot fail: the descriptor is a timer, and the moment is a time.
    _ = timer?.set(
      reading.map { Instant(microseconds: $0.wholeMicroseconds) }, Int32(TFD_TIMER_ABSTIME))
  }
}

/// A timer that is waited for as a file is (`timerfd_create`).
final class TimerDescriptor {
  private let descriptor: OpenDescriptor
  private let source: Source

  /// `onFire` is called on the main loop.
  init(_ clock: clockid_t, onFire: @escaping () -> Void) throws(SystemError) {
    let number = timerfd_create(clock, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    guard number >= 0 else { throw SystemError("timerfd_create") }
    let descriptor = OpenDescriptor(adopting: number)
    self.descriptor = descriptor
    source = MainLoop.onReadable(number) {
      // Takes back that it can be read. A clock that was set makes the reading fail with ECANCELED,
      // which means what an expiration does: look again.
      var expirations: UInt64 = 0
      _ = read(descriptor.number, &expirations, MemoryLayout<UInt64>.size)
      onFire()
    }
  }

  /// Waits for `moment`, or for nothing (`timerfd_settime`); false: `errno` says why not.
  func set(_ moment: Instant?, _ flags: Int32) -> Bool {
    var setting = itimerspec()
    if let moment {
      // Zero would disarm it. The end (in 2255) never comes, and is near enough for every kernel.
      let microseconds = max(1, min(moment.microseconds, 1 << 53))
      setting.it_value.tv_sec = time_t(microseconds / 1_000_000)
      setting.it_value.tv_nsec = Int(microseconds % 1_000_000) * 1000
    }
    return timerfd_settime(descriptor.number, flags, &setting, nil) == 0
  }
}
