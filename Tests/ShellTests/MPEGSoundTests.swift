// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that MP3 files are played to their end, whatever stands before, between or after their
// frames, and whatever their header says. ffmpeg makes the files.

import Foundation
import Lab
import TestData
import Testing

@testable import Player
@testable import Sound
@testable import System

extension SoundFileTests {
  /// Returns the bytes of an MP3 file of four seconds. The first second is silent, so a decoder
  /// that estimates the length from the first frames of a file with a variable bit rate is wrong.
  private func mp3(_ options: String...) throws -> [UInt8] {
    let wave = try make(
      "four.wav", ["-r44100", "-c1", "-b16"], ["synth", "3", "pinknoise", "pad", "1", "0"])
    let path = lab.home.appendingPathComponent("four.mp3").path
    let arguments = ["-y", "-v", "error", "-i", wave, "-c:a", "libmp3lame", "-id3v2_version", "0"]
    try run("ffmpeg", arguments + options + [path])
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Returns the length of the sound in `bytes` in seconds, and checks that it loops.
  private func length(_ bytes: [UInt8], _ name: String = "made.mp3") throws -> Double {
    let path = try write(name, bytes)
    let (once, twice) = try (source(of: path, loops: false), source(of: path, loops: true))
    let frames = try read(once, 44_100 * 20).count
    #expect(try read(twice, frames + 22_050).count == frames + 22_050)
    return Double(frames) / 44_100
  }

  private static let tag =
    Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 7, count: 128)
  /// Begins like a frame, but no other frame follows it.
  private static let picture = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0xFF, count: 500)

  @Test func `an MP3 file is played to its end, whatever surrounds its frames`() throws {
    let plain = try mp3("-q:a", "4")
    let bare = try mp3("-q:a", "4", "-write_xing", "0")
    let constant = try mp3("-b:a", "64k", "-write_xing", "0")
    let zeros = [UInt8](repeating: 0, count: 3000)
    let end = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
    for (name, bytes, seconds) in [
      ("plain", plain, 4.0), ("no header", bare, 4), ("constant", constant, 4),
      ("zeros", zeros + plain, 4), ("zeros, no header", zeros + bare, 4),
      ("two tags", Self.tag + Self.tag + plain, 4), ("junk", Self.picture + bare, 4),
      ("a tag, then zeros", Self.tag + zeros + bare, 4),
      ("cut at the start", Array(bare.dropFirst(100)), 4),
      ("cut in half", Array(plain.prefix(plain.count / 2)), 2.4), ("joined", plain + plain, 8),
      ("joined with tags", plain + end + Self.tag + plain + end, 8),
      ("joined with junk", bare + zeros + bare, 8),
    ] {
      let length = try length(bytes)
      #expect(abs(length - seconds) < (name == "cut in half" ? 0.5 : 0.15), "\(name): \(length)")
    }
    // The content decides, and not the ending.
    #expect(try abs(length(zeros + bare, "made.ogg") - 4) < 0.15)
  }

  @Test func `a file of another format is not taken for an MP3 file`() throws {
    for name in ["a.wav", "b.flac", "c.ogg"] {
      let path = try make(name, ["-r44100", "-c1"], ["synth", "1", "sine", "440"])
      let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
      #expect(bytes.withUnsafeBytes { MPEGSound($0) } == nil, "\(name)")
    }
    var chance = Chance(seed: 51)
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &chance) }
    #expect(noise.withUnsafeBytes { MPEGSound($0) } == nil)
    for count in 0..<40 {
      let bytes = Array((Self.tag + Self.picture).suffix(count))
      #expect(bytes.withUnsafeBytes { MPEGSound($0) } == nil)
    }
  }

  @Test func `a file above 64 MiB is played to its end`() throws {
    let path = try make(
      "long.wav", ["-r8000", "-c1", "-b32", "-esigned"], ["synth", "2200", "sine", "440"])
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) > 64 << 20)
    #expect(try soundFile(path).frameCount == 2200 * 8000)
    #expect(error(path) == nil)
  }
}
