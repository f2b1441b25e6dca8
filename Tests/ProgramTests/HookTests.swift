// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the agent does during a ring besides ringing: it runs commands, raises the volume and
// pauses media players. None of this delays the ring. After the ring, the agent ends the commands,
// restores the volume and lets the players go on. `CommandTests.swift` and `VolumeLiftTests.swift`
// in ShellTests test what can go wrong with a command and with the volume.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct HookTests {
  /// Returns the config line of a hook that runs `script` in a shell. Belfry itself never uses a
  /// shell.
  private func shell(_ key: String, _ script: String) -> String {
    "\(key) = [\"sh\", \"-c\", '\(script)']\n"
  }

  @Test func `hooks get the alarm and the event as environment variables, and end with the ring`()
    throws
  {
    let desk = try Desk()
    let agent = try desk.startAgent()
    let due = Second.ahead(3)
    let note =
      #"echo "$BELFRY_EVENT|$BELFRY_ID|$BELFRY_LABEL|$BELFRY_DUE|$(pwd)|"#
      + #"$BELFRY_KIND $BELFRY_DUE_EPOCH""#
    try desk.saveText(
      Desk.defaults
        + Desk.alarm(
          "work", at: due, #"label = "Work; $(rm -rf x) 'q'""#,
          shell("on_ring", "\(note) >>log; echo $$ >>pids; exec sleep 1000")
            + shell("on_stop", "\(note) >>log"))
        + Desk.alarm(
          "nap", at: Second(epoch: due.epoch + 6), #"ring_for = "1s""#, #"unanswered = "miss""#,
          shell("on_stop", "\(note) >>log")))
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.wait("the first hook") { desk.lines("pids").count == 1 }
    try desk.belfry("snooze work 2s")
    try desk.wait("the second ring") { desk.lines("pids").count == 2 }
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(desk.lines("pids")[0])"))
    try desk.belfry("stop work")
    try desk.wait("the last hook") { desk.lines("log").count == 5 }
    let logged = desk.lines("log").map {
      $0.split(separator: "|", omittingEmptySubsequences: false)
    }
    let label = "Work; $(rm -rf x) 'q'"
    // On a busy machine, `work` may be stopped after `nap` has been missed.
    let work = logged.filter { $0[1] == "work" }
    #expect(work.map { $0[0] } == ["ring", "snooze", "ring", "stop"])
    #expect(work.allSatisfy { $0[2] == label })
    let nap = try #require(logged.first { $0[1] == "nap" })
    #expect(nap[0] == "missed" && nap[2] == "")
    for line in logged {
      #expect(
        ISO8601DateFormatter().date(from: String(line[3]))?.timeIntervalSince1970
          == (line[1] == "nap" ? due.epoch + 6 : due.epoch))
    }
    #expect(logged.allSatisfy { $0[4] == desk.lab.home.path })
    #expect(logged[0][5] == "alarm \(Int(due.epoch))")
    try desk.wait("no hook to be left") { try desk.children(of: agent).isEmpty }
  }

  // MARK: - The mixer

  /// Returns the volume of the sound output in percent, followed by " mute" if the output is muted.
  private func output(_ desk: Desk) throws -> String {
    let volume = try desk.lab.run("pactl", "get-sink-volume", "lab").output
    let mute = try desk.lab.run("pactl", "get-sink-mute", "lab").output.contains("yes")
    let percent = volume.firstMatch(of: /(\d+)%/).map { String($0.1) } ?? "?"
    return percent + (mute ? " mute" : "")
  }

  private func setOutput(_ desk: Desk, _ percent: Int, isMute: Bool) throws {
    try desk.lab.run("pactl", "set-sink-volume", "lab", "\(percent)%")
    try desk.lab.run("pactl", "set-sink-mute", "lab", isMute ? "1" : "0")
  }

  @Test func `a quiet and muted output is raised for a ring and then restored, even after a crash`()
    throws
  {
    let desk = try Desk()
    try setOutput(desk, 20, isMute: true)
    let first = try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"snooze = ["1h", "1s"]"#))
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    try desk.wait("the output to be raised") { try output(desk) == "50" }
    // While the alarm is snoozed, the volume is as low as before, because other sounds could wake
    // someone in the next room.
    try desk.belfry("snooze")
    let snoozed = try desk.lab.busWatch.waitForNotification {
      $0.body.hasPrefix("Snoozed until ")
    }
    try desk.wait("the output to be as it was") { try output(desk) == "20 mute" }
    try desk.lab.press("snooze:1", on: snoozed)
    try desk.wait("the output to be raised again") { try output(desk) == "50" }
    try desk.crash(first)
    #expect(try output(desk) == "50")

    // The next agent continues the ring. After the ring, it must restore the volume from before the
    // ring.
    let second = try desk.startAgent()
    try desk.lab.recorder.waitForSound()
    try desk.crash(second)
    // Remove the alarm from the config, so that nothing is ringing any more.
    try desk.save()
    let third = try desk.startAgent()
    try desk.wait("the output to be as it was") { try output(desk) == "20 mute" }
    third.terminate()
    try third.waitForExit()
    #expect(try output(desk) == "20 mute")
  }

  @Test
  func `an agent that quits during a ring restores volume and players, unless set to leave them`()
    throws
  {
    let desk = try Desk()
    try setOutput(desk, 30, isMute: false)
    let playing = try player(desk, "playing", "Playing")
    let first = try desk.startAgent()
    let due = Second.ahead(3)
    try desk.saveText(
      "[agent]\nmixer_floor = 70\n" + Desk.defaults + Desk.alarm("work", at: due))
    try desk.wait("the output to be raised") { try output(desk) == "70" }
    try playing.waitForOutput("Paused")
    first.terminate()
    #expect(try first.waitForExit() == .status(0))
    #expect(try output(desk) == "30")
    try playing.waitForOutput("Playing")
    try desk.saveText(
      "[agent]\nmixer = \"leave\"\npause_media = false\n" + Desk.defaults
        + Desk.alarm("work", at: due))
    try desk.startAgent()
    try desk.lab.recorder.waitForSound()
    desk.wait(until: Lab.now + 0.5)
    #expect(try output(desk) == "30")
    // If no device opens, media players are paused as well: one of them may be using the device.
    try desk.saveText(
      "[agent]\ndevice = \"nowhere\"\n" + Desk.defaults
        + Desk.alarm("silent", at: .ahead(2), #"label = "Silent""#))
    _ = try desk.waitForNotification("Silent")
    try playing.waitForOutput("ready\nPaused\nPlaying\nPaused\n")
    try desk.belfry("stop")
    try playing.waitForOutput("ready\nPaused\nPlaying\nPaused\nPlaying\n")
  }

  // MARK: - Media players

  @Test
  func `a timer with pause_players pauses the players without a ring, and they are not resumed`()
    throws
  {
    let desk = try Desk()
    let playing = try player(desk, "playing", "Playing")
    let agent = try desk.startAgent()
    try desk.saveText(
      Desk.defaults + Desk.alarm("work", at: .ahead(2)) + """
        [[timer]]
        name = "music"
        duration = "5s"
        pause_players = true
        on_ring = ["touch", "rang"]

        """)
    try playing.waitForOutput("Paused")
    let started = Lab.now
    #expect(try desk.belfry("timer music").output.hasPrefix("music ends "))
    try desk.belfry("stop work")
    try playing.waitForOutput("Playing")
    _ = try desk.lab.busWatch.waitForNotification(since: started + 4) {
      $0.title == "music" && $0.text == "Time's up (5 s timer).\nThe music is paused."
    }
    try playing.waitForOutput("Paused\nPlaying\nPaused")
    // An agent that starts after the end of the timer pauses the players, too. Another ring does
    // not resume them.
    try desk.lab.run(
      "dbus-send", "--session", "--print-reply", "--dest=org.mpris.MediaPlayer2.playing",
      "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player.Play")
    try desk.belfry("timer music")
    try desk.crash(agent)
    desk.wait(until: Lab.now + 6)
    try desk.startAgent()
    try playing.waitForOutput("Paused\nPlaying\nPaused\nPlaying\nPaused")
    try desk.belfry("rehearse work")
    try desk.belfry("stop work")
    desk.wait(until: Lab.now + 1)
    #expect(playing.output == "ready\nPaused\nPlaying\nPaused\nPlaying\nPaused\n")
    #expect(try desk.timers().isEmpty && desk.lines("rang").isEmpty)
    #expect(try desk.belfry("history").output.contains("paused the music"))
    let totals = try desk.belfry("history --totals --by label").output
    #expect(totals.contains(/music\s+did not ring\s+2 timers\s+10 s\n/), "\(totals)")
  }

  private func player(_ desk: Desk, _ name: String, _ status: String, _ options: String...) throws
    -> Program
  {
    let script = Lab.repository.appendingPathComponent("Tests/Lab/media-player.py").path
    let player = try desk.lab.start(
      "/usr/bin/python3", arguments: [script, name, status] + options)
    try player.waitForOutput("ready")
    return player
  }

  @Test
  func `media players that play are paused once the alarm is heard, and resume after the ring`()
    throws
  {
    let desk = try Desk()
    let playing = try player(desk, "playing", "Playing")
    let paused = try player(desk, "paused", "Paused")
    let stubborn = try player(desk, "stubborn", "Playing", "--refuse")
    let stopped = try player(desk, "stopped", "Playing")
    let hung = try player(desk, "hung", "Playing")
    hung.suspend()
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("work", at: due), Desk.alarm("other", at: Second(epoch: due.epoch + 2)))
    let heard = try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    #expect(isOnSecond(heard, due.epoch))
    try playing.waitForOutput("Paused")
    let told = try desk.lab.busWatch.waitForMessage("Pause", since: due.epoch - 1) {
      $0.member == "Pause"
    }.time
    #expect(told > heard - recorderError)
    try stopped.waitForOutput("Paused")
    // The user stops the player `stopped` during the ring, so the agent must not resume it after
    // the ring.
    try desk.lab.run(
      "dbus-send", "--session", "--print-reply", "--dest=org.mpris.MediaPlayer2.stopped",
      "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player.Stop")
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("stop work")
    desk.wait(until: Lab.now + 0.5)
    #expect(playing.output == "ready\nPaused\n")
    try desk.belfry("stop other")
    try playing.waitForOutput("Playing")
    hung.resume()
    desk.wait(until: Lab.now + 0.5)
    #expect(paused.output == "ready\n" && stubborn.output == "ready\n" && hung.output == "ready\n")
    #expect(stopped.output == "ready\nPaused\nStopped\n")
  }
}
