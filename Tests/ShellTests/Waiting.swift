// SPDX-License-Identifier: GPL-3.0-or-later
//
// Helps a test to wait while it runs the main loop, and to find leaks.

import CGLib
import Foundation
import Lab
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
    // The condition may depend on another process, and then the loop gets no event when it changes.
    let tick = MainLoop.after(.milliseconds(5)) {}
    MainLoop.iterate(mayBlock: true)
    withExtendedLifetime(tick) {}
  }
  return true
}

/// The descriptors and threads of this process, without those of the Lab.
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

  /// Whether there are at most ten more descriptors and ten more threads than in `other`. Other
  /// tests and Swift's own threads need some of both for a moment, so a test for leaks repeats its
  /// work fifty times.
  func isAbout(_ other: Footprint) -> Bool {
    descriptors <= other.descriptors + 10 && threads <= other.threads + 10
  }
}
