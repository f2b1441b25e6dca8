// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a test waits for what the main loop brings: by running it.

import Desktop

/// Runs the main loop until `condition` holds; false where it does not within the time.
@discardableResult
@MainActor func wait(within: Duration = .seconds(10), until condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + within
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    // The condition may depend on another process, of which the loop hears nothing.
    let tick = MainLoop.after(.milliseconds(5)) {}
    MainLoop.iterate(mayBlock: true)
    withExtendedLifetime(tick) {}
  }
  return true
}
