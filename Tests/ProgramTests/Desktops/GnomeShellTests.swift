// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests Belfry on two GNOME Shells, that of this machine and that of a newer Debian. The script
// `Tests/desktops` chooses others. The tests click on notifications, as a person does, and check
// what is shown. A session takes seconds to start, so the tests of one system take turns in one
// session. `GnomeShellQuietTests.swift` tests timers, keys and the launcher, and
// `DesktopServersTests.swift` tests other notification servers.

import Foundation
import Lab
import Testing

@Suite(.realServersFirst) struct GnomeShellTests {
  /// A session with the GNOME Shell of this machine or of a newer Debian. The tests share the
  /// session, and the first of them starts it. This type is an actor, so that a test that waits for
  /// its turn occupies no thread.
  private actor Session {
    private let system: LabSystem
    private lazy var lab = Result { try Lab(.gnomeShell, .sound, in: system) }

    init(in system: LabSystem) { self.system = system }

    func onDesk(_ work: @Sendable (Desk, GnomeShell) throws -> Void) throws {
      RealServers.restartStopwatch()
      do { _ = try system.root } catch { try leaveOut("GNOME Shell: \(error)") }
      let lab = try lab.get()
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
  }

  private static let sessions = Dictionary(
    uniqueKeysWithValues: LabSystem.allCases.map { ($0, Session(in: $0)) })

  /// Runs `work` on a desk that has no config and no state, in the session of `system`.
  func onDesk(
    _ system: LabSystem, _ work: @Sendable (Desk, GnomeShell) throws -> Void
  ) async throws {
    try await Self.sessions[system]!.onDesk(work)
  }

  // MARK: - Ringing alarms

  /// Rings an alarm, and waits for its banner.
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

  /// Clicks on `words` in GNOME's list of notifications, and repeats this until the bus shows that
  /// a click had an effect, because a click on a moving notification has none. Returns the time of
  /// the last click.
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

  /// Clicks on `entry` in GNOME's list of notifications, and then on `button` in the banner that
  /// appears for some seconds. Repeats both until `isDone`, as a person does who was too slow for
  /// the banner. Returns the time of the last click on the button.
  @discardableResult
  func press(
    _ button: String, of entry: String, _ desk: Desk, _ shell: GnomeShell,
    until isDone: (_ pressed: Epoch) -> Bool
  ) throws -> Epoch {
    var pressed = Lab.now
    try Lab.wait(for: "a click on \(button) of \(entry)", seen: "\(try shell.kept())") {
      try pressInList(entry, desk, shell)
      try shell.openList(false)
      guard (try? shell.waitForBanner(entry, button, within: 3)) != nil else { return false }
      guard let time = try? shell.pressInBanner(button) else { return false }
      pressed = time
      return isDone(pressed)
    }
    return pressed
  }

  private func expectRinging(_ desk: Desk, since moment: Epoch) throws {
    try desk.lab.recorder.waitForSound(after: moment + 0.5)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  func waitForNoBanner(_ shell: GnomeShell) throws {
    try Lab.wait(for: "no banner", seen: "\(try shell.kept())") { try !shell.hasBanner() }
  }

  @Test(arguments: LabSystem.allCases)
  func `the agent asks a user who stopped an alarm by a click, unless the pointer moves again`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      var begun = Lab.now
      try desk.save(Desk.alarm("up", at: .ahead(2), "label = 'Up'", "check = '5s'"))
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
      try desk.save(Desk.alarm("up", at: .ahead(3), "label = 'Up'", "check = '12s'"))
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
  func `the banner of a ring shows three buttons, and a click on one of them works`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      let posted = try ringing(desk, shell)
      #expect(
        try shell.banner().filter { $0.kind == .button }.map(\.text)
          == posted.actions.dropFirst().map(\.label))
      let pressed = try shell.pressInBanner("Snooze 10 min")
      try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
      try desk.lab.recorder.waitForSilence(after: pressed)
      // A quiet notification has no banner. A click on its entry in the list shows its banner.
      try press("Stop", of: "Snoozed until ", desk, shell) { _ in
        (try? desk.waitForStatus("it to be over", within: 10) { $0.state("work") == "over" }) != nil
      }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `neither a click on a quiet notification nor a locked screen ends a ring or its banner`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
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
  func `the lock screen shows the title and time of a ring, or only a number if set so`(
    system: LabSystem, isDetailed: Bool
  ) async throws {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      let due = Second.ahead(3)
      try desk.saveText(
        (isDetailed ? "" : "[agent]\nlock_screen = \"count\"\n") + Desk.defaults
          + Desk.alarm("work", at: due, "label = 'Take the pills'"))
      // For each program, GNOME 43 shows on the lock screen either the text of all its
      // notifications or only their number. Add a timer's notification, to test this with two
      // notifications.
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
}
