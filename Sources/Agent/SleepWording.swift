// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the notifications say of alarms that a machine would sleep through.

import Language
import Notifications
import Presentation
import Scheduling
import System

extension Wording {
  /// The machine is going to sleep, and `ring` would not be heard; `refusal` is why nothing wakes
  /// it, nil where this one alone does not ask for it.
  func sleepWarning(
    _ ring: ExpectedRing, at time: String, _ refusal: WakeTimer.Refusal?
  ) -> NotificationContent {
    let cause: String =
      switch (ring.wakes, ring.kind) {
      case (true, _): refusal.map { tr("It cannot be woken: \(Self.mend($0)).") } ?? ""
      case (false, .alarm): tr("This alarm does not wake it.")
      case (false, .timer): tr("This timer does not wake it.")
      }
    return notice(
      ring.label ?? time,
      [tr("Will not ring at \(time) while the computer is asleep."), cause],
      isPersistent: true, category: "alarm", answers: [.keepAwake])
  }

  /// The user wants the machine awake until `ring` has been answered.
  func vigil(_ ring: ExpectedRing, at time: String) -> NotificationContent {
    notice(
      ring.label ?? time,
      [tr("The computer stays awake until this has rung at \(time).")], .low,
      isPersistent: true, category: "alarm", answers: [.letSleep])
  }
}
