// SPDX-License-Identifier: GPL-3.0-or-later
//
// How late rings are where nothing is in their way, as a distribution. `Tests/run` runs it before
// all others and by itself; it judges no ring that came while the machine did something else. Next:
// `RingingTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct LatenessTests {
  /// Of the program as it is installed; of one that is not optimised, the longest that nobody
  /// notices.
  private static let limit = Lab.programs == Lab.products ? 0.06 : 0.02
  private static let count = 40
  /// Rings for a second, every other second.
  private static let settings = "ring_for = \"1s\"\nunanswered = \"miss\""

  @Test func `where the machine is quiet, 19 of 20 rings are seen and heard at once`() throws {
    // Two that take turns, so that none is in the other's way.
    let desks = try (0..<2).map { _ in try Desk() }
    let first = Second.ahead(4)
    let dues = (0..<(Self.count / desks.count)).map { first.epoch + 2 * Double($0) }
    for (index, desk) in desks.enumerated() {
      let alarms = dues.enumerated().map { number, due in
        Desk.alarm("a\(number)", at: Second(epoch: due + Double(index % 2)), Self.settings)
      }
      try desk.save(alarms.joined())
      try desk.startAgent()
    }
    let seconds = (0...Int(dues.last! - dues.first!) + 1).map { first.epoch + Double($0) }
    let quiet = try Set(seconds.filter { try Self.isQuiet(before: $0) })
    var (seen, heard): ([Double], [Double]) = ([], [])
    for (index, desk) in desks.enumerated() {
      for due in dues.map({ $0 + Double(index % 2) }) where quiet.contains(due) {
        let posted = try desk.lab.busWatch.waitForNotification(since: due - 0.5) { _ in true }
        seen.append(posted.time - due)
        heard.append(try desk.lab.recorder.waitForSound(after: due - 0.5) - due)
      }
    }
    if seen.count < Self.count / 2 {
      try leaveOut(
        "how late a ring is: this machine was busy at \(Self.count - seen.count) of them")
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

  /// Whether half of the machine had nothing to do right before `second`: what it does then is not
  /// the ring's work.
  private static func isQuiet(before second: Epoch) throws -> Bool {
    Thread.sleep(until: Date(timeIntervalSince1970: second - 0.2))
    let before = try times()
    Thread.sleep(until: Date(timeIntervalSince1970: second - 0.02))
    let after = try times()
    return (after.idle - before.idle) * 2 > after.all - before.all
  }

  /// Of all processors since the start, in hundredths of a second.
  private static func times() throws -> (idle: Int, all: Int) {
    let line = try String(contentsOfFile: "/proc/stat", encoding: .utf8).prefix { $0 != "\n" }
    // `cpu  user nice system idle iowait irq softirq steal guest`; guests are in the first two.
    let fields = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    return (fields[3] + fields[4], fields.reduce(0, +))
  }
}
