// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says when the agent has its alarms, so that calls which need them can wait. When the agent
// starts, it waits a moment for the stored state, and then for the config.

import Scheduling
import System

final class Readiness {
  private(set) var isReached = false
  private var waiting: [() -> Void] = []
  /// Ends the present wait of the agent; nil if it waits for nothing.
  private var limit: Source?

  /// Calls `giveUp` after `time`, unless readiness is reached or another wait begins before that.
  func wait(for time: Duration, giveUp: @escaping () -> Void) {
    limit = MainLoop.after(time, giveUp)
  }

  /// Records that the agent has its alarms, and runs the work that was waiting for them.
  func reach() {
    (isReached, limit) = (true, nil)
    let work = waiting
    waiting = []
    for item in work { item() }
  }

  /// Runs `work` as soon as the agent has its alarms.
  func whenReached(_ work: @escaping () -> Void) {
    if isReached { work() } else { waiting.append(work) }
  }
}
