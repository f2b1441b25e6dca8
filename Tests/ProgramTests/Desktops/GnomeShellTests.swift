// SPDX-License-Identifier: GPL-3.0-or-later
//
// Belfry on GNOME Shell, of this machine and of a newer Debian: what a person clicks there for
// real, and what is seen. A session takes seconds to start, so that each is started once; the tests
// take turns in it. What is quiet, the keys and the launcher are in `GnomeShellQuietTests.swift`,
// other servers in `DesktopServersTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers, .serialized) struct GnomeShellTests {
  private static let here = Result { try Lab(.gnomeShell, .sound) }
  private static let trixie = Result { try Lab(.gnomeShell, .sound, in: .trixie) }

  /// A desk on GNOME Shell of that system, on which nothing was ever done.
  func onDesk(
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

  /// The same on several at once, for what takes long.
  private func onDesks(
    _ systems: ArraySlice<LabSystem>, _ desks: [(Desk, GnomeShell)] = [],
    _ work: ([(Desk, GnomeShell)]) throws -> Void
  ) throws {
    guard let system = systems.first else { return try work(desks) }
    try onDesk(system) { try onDesks(systems.dropFirst(), desks + [($0, $1)], work) }
  }

  // MARK: - What rings

  /// An alarm that rings, in its banner.
  @discardableResult
  func ringing(
    _ desk: Desk, _ shell: GnomeShell, label: String = "Work"
  ) throws -> PostedNotification {
    let begun = Lab.now
    try desk.save(Desk.alarm("work", at: .ahead(2), "label = '\(label)'"))
    let posted = try desk.waitForNotification(label, since: begun)
    try shell.waitForBanner(label, "Stop")
    return posted
  }

  /// Clicks on the words in the list until that is taken, which is seen on the bus: a click on what
  /// is in motion is not. Returns when the last was made.
  @discardableResult
  func pressInList(
    _ words: String, _ desk: Desk, _ shell: GnomeShell
  ) throws -> Epoch {
    let listed = Lab.now
    var pressed = listed
    try Lab.wait(for: "a click on \(words) to be taken", seen: "\(try shell.list())") {
      pressed = try shell.pressInList(words)
      return
        (try? desk.lab.busWatch.waitForMessage(since: listed, within: 3) {
          $0.member == "ActionInvoked"
        }) != nil
    }
    return pressed
  }

  private func expectRinging(_ desk: Desk, since moment: Epoch) throws {
    try desk.lab.recorder.waitForSound(after: moment + 0.5)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  func waitForNoBanner(_ shell: GnomeShell) throws {
    try Lab.wait(for: "no banner", seen: "\(try shell.kept())") { try shell.banner().isEmpty }
  }

  @Test(arguments: LabSystem.allCases)
  func `who stops it by a click is asked whether he is up, and who moves on is not`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      let settings = ["label = 'Up'", "check = '12s'"]
      var begun = Lab.now
      try desk.save(Desk.alarm("up", at: .ahead(2), settings[0], settings[1]))
      _ = try desk.waitForNotification("Up", since: begun)
      try shell.waitForBanner("Up", "Stop")
      try shell.pressInBanner("Stop")
      let question = try desk.lab.busWatch.waitForNotification(since: begun) {
        $0.body.hasPrefix("Are you up?")
      }
      #expect(question.title == "Up")
      try shell.waitForBanner("Up", "Are you up?")
      try shell.pressInBanner("I'm up")
      try desk.waitForStatus("it to be over") { $0.state("up") == "over" }

      begun = Lab.now
      try desk.save(Desk.alarm("up", at: .ahead(3), settings[0], settings[1]))
      _ = try desk.waitForNotification("Up", since: begun)
      try shell.waitForBanner("Up", "Stop")
      let stopped = try shell.pressInBanner("Stop")
      desk.wait(until: stopped + 7)
      try shell.movePointerAway()
      try desk.waitForStatus("it to be over") { $0.state("up") == "over" }
      #expect(
        !desk.lab.busWatch.notifications(since: begun).contains {
          $0.body.hasPrefix("Are you up?")
        })
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `an alarm's banner has its three buttons, and a click on one answers`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      let posted = try ringing(desk, shell)
      #expect(
        try shell.banner().filter { $0.kind == .button }.map(\.text)
          == posted.actions.dropFirst().map(\.label))
      let pressed = try shell.pressInBanner("Snooze 10 min")
      try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
      try desk.lab.recorder.waitForSilence(after: pressed)
      // What is quiet has no banner; a click on it in the list brings one.
      try pressInList("Snoozed until ", desk, shell)
      try shell.openList(false)
      try shell.pressInBanner("Stop")
      try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `neither a click on what is quiet nor a lock ends an alarm or takes its banner`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      try desk.belfry("timer 5m --label Tea")
      try ringing(desk, shell)
      var clicked = try pressInList("Tea", desk, shell)
      try shell.openList(false)
      try shell.waitForBanner("Work", "Stop")
      try expectRinging(desk, since: clicked)

      let text = try desk.text
      try desk.saveText(text + "unknown = 1\n")
      clicked = try pressInList("Check your alarm settings", desk, shell)
      try shell.openList(false)
      try shell.waitForBanner("Work", "Stop")
      try expectRinging(desk, since: clicked)

      try shell.lock()
      try waitForNoBanner(shell)
      clicked = Lab.now
      try shell.unlock()
      try shell.waitForBanner("Work", "Stop", within: 10)
      try expectRinging(desk, since: clicked)
    }
  }

  @Test(arguments: LabSystem.allCases, [true, false])
  func `locked while it rings, the lock screen shows its title and time, or a count if asked to`(
    system: LabSystem, isDetailed: Bool
  ) throws {
    try onDesk(system) { desk, shell in
      let due = Second.ahead(2)
      try desk.saveText(
        (isDetailed ? "" : "[agent]\nlock_screen = \"count\"\n") + Desk.defaults
          + Desk.alarm("work", at: due, "label = 'Take the pills'"))
      try desk.startAgent()
      // GNOME 43 shows the text of all or of none.
      try desk.belfry("timer 5m --label Tea")
      try shell.waitForBanner("Take the pills", "Stop", within: 15)
      try shell.lock()
      defer { try? shell.unlock() }
      let words = try Lab.ask(for: "it on the lock screen", seen: "\(try shell.lockScreen())") {
        let words = try shell.lockScreen().map(\.text)
        let isThere = words.contains { $0.contains(isDetailed ? "Take the pills" : "Belfry") }
        return isThere ? words.joined(separator: "\n") : nil
      }
      #expect(words.contains("Alarm, \(due.shown)") == isDetailed, "\(words)")
      #expect(words.contains("Take the pills") == isDetailed, "\(words)")
      if let folder = ProcessInfo.processInfo.environment["BELFRY_PICTURES"] {
        try shell.screenshot(
          to: URL(filePath: "\(folder)/locked-\(try shell.majorVersion())-\(isDetailed).png"))
      }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `what stood in the banner before gives way to an alarm, and comes back`(
    system: LabSystem
  ) throws {
    try onDesk(system) { desk, shell in
      try desk.startAgent()
      let mistake = "There is an error in your alarm settings"
      try desk.saveText("nonsense")
      try shell.waitForBanner(mistake)
      try desk.save(
        Desk.alarm("work", at: .ahead(3), "label = 'Work'"), "[[alarm]]\ntime = '7 pn'\n")
      try shell.waitForBanner("Work", "Stop", within: 15)
      try shell.pressInBanner("Stop")
      try shell.waitForBanner(mistake)
    }
  }
}
