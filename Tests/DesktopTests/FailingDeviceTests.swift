// SPDX-License-Identifier: GPL-3.0-or-later
//
// The player and devices that fail: missing, hung, asleep, unplugged, killed with their server; each
// for real. What the agent makes of it is `SoundFaultTests.swift` in ProgramTests.

import Foundation
import Lab
import Testing

@testable import Sound

extension PlayerTests {
  @Test func `a device that is not there gives way to the next`() throws {
    player.play(Player.Request(files: [try sine(440)], devices: ["nowhere", "default"]))
    #expect(wait { hasStarted })
    #expect(started?.device == "default")
    let failure = ALSAFailure("snd_pcm_open", -ENOENT)
    #expect(troubles == [.device("nowhere", .unavailable(failure))])
    #expect(failure.text == "No such file or directory")
    try lab.recorder.waitForSound()
  }

  @Test func `with no device at all it tries on, and is heard when one appears`() throws {
    player.play(Player.Request(files: [try sine(440)], devices: ["nowhere", "second"]))
    #expect(wait { troubles.count == 2 })
    #expect(!wait(within: .seconds(2)) { reports.count > 2 }, "each trouble is told once")
    let server = try SecondSoundServer(lab)
    #expect(wait { hasStarted })
    try lab.recorder.waitForSound()
    withExtendedLifetime(server) {}
  }

  @Test func `a sound server killed in the middle is heard again when it is back`() throws {
    var server: SecondSoundServer? = try SecondSoundServer(lab)
    player.play(Player.Request(files: [try sine(440)], devices: ["second"]))
    try lab.recorder.waitForSound()
    #expect(wait { hasStarted })
    server = nil
    #expect(wait { !troubles.isEmpty })
    try lab.recorder.waitForSilence()
    reports = []
    server = try SecondSoundServer(lab)
    #expect(wait { hasStarted })
    try lab.recorder.waitForSound()
    withExtendedLifetime(server) {}
  }

  @Test func `a sound server that hangs is left for the next device, and delays no stop`() throws {
    let server = try SecondSoundServer(lab)
    let request = Player.Request(files: [try sine(440)], devices: ["second", "default"])
    server.hang()
    player.play(request)
    #expect(wait { started?.device == "default" })
    #expect(troubles == [.hung(.device("second"))])
    try lab.recorder.waitForSound()
    let before = ContinuousClock.now
    player.stop()
    #expect(ContinuousClock.now - before < .milliseconds(200))
    try lab.recorder.waitForSilence()

    // Known to hang, it is not waited for a second time; back, it is used again.
    reports = []
    player.play(request)
    #expect(wait(within: .seconds(2)) { started?.device == "default" })
    player.stop()
    try lab.recorder.waitForSilence()
    server.goOn()
    wait(within: .milliseconds(500)) { false }
    reports = []
    player.play(request)
    #expect(wait { started?.device == "second" })
    #expect(troubles == [])
  }

  @Test func `a card that falls asleep in the middle is left for the next device`() throws {
    let server = try SecondSoundServer(lab)
    player.play(Player.Request(files: [try sine(440)], devices: ["second", "default"]))
    try lab.recorder.waitForSound()
    #expect(wait { started?.device == "second" })
    let asleep = Lab.now
    try server.suspendCard()
    #expect(wait { started?.device == "default" }, "\(reports)")
    #expect(troubles.first == .stalled("second"))
    let heard = try lab.recorder.waitForSound(after: asleep + 1)
    #expect(heard - asleep < 7, "\(heard - asleep)")
    player.stop()
  }

  @Test func `a card that wakes up, the only one, is heard again`() throws {
    let server = try SecondSoundServer(lab)
    player.play(Player.Request(files: [try sine(440)], devices: ["second"]))
    try lab.recorder.waitForSound()
    try server.suspendCard()
    #expect(wait { troubles.contains(.stalled("second")) })
    wait(within: .seconds(4)) { false }
    #expect(troubles == [.stalled("second")] || troubles.allSatisfy { $0 == .stalled("second") })
    try server.wakeCard()
    let awake = Lab.now
    let heard = try lab.recorder.waitForSound(after: awake)
    #expect(heard - awake < 3.5, "\(heard - awake)")
    player.stop()
  }

  @Test func `a card unplugged in the middle is heard again when it is back`() throws {
    let server = try SecondSoundServer(lab)
    player.play(Player.Request(files: [try sine(440)], devices: ["second"]))
    try lab.recorder.waitForSound()
    #expect(wait { hasStarted })
    try server.unplug()
    #expect(wait { !troubles.isEmpty })
    try lab.recorder.waitForSilence()
    reports = []
    try server.plugIn()
    let back = Lab.now
    #expect(wait { hasStarted }, "\(reports)")
    #expect(try lab.recorder.waitForSound(after: back) - back < 2.5)
    player.stop()
  }

  @Test func `rung again and again while its server hangs, it leaves four threads behind at most`()
    throws
  {
    let server = try SecondSoundServer(lab)
    let request = Player.Request(files: [try sine(440)], devices: ["second"])
    server.hang()
    let before = Footprint.now
    for _ in 0..<10 {
      player.prime(request)
      player.play(request)
      wait(within: .milliseconds(700)) { false }
      let asked = ContinuousClock.now
      player.stop()
      #expect(ContinuousClock.now - asked < .milliseconds(200))
    }
    // Two for each: PulseAudio's library has one of its own.
    let after = Footprint.now
    #expect(after.threads <= before.threads + 10, "\(before), now \(after)")
    server.goOn()
    reports = []
    player.play(request)
    #expect(wait { started?.device == "second" }, "\(reports)")
    try lab.recorder.waitForSound()
    player.stop()
    #expect(wait { Footprint.now.isAbout(before) })
  }

  @Test func `where nothing that is named plays for a while, what else there is does`() throws {
    let file = lab.folder.appendingPathComponent("spare.conf")
    let path = lab.environment["ALSA_CONFIG_PATH"] ?? ""
    try """
    <\(path)>
    pcm.!sysdefault { type pulse }
    """.write(to: file, atomically: true, encoding: .utf8)
    setenv("ALSA_CONFIG_PATH", file.path, 1)
    PCM.forgetConfiguration()
    defer {
      setenv("ALSA_CONFIG_PATH", path, 1)
      PCM.forgetConfiguration()
    }
    let asked = Lab.now
    player.play(Player.Request(files: [try sine(440)], devices: ["nowhere"]))
    #expect(wait { started?.device == "sysdefault" })
    let heard = try lab.recorder.waitForSound(after: asked)
    #expect(heard - asked > 1.5 && heard - asked < 4)
    #expect(troubles.count == 1)
    player.stop()
    // A preview says that the device is not there.
    reports = []
    player.play(Player.Request(files: [try sine(440)], devices: ["nowhere"], loops: false))
    #expect(!wait(within: .seconds(5)) { hasStarted })
    player.stop()
  }

  @Test func `a sound server that stalls in the middle is left for the next device`() throws {
    let server = try SecondSoundServer(lab)
    player.play(Player.Request(files: [try sine(440)], devices: ["second", "default"]))
    try lab.recorder.waitForSound()
    #expect(wait { started?.device == "second" })
    server.hang()
    #expect(wait { started?.device == "default" }, "\(reports)")
    #expect(troubles.first == .stalled("second"))
    try lab.recorder.waitForSound()
    player.stop()
    server.goOn()
  }
}
