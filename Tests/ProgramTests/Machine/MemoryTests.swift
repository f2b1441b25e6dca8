// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the agent gives back the memory of a ring when the ring is over. The benchmark
// measures the amount of memory.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MemoryTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// Returns the size, in kB, of the agent's memory that is not mapped from a file.
  private func anonymous(_ agent: Program) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(agent.pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  /// Waits until the agent's memory is at most `limit`.
  private func waitForRest(_ agent: Program, _ limit: Int) throws {
    _ = try Lab.ask(for: "at most \(limit) kB", seen: "\(try anonymous(agent)) kB") {
      let size = try anonymous(agent)
      return size <= limit ? size : nil
    }
  }

  @Test func `the memory that a ring takes is given back, and the next ring is complete`() throws {
    try desk.save(Desk.alarm("later", at: Second.ahead(3600)))
    let agent = try desk.startAgent()
    let idle = try anonymous(agent)
    for name in ["first", "second"] {
      let due = Second.ahead(3)
      try desk.save(Desk.alarm(name, at: due, #"label = "\#(name)""#))
      let posted = try desk.waitForNotification(name)
      #expect(isOnSecond(posted.time, due.epoch))
      #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
      try desk.belfry("stop")
      try waitForRest(agent, idle * 3 / 2)
    }
  }
}
