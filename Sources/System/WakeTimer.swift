// SPDX-License-Identifier: GPL-3.0-or-later
//
// A timer that wakes a suspended machine. Creating the timer throws if the process may not wake the
// machine, or if the machine cannot be woken. Nothing relies on this timer to be on time: that is
// the task of `WallTimer` in `Clock.swift`.

import CGLib
import Glibc
import Scheduling

/// Wakes the machine at a given moment (`timerfd_create`, `CLOCK_REALTIME_ALARM`).
public final class WakeTimer {
  /// Why the machine cannot be woken.
  public nonisolated enum Refusal: Error, Equatable {
    /// The process lacks `CAP_WAKE_ALARM`.
    case notPermitted
    /// The machine has no real-time clock, or none that can wake it.
    case noClock
    case failed(SystemError)
  }

  private let timer: TimerDescriptor

  /// `onFire` is called on the main loop when the moment has come, whether or not the machine was
  /// suspended. `clocks` is the folder where the kernel lists the real-time clocks.
  public init(
    clocks: String = "/sys/class/rtc", onFire: @escaping () -> Void
  ) throws(Refusal) {
    do throws(SystemError) {
      timer = try TimerDescriptor(CLOCK_REALTIME_ALARM, onFire: onFire)
    } catch {
      switch error.code {
      case EPERM: throw .notPermitted
      // The kernel has no alarm timers.
      case EINVAL, EOPNOTSUPP: throw .noClock
      default: throw .failed(error)
      }
    }
    // The kernel creates the timer even if no clock can wake the machine. Such a timer fires only
    // while the machine is running.
    guard RealTimeClock.all(in: clocks).contains(where: \.mayWake) else { throw .noClock }
  }

  /// Sets the timer to wake the machine at `moment`, instead of the moment given before. With nil,
  /// the machine is not woken. Returns an error if the timer cannot be set; the machine is not
  /// woken then either.
  public func arm(_ moment: Instant?) -> SystemError? {
    // nil disarms the timer. To arm it for a distant moment instead would keep the machine from
    // suspending if its real-time clock cannot be set that far ahead (`alarmtimer_suspend` in the
    // kernel).
    timer.set(moment, Int32(TFD_TIMER_ABSTIME)) ? nil : SystemError("timerfd_settime")
  }
}

/// A real-time clock of the machine. The kernel uses the first that can wake the machine
/// (`alarmtimer_rtc_add_device`).
public nonisolated struct RealTimeClock: Equatable, Sendable {
  public var name: String
  public var mayWake: Bool
  /// The file in /sys that allows the clock to wake the machine; nil if the clock's device cannot
  /// wake a machine.
  public var setting: String?

  public init(name: String, mayWake: Bool, setting: String?) {
    (self.name, self.mayWake, self.setting) = (name, mayWake, setting)
  }

  /// All real-time clocks of the machine. `folder` is where the kernel lists them.
  public static func all(in folder: String = "/sys/class/rtc") -> [RealTimeClock] {
    SystemFile.names(in: folder).map { name in
      let file = "\(folder)/\(name)/device/power/wakeup"
      let value = SystemFile.line(file).flatMap { $0.isEmpty ? nil : $0 }
      return RealTimeClock(
        name: name, mayWake: value == "enabled", setting: value == nil ? nil : file)
    }
  }
}
