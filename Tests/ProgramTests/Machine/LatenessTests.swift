// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures how late many rings are on a machine that does nothing else. `Tests/run` runs this suite
// first and alone. A ring does not count if the machine was busy just before it. Next:
// `RingingTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct LatenessTests {
  /// How late a ring may be, in seconds: a delay that no one notices. `Tests/Benchmark` measures
  /// how much of it is used.
  private static let limit = 0.1
  private static let count = 40
  /// Settings with which an alarm rings for one second. On each desk, the alarms are two seconds
  /// apart.
  private static let settings = "ring_for = \"1s\"\nunanswered = \"miss\""

  @Test func `on a quiet machine, 95 percent of the rings are seen and heard within the limit`()
    throws
  {
    // Counted from `first`, desks 0 and 2 ring on even seconds, desks 1 and 3 on odd seconds. So a
    // desk has two seconds for each ring, and each ring has one beside it.
    let desks = try (0..<4).map { _ in
      let desk = try Desk()
      try desk.startAgent()
      return desk
    }
    let first = Second.ahead(3)
    let dues = (0..<(Self.count / desks.count)).map { first.epoch + 2 * Double($0) }
    for (index, desk) in desks.enumerated() {
      let alarms = dues.enumerated().map { number, due in
        Desk.alarm("a\(number)", at: Second(epoch: due + Double(index % 2)), Self.settings)
      }
      try desk.save(alarms.joined())
    }
    let seconds = (0...Int(dues.last! - dues.first!) + 1).map { first.epoch + Double($0) }
    var quiet: Set<Epoch> = []
    for (number, second) in seconds.enumerated() {
      if try Self.isQuiet(before: second) { quiet.insert(second) }
      let busy = number + 1 - quiet.count
      if busy > seconds.count / 2 {
        try leaveOut("how late a ring is: this machine was busy at \(busy) of \(number + 1) rings")
      }
    }
    var (seen, heard): ([Double], [Double]) = ([], [])
    for (index, desk) in desks.enumerated() {
      for due in dues.map({ $0 + Double(index % 2) }) where quiet.contains(due) {
        let posted = try desk.lab.busWatch.waitForNotification(since: due - 0.5) { _ in true }
        seen.append(posted.time - due)
        heard.append(try desk.lab.recorder.waitForSound(after: due - 0.5) - due)
      }
    }
    for (what, lateness) in [("seen", seen), ("heard", heard)] {
      let prompt = lateness.count { $0 > -recorderError && $0 < Self.limit + recorderError }
      let sorted = lateness.sorted()
      let told = [0.5, 0.95, 1].map { part in
        "\(Int((sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))] * 1000).rounded()))"
      }
      print("\(what), in ms: half \(told[0]), 95 % \(told[1]), all \(told[2]); of \(sorted.count)")
      #expect(prompt * 100 >= 95 * lateness.count, "\(what): \(sorted)")
    }
  }

  /// Returns whether more than half of the processors' time was idle just before `second`. The load
  /// of the ring itself is not included.
  private static func isQuiet(before second: Epoch) throws -> Bool {
    Thread.sleep(until: Date(timeIntervalSince1970: second - 0.2))
    let before = try ProcessorTime.now
    Thread.sleep(until: Date(timeIntervalSince1970: second - 0.02))
    return try ProcessorTime.now.idleShare(since: before) > 0.5
  }
}
