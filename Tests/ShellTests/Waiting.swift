// SPDX-License-Identifier: GPL-3.0-or-later
//
// Helps a test to wait while it runs the main loop.

import CGLib
import System

extension MainLoop {
  /// Runs the main loop once. If it `mayBlock`, waits for an event.
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
