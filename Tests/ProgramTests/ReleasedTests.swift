// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the programs can use files of earlier releases. Each folder of `Tests/Released` has a
// config with every key of one release, and the times at which its alarms rang with that release.
// They must still ring at these times. `PersistenceTests/ReleasedTests.swift` tests the format of a
// release's state and history.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ReleasedTests {
  private static let folder = Lab.repository.appendingPathComponent("Tests/Released")
  static let releases = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []

  @Test func `the tests find the files of earlier releases`() {
    #expect(Self.releases.contains("0.1.0"))
  }

  @Test(arguments: releases)
  func `the config of an earlier release has no errors, and its alarms ring at the same times`(
    release: String
  ) throws {
    let desk = try Desk(Lab())
    let config = Self.folder.appendingPathComponent("\(release)/config.toml").path
    #expect(try desk.belfry("config check \(config) --json") == (0, "[]\n", ""))
    let rings = try desk.belfry(
      "next --config \(config) --from 2026-11-22T00:00:00+09:00 --timezone Asia/Seoul"
        + " --json --count 60"
    )
    let expected = URL(fileURLWithPath: config).deletingLastPathComponent()
      .appendingPathComponent("next.json")
    if ProcessInfo.processInfo.environment["RELEASED"] == release {
      try rings.output.write(to: expected, atomically: true, encoding: .utf8)
    }
    #expect(try rings.output == String(contentsOf: expected, encoding: .utf8))
  }

  @Test(arguments: releases) func `the agent reads the state and the history of an earlier release`(
    release: String
  ) throws {
    let desk = try Desk()
    let left = Self.folder.appendingPathComponent(release)
    let state = desk.lab.home.appendingPathComponent(".local/state/belfry")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    for file in ["state.toml", "history.jsonl"] {
      try FileManager.default.copyItem(
        at: left.appendingPathComponent(file), to: state.appendingPathComponent(file))
    }
    let agent = try desk.startAgent()
    // The earlier release saved this timer as paused, and the machine was restarted since then. A
    // paused timer is kept when the machine restarts.
    #expect(try desk.status().timers.map(\.id).contains("달걀"))
    func count(_ text: String) -> Int { text.components(separatedBy: "\"due_epoch\"").count - 1 }
    let history = try String(
      contentsOf: left.appendingPathComponent("history.jsonl"), encoding: .utf8)
    // The agent may have added rings to the history.
    #expect(try count(history) > 0 && count(desk.belfry("history --json").output) >= count(history))
    #expect(!agent.errors.contains("state.toml") && !agent.errors.contains("history"))
  }
}
