// SPDX-License-Identifier: GPL-3.0-or-later
//
// Has a suspended machine awake before the next ring, and knows why where it cannot. When that is,
// the core says. Next: `WakeTimer.swift` in System.

import Presentation
import Scheduling
import System

final class Waking {
  private let timer: WakeTimer?
  /// Why the machine is not woken; nil where it is.
  private(set) var refusal: WakeTimer.Refusal?
  private var armed: Instant?

  /// `onWake` is called ahead of a ring, whether the machine slept or not.
  init(onWake: @escaping () -> Void) {
    do throws(WakeTimer.Refusal) {
      timer = try WakeTimer(onFire: onWake)
    } catch {
      (timer, refusal) = (nil, error)
      Log.warning("a suspended machine will not be woken: \(Wording.mend(error))")
    }
  }

  /// What others are told: `yes`, or why not and what would mend it.
  var text: String { refusal.map { tr(Wording.mend($0)) } ?? "yes" }

  /// Wakes the machine at `moment`, in place of any other.
  func arm(_ moment: Instant?) {
    guard let timer, moment != armed else { return }
    armed = moment
    if let error = timer.arm(moment) {
      refusal = .failed(error)
      Log.warning("a suspended machine will not be woken: \(error)")
    } else {
      refusal = nil
    }
  }
}
