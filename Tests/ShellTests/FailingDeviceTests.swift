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
}
