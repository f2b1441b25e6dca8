// SPDX-License-Identifier: GPL-3.0-or-later
//
// Has the threads on which tests with real servers run. These tests wait most of the time, so many
// of them run side by side. But a test that is starting its servers keeps a processor busy, so the
// next test begins only while the processors are partly idle. Next: `RealServers.swift`, which
// sends the tests here.

import Foundation

/// The time that all processors have spent since the machine started, in hundredths of a second.
public struct ProcessorTime: Sendable {
  public let idle: Int
  public let all: Int

  public static var now: ProcessorTime {
    get throws {
      let line = try String(contentsOfFile: "/proc/stat", encoding: .utf8).prefix { $0 != "\n" }
      // The line is `cpu  user nice system idle iowait irq softirq steal guest`. The time of guests
      // is already part of `user` and `nice`.
      let fields = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
      return ProcessorTime(idle: fields[3] + fields[4], all: fields.reduce(0, +))
    }
  }

  /// Returns the share of the time since `before` in which processors had nothing to do, from 0 to
  /// 1.
  public func idleShare(since before: ProcessorTime) -> Double {
    Double(idle - before.idle) / Double(max(1, all - before.all))
  }
}

/// Threads, called lanes, that each run one test at a time. Swift's own threads are not used: there
/// is one for each processor, so a test that waits would hold up the tests that compute.
final class Lanes: TaskExecutor {
  static let all = Lanes(count: 12)
  /// Sends jobs to the same lanes, ahead of all other jobs.
  static let first = First()

  final class First: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      all.jobs.update { $0.first.append(job) }
    }
  }

  /// If fewer lanes than this are in use, the next test begins even on a busy machine.
  private static let least = 4
  /// If at least this many lanes are in use, the next test begins only after the processors were
  /// idle for this share of `window` seconds.
  private static let wantedIdleShare = 0.4
  private static let window = 0.15

  private let jobs = Guarded<(first: [UnownedJob], others: [UnownedJob])>(([], []))
  /// How many lanes are in use. A test that waits for the main thread or for its turn does not
  /// count.
  private let used = Guarded(0)
  /// Lets one test begin at a time, so that each measurement includes the load of the test before.
  private let door = NSLock()

  init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [self] in
        while true {
          let job = next()
          used.update { $0 += 1 }
          job.runSynchronously(on: asUnownedTaskExecutor())
          used.update { $0 -= 1 }
        }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.update { $0.others.append(job) }
  }

  /// Waits for a job, and returns the newest one. Jobs of `First` come before all other jobs. A
  /// suite that runs its tests one after the other enqueues each test when the test before has
  /// ended. If the oldest job came first, each of these tests would have to wait for the jobs of
  /// all other suites.
  private func next() -> UnownedJob {
    while true {
      if let job = jobs.wait(within: 60, for: { $0.first.popLast() ?? $0.others.popLast() }) {
        return job
      }
    }
  }

  /// Called by a test that has just taken a lane: waits until the processors have time for it.
  func begin() throws {
    used.update { $0 -= 1 }
    try door.withLock {
      defer { used.update { $0 += 1 } }
      while used.read({ $0 }) >= Self.least {
        let before = try ProcessorTime.now
        Thread.sleep(forTimeInterval: Self.window)
        if try ProcessorTime.now.idleShare(since: before) >= Self.wantedIdleShare { break }
      }
    }
  }
}
