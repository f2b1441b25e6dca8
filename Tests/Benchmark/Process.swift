// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the kernel's figures about a process: its memory, its processor time, and how often it woke
// up.

import Foundation

struct ProcessFigures {
  let pid: Int32

  /// The child processes of this process that still exist.
  private var children: [ProcessFigures] {
    threads.flatMap { text("task/\($0)/children").split(separator: " ") }
      .compactMap { Int32($0).map(ProcessFigures.init) }
  }

  private func text(_ file: String) -> String {
    (try? String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)) ?? ""
  }

  /// Returns the value of a line of `smaps_rollup` in MB. `field` is the name of the line, such as
  /// `Rss`, `Pss` or `Private_Dirty`.
  func memory(_ field: String) -> Double {
    let line = text("smaps_rollup").split(separator: "\n").first { $0.hasPrefix(field + ":") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan) / 1024
  }

  private var threads: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
  }

  /// Returns the processor time of all threads in milliseconds, including threads that have ended
  /// (`clock_getcpuclockid`). If `mainOnly` is true, only the main thread counts.
  func time(mainOnly: Bool = false) -> Double {
    if mainOnly {
      return (text("schedstat").split(separator: " ").first.flatMap { Double($0) } ?? .nan) / 1e6
    }
    var (clock, time) = (clockid_t(), timespec())
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return .nan
    }
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }

  /// The processor time, in milliseconds, of the process and its children.
  var familyTime: Double { time() + children.map { $0.time() }.reduce(0, +) }

  /// How many descriptors, threads and child processes the process has.
  struct Holdings {
    var descriptors: Int
    var threads: Int
    var children: Int
  }

  var holdings: Holdings {
    let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
    return Holdings(
      descriptors: descriptors?.count ?? 0, threads: threads.count, children: children.count)
  }

  /// How often the threads of the process have slept and woken up.
  var wakeUps: Double {
    threads.reduce(0) { sum, thread in
      let line = text("task/\(thread)/status").split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) } ?? 0)
    }
  }
}
