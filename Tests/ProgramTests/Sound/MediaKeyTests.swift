// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a ringing alarm acts as a media player on the bus, so that media keys snooze and stop
// it. Most tests use playerctl(1), as panels and scripts do. Another media player may be playing at
// the same time. `GnomeShellQuietTests.swift` tests real keys in GNOME.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct MediaKeyTests {
  private func playerctl(_ desk: Desk, _ words: String...) throws -> String {
    let program = try desk.lab.start("playerctl", arguments: ["--player=belfry"] + words)
    try program.waitForExit()
    return (program.output + program.errors).trimmingCharacters(in: .newlines)
  }

  private func waitForPlayer(_ desk: Desk, _ status: String) throws {
    try Lab.wait(for: "the player to be \(status)", seen: desk.agent.errors) {
      try playerctl(desk, "status") == status
    }
  }

  @Test func `a ringing alarm acts as a media player, which play snoozes and stop stops`() throws {
    let desk = try Desk()
    try desk.startAgent()
    #expect(try playerctl(desk, "status") == "No players found")
    try desk.save(Desk.alarm("work", at: .ahead(3), #"label = "Work & <b>play</b>""#))
    for _ in 1...2 {
      try waitForPlayer(desk, "Playing")
      #expect(try playerctl(desk, "metadata", "title") == "Work & <b>play</b>")
      #expect(try playerctl(desk, "metadata", "artist").hasPrefix("Alarm, "))
      let pressed = Lab.now
      #expect(try playerctl(desk, "play-pause") == "")
      // The snooze is short, so look for its effects in what was recorded.
      try desk.lab.recorder.waitForGap(after: pressed)
      _ = try desk.lab.busWatch.waitForNotification(since: pressed) {
        $0.body.hasPrefix("Snoozed until ")
      }
      try desk.lab.busWatch.waitForMessage("the player to leave", since: pressed) {
        $0.member == "NameOwnerChanged"
          && $0.body.first?.string == "org.mpris.MediaPlayer2.belfry"
          && $0.body.last?.string == ""
      }
    }
    try waitForPlayer(desk, "Playing")
    #expect(try playerctl(desk, "stop") == "")
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
    try waitForPlayer(desk, "No players found")
  }

  @Test
  func `a program that pauses all media players only silences an alarm for a while`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(3), "snoozes = 1"))
    try waitForPlayer(desk, "Playing")
    #expect(try playerctl(desk, "play") == "")
    #expect(try playerctl(desk, "status") == "Playing")
    let pressed = Lab.now
    #expect(try playerctl(desk, "pause") == "")
    try desk.lab.recorder.waitForSilence(after: pressed)
    try waitForPlayer(desk, "Paused")
    #expect(try playerctl(desk, "play") == "")
    #expect(try playerctl(desk, "status") == "Paused" && desk.status().state("work") == "ringing")
    // The play key still snoozes the alarm. In the next ring, which has no snooze left, the key
    // silences the alarm instead.
    let snoozed = Lab.now
    #expect(try playerctl(desk, "play-pause") == "")
    _ = try desk.lab.busWatch.waitForNotification(since: snoozed) {
      $0.body.hasPrefix("Snoozed until ")
    }
    try waitForPlayer(desk, "Playing")
    let again = try desk.lab.busWatch.waitForNotification(since: pressed) {
      $0.text.hasSuffix(", snoozed once.")
    }
    #expect(again.buttons == ["default: Quiet for 1 min", "stop: Stop"])
    #expect(try playerctl(desk, "play-pause") == "")
    let silent = try desk.lab.busWatch.waitForNotification(since: again.time) {
      $0.text.contains("quiet until")
    }
    #expect(silent.buttons == ["stop: Stop"])
    try waitForPlayer(desk, "Paused")
  }

  @Test func `if another media player is playing, the media keys go to the ringing alarm`() throws {
    let desk = try Desk()
    let script = Lab.repository.appendingPathComponent("Tests/Lab/media-player.py").path
    let player = try desk.lab.start(
      "/usr/bin/python3", arguments: [script, "other", "Playing"])
    try player.waitForOutput("ready")
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(3)))
    try player.waitForOutput("Paused")
    let owner = try desk.waitForOwner(since: 0)
    // Desktops send media keys to the player that was the last to report that it is playing. This
    // must be the alarm.
    try Lab.wait(for: "it to say last that it plays", seen: desk.agent.errors) {
      let senders = desk.lab.busWatch.signals("PropertiesChanged").map(\.sender)
      return senders.last == owner && senders.contains { $0 != owner }
    }
    #expect(try playerctl(desk, "stop") == "")
    try player.waitForOutput("Playing")
    #expect(player.output == "ready\nPaused\nPlaying\n")
  }

  /// playerctld(1) gives the keys to the player that reported a change last. Browsers report a
  /// pause late, so that the music would be the last one.
  @Test func `with playerctld, the play key snoozes the alarm and starts no music`() throws {
    let desk = try Desk()
    let proxy = try desk.lab.start("playerctld")
    let script = Lab.repository.appendingPathComponent("Tests/Lab/media-player.py").path
    func player(_ name: String, _ status: String) throws -> Program {
      let player = try desk.lab.start(
        "/usr/bin/python3", arguments: [script, name, status, "--slow"])
      try player.waitForOutput("ready")
      return player
    }
    /// Waits until playerctld has sent keys to the player `name` for a second, and presses one.
    func press(_ name: String) throws {
      try Lab.wait(for: "\(name) to be the newest", seen: proxy.errors) {
        func newest() throws -> Bool {
          try desk.lab.run(
            "gdbus", "call", "--session", "--dest=org.mpris.MediaPlayer2.playerctld",
            "--object-path=/org/mpris/MediaPlayer2",
            "--method=org.freedesktop.DBus.Properties.Get", "com.github.altdesktop.playerctld",
            "PlayerNames"
          ).output.hasPrefix("(<['org.mpris.MediaPlayer2.\(name)'")
        }
        guard try newest() else { return false }
        desk.wait(until: Lab.now + 1)
        return try newest()
      }
      let pressed = try desk.lab.run("playerctl", "--player=playerctld", "play-pause")
      #expect(pressed.status == 0, "\(pressed.errors)")
    }
    let music = try player("music", "Playing")
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(3), "snooze = \"3s\""))
    try music.waitForOutput("Paused")
    desk.wait(until: Lab.now + 1)
    try press("belfry")
    try desk.waitForStatus("a snooze") { $0.state("work") == "snoozed" }
    try desk.waitForStatus("a ring") { $0.state("work") == "ringing" }
    // Another player appears during the ring.
    let other = try player("other", "Paused")
    try press("belfry")
    try desk.waitForStatus("a snooze") { $0.state("work") == "snoozed" }
    #expect(other.output == "ready\n")
    #expect(proxy.isRunning)
  }

  @Test func `in Plasma, the play key snoozes an alarm, and the stop key stops it`() throws {
    let kind = Lab.NotificationServerKind.plasma
    guard kind.isInstalled else { try leaveOut("Plasma: it is not installed") }
    let desk = try Desk(Lab(.notificationsBy(kind), .sound))
    try desk.startAgent()
    try desk.save(Desk.alarm("work", at: .ahead(3)))
    // Test three rings in a row: after each ring, Belfry's media player leaves the bus, and Plasma
    // forgets it.
    for (key, state) in [
      ("XF86AudioPlay", "snoozed"), ("XF86AudioPlay", "snoozed"), ("XF86AudioStop", "over"),
    ] {
      try desk.waitForStatus("it to ring") { $0.state("work") == "ringing" }
      // Press the key repeatedly: Plasma does not send it to a player that Plasma has not noticed
      // yet.
      try Lab.wait(for: "\(key) to be heard", seen: desk.agent.errors) {
        try desk.lab.run("xdotool", "key", key)
        return (try? desk.waitForStatus(state, within: 2) { $0.state("work") == state }) != nil
      }
    }
  }
}
