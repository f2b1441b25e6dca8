// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that an output's volume is raised and restored exactly, also after a crash, unless a person
// sets the volume meanwhile. The mixer of a real sound server is used through ALSA, and the server
// is asked for the result.

import Foundation
import Lab
import Sound
import Testing

@testable import Player

// This suite is part of `PlayerTests`, whose tests run one at a time, because they share the Lab's
// only sound card.
extension PlayerTests {
  final class VolumeLiftTests {
    let lab: Lab
    let record: String
    var lift: VolumeLift

    init() throws {
      lab = try Lab.shared()
      record = lab.home.appendingPathComponent("mixer-\(UUID().uuidString)/mixer.json").path
      lift = VolumeLift(record: record)
    }

    deinit {
      for command in ["set-sink-volume lab 100%", "set-sink-mute lab 0"] {
        // If the command fails, the next tests notice that.
        _ = try? lab.start("pactl", arguments: command.split(separator: " ").map(String.init))
          .waitForExit()
      }
    }

    /// The volumes of the sink's left and right channel, in the server's own units, and whether the
    /// sink is muted.
    struct Output: Equatable, CustomStringConvertible {
      var volumes: [Int]
      var isMute: Bool
      var description: String { "\(volumes)" + (isMute ? " mute" : "") }
    }

    func output() throws -> Output {
      let volume = try lab.run("pactl", "get-sink-volume", "lab").output
      let mute = try lab.run("pactl", "get-sink-mute", "lab").output
      let volumes = volume.matches(of: /: +(\d+) \//).compactMap { Int($0.1) }
      return Output(volumes: volumes, isMute: mute.contains("yes"))
    }

    func set(_ left: Int, _ right: Int, isMute: Bool = false) throws {
      try lab.run("pactl", "set-sink-volume", "lab", "\(left)", "\(right)")
      try lab.run("pactl", "set-sink-mute", "lab", isMute ? "1" : "0")
    }

    func waitForOutput(_ awaited: Output) throws {
      var seen: Output?
      let isSo = wait {
        seen = try? output()
        return seen == awaited
      }
      try #require(isSo, "\(seen.map { "\($0)" } ?? "nothing"), not \(awaited)")
    }

    func raise(_ floor: Int = 50, fadeIn: Double = 0, elapsed: Double = 0) {
      lift.raise(
        VolumeTarget(
          Sound.Output(control: "default"), floor: floor, fadeIn: .seconds(fadeIn),
          elapsed: .seconds(elapsed)))
    }

    var isRemembered: Bool { FileManager.default.fileExists(atPath: record) }

    @Test(
      "a low volume is raised, a muted output is heard, and both are restored exactly",
      arguments: [
        (13_107, 13_107, true), (6_001, 9_003, false), (60_000, 60_000, true), (0, 0, false),
        (20_000, 60_000, false),
      ])
    func raised(left: Int, right: Int, isMute: Bool) throws {
      try set(left, right, isMute: isMute)
      let before = try output()
      raise()
      try waitForOutput(Output(volumes: [max(left, 32_768), max(right, 32_768)], isMute: false))
      // If the disk takes longer than a second, the record is written after the raise.
      #expect(wait { isRemembered })
      lift.restore()
      try waitForOutput(before)
      #expect(wait { !isRemembered })
    }

    @Test func `an output that is loud enough is not changed, and no record is written`() throws {
      try set(40_000, 50_000)
      raise()
      lift.finish(within: .seconds(5))
      #expect(try output() == Output(volumes: [40_000, 50_000], isMute: false))
      #expect(!isRemembered)
      try set(50_000, 50_000)
      lift.restore()
      lift.finish(within: .seconds(5))
      #expect(try output() == Output(volumes: [50_000, 50_000], isMute: false))
    }

    @Test func `the volume rises with the fade-in`() throws {
      try set(0, 0)
      let begin = Lab.now
      raise(100, fadeIn: 5)
      var last = 0
      var steps = 0
      while last < 65_536, Lab.now < begin + 15 {
        let now = try #require(try output().volumes.first)
        let asked = Lab.now - begin
        #expect(now >= last)
        #expect(Double(now) / 65_536 <= asked / 5 + 0.02, "\(now) after \(asked) s")
        if now > last { steps += 1 }
        last = now
        // Run the main loop, which times the steps of the rise.
        wait(within: .milliseconds(5)) { false }
      }
      #expect(last == 65_536)
      #expect(steps > 5)
      lift.restore()
      try waitForOutput(Output(volumes: [0, 0], isMute: false))
      // If the agent restarts, the rise continues from the volume that it would have reached by
      // then.
      raise(100, fadeIn: 60, elapsed: 30)
      #expect(wait { (try? output().volumes[0] > 32_000) ?? false })
      lift.restore()
      try waitForOutput(Output(volumes: [0, 0], isMute: false))
    }

    @Test func `a volume that a person sets meanwhile stays`() throws {
      try set(10_000, 10_000)
      raise()
      try waitForOutput(Output(volumes: [32_768, 32_768], isMute: false))
      try set(25_000, 25_000)
      raise()  // This happens when the sound begins again after a fault.
      lift.finish(within: .seconds(5))
      #expect(try output() == Output(volumes: [25_000, 25_000], isMute: false))
      lift.restore()
      lift.finish(within: .seconds(5))
      #expect(try output() == Output(volumes: [25_000, 25_000], isMute: false))
      #expect(!isRemembered)
    }

    @Test func `a volume that a person has set since a crash stays`() throws {
      try set(10_000, 10_000)
      raise()
      try waitForOutput(Output(volumes: [32_768, 32_768], isMute: false))
      lift = VolumeLift(record: record)
      try set(45_000, 45_000)
      lift.restore()
      #expect(wait { !isRemembered })
      #expect(try output() == Output(volumes: [45_000, 45_000], isMute: false))
    }

    @Test func `the volume that release 1.0.0 saved before a crash is restored`() throws {
      try set(32_768, 32_768)
      let former = String(record.dropLast("json".count)) + "ini"
      try FileManager.default.createDirectory(
        atPath: String(record.dropLast("/mixer.json".count)), withIntermediateDirectories: true)
      try """
      {'entries': <[{'control': <'sink:lab'>, 'key': <{'name': <'Sink'>, 'index': <int64 0>}>, \
      'original': <{'volumes': <[<int64 10000>, <int64 10000>]>, 'switches': <[<true>]>}>, \
      'raised': <{'volumes': <[<int64 32768>, <int64 32768>]>, 'switches': <[<true>]>}>}]>}
      """.write(toFile: former, atomically: true, encoding: .utf8)
      lift = VolumeLift(record: record)
      lift.restore()
      lift.finish(within: .seconds(5))
      #expect(try output().volumes == [10_000, 10_000])
      #expect(!FileManager.default.fileExists(atPath: former))
    }

    @Test(
      "a senseless record neither ends the program nor makes the output louder",
      arguments: [
        ("[32768, 32768]", "[13107, 13107]"), ("[-5, -5]", "[2147483647, 2147483647]"),
        ("[0]", "[65536, 65536]"), ("[-9223372036854775808]", "[9223372036854775807]"),
      ])
    func senseless(original: String, raised: String) throws {
      try set(20_000, 20_000)
      let before = try output()
      for control in ["default", "sink:lab", "hw:99"] {
        try FileManager.default.createDirectory(
          atPath: String(record.dropLast("/mixer.json".count)), withIntermediateDirectories: true)
        let name = control == "default" ? "Master" : "Sink"
        try """
        {"entries": [{
          "control": "\(control)", "key": {"name": "\(name)", "index": 0},
          "original": {"volumes": \(original), "switches": [true]},
          "raised": {"volumes": \(raised), "switches": [true]}
        }]}
        """.write(toFile: record, atomically: true, encoding: .utf8)
        lift = VolumeLift(record: record)
        lift.raise(
          VolumeTarget(
            Sound.Output(control: "sink:lab"), floor: 50, fadeIn: .zero, elapsed: .zero))
        lift.finish(within: .seconds(5))
        lift.restore()
        lift.finish(within: .seconds(5))
      }
      // Even with a wrong record of the earlier volume, the output is never louder than before.
      #expect(try output().volumes[0] <= before.volumes[0])
    }

  }
}
