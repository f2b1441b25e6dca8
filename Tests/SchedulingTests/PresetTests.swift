// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests presets of timers that do something else than ring when they end, or that wait for the
// user. `ChainTests.swift` tests which timer follows another one.

import Scheduling
import Testing

@Suite("A preset of a timer")
struct PresetTests {
  private static func started(
    _ presets: [TimerPreset], countdown: Bool = false
  ) -> Household {
    var household = Household(
      timers: TimerSettings(presets: presets, countdown: countdown), at: "2026-11-23 07:00")
    _ = household.start(presets[0].name, presets[0].duration, preset: presets[0].name)
    return household
  }

  // MARK: - A timer that pauses the media players

  private static func music(then: [String] = [], rounds: Int? = 1) -> [TimerPreset] {
    var music = TimerPreset(name: "music", duration: .minutes(30), ring: RingSettings())
    (music.pausesPlayers, music.then, music.rounds) = (true, then, rounds)
    return [music, TimerPreset(name: "tea", duration: .minutes(4), ring: RingSettings())]
  }

  @Test("A timer with `pause_players` ends without a sound, a ring, or a machine that is woken")
  func pausesPlayers() {
    var household = Self.started(Self.music())
    #expect(household.schedule.nextWake(.seconds(20), after: household.now) == nil)
    let end = household.steps { $0.wait(until: "07:31") }
    #expect(
      end == [
        "pause players music", "persist", "ended music mon 07:30 silent: stopped", "tray",
        "changed",
      ])
    #expect(household.schedule.timers.isEmpty && household.deadline == nil)
  }

  @Test("It pauses them up to `late` after its end, even after a start of the agent")
  func pausesPlayersLate() {
    for (time, isMissed) in [("07:40", false), ("07:40:01", true)] {
      var household = Self.started(Self.music())
      let effects = household.restart(at: time)
      #expect(effects.contains { $0.contains("pause players music") } != isMissed)
      #expect(household.schedule.missed.map(\.reason) == (isMissed ? [.off] : []))
      #expect(household.schedule.timers.isEmpty)
    }
  }

  @Test("In a chain, the next timer starts at once")
  func pausesPlayersInChain() {
    var household = Self.started(Self.music(then: ["tea"], rounds: 2))
    _ = household.sleep(until: "07:32")
    #expect(household.schedule.timers.map(\.id) == ["tea"])
    #expect(household.schedule.timers[0].left(at: household.now) == .minutes(2))
    household.stop("tea", at: "07:34")
    #expect(household.schedule.timers.map(\.id) == ["music"])
  }
}
