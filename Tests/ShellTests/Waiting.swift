// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a test waits for what the main loop brings: by running it; and how it sees what is left.

import CGLib
import Foundation
import Lab
import System

extension MainLoop {
  /// One turn of the loop, waiting for something to happen where it may block.
  static func iterate(mayBlock: Bool) { g_main_context_iteration(nil, mayBlock ? 1 : 0) }
}

/// Runs the main loop until `condition` holds; false where it does not within the time.
@discardableResult
@MainActor func wait(within: Duration = .seconds(30), until condition: () -> Bool) -> Bool {
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

/// What this process holds that a leak would add to, without what is the Lab's.
nonisolated struct Footprint {
  let descriptors: Int
  let threads: Int

  static var now: Footprint {
    func count(_ folder: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count) ?? 0
    }
    let lab = Program.footprint
    return Footprint(
      descriptors: count("fd") - lab.descriptors, threads: count("task") - lab.threads)
  }

  /// No more than what other tests and Swift's own threads need for a moment. Whoever looks for a
  /// leak does fifty times what would leak.
  func isAbout(_ other: Footprint) -> Bool {
    descriptors <= other.descriptors + 10 && threads <= other.threads + 10
  }
}
