// SPDX-License-Identifier: GPL-3.0-or-later
//
// What releases left on people's disks is read for ever: `Tests/Released` has, of each, a state and
// a history with all that they could say. The next release's own are written by `RELEASED=VERSION
// Tests/run --filter ReleasedTests`, and committed. Configs and the programs:
// `ProgramTests/ReleasedTests.swift`.

import Foundation
import Lab
import Persistence
import Testing

struct ReleasedTests {
  private static let folder = Lab.repository.appendingPathComponent("Tests/Released")
  private static let writing = ProcessInfo.processInfo.environment["RELEASED"]

  @Test(.enabled(if: writing != nil)) func `those of a new release are written`() throws {
    let folder = try Self.folder.appendingPathComponent(#require(Self.writing))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try StateText.render(fullState).write(
      to: folder.appendingPathComponent("state.toml"), atomically: true, encoding: .utf8)
    try HistoryTextTests.lines.map { $0.json(in: Seoul()).text + "\n" }.joined().write(
      to: folder.appendingPathComponent("history.jsonl"), atomically: true, encoding: .utf8)
  }

  /// Up to 1.0 a state told how far the clock had been set away from the one that was believed.
  private static let dropped = ["ahead_microseconds", "set", "set_from"]

  /// Nothing that is read is lost: written again it is the same text, but for what nobody needs
  /// now.
  @Test func `all of it is read`() throws {
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
      #expect(lines.map { $0.json(in: Seoul()).text + "\n" }.joined() == history)
    }
  }
}
