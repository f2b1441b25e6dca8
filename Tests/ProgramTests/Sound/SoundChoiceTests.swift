// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the settings for the sound and the device of an alarm: a list of sounds, a folder of
// sounds, and a device that only this alarm uses.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct SoundChoiceTests {
  private struct Line: Decodable {
    var device: String?
    var sound: String?
  }

  /// Rings an alarm `count` times by snoozing it, and once more after a crash of the agent. Returns
  /// the lines of the history, which contain the sound of each ring.
  private func ring(_ desk: Desk, _ count: Int, _ settings: String...) throws -> [Line] {
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, settings.joined(separator: "\n")))
    var asked = due.epoch - 1
    for number in 1...count + 1 {
      try desk.lab.recorder.waitForSound(after: asked + 0.1)
      try desk.waitForStatus("a ring") { $0.ringing.map(\.snoozes) == [number - 1] }
      asked = Lab.now
      try desk.belfry("snooze work 4s")
      asked = try desk.lab.recorder.waitForGap(after: asked)
      guard number == count else { continue }
      try desk.crash(desk.agent)
      try desk.startAgent()
    }
    try desk.belfry("stop work")
    // The last line is about the stop.
    let lines: [Line] = try desk.history(count: count + 2)
    return lines.dropLast()
  }

  @Test func `an alarm with several sounds plays a different one at each ring`() throws {
    let desk = try Desk()
    let sounds = try ring(desk, 3, #"sound = ["~/low.wav", "~/high.wav"]"#).map(\.sound)
    #expect(Set(sounds).count == 2, "\(sounds)")
    #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $0 != $1 }, "\(sounds)")
  }

  @Test
  func `an alarm with a folder of sounds plays a different one at each ring, and no other file`()
    throws
  {
    let desk = try Desk()
    let folder = try desk.lab.write("no sound", to: "tunes/cover.jpg").deletingLastPathComponent()
    try desk.lab.run("cp", "low.wav", "tunes/a.wav")
    try desk.lab.run("cp", "high.wav", "tunes/b.WAV")
    let sounds = try ring(desk, 3, #"sound = "~/tunes""#).map(\.sound)
    #expect(Set(sounds) == Set(["a.wav", "b.WAV"].map { "\(folder.path)/\($0)" }), "\(sounds)")
    #expect(zip(sounds, sounds.dropFirst()).allSatisfy { $0 != $1 }, "\(sounds)")
    #expect(try desk.diagnosis()["sounds"]?.state == "ok")
    let played = try desk.belfry("sounds play ~/tunes --json").output
    #expect(played.contains("\(folder.path)/a.wav") || played.contains("\(folder.path)/b.WAV"))
    #expect(try desk.belfry("config check --json").output == "[]\n")
  }

  @Test func `the device of an alarm is tried before the device of the agent`() throws {
    let desk = try Desk()
    let server = try SecondSoundServer(desk.lab)
    defer { withExtendedLifetime(server) {} }
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("own", at: due, #"device = ["nowhere", "second"]"#),
      Desk.alarm("other", at: Second(epoch: due.epoch + 2), #"sound = "~/high.wav""#))
    let rang = try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    #expect(rang.ringing.map(\.id) == ["own", "other"])
    // At first, only the alarm `own` is heard. Once it is stopped, the alarm `other` is heard on
    // the agent's usual device. Its tone distinguishes it from the end of the first sound.
    try desk.belfry("stop own")
    try Lab.wait(for: "the other tone") {
      let now = Lab.now
      return abs(desk.lab.recorder.pitch(from: now - 0.6, to: now - 0.3) - 1000) < 30
    }
    try desk.belfry("stop")
    let lines: [Line] = try desk.history(count: 2)
    #expect(lines.map(\.device) == ["second", "default"])
    let found = try desk.diagnosis()["device"]
    #expect(found?.state == "warning" && found?.message.hasPrefix("nowhere cannot be") == true)
    #expect(found?.message.hasSuffix("default, second plays") == true, "\(found as Any)")
  }

  @Test func `a device that is named in the config during a ring plays at once`() throws {
    let desk = try Desk()
    let server = try SecondSoundServer(desk.lab, hasIdleCard: true)
    defer { withExtendedLifetime(server) {} }
    let agent = try desk.startAgent()
    let alarm = Desk.defaults + Desk.alarm("work", at: .ahead(3))
    // No one hears this device.
    try desk.saveText("[agent]\ndevice = \"idle\"\n" + alarm)
    try desk.waitForStatus("a ring") { !$0.ringing.isEmpty }
    desk.wait(until: Lab.now + 1)
    #expect(desk.lab.recorder.isSilent(from: Lab.now - 0.5, to: Lab.now))
    try desk.saveText("[agent]\ndevice = \"default\"\n" + alarm)
    let saved = Lab.now
    let heard = try desk.lab.recorder.waitForSound(after: saved)
    #expect(heard < saved + 1.5, "heard after \(heard - saved) s: \(agent.errors)")
    try desk.belfry("stop")
  }

  @Test
  func `a typed path is relative to the current folder, and is saved in the config in full`()
    throws
  {
    let desk = try Desk(Lab(.bus, .sound))
    // A Lab's programs run in the home folder, so a relative path begins there.
    try desk.lab.run("install", "-D", "low.wav", "Music/x.wav")
    let file = desk.lab.home.appending(path: "Music/x.wav")
    try desk.startAgent()
    for typed in ["Music/x.wav", "./Music/x.wav", "~/Music/x.wav", file.path] {
      try desk.saveText("")
      let added = try desk.belfry(["add", "7:30", "--id", "a", "--sound", typed])
      #expect(added.status == 0 && added.errors == "", "\(typed): \(added.errors)")
      #expect(try desk.text.contains("sound = \"~/Music/x.wav\""), "\(typed)")
      #expect(try desk.belfry("sounds play \(typed)").status == 0, "\(typed)")
      #expect(try desk.belfry("timer 5m --sound \(typed)").errors == "", "\(typed)")
    }
    // A word without a slash is the name of a sound.
    try desk.belfry("edit a --sound Harp --except Music/days.ics,2099-01-01")
    #expect(try desk.text.contains("sound = \"Harp\""))
    #expect(try desk.text.contains("except = [\"~/Music/days.ics\", 2099-01-01]"))
  }
}
