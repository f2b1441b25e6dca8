// SPDX-License-Identifier: GPL-3.0-or-later
//
// The player on a real sound server, judged by what was recorded from its sink, and what it says of
// everything that fails.

import Foundation
import Lab
import Testing

@testable import Desktop

@Suite(.serialized, .realServers) final class PlayerTests {
  let lab: Lab
  let player = Player()
  var reports: [Player.Report] = []

  init() throws {
    lab = try Lab.shared()
    player.onReport = { [weak self] in self?.reports.append($0) }
    try lab.recorder.waitForSilence(lasting: 0.2)
  }

  /// A WAV file, of two channels and 48 kHz where nothing else is said.
  func sine(_ hertz: Int, seconds: Double = 1.5, _ format: String = "-r48000 -c2") throws -> String
  {
    let path = lab.home.appendingPathComponent("\(UUID().uuidString).wav").path
    let words = format.split(separator: " ").map(String.init)
    let program = try lab.start(
      "sox",
      arguments: ["-n", "-R", "-D"] + words + ["-b16", path]
        + ["synth", "\(seconds)", "sine", "\(hertz)", "vol", "0.5"])
    try #require(try program.waitForExit(within: 20) == .status(0))
    return path
  }

  var hasStarted: Bool { started != nil }

  /// Device and file of the last start.
  var started: (device: String, file: String?)? {
    for case .started(let device, _, let file, _) in reports.reversed() { return (device, file) }
    return nil
  }

  var troubles: [Player.Trouble] {
    reports.compactMap { if case .trouble(let trouble) = $0 { trouble } else { nil } }
  }

  func prime(_ request: Player.Request) throws {
    player.prime(request)
    try #require(
      wait { reports.contains { if case .primed = $0 { true } else { false } } }, "\(reports)")
  }

  /// Seconds from now to the first sound after `action`.
  func secondsToSound(_ action: () -> Void) throws -> Double {
    let start = Lab.now
    action()
    return try lab.recorder.waitForSound(after: start) - start
  }

  /// The left channel of what was played in the `seconds` from `start` on.
  func recorded(from start: Epoch, seconds: Double) throws -> [Double] {
    let end = start + seconds
    try #require(wait { Lab.now > end + 0.2 })
    let samples = lab.recorder.samples(from: start, to: end)
    return stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }
  }

  // MARK: - On time

  @Test func `what is primed is silent until it is played, and then heard at once`() throws {
    let request = Player.Request(files: [try sine(440)])
    var primed: [Double] = []
    var unprimed: [Double] = []
    for _ in 0..<5 {
      reports = []
      try prime(request)
      let start = Lab.now
      wait(within: .milliseconds(300)) { false }
      #expect(lab.recorder.isSilent(from: start, to: Lab.now))
      primed.append(try secondsToSound { player.play(request) })
      player.stop()
      try lab.recorder.waitForSilence()
      unprimed.append(try secondsToSound { player.play(request) })
      player.stop()
      try lab.recorder.waitForSilence()
    }
    let figures = [primed, unprimed].map { $0.map { String(format: "%.1f", $0 * 1000) } }
    print("first sample, ms after play: primed \(figures[0]), unprimed \(figures[1])")
    #expect(primed.max()! < 0.1)
  }

  /// Such a card takes all that was written ahead at once, and runs dry.
  @Test func `a card that has been idle begins no later, and is no trouble`() throws {
    let server = try SecondSoundServer(lab, hasIdleCard: true)
    let request = Player.Request(files: [try sine(440)], devices: ["idle", "default"])
    try prime(request)
    player.play(request)
    #expect(wait { hasStarted })
    #expect(started?.device == "idle" && troubles == [])
    for case .started(_, _, _, let delay) in reports { #expect(delay < .milliseconds(300)) }
    wait(within: .seconds(3)) { false }
    #expect(started?.device == "idle" && troubles == [], "\(reports)")
    withExtendedLifetime(server) {}
  }

  @Test func `stop is silence within 200 ms`() throws {
    player.play(Player.Request(files: [try sine(440)]))
    try lab.recorder.waitForSound()
    let stopped = Lab.now
    player.stop()
    let last = try lab.recorder.waitForSilence(after: stopped)
    print("last sample, ms after stop: \(String(format: "%.1f", (last - stopped) * 1000))")
    #expect(last - stopped < 0.2)
    #expect(wait { Lab.now > stopped + 1 })
    #expect(lab.recorder.isSilent(from: last + 0.001, to: Lab.now))
  }

  @Test func `play, stop and another play in one breath leave the last one heard`() throws {
    let (first, second) = (try sine(300), try sine(440))
    player.play(Player.Request(files: [first]))
    player.stop()
    player.prime(Player.Request(files: [first]))
    player.play(Player.Request(files: [second]))
    #expect(wait { hasStarted })
    #expect(started?.file == second)
    // What is primed beside something that plays changes nothing.
    player.prime(Player.Request(files: [first]))
    let start = try lab.recorder.waitForSound() + 0.3
    let samples = try recorded(from: start, seconds: 1)
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 440) <= 1)
  }

  // MARK: - As it should sound

  /// Each sample of a sine follows from the two before it; at a gap, click or step it does not.
  @Test("a loop has no seam: a sine goes through it", arguments: [0.1, 1.5])
  func seamless(seconds: Double) throws {
    player.play(Player.Request(files: [try sine(480, seconds: seconds)]))
    let samples = try recorded(from: try lab.recorder.waitForSound() + 0.1, seconds: 5)
    let factor = 2 * cos(2 * Double.pi * 480 / 48_000)
    let surprises = zip(samples, zip(samples.dropFirst(), samples.dropFirst(2))).map {
      abs($1.1 - factor * $1.0 + $0)
    }
    #expect(samples.count > 230_000)
    #expect(samples.max()! > 16_000)
    #expect(surprises.max()! < 4)
  }

  @Test func `half the volume is 18 dB less, and full volume is the file's own`() throws {
    let file = try sine(440)
    for (volume, expected) in [(100, -9.03), (50, -27.09), (80, -14.84)] {
      player.play(Player.Request(files: [file], volume: volume))
      let start = try lab.recorder.waitForSound() + 0.1
      #expect(wait { Lab.now > start + 0.5 })
      #expect(abs(lab.recorder.rms(from: start, to: start + 0.3) - expected) < 0.1)
      player.stop()
      try lab.recorder.waitForSilence()
    }
  }

  @Test("a fade rises evenly in decibels, and goes on where it was", arguments: [0.0, 2.0])
  func fade(elapsed: Double) throws {
    let request = Player.Request(files: [try sine(440)], volume: 100, fadeIn: .seconds(4))
    try prime(request)
    let start = Lab.now
    player.play(request, fadedFor: .seconds(elapsed))
    for time in stride(from: 0.25, to: 5 - elapsed, by: 0.5) {
      #expect(wait { Lab.now > start + time + 0.3 })
      let level = lab.recorder.rms(from: start + time - 0.05, to: start + time + 0.05)
      let expected = -9.03 - 40 * (1 - min(1, (elapsed + time) / 4))
      #expect(abs(level - expected) < 1.5, "at \(time) s")
    }
  }

  @Test(
    "any rate and number of channels is heard at its own pitch",
    arguments: [
      "-r8000 -c1", "-r11025 -c2", "-r44100 -c1", "-r96000 -c2", "-r192000 -c2", "-r48000 -c6",
    ])
  func formats(format: String) throws {
    player.play(Player.Request(files: [try sine(440, format)]))
    let samples = try recorded(from: try lab.recorder.waitForSound() + 0.3, seconds: 1)
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 440) <= 1)
    #expect(abs(samples.max()! - 16_384) < 500)
    #expect(troubles == [])
  }

  /// `words` takes integers only, `telephone` only µ-law, which the converter makes for us.
  @Test("a device that takes no floats is given what it takes", arguments: ["words", "telephone"])
  func formats(device: String) throws {
    player.play(Player.Request(files: [try sine(440)], devices: [device]))
    let start = try lab.recorder.waitForSound() + 0.1
    // Longer than the buffer, and than what counts as stalled.
    #expect(wait { Lab.now > start + 2.7 })
    #expect(abs(lab.recorder.rms(from: start, to: start + 2.5) - -9.03) < 0.3)
    #expect(troubles == [])
  }

  @Test func `what does not loop is heard to its end, and then reported`() throws {
    player.play(Player.Request(files: [try sine(440, seconds: 1.2)], loops: false))
    let first = try lab.recorder.waitForSound()
    #expect(wait { reports.last == .finished })
    let last = try lab.recorder.waitForSilence()
    #expect(abs(last - first - 1.2) < 0.1)
  }

  // MARK: - Files that fail

  @Test func `a file that fails gives way to the next, and the last to the tone`() throws {
    let home = lab.home.path
    let noise = lab.home.appendingPathComponent("noise.wav")
    try Data([0] + (0..<9999).map { UInt8($0 & 0xff) }).write(to: noise)
    let pipe = home + "/pipe-\(UUID().uuidString)"
    mkfifo(pipe, 0o600)
    let good = try sine(440)
    let failing: [Player.Trouble] = [
      .file(.unreadable(path: home + "/none", SystemError("open", code: ENOENT))),
      .file(.notAFile(path: home)), .file(.notAFile(path: pipe)),
      .file(.undecodable(path: noise.path, text: "Format not recognised.")),
    ]
    let bad = [home + "/none", home, pipe, noise.path]
    player.play(Player.Request(files: bad + [good]))
    #expect(wait { hasStarted })
    #expect(troubles == failing)
    #expect(started?.file == good)
    try lab.recorder.waitForSound()

    player.stop()
    reports = []
    player.play(Player.Request(files: bad))
    #expect(wait { hasStarted })
    #expect(troubles == failing)
    #expect(started?.file == nil)
    try lab.recorder.waitForSound()
  }

  @Test func `a file damaged in the middle gives way when that is reached`() throws {
    let wave = try sine(440, seconds: 3)
    let whole = wave.replacing(".wav", with: ".flac")
    try lab.run("sox", wave, whole)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    bytes.replaceSubrange(bytes.count / 2..<bytes.count, with: Data(count: bytes.count / 2))
    let damaged = lab.home.appendingPathComponent("damaged.flac")
    try bytes.write(to: damaged)
    player.play(Player.Request(files: [damaged.path]))
    #expect(wait { hasStarted })
    #expect(started?.file == damaged.path)
    #expect(wait { started?.file == nil })
    let text = "Error : flac decoder lost sync."
    #expect(troubles == [.file(.undecodable(path: damaged.path, text: text))])
    try lab.recorder.waitForSound()
  }

  // MARK: - Devices that fail

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
    #expect(wait(within: .seconds(3)) { hasStarted })
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
    #expect(ContinuousClock.now - before < .milliseconds(20))
    try lab.recorder.waitForSilence()

    // Known to hang, it is not waited for a second time; back, it is used again.
    reports = []
    player.play(request)
    #expect(wait(within: .seconds(1)) { started?.device == "default" })
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
    func threads() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }
    server.hang()
    let before = try threads()
    for _ in 0..<10 {
      player.prime(request)
      player.play(request)
      wait(within: .milliseconds(700)) { false }
      let asked = ContinuousClock.now
      player.stop()
      #expect(ContinuousClock.now - asked < .milliseconds(20))
    }
    // Two for each: PulseAudio's library has one of its own.
    let after = try threads()
    #expect(after <= before + 10, "\(before), now \(after)")
    server.goOn()
    reports = []
    player.play(request)
    #expect(wait { started?.device == "second" }, "\(reports)")
    try lab.recorder.waitForSound()
    player.stop()
    #expect(wait { (try? threads()) ?? .max <= before + 1 })
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

  // MARK: - Nothing left behind

  @Test("fifty rings leave no descriptor and no thread behind", arguments: ["default", "null"])
  func leaks(device: String) throws {
    let request = Player.Request(files: [try sine(440), "/nowhere"], devices: [device])
    func count(_ folder: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
    }
    func ring(_ number: Int) throws {
      reports = []
      if number % 3 != 0 { try prime(request) }
      guard number % 3 != 1 else { return player.stop() }
      player.play(request)
      try #require(wait { hasStarted })
      player.stop()
    }
    for number in 0..<3 { try ring(number) }
    wait(within: .milliseconds(200)) { false }
    let (descriptors, threads) = (try count("fd"), try count("task"))
    for number in 0..<50 { try ring(number) }
    #expect(wait { (try? count("fd")) ?? .max <= descriptors })
    #expect(wait { (try? count("task")) ?? .max <= threads })
  }
}
