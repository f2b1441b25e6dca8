// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the agent has to do about the sound of a ring when the schedule orders it, and when
// the player reports something. `Tests/ProgramTests/Sound` tests the sound of a real agent.

import Files
import Persistence
import Scheduling
import Sound
import Testing

@testable import Agent

@MainActor struct RingSoundTests {
  private typealias Act = RingSound.Act

  /// A ring with two sounds.
  private static let settings: RingSettings = {
    var settings = RingSettings()
    settings.sounds = ["/low.wav", "/high.wav"]
    return settings
  }()
  private static let work = SoundOrder.playing("work", settings)

  private final class Log { var acts: [Act] = [] }
  private let log: Log
  private let sound: RingSound

  init() {
    let log = Log()
    self.log = log
    sound = RingSound(SoundLibrary(Locations(config: "/config.toml"))) {
      log.acts.append(Self.simplified($0))
    }
  }

  /// Leaves out what differs from run to run: moments, and the files of a request.
  private static func simplified(_ act: Act) -> Act {
    switch act {
    case .prime(let request): .prime(SoundRequest(files: [], devices: request.devices))
    case .play(let request, _): play(request.devices)
    case .heard: .heard(at: .distantPast)
    default: act
    }
  }

  private static func play(_ devices: [String] = ["default"]) -> Act {
    .play(SoundRequest(files: [], devices: devices), fadedFor: .zero)
  }

  /// Returns the acts since the last call of this function.
  private func acts() -> [Act] {
    defer { log.acts = [] }
    return log.acts
  }

  private func acts(after order: SoundOrder, devices: [String] = ["default"]) -> [Act] {
    sound.update(order, since: nil, before: nil, devices: devices)
    return acts()
  }

  private func acts(after report: SoundReport) -> [Act] {
    sound.handle(report)
    return acts()
  }

  @Test func `a ring is prepared, heard and ended, and each report has its consequences`() {
    #expect(
      acts(after: .ready("work", Self.settings)) == [
        .prime(SoundRequest(files: [], devices: ["default"]))
      ])
    #expect(acts(after: Self.work) == [Self.play()])
    #expect(acts(after: Self.work) == [])
    #expect(sound.remark(on: "work") == nil)
    for (report, acts) in [
      (
        SoundReport.trouble(.stalled("default")),
        [.notHeard(.noDevice), .pausePlayers, .remarkChanged("work")]
      ),
      (
        .started(device: "default", control: "hw:0", file: "/low.wav"),
        [
          .pausePlayers, .began("work", device: "default", file: "/low.wav"),
          .played("/low.wav", by: "work"), .remarkChanged("work"),
        ]
      ),
      (.output(Output(control: "hw:0")), [.outputChanged]),
      (.heard(delay: .zero), [.heard(at: .distantPast)]),
      (
        .output(Output(control: "hw:0", silence: .streamMuted)),
        [.outputChanged, .notHeard(.muted)]
      ),
      (.unheard(.streamMuted), [.remarkChanged("work")]),
      (.unheard(nil), [.canBeHeard, .remarkChanged("work")]),
    ] as [(SoundReport, [Act])] {
      #expect(self.acts(after: report) == acts, "\(report)")
    }
    #expect(sound.remark(on: "work") == nil)
    #expect(acts(after: .silent) == [.ended, .stop, .trimMemory])
    #expect(sound.output == nil)
  }

  @Test func `a device that failed before the ring is reported when the ring begins`() {
    _ = acts(after: .ready("work", Self.settings))
    #expect(acts(after: .trouble(.stalled("default"))) == [])
    #expect(acts(after: Self.work) == [Self.play(), .notHeard(.noDevice), .pausePlayers])
    #expect(sound.remark(on: "work") != nil && sound.remark(on: "tea") == nil)
  }

  @Test func `another ring, and another device in the config, get a sound of their own`() {
    var silent = Self.settings
    (silent.volume, silent.devices) = (0, ["usb"])
    _ = acts(after: Self.work)
    let tea = SoundOrder.playing("tea", silent)
    #expect(acts(after: tea) == [.ended, Self.play(["usb", "default"]), .notHeard(.volume)])
    #expect(acts(after: tea, devices: ["usb"]) == [.ended, Self.play(["usb"]), .notHeard(.volume)])
  }

  @Test func `a stroke is played once, and only while no ring is prepared`() {
    sound.stroke(Self.settings, devices: ["default"], isDiscreet: true)
    sound.stroke(Self.settings, devices: ["default"], isDiscreet: true)
    #expect(acts() == [Self.play()])
    #expect(acts(after: .finished) == [.stop, .trimMemory])
    _ = acts(after: .ready("work", Self.settings))
    sound.stroke(Self.settings, devices: ["default"], isDiscreet: true)
    #expect(acts() == [])
  }
}
