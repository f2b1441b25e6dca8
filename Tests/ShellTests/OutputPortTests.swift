// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the ports of a sound server's output, such as headphones and speakers: their volumes are
// raised and restored separately. `VolumeLiftTests.swift` tests how volumes are restored.

import Sound
import Testing

@testable import Player

nonisolated struct OutputPortTests {
  private func sink(port: String?) -> SoundServer.Sink {
    SoundServer.Sink(
      index: 1, name: "hda.stereo", description: "Built-in Audio", port: port,
      level: ALSAMixer.Level(volumes: [65_536], switches: [true]), isFlat: false)
  }

  @Test func `each port of an output counts as an output of its own`() {
    let (speaker, phones) = (sink(port: "[Out] Speaker"), sink(port: "[Out] Headphones"))
    #expect(speaker.control == "sink:hda.stereo|[Out] Speaker")
    #expect(speaker.matches(speaker.control) && !speaker.matches(phones.control))
    #expect(Output.sink(of: speaker.control) == "hda.stereo")
    #expect(Output.sink(of: phones.control) == "hda.stereo")
  }

  @Test func `a volume that was saved without a port belongs to the port that is in use`() {
    #expect(sink(port: nil).control == "sink:hda.stereo")
    #expect(Output.sink(of: "sink:hda.stereo") == "hda.stereo" && Output.sink(of: "hw:0") == nil)
    #expect(sink(port: nil).matches("sink:hda.stereo"))
    #expect(sink(port: "[Out] Speaker").matches("sink:hda.stereo"))
  }
}
