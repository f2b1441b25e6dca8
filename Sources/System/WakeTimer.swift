// SPDX-License-Identifier: GPL-3.0-or-later
//
// The timer that wakes a suspended machine. Who is not allowed to wake it, and which machine cannot
// be woken, shows when it is made. Being on time is `WallTimer`'s, in `Clock.swift`.

import CGLib
import Glibc
import Scheduling

/// Has the machine awake at a moment (`timerfd_create`, `CLOCK_REALTIME_ALARM`).
public final class WakeTimer {
  /// Why the machine is not woken.
  public nonisolated enum Refusal: Error, Equatable {
    /// The process lacks `CAP_WAKE_ALARM`.
    case notPermitted
    /// The machine has no real-time clock, or none that may wake it.
    case noClock
    case failed(SystemError)
  }

  private let timer: TimerDescriptor

  /// `onFire` is called on the main loop when the moment has come, after a suspend or without.
  /// `clocks` is where the kernel lists the real-time clocks.
  public init(
    clocks: String = "/sys/class/rtc", onFire: @escaping () -> Void
  ) throws(Refusal) {
    do throws(SystemError) {
      timer = try TimerDescriptor(CLOCK_REALTIME_ALARM, onFire: onFire)
    } catch {
      switch error.code {
      case EPERM: throw .notPermitted
      // A kernel without alarm timers.
      case EINVAL, EOPNOTSUPP: throw .noClock
      default: throw .failed(error)
      }
    }
    // The kernel makes the timer all the same, and it fires only while the machine is awake.
    guard Self.canWake(clocks) else { throw .noClock }
  }

  /// Wakes the machine at `moment`, in place of any other; nil: not at all. One that cannot be set
  /// leaves the machine asleep.
  public func arm(_ moment: Instant?) -> SystemError? {
    // Nothing in place of a moment far away: a real-time clock that cannot be set so far ahead
    // would keep the machine from sleeping (`alarmtimer_suspend` in the kernel).
    timer.set(moment, Int32(TFD_TIMER_ABSTIME)) ? nil : SystemError("timerfd_settime")
  }

  /// The kernel takes the first clock whose device may wake the machine
  /// (`alarmtimer_rtc_add_device`).
  private static func canWake(_ clocks: String) -> Bool {
    SystemFile.names(in: clocks).contains { clock in
      // One that cannot be read cannot be counted on.
      SystemFile.line("\(clocks)/\(clock)/device/power/wakeup") == "enabled"
    }
  }
}
