// SPDX-License-Identifier: GPL-3.0-or-later
//
// An agent that waits holds less memory than one that works, and rings none the less. How much it
// is, the benchmark tells.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MemoryTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// What a process has of physical memory, in kB.
  private func resident(_ agent: Program) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(agent.pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  /// Waits until it is at most `limit`.
  private func waitForRest(_ agent: Program, _ limit: Int) throws -> Int {
    try Lab.ask(for: "at most \(limit) kB", seen: "\(try resident(agent)) kB") {
      let size = try resident(agent)
      return size <= limit ? size : nil
    }
  }

  @Test func `what starting and ringing took is given back, and the next ring is as sound`() throws
  {
    try desk.save(Desk.alarm("later", at: Second.ahead(3600)))
    let agent = try desk.startAgent()
    let idle = try waitForRest(agent, try resident(agent) * 3 / 4)
    for name in ["first", "second"] {
      let due = Second.ahead(3)
      try desk.save(Desk.alarm(name, at: due, #"label = "\#(name)""#))
      let posted = try desk.waitForNotification(name)
      #expect(isOnSecond(posted.time, due.epoch))
      #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
      try desk.belfry("stop")
      // The second ring has nothing to load that the first had not.
      _ = try waitForRest(agent, idle * 3 / 2)
    }
  }
}
