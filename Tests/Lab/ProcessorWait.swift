// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures for how long the processes of a Lab had to wait for a processor, because other programs
// used all of them. The limits of tests are what a user would notice, and hold for a machine that
// has time for the Lab: a test adds this wait to its limit. On an idle machine, it is close to
// zero.

import Foundation

public struct ProcessorWait {
  private let lab: Lab
  private let before: [String: Double]

  /// Begins to measure now.
  public init(_ lab: Lab) {
    self.lab = lab
    before = Self.waits(lab)
  }

  /// The seconds that the processes of the Lab, and this thread, have waited for a processor since
  /// the measurement began. They wait one after the other, as each reacts to the one before it, so
  /// their waits are added. The waits of processes that have ended are missing.
  public var seconds: Double {
    Self.waits(lab).reduce(0) { $0 + $1.value - before[$1.key, default: 0] }
  }

  /// Returns for how long each thread has waited since its start, by its folder in /proc.
  private static func waits(_ lab: Lab) -> [String: Double] {
    let mark = Data("BELFRY_LAB=\(lab.folder.path)\0".utf8)
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var threads = ["/proc/thread-self"]
    for process in processes where Int(process) != nil {
      let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
      guard environment?.range(of: mark) != nil else { continue }
      let tasks = "/proc/\(process)/task"
      let ids = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
      threads += ids.map { "\(tasks)/\($0)" }
    }
    // The second number in `schedstat` is the wait in nanoseconds.
    return threads.reduce(into: [:]) { waits, thread in
      let text = try? String(contentsOfFile: thread + "/schedstat", encoding: .utf8)
      let numbers = text?.split(separator: " ").compactMap { Double($0) } ?? []
      if numbers.count > 1 { waits[thread] = numbers[1] / 1_000_000_000 }
    }
  }
}
