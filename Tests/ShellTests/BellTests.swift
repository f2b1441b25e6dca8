// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the bell, which beeps if no sound device plays. Files stand in for the PC speaker and for a
// terminal, and record the beeps.

import Foundation
import Lab
import Testing

@testable import Sound

// This suite is part of `PlayerTests`, whose tests run one at a time, because they share the Lab's
// only sound card.
extension PlayerTests {
  final class BellTests {
    let lab: Lab
    let folder: URL
    let player: SoundProcess
    var reports: [SoundReport] = []

    init() throws {
      lab = try Lab.shared()
      folder = lab.home.appendingPathComponent("bell-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in ["platform-pcspkr-event-spkr", "platform-i8042-serio-0-event-kbd", "terminal"] {
        try Data().write(to: folder.appendingPathComponent(name))
      }
      player = Self.player(in: folder, record: "mixer")
      player.onReport = { [weak self] in self?.reports.append($0) }
      try lab.recorder.waitForSilence(lasting: 0.2)
    }

    static func player(in folder: URL, record: String) -> SoundProcess {
      SoundProcess(
        record: folder.appendingPathComponent(record).path,
        bell: Bell(
          speakers: folder.path,
          terminals: ["/nowhere", folder.appendingPathComponent("terminal").path]))
    }

    func content(_ name: String) -> Data {
      (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
    }

    /// The tones that the file in place of the PC speaker received, in hertz and in order.
    var tones: [Int32] {
      let bytes = content("platform-pcspkr-event-spkr")
      let size = MemoryLayout<timeval>.size + 8
      return stride(from: 0, to: bytes.count, by: size).map { start in
        let event = bytes[start..<start + size]
        #expect(event.prefix(size - 4).suffix(4) == Data([0x12, 0, 2, 0]), "EV_SND, SND_TONE")
        return event.suffix(4).withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
      }
    }

    @Test func `without a device the bell beeps after three seconds, until a device plays`() throws
    {
      let asked = Lab.now
      player.play(SoundRequest(files: [], devices: ["nowhere", "second"]))
      #expect(wait { !tones.isEmpty })
      #expect(Lab.now - asked > 2.5 && Lab.now - asked < 6)
      #expect(wait { tones.count >= 20 })
      #expect(tones.prefix(20).enumerated().allSatisfy { $1 == ($0.isMultiple(of: 2) ? 1000 : 0) })
      #expect(wait { content("terminal").count >= 10 })
      #expect(content("terminal").allSatisfy { $0 == 7 })
      #expect(content("platform-i8042-serio-0-event-kbd").isEmpty)

      let server = try SecondSoundServer(lab)
      let there = Lab.now
      #expect(wait { lab.recorder.firstSound(after: there) != nil })
      wait(within: .milliseconds(1500)) { false }
      #expect(tones.last == 0)
      let beeps = tones.count
      wait(within: .seconds(1)) { false }
      #expect(tones.count == beeps)
      player.stop()
      withExtendedLifetime(server) {}
    }

    @Test func `the bell does not beep for a silent alarm or a preview`() throws {
      let other = Self.player(in: folder, record: "other-mixer")
      player.play(SoundRequest(files: [], devices: ["nowhere"], volume: 0))
      other.play(SoundRequest(files: [], devices: ["nowhere"], volume: 100, loops: false))
      wait(within: .seconds(5)) { false }
      #expect(tones.isEmpty && content("terminal").isEmpty)
      player.stop()
      other.stop()
    }
  }
}
