// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which other devices are tried if none of the devices in the config plays.
// `SoundFaultTests.swift` in ProgramTests tests each fault during a ring.

import Foundation
import Lab
import Testing

@testable import Sound

extension PlayerTests {
  @Test func `if no device of the config plays for a while, another device does`() throws {
    let file = lab.folder.appendingPathComponent("spare.conf")
    let path = lab.environment["ALSA_CONFIG_PATH"] ?? ""
    try """
    <\(path)>
    pcm.!sysdefault { type pulse }
    """.write(to: file, atomically: true, encoding: .utf8)
    setenv("ALSA_CONFIG_PATH", file.path, 1)
    defer { setenv("ALSA_CONFIG_PATH", path, 1) }
    let asked = Lab.now
    player.play(SoundRequest(files: [try sine(440)], devices: ["nowhere"]))
    #expect(wait { started?.device == "sysdefault" })
    let heard = try waitForSound(after: asked)
    #expect(heard - asked > 1.5 && heard - asked < 4)
    #expect(troubles.count == 1)
    player.stop()
    // A preview, which plays only once, tries only the devices of the config.
    reports = []
    player.play(SoundRequest(files: [try sine(440)], devices: ["nowhere"], loops: false))
    #expect(!wait(within: .seconds(5)) { hasStarted })
    player.stop()
  }

  @Test(arguments: [
    // A file that ALSA cannot read, and one that leads to a card that is gone.
    (".asoundrc", "pcm.!default {"), (".config/alsa/asoundrc", "pcm.!default { type hw card 31 }"),
  ])
  func `a faulty configuration of the user is named, and does not silence the sound server`(
    name: String, text: String
  ) throws {
    let home = lab.folder.appendingPathComponent("home-\(UUID().uuidString)")
    let faulty = home.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: faulty.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: faulty, atomically: true, encoding: .utf8)
    let file = lab.folder.appendingPathComponent("user.conf")
    let path = lab.environment["ALSA_CONFIG_PATH"] ?? ""
    try """
    <\(path)>
    pcm.!pulse { type pulse }
    @hooks [ {
      func load
      files [
        "~/.asoundrc"
        { @func concat strings [
          { @func getenv vars [ XDG_CONFIG_HOME ] default "~/.config" } "/alsa/asoundrc" ] }
      ]
      errors false
    } ]
    """.write(to: file, atomically: true, encoding: .utf8)
    let before = lab.environment
    setenv("ALSA_CONFIG_PATH", file.path, 1)
    setenv("HOME", home.path, 1)
    unsetenv("XDG_CONFIG_HOME")
    defer {
      for name in ["ALSA_CONFIG_PATH", "HOME", "XDG_CONFIG_HOME"] {
        setenv(name, before[name] ?? "", 1)
      }
    }
    let asked = Lab.now
    player.play(SoundRequest(files: [try sine(440)], devices: ["default"]))
    #expect(wait { started?.device == "pulse" })
    #expect(try waitForSound(after: asked) - asked < 4)
    guard case .device("default", .misconfigured(_, let named)) = troubles.first else {
      Issue.record("\(troubles)")
      return
    }
    #expect(named == faulty.path)
    player.stop()
  }
}
