// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a ring takes of memory is given back when it is over. How much it is, the benchmark tells.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MemoryTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// What a process has of memory that is no file's, in kB.
  private func anonymous(_ agent: Program) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(agent.pid)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }

  /// Waits until it is at most `limit`.
  private func waitForRest(_ agent: Program, _ limit: Int) throws {
    _ = try Lab.ask(for: "at most \(limit) kB", seen: "\(try anonymous(agent)) kB") {
      let size = try anonymous(agent)
      return size <= limit ? size : nil
    }
  }

  @Test func `what ringing took is given back, and the next ring is as sound`() throws {
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
