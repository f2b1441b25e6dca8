// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lets a test wait for something while the main loop runs.

import CGLib
import System

extension MainLoop {
  /// Lets the main loop handle events once. If `mayBlock` is true, it waits for an event.
  static func iterate(mayBlock: Bool) { g_main_context_iteration(nil, mayBlock ? 1 : 0) }
}

/// Runs the main loop until `condition` holds. Returns false if it does not hold in time.
@discardableResult
@MainActor func wait(within: Duration = .seconds(30), until condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + within
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    // If the condition depends on another process, the main loop may get no event when the
    // condition changes. So make an event every few milliseconds.
    let tick = MainLoop.after(.milliseconds(5)) {}
    MainLoop.iterate(mayBlock: true)
    withExtendedLifetime(tick) {}
  }
  return true
}
