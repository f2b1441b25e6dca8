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
  func sleepWarning(_ ring: ExpectedRing, _ refusal: WakeTimer.Refusal?) -> NotificationContent {
    let cause: String =
      switch (ring.wakes, ring.kind) {
      case (true, _): refusal.map { tr("It cannot be woken: \(Self.mend($0)).") } ?? ""
      case (false, .alarm): tr("This alarm does not wake it.")
      case (false, .timer): tr("This timer does not wake it.")
      }
    var notice = NotificationContent(
      title: ring.label ?? time(ring.start),
      body: tr("Will not ring at \(time(ring.start)) while the computer is asleep.") + "\n\(cause)",
      icon: icon)
    notice.isPersistent = true
    notice.category = "alarm"
    notice.offer([.keepAwake])
    return notice
  }

  /// The user wants the machine awake until `ring` has been answered.
  func vigil(_ ring: ExpectedRing) -> NotificationContent {
    var notice = NotificationContent(
      title: ring.label ?? time(ring.start),
      body: tr("The computer stays awake until this has rung at \(time(ring.start))."), icon: icon)
    notice.urgency = .low
    notice.isPersistent = true
    notice.category = "alarm"
    notice.offer([.letSleep])
    return notice
  }
}
