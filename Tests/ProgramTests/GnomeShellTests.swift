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
  func `a click on a quiet entry ends no alarm, and brings the alarm's banner`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      try desk.belfry("timer 5m --label Tea")
      _ = try ringing(desk, shell)
      let clicked = try shell.pressInList("Tea")
      try expectRinging(desk, since: clicked)
      try shell.openList(false)
      try shell.waitForBanner("Work", "Stop")
      try expectRinging(desk, since: clicked)
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `nor does a click on a warning about the config`(system: LabSystem) throws {
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

  @Test(arguments: LabSystem.allCases)
  func `a finished timer keeps its buttons, and is not posted each second`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      try desk.belfry("timer 2s --label Tea")
      let since = try desk.lab.busWatch.waitForNotification {
        $0.title == "Tea" && $0.hints["urgency"] == .integer(2)
      }.time
      desk.wait(until: since + 3)
      try shell.waitForBanner("Tea", "Stop", "+1 min", "Restart")
      #expect(desk.lab.busWatch.notifications(since: since).count == 1)
      try shell.pressInBanner("+1 min")
      try desk.waitForStatus("it to run again") { $0.ringing.isEmpty }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `a ring that a restarted agent takes over has its buttons`(system: LabSystem) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      let posted = try ringing(desk, shell)
      try desk.waitForNote(of: posted)
      try desk.crash(desk.agent)
      let restarted = Lab.now
      try desk.startAgent()
      _ = try desk.waitForNotification("Work", since: restarted)
      try shell.waitForBanner("Work", "Snooze 3 s", "Stop")
      try shell.pressInBanner("Stop")
      try desk.waitForStatus("it to be over") { $0.ringing.isEmpty }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `after the screen was locked the banner is back`(system: LabSystem) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      _ = try ringing(desk, shell)
      try shell.lock()
      try Lab.wait(for: "a locked screen") { try shell.banner().isEmpty }
      let unlocked = Lab.now
      try shell.unlock()
      try shell.waitForBanner("Work", "Stop", within: 10)
      try expectRinging(desk, since: unlocked)
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `put away by Escape, it is back within a minute`(system: LabSystem) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      _ = try ringing(desk, shell)
      // A person who looks at it has the pointer on it, and so the keys go there.
      try shell.point(at: try shell.waitForBanner("Stop").last)
      try shell.press(key: "Escape")
      try shell.movePointerAway()
      try Lab.wait(for: "no banner") { try shell.banner().isEmpty }
      try shell.waitForBanner("Work", "Stop", within: 65)
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `timers in their last minute do not push an alarm off the screen`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      for number in 1...6 { try desk.belfry("timer 50s --label T\(number)") }
      let posted = try ringing(desk, shell)
      let looks = try (0..<40).map { _ in
        usleep(200_000)
        return try shell.banner().contains { $0.text == "Stop" }
      }
      #expect(looks.count { $0 } >= 38, "\(looks)")
      let calls = desk.lab.busWatch.notifications(since: posted.time + 1)
      #expect(calls.count < 10, "\(calls.map { "\($0.title) \($0.body)" })")
      #expect(try desk.status().ringing.map(\.id) == ["work"])
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `what stood in the banner before gives way to an alarm`(system: LabSystem) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      try desk.saveText("nonsense")
      try shell.waitForBanner("The alarms' config has a mistake")
      try desk.save(
        Desk.alarm("work", at: .ahead(3), #"label = "Work""#), "[[alarm]]\ntime = 25:00\n")
      try shell.waitForBanner("Work", "Stop", within: 15)
      try shell.pressInBanner("Stop")
      // It was not forgotten.
      try shell.waitForBanner("The alarms' config has a mistake")
    }
  }

  // MARK: - What is quiet

  @Test(arguments: LabSystem.allCases)
  func `a running timer is handled by mouse`(system: LabSystem) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      try desk.belfry("timer 5m --label Tea")
      // At its start, in passing.
      try shell.waitForBanner("Tea")
      try shell.movePointerAway()
      try Lab.wait(for: "the banner to go") { try shell.banner().isEmpty }
      // And for as long as it runs, from the list.
      try shell.pressInList("Tea")
      try shell.openList(false)
      try shell.waitForBanner("Tea", "Pause", "+1 min", "Cancel")
      let pressed = try shell.pressInBanner("Pause")
      _ = try desk.lab.busWatch.waitForNotification(since: pressed) { $0.body.hasPrefix("Paused") }
      try Lab.wait(for: "no banner") { try shell.banner().isEmpty }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `a snoozed alarm is stopped, and a coming one skipped, by mouse`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.save(
        Desk.alarm("work", at: .ahead(600), #"label = "Work""#, #"upcoming = "30m""#))
      try desk.startAgent()
      _ = try desk.waitForNotification("Work")
      try shell.pressInList("Work")
      try shell.openList(false)
      try shell.pressInBanner("Skip")
      try desk.waitForStatus("it to be skipped") { $0.state("work") != "upcoming" }

      _ = try ringing(desk, shell)
      try shell.pressInBanner("Snooze 10 min")
      try Lab.wait(for: "a quiet entry") {
        try shell.kept().contains { $0.body.hasPrefix("Snoozed until ") }
      }
      try shell.pressInList("Snoozed until ")
      try shell.openList(false)
      try shell.pressInBanner("Stop")
      try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
    }
  }
}
