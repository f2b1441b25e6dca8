// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which sound files the player decodes, which files it refuses, and that a loop has no seam.
// The programs sox and ffmpeg make the files.

import Foundation
import Lab
import Testing

@testable import Notifications
@testable import Player
@testable import Sound
@testable import System

@Suite struct SoundFileTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  /// Makes a sound file with `sox -n`, and returns its path.
  func make(_ name: String, _ format: [String], _ effects: [String]) throws -> String {
    let path = lab.home.appendingPathComponent(name).path
    try run("sox", ["-n", "-R"] + format + [path] + effects)
    return path
  }

  @Test func `the stroke of a chime is the beginning of its sound, faded out`() throws {
    let rate = 1000
    for (frames, loops, expected) in [(100, true, 2000), (1500, false, 1500)] {
      let clip = Clip(
        [Float](repeating: 1, count: 2 * frames), path: nil, rate: rate, channels: 2, loops: loops)
      let stroke = BellStroke(of: clip, length: .seconds(2))
      var (heard, block): ([Float], [Float]) = ([], [Float](repeating: 9, count: 1400))
      while case let count = try stroke.read(into: &block, count: 700), count > 0 {
        heard += block.prefix(2 * count)
      }
      #expect(heard.count == 2 * expected)
      #expect(heard.prefix(2000).allSatisfy { $0 == 1 })
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 >= $1 })
      if loops { #expect(heard.last == 0) }
    }
  }

  /// Converts the file `wave` with ffmpeg. `format` is the new file's name, a space, and the name
  /// of an encoder of ffmpeg.
  func convert(_ wave: String, _ format: String) throws -> String {
    let words = format.split(separator: " ").map(String.init)
    let path = lab.home.appendingPathComponent(words[0]).path
    try run("ffmpeg", ["-v", "error", "-i", wave, "-c:a", words[1], path])
    return path
  }

  func run(_ name: String, _ arguments: [String]) throws {
    let program = try lab.start(name, arguments: arguments)
    try #require(try program.waitForExit(within: 20) == .status(0), "\(program.errors)")
  }

  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = lab.home.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  func read(_ source: any SoundSource, _ frames: Int) throws -> [Float] {
    var samples = [Float](repeating: .nan, count: frames * source.channels)
    let read = try source.read(into: &samples, count: frames)
    return Array(samples.prefix(read * source.channels))
  }

  func error(_ path: String) -> SoundFileError? {
    do throws(SoundFileError) {
      let source = try source(of: path, loops: true)
      var samples = [Float](repeating: 0, count: 48_000 * 2)
      _ = try source.read(into: &samples, count: 48_000)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "every format is decoded with its own rate and channels",
    arguments: [
      "a.wav pcm_s16le", "b.wav pcm_s24le", "c.wav pcm_f32le", "d.aiff pcm_s16be", "e.flac flac",
      "f.ogg libvorbis", "g.opus libopus", "h.mp3 libmp3lame",
    ])
  func formats(format: String) throws {
    let wave = try make("from.wav", ["-r48000", "-c2", "-b16"], ["synth", "1", "sine", "480"])
    let path = try convert(wave, format)

    let file = try soundFile(path)
    #expect((file.rate, file.channels) == (48_000, 2))
    let samples = try read(source(of: path, loops: false), 60_000)
    // An MP3 file is longer than its source: it has whole frames of up to 1152 samples, and a
    // delay.
    #expect(abs(samples.count / 2 - 48_000) < 2500)
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0] }[4800..<43_200]
    let crossings = zip(left, left.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - 384) <= 1)
    #expect(abs(left.max()! - 1) < 0.06)
  }

  /// Decoding this file takes much longer than the 100 ms that `Patience` always allows.
  @Test func `a file whose beginning is not decoded in time is given up`() throws {
    let path = lab.home.appendingPathComponent("a.opus").path
    try run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "anullsrc=r=48000:cl=7.1", "-t", "60", path])
    #expect(throws: SoundTrouble.slowFile(path)) { try source(of: path, within: .zero) }
    #expect(throws: SoundTrouble.file(.silent(path: path))) {
      try source(of: path, within: .seconds(60))
    }
  }

  @Test func `the samples of a 16 bit file are exactly its numbers divided by 32768`() throws {
    let path = try make("a.wav", ["-r8000", "-c1", "-b16"], ["synth", "0.1", "sine", "200"])
    let numbers = try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44)
    let expected = stride(from: numbers.startIndex, to: numbers.endIndex, by: 2).map {
      Float(Int16(bitPattern: UInt16(numbers[$0]) | UInt16(numbers[$0 + 1]) << 8)) / 32768
    }
    #expect(try read(source(of: path, loops: false), 800) == expected)
  }

  @Test(
    "in every format, the first sample of a loop follows its last one",
    arguments: [
      "a.wav pcm_s16le", "b.flac flac", "c.ogg libvorbis", "d.opus libopus", "e.mp3 libmp3lame",
    ], [100_000, 480, 1])
  func loops(format: String, frames: Int) throws {
    // Cut off the first sample, which is 0, because a file with only that sample would be silent.
    let effects = ["synth", "3", "sine", "200-900", "trim", "20s", "\(frames)s"]
    let wave = try make("from.wav", ["-r48000", "-c1", "-b16"], effects)
    let path = try convert(wave, format)

    let once = try read(source(of: path, loops: false), 200_000)
    #expect(!once.isEmpty)
    // Read blocks whose sizes match neither the length of the file nor each other.
    let source = try source(of: path, loops: true)
    var looped: [Float] = []
    for count in [1, 1000, 4096, 333, 150_000, 90_000] { looped += try read(source, count) }
    let expected = looped.indices.map { once[$0 % once.count] }
    let largest = zip(looped, expected).map { abs($0 - $1) }.max()
    #expect(looped.count == 245_430)
    #expect(largest == 0)
  }

  @Test func `anything but a sound file is refused with the reason`() throws {
    let home = lab.home.path
    #expect(
      error(home + "/none.wav")
        == .unreadable(path: home + "/none.wav", SystemError("stat", code: ENOENT)))
    #expect(error(home) == .notAFile(path: home))
    #expect(error("/dev/zero") == .notAFile(path: "/dev/zero"))
    mkfifo(home + "/pipe", 0o600)
    #expect(error(home + "/pipe") == .notAFile(path: home + "/pipe"))
    let empty = try write("empty.wav", [])
    #expect(error(empty) == .empty(path: empty))
    var generator = SystemRandomNumberGenerator()
    // No format begins with 0, so the noise cannot look like a format by chance.
    let noise = try write("noise", [0] + (0..<65_536).map { _ in generator.next() })
    #expect(
      error(noise)
        == .undecodable(
          path: noise, text: "Format not recognised."))
    let bare = try make("bare.wav", ["-r48000", "-c2", "-b16"], ["trim", "0", "0"])
    #expect(error(bare) == .empty(path: bare))
  }

  @Test func `a rate or a number of channels that no device plays is refused`() throws {
    let slow = try make("slow.wav", ["-r2000", "-c1", "-b16"], ["synth", "1", "sine", "80"])
    #expect(error(slow) == .unsuitable(path: slow, rate: 2000, channels: 1))
    let wide = try make("wide.wav", ["-r8000", "-c33", "-b16"], ["synth", "0.1", "sine", "80"])
    #expect(error(wide) == .unsuitable(path: wide, rate: 8000, channels: 33))
  }

  @Test("a file that is cut short is played as far as it goes, or refused", arguments: 1...40)
  func truncated(part: Int) throws {
    for name in ["a.wav", "b.flac", "c.ogg", "d.mp3"] {
      let whole = try make(name, ["-r44100", "-c2"], ["synth", "0.5", "pinknoise"])
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
      let cut = try write("cut", Array(bytes.prefix(bytes.count * part / 41)))
      switch error(cut) {
      case nil, .undecodable, .empty: break
      case .some(let other): Issue.record("\(name) at \(part)/41: \(other)")
      }
    }
  }

  @Test func `a file that is refused leaves its descriptor to its owner`() throws {
    let whole = try make("a.ogg", ["-r44100", "-c2"], ["synth", "0.5", "pinknoise"])
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole)))
    let content = try content(of: write("cut", Array(bytes.prefix(1000))))
    #expect(throws: SoundFileError.self) { try SoundFile(content) }
    #expect(fcntl(content.descriptor.number, F_GETFD) == FD_CLOEXEC)
  }

  @Test func `more than two channels are mixed down without clipping`() throws {
    let path = try make("six.wav", ["-r48000", "-c6", "-b16"], ["synth", "0.1", "sine", "480"])
    let file = try soundFile(path)
    #expect(file.channels == 2)
    let samples = try read(source(of: path, loops: false), 9600)
    #expect(samples.count == 9600)
    #expect(samples.allSatisfy { abs($0) <= 1 })
    #expect(samples.max()! > 0.98)
  }

  @Test func `the built-in tone starts at once, and has neither a click nor clipping`() throws {
    let tone = Tone.source(loops: true)
    let samples = try read(tone, tone.rate * 3)
    #expect(samples.count == tone.rate * 3)
    #expect(samples[..<240].contains { abs($0) > 0.1 })
    #expect(samples.allSatisfy { abs($0) < 0.9 })
    // Two neighbouring samples of the tone differ by less than 0.2; those of a click differ by
    // more.
    let step = zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max()!
    #expect(step < 0.2)
    #expect(try read(Tone.source(loops: false), tone.rate * 3).count == tone.rate)
  }

  @Test func `full volume leaves the samples unchanged, and half the volume is 18 dB less`() {
    var samples: [Float] = [0.5, -1, 0.25, 1.5]
    Gain(volume: 100, fadeIn: .zero).apply(
      to: &samples, frames: 2, channels: 2, rate: 48_000, at: 0)
    #expect(samples == [0.5, -1, 0.25, 1.5])
    Gain(volume: 50, fadeIn: .zero).apply(to: &samples, frames: 2, channels: 2, rate: 48_000, at: 0)
    #expect(samples == [0.0625, -0.125, 0.03125, 0.1875])
    #expect(Gain(volume: 0, fadeIn: .zero).level(at: 9) == 0)
    #expect(Gain(volume: 900, fadeIn: .seconds(-1)).level(at: 0) == 1)
  }

  @Test func `a fade rises by the same number of decibels in every frame`() {
    let gain = Gain(volume: 80, fadeIn: .seconds(2))
    var samples = [Float](repeating: 1, count: 3 * 8000)
    for start in stride(from: 0, to: samples.count, by: 1000) {
      var block = Array(samples[start..<start + 1000])
      gain.apply(to: &block, frames: 1000, channels: 1, rate: 8000, at: Double(start) / 8000)
      samples.replaceSubrange(start..<start + 1000, with: block)
    }
    for (frame, decibels) in [(0, -40.0), (4000, -30), (8000, -20), (16_000, 0), (23_999, 0)] {
      #expect(abs(20 * log10(Double(samples[frame]) / 0.512) - decibels) < 0.01)
    }
    let ratios = zip(samples, samples.dropFirst()).map { Double($1 / $0) }
    #expect(ratios.allSatisfy { $0 > 0.99999 && $0 < 1.0004 })
  }
}
