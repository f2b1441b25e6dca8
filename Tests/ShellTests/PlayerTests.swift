// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry-sound` with a real sound server. Checks a recording of the server's output, and the
// reports of `belfry-sound`. Next: `FailingDeviceTests.swift`.

import Foundation
import Lab
import Testing

@testable import Notifications
@testable import Sound
@testable import System

@Suite(.serialized, .realServersFirst) final class PlayerTests {
  let lab: Lab
  let player: SoundProcess
  var reports: [SoundReport] = []

  init() throws {
    lab = try Lab.shared()
    player = SoundProcess(record: lab.home.appendingPathComponent("mixer").path)
    player.onReport = { [weak self] in self?.reports.append($0) }
    try lab.recorder.waitForSilence(lasting: 0.2)
  }

  /// Makes a WAV file of a sine wave and returns its path. The file has two channels and 48 kHz
  /// unless `format` says otherwise.
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

  /// The device and the file in the last report that a sound has started.
  var started: (device: String, file: String?)? {
    for case .started(let device, _, let file) in reports.reversed() { return (device, file) }
    return nil
  }

  var troubles: [SoundTrouble] {
    reports.compactMap { if case .trouble(let trouble) = $0 { trouble } else { nil } }
  }

  func prime(_ request: SoundRequest) throws {
    player.prime(request)
    try #require(
      wait { reports.contains { if case .primed = $0 { true } else { false } } }, "\(reports)")
  }

  /// Runs the main loop until sound is heard.
  @discardableResult
  func waitForSound(after start: Epoch = Lab.now) throws -> Epoch {
    try #require(wait { lab.recorder.firstSound(after: start) != nil }, "\(reports)")
    return try #require(lab.recorder.firstSound(after: start))
  }

  /// Runs `action` and returns how many seconds later the first sound was heard.
  func secondsToSound(_ action: () -> Void) throws -> Double {
    let start = Lab.now
    action()
    return try waitForSound(after: start) - start
  }

  /// Returns the left channel of the sound that was played from `start` on, for a length of
  /// `seconds`.
  func recorded(from start: Epoch, seconds: Double) throws -> [Double] {
    let end = start + seconds
    try #require(wait { Lab.now > end + 0.2 })
    let samples = lab.recorder.samples(from: start, to: end)
    return stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }
  }

  // MARK: - Sounds begin on time

  @Test func `a primed sound is silent until it is played, and then heard at once`() throws {
    let request = SoundRequest(files: [try sine(440)])
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
    #expect(primed.sorted()[2] < 0.1 && primed.max()! < 1)
  }

  /// A sound card that was idle immediately takes all frames that the player has written ahead, and
  /// then has nothing to play for a moment. The player must not report this as trouble.
  @Test func `a card that was idle begins on time, and no trouble is reported`() throws {
    let server = try SecondSoundServer(lab, hasIdleCard: true)
    let request = SoundRequest(files: [try sine(440)], devices: ["idle", "default"])
    var delays: [Duration] = []
    for round in 1...3 {
      // Half a second after a sound, the card is idle again.
      if round > 1 {
        player.stop()
        wait(within: .milliseconds(500)) { false }
        reports = []
      }
      try prime(request)
      let asked = ContinuousClock.now
      player.play(request)
      #expect(wait { hasStarted })
      delays.append(asked.duration(to: .now))
      #expect(started?.device == "idle" && troubles == [])
    }
    // A single delay may be longer, because other work on this machine may keep the player from
    // running.
    #expect(delays.sorted()[1] < .milliseconds(300), "\(delays)")
    wait(within: .seconds(3)) { false }
    #expect(started?.device == "idle" && troubles == [], "\(reports)")
    withExtendedLifetime(server) {}
  }

  @Test func `after a stop, the sound ends within 200 ms`() throws {
    let file = try sine(440)
    var heard: [Double] = []
    for _ in 0..<3 {
      player.play(SoundRequest(files: [file]))
      try waitForSound()
      let stopped = Lab.now
      player.stop()
      let last = try lab.recorder.waitForSilence(after: stopped)
      heard.append(last - stopped)
      #expect(wait { Lab.now > stopped + 1 })
      #expect(lab.recorder.isSilent(from: last + 0.001, to: Lab.now))
    }
    print("last sample, ms after stop: \(heard.map { String(format: "%.1f", $0 * 1000) })")
    // The median of the delays must be short. A single delay may be longer, because other work on
    // this machine may keep the player from running.
    #expect(heard.sorted()[1] < 0.2 && heard.max()! < 1)
  }

  @Test func `after play, stop and another play at once, the last sound is heard`() throws {
    let (first, second) = (try sine(300), try sine(440))
    player.play(SoundRequest(files: [first]))
    player.stop()
    player.prime(SoundRequest(files: [first]))
    player.play(SoundRequest(files: [second]))
    #expect(wait { hasStarted })
    #expect(started?.file == second)
    // Priming another sound while a sound is playing changes nothing.
    player.prime(SoundRequest(files: [first]))
    let start = try waitForSound() + 0.3
    let samples = try recorded(from: start, seconds: 1)
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 440) <= 1)
  }

  // MARK: - Sounds are played correctly

  /// Each sample of a sine wave can be calculated from the two samples before it, except at a gap
  /// or a click.
  @Test("a loop has no seam", arguments: [0.1, 1.5])
  func seamless(seconds: Double) throws {
    player.play(SoundRequest(files: [try sine(480, seconds: seconds)]))
    // Listen to twelve seams of the short file, or to two seams of the long file.
    let listened = seconds < 1 ? 1.2 : 3.3
    let samples = try recorded(from: try waitForSound() + 0.1, seconds: listened)
    let factor = 2 * cos(2 * Double.pi * 480 / 48_000)
    let surprises = zip(samples, zip(samples.dropFirst(), samples.dropFirst(2))).map {
      abs($1.1 - factor * $1.0 + $0)
    }
    #expect(Double(samples.count) > 46_000 * listened)
    #expect(samples.max()! > 16_000)
    #expect(surprises.max()! < 4)
  }

  @Test("a fade-in rises evenly in decibels, and continues after a restart", arguments: [0.0, 2.0])
  func fade(elapsed: Double) throws {
    let request = SoundRequest(files: [try sine(440)], volume: 100, fadeIn: .seconds(4))
    try prime(request)
    let start = Lab.now
    player.play(request, fadedFor: .seconds(elapsed))
    // The fade counts from `play`, even if the sound begins late on a busy machine.
    let heard = try waitForSound(after: start) - start
    #expect(heard < 1)
    for time in stride(from: 0.25, to: 5 - elapsed, by: 0.5) where time > heard + 0.05 {
      #expect(wait { Lab.now > start + time + 0.3 })
      let level = lab.recorder.rms(from: start + time - 0.05, to: start + time + 0.05)
      let expected = -9.03 - 40 * (1 - min(1, (elapsed + time) / 4))
      #expect(abs(level - expected) < 1.5, "at \(time) s")
    }
  }

  @Test(
    "files of any rate and number of channels are heard at the right pitch",
    arguments: [
      "-r8000 -c1", "-r11025 -c2", "-r44100 -c1", "-r96000 -c2", "-r192000 -c2", "-r48000 -c6",
    ])
  func formats(format: String) throws {
    player.play(SoundRequest(files: [try sine(440, format)]))
    let start = try waitForSound() + 0.3
    let samples = try recorded(from: start, seconds: 1)
    #expect(abs(lab.recorder.pitch(from: start, to: start + 1) - 440) < 1)
    #expect(abs(samples.max()! - 16_384) < 500)
    #expect(troubles == [])
  }

  /// The device `words` takes only integer samples, and the device `telephone` only µ-law samples.
  /// ALSA converts the samples.
  @Test(
    "a device that takes no floating-point samples plays as well",
    arguments: ["words", "telephone"])
  func formats(device: String) throws {
    player.play(SoundRequest(files: [try sine(440)], devices: [device]))
    let start = try waitForSound() + 0.1
    // Listen for longer than the buffer lasts, and for longer than a device may stall.
    #expect(wait { Lab.now > start + 2.7 })
    #expect(abs(lab.recorder.rms(from: start, to: start + 2.5) - -9.03) < 0.3)
    #expect(troubles == [])
  }

  @Test func `a sound that does not loop is heard to its end, which is reported`() throws {
    player.play(SoundRequest(files: [try sine(440, seconds: 1.2)], loops: false))
    let first = try waitForSound()
    #expect(wait { reports.last == .finished })
    let last = try lab.recorder.waitForSilence()
    #expect(abs(last - first - 1.2) < 0.5)
  }

  // MARK: - Files that fail

  @Test func `when the player reaches the damage in a file, the built-in tone replaces it`() throws
  {
    let wave = try sine(440, seconds: 3)
    let whole = wave.replacing(".wav", with: ".flac")
    try lab.run("sox", wave, whole)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    bytes.replaceSubrange(bytes.count / 2..<bytes.count, with: Data(count: bytes.count / 2))
    let damaged = lab.home.appendingPathComponent("damaged.flac")
    try bytes.write(to: damaged)
    player.play(SoundRequest(files: [damaged.path]))
    #expect(wait { hasStarted })
    #expect(started?.file == damaged.path)
    #expect(wait { started?.file == nil })
    let text = "Error : flac decoder lost sync."
    #expect(troubles == [.file(.undecodable(path: damaged.path, text: text))])
    try waitForSound()
  }
}
