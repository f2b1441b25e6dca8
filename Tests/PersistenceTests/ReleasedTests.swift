// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a new release can read the files of all earlier releases. `Tests/Released` has a state
// and a history of each release, with everything that such files can contain.
// `RELEASED=VERSION Tests/run --filter ReleasedTests` writes the files of the next release, which
// are then committed.
// `ProgramTests/ReleasedTests.swift` tests the configs and the programs.

import Foundation
import Persistence
import TestData
import Testing

struct ReleasedTests {
  private static let folder = repository.appendingPathComponent("Tests/Released")
  private static let writing = ProcessInfo.processInfo.environment["RELEASED"]

  @Test(.enabled(if: writing != nil)) func `the files of a new release are written`() throws {
    let folder = try Self.folder.appendingPathComponent(#require(Self.writing))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try StateText.render(fullState).write(
      to: folder.appendingPathComponent("state.toml"), atomically: true, encoding: .utf8)
    try HistoryTextTests.lines.map { $0.json(in: Seoul()) + "\n" }.joined().write(
      to: folder.appendingPathComponent("history.jsonl"), atomically: true, encoding: .utf8)
  }

  /// Fields that states no longer have. In 1.0 and earlier, the state had the difference between
  /// the clock and the time that the agent trusted.
  private static let dropped = ["ahead_microseconds", "set", "set_from"]

  /// A state that is read and written again must have the same text, except for fields that states
  /// no longer have.
  @Test func `the state and the history of every release are read`() throws {
    let releases = try FileManager.default.contentsOfDirectory(
      at: Self.folder, includingPropertiesForKeys: nil)
    #expect(!releases.isEmpty)
    for release in releases {
      let state = try String(
        contentsOf: release.appendingPathComponent("state.toml"), encoding: .utf8)
      let (read, problems) = StateText.parse(Array(state.utf8))
      let kept = state.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
        !Self.dropped.contains { line.hasPrefix("\($0) =") }
      }
      #expect(
        problems.isEmpty && StateText.render(read) == kept.joined(separator: "\n"),
        "\(release.path)")
      let history = try String(
        contentsOf: release.appendingPathComponent("history.jsonl"), encoding: .utf8)
      let (lines, unread) = HistoryText.parse(Array(history.utf8))
      #expect(unread == 0 && !lines.isEmpty, "\(release.path)")
      #expect(lines.map { $0.json(in: Seoul()) + "\n" }.joined() == history)
    }
  }
}
