// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests Belfry on GNOME Shell: timers and upcoming alarms in the list of notifications, the symbol
// in the panel, media keys, and the search. These tests take turns in the sessions of
// `GnomeShellTests.swift`.

import Foundation
import Lab
import Testing

extension GnomeShellTests {
  // MARK: - Quiet notifications

  @Test(arguments: LabSystem.allCases)
  func `a running timer and a finished timer can be controlled with the mouse`(system: LabSystem)
    async throws
  {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      try desk.belfry("timer 5m --label Tea")
      // The timer's banner appears when the timer starts, and then disappears.
      try shell.waitForPastBanner("Tea")
      try shell.movePointerAway()
      try waitForNoBanner(shell)
      // As long as the timer is running, its entry stays in the list of notifications.
      var pressed = try press("Pause", of: "Tea", desk, shell) { pressed in
        (try? desk.lab.busWatch.waitForNotification(since: pressed, within: 10) {
          $0.body.hasPrefix("Paused")
        }) != nil
      }
      try waitForNoBanner(shell)
      try desk.belfry("timer cancel")

      pressed = Lab.now
      try desk.belfry("timer 2s --label Eggs")
      let over = try desk.lab.busWatch.waitForNotification(since: pressed) {
        $0.title == "Eggs" && $0.hints["urgency"] == .integer(2)
      }.time
      // The text of the banner must not change to "Over by 3 s" now, because GNOME Shell removes
      // the buttons of a banner whose text changes.
      desk.wait(until: over + 3)
      try shell.waitForBanner("Eggs", "+1 min", "Restart", "Stop")
      // Without those that only nudge the shell; see BannerNudge.swift.
      let rings = desk.lab.busWatch.notifications(since: over).filter {
        $0.hints["urgency"] == .integer(2) && !$0.body.isEmpty
      }
      #expect(rings.count == 1, "\(rings.map(\.body))")
      try shell.pressInBanner("+1 min")
      try desk.waitForStatus("it to run again") { $0.ringing.isEmpty }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `GNOME's panel shows the time left beside the icon, and no label is sent without a panel`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
      try desk.saveText("[agent]\ncountdown = false\n")
      try desk.startAgent()
      // The extension looks for symbols when it starts. While nothing is running, it finds none.
      let looked = Lab.now
      try shell.setTray(true)
      try desk.lab.busWatch.waitForMessage(since: looked) { $0.member == "Introspect" }
      #expect(try desk.belfry("timer list").status == 0)
      #expect(try shell.symbols() == 0)
      let begun = Lab.now
      func labels() -> [String] {
        desk.lab.busWatch.messages.filter { $0.time >= begun && $0.member == "XAyatanaNewLabel" }
          .compactMap { $0.body.first?.string }
      }
      func waitForLabel(_ text: Regex<Substring>) throws {
        try Lab.wait(for: "the time in the panel", seen: "\(try shell.panel()) \(labels())") {
          try shell.panel().contains { $0.text.wholeMatch(of: text) != nil }
        }
      }
      try desk.belfry("timer 40m")
      try waitForLabel(#/40 min/#)
      try desk.belfry("timer 68s --label Tea")
      // Each label of the last minute is there for a second only, so any of them will do.
      for text in [#/1 min 8 s/#, #/5\d s/#, #/[1-4]\d s/#] { try waitForLabel(text) }
      #expect(try shell.symbols() == 1)
      if let folder = ProcessInfo.processInfo.environment["BELFRY_PICTURES"] {
        try shell.screenshot(
          to: URL(filePath: "\(folder)/panel-\(try shell.majorVersion()).png"))
      }
      try desk.belfry("timer pause tea")
      try Lab.wait(for: "the other timer", seen: "\(labels())") { labels().last == "40 min" }
      try shell.setTray(false)
      let shown = labels().count
      try desk.belfry("timer resume tea")
      desk.wait(until: Lab.now + 3)
      #expect(labels().count == shown)
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `more timers than GNOME keeps share one notification, which leads to each of them`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      let count = try shell.majorVersion() < 48 ? 4 : 10
      for number in 1...count { try desk.belfry("timer \(number + 4)m --label T\(number)") }
      if count == 10 {
        // GNOME 48 keeps ten notifications of a program. An alarm in addition to ten timers is one
        // too many.
        try desk.save(Desk.alarm("work", at: .ahead(600), "label = 'Work'", "upcoming = '30m'"))
      }
      try Lab.wait(for: "one entry of all", seen: "\(try shell.kept())") {
        try shell.kept().map(\.title) == [count == 10 ? "Timers, Alarms" : "Timers"]
      }
      try shell.waitForPastBanner("Timers")
      try shell.movePointerAway()
      try waitForNoBanner(shell)
      // GNOME 48 stacks the notifications of a program. The first click only spreads them out.
      try pressInList("Timers", desk, shell)
      try shell.openList(false)
      // Look for a button, because the text of the banner also contains the labels of all timers.
      for label in ["More…", "T4"] {
        let button = try Lab.ask(for: "a button \(label)", seen: "\(try shell.banner())") {
          try shell.banner().first { $0.kind == .button && $0.text == label }
        }
        try shell.click(button)
      }
      try shell.waitForBanner("T4", "Pause", "+1 min", "Cancel")
      let pressed = try shell.pressInBanner("Cancel")
      try desk.waitForStatus("it to be cancelled") { $0.timers.count == count - 1 }
      if count == 4 {
        for number in 1...3 {
          _ = try desk.waitForNotification("T\(number)", since: pressed)
        }
      }
    }
  }

  @Test(arguments: LabSystem.allCases)
  func `an upcoming alarm can be skipped with the mouse, and the skip undone`(system: LabSystem)
    async throws
  {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      let begun = Lab.now
      try desk.save(Desk.alarm("work", at: .ahead(600), "label = 'Work'", "upcoming = '30m'"))
      _ = try desk.waitForNotification("Work", since: begun)
      // Wait until the banner is gone: if GNOME Shell's list hides a banner while its notification
      // is closed, the shell does not show the next banner.
      try shell.waitForPastBanner("Work")
      try shell.movePointerAway()
      try waitForNoBanner(shell)
      // "Alarm skipped" stays on the screen for only 4 s, so click on it without delay.
      try press("Skip", of: "Work", desk, shell) { pressed in
        (try? desk.lab.busWatch.waitForNotification(since: pressed, within: 10) {
          $0.title == "Alarm skipped"
        }) != nil
      }
      try shell.waitForBanner("Alarm skipped")
      try shell.pressInBanner("Undo")
      try Lab.wait(for: "the alarm to come back") {
        try desk.belfry("next").output.contains("Work")
      }
    }
  }

  // MARK: - Media keys

  @Test(arguments: LabSystem.allCases)
  func
    `the play key snoozes an alarm, and the stop key stops it, with or without a player`(
      system: LabSystem
    ) async throws
  {
    try await onDesk(system) { desk, shell in
      let begun = Lab.now
      let keys = try desk.lab.start("/usr/libexec/gsd-media-keys")
      defer { keys.terminate() }
      try desk.lab.busWatch.waitForMessage("GNOME's media keys", since: begun) {
        $0.member == "NameOwnerChanged"
          && $0.body.first?.string == "org.gnome.SettingsDaemon.MediaKeys"
      }
      let script = Lab.repository.appendingPathComponent("Tests/Lab/media-player.py").path
      let player = try desk.lab.start("/usr/bin/python3", arguments: [script, "other", "Playing"])
      defer { player.terminate() }
      try player.waitForOutput("ready")
      try desk.startAgent()
      try ringing(desk, shell)
      try player.waitForOutput("Paused")
      try press(shell, "AudioPlay", until: desk) { $0.state("work") == "snoozed" }
      try player.waitForOutput("Playing")
      // With `Desk.defaults`, a snoozed alarm rings again in three seconds.
      try desk.waitForStatus("it to ring again") { $0.state("work") == "ringing" }
      try press(shell, "AudioStop", until: desk) { $0.state("work") == "over" }
      #expect(try desk.status().state("work") == "over")
    }
  }

  /// Presses a key again and again until it has an effect. The desktop does not send the key to a
  /// media player that it has not noticed yet.
  private func press(
    _ shell: GnomeShell, _ key: String, until desk: Desk, _ isDone: (Status) -> Bool
  ) throws {
    try Lab.wait(for: key, seen: desk.agent.errors) {
      try shell.press(key: key)
      return (try? desk.waitForStatus(key, within: 2, where: isDone)) != nil
    }
  }

  // MARK: - The launcher

  @Test(arguments: LabSystem.allCases)
  func `Enter runs the action that the search found for a phrase`(
    system: LabSystem
  ) async throws {
    try await onDesk(system) { desk, shell in
      try desk.startAgent()
      try ringing(desk, shell)
      // The search shows programs first, and then the action "Power Off". So Enter opens Belfry,
      // which silences the alarm and shows its buttons instead of stopping it.
      try shell.search("stop", for: "Belfry")
      let pressed = try shell.takeFound()
      try desk.lab.recorder.waitForSilence(after: pressed)
      try shell.waitForBanner("Work", "Stop")
      #expect(try desk.status().ringing.map(\.id) == ["work"])
      try shell.search("stop work", for: "Stop Work")
      try shell.takeFound()
      try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
      try ringing(desk, shell)
      try shell.search("snooze", for: "Snooze")
      let taken = try shell.takeFound()
      // With `Desk.defaults`, a snoozed alarm rings again in three seconds, so do not ask for the
      // status.
      _ = try desk.lab.busWatch.waitForNotification(since: taken) {
        $0.title == "Work" && $0.body.hasPrefix("Snoozed until ")
      }
    }
  }
}
