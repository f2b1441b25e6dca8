// SPDX-License-Identifier: GPL-3.0-or-later
//
// Belfry on GNOME Shell, of this machine and of a newer Debian: what a person clicks there for real,
// and what is seen. A session takes seconds to start, so that each is started once; the tests take
// turns in it. Other servers are in `DesktopServersTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers, .serialized) struct GnomeShellTests {
  private static let here = Result { try Lab(.gnomeShell, .sound) }
  private static let trixie = Result { try Lab(.gnomeShell, .sound, in: .trixie) }

  /// A desk on GNOME Shell of that system, on which nothing was ever done.
  private func onDesk(
    _ system: LabSystem, _ work: (Desk, GnomeShell) throws -> Void
  ) throws {
    do { _ = try system.root } catch { try leaveOut("GNOME Shell: \(error)") }
    // What went wrong may have been the session.
    let lab =
      try RealServers.isSecondTry
      ? Lab(.gnomeShell, .sound, in: system) : (system == .here ? Self.here : Self.trixie).get()
    for folder in [".config/belfry", ".local/state/belfry"] {
      let path = lab.home.appendingPathComponent(folder).path
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    let desk = try Desk(lab)
    try lab.shell.clear()
    defer {
      for agent in desk.agents where agent.isRunning {
        agent.terminate()
        #expect(throws: Never.self) { try agent.waitForExit() }
      }
    }
    try work(desk, lab.shell)
  }

  @Test(arguments: LabSystem.allCases)
  func `an alarm's banner has its three buttons, and a click on one answers`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.save(Desk.alarm("work", at: .ahead(2), #"label = "Work""#))
      try desk.startAgent()
      let posted = try desk.waitForNotification("Work")
      let banner = try shell.waitForBanner("Work")
      #expect(
        banner.filter { $0.kind == .button }.map(\.text) == posted.actions.dropFirst().map(\.label))
      let pressed = try shell.pressInBanner("Snooze 10 min")
      try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
      try desk.lab.recorder.waitForSilence(after: pressed)
      try shell.openList()
      try Lab.wait(for: "a quiet entry", seen: "\(try shell.list())") {
        try shell.list().contains { $0.text.hasPrefix("Snoozed until ") }
      }
    }
  }

  // MARK: - What rings

  /// An alarm that rings, in its banner.
  private func ringing(_ desk: Desk, _ shell: GnomeShell) throws -> PostedNotification {
    try desk.save(Desk.alarm("work", at: .ahead(2), #"label = "Work""#))
    let posted = try desk.waitForNotification("Work")
    try shell.waitForBanner("Work", "Stop")
    return posted
  }

  private func expectRinging(_ desk: Desk, since moment: Epoch) throws {
    try desk.lab.recorder.waitForSound(after: moment + 0.5)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  @Test(arguments: LabSystem.allCases)
  func `a click on a warning about the config ends no alarm`(system: LabSystem) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      _ = try ringing(desk, shell)
      let text = try String(contentsOf: desk.config, encoding: .utf8)
      try desk.saveText(text + "unknown = 1\n")
      _ = try desk.waitForNotification("Is the alarms' config right?")
      let clicked = try shell.pressInList("Is the alarms' config right?")
      try shell.openList(false)
      try expectRinging(desk, since: clicked)
      try shell.waitForBanner("Work", "Stop")
    }
  }
}
