// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what a preset changes: how its timer rings, whether it pauses media players instead of
// ringing, whether it waits while the screen is locked, and the warning shortly before it ends.
// `ChainTests.swift` tests which timer follows another one.

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

  @Test("A preset rings by its settings, any other timer by the defaults without a fade-in")
  func settings() {
    var (defaults, own) = (RingSettings(), RingSettings())
    defaults.volume = 30
    own.sounds = ["Kettle"]
    own.fadeIn = .seconds(5)
    let settings = TimerSettings(
      defaults: defaults, presets: [TimerPreset(name: "tea", duration: .minutes(4), ring: own)])
    var timer = Timer(id: "x", preset: "tea", duration: .minutes(4), phase: .paused(left: .zero))
    #expect(settings.ring(of: timer) == own)
    timer.sound = "Harp"
    #expect(settings.ring(of: timer).sounds == ["Harp"])
    timer.preset = "gone"
    #expect(settings.ring(of: timer).fadeIn == .zero && settings.ring(of: timer).volume == 30)
  }

  @Test("The timers of a preset play another of their sounds each time, as an alarm does")
  func lastSound() {
    var household = Self.started([TimerPreset(name: "tea", duration: .minutes(4), ring: .init())])
    #expect(household.schedule.lastSound(of: "tea") == nil)
    household.noteSound("Harp", of: "tea")
    #expect(household.schedule.lastSound(of: "tea") == "Harp")
    _ = household.start("second", .minutes(4), preset: "tea")
    _ = household.start("third", .minutes(4))
    #expect(household.schedule.lastSound(of: "second") == "Harp")
    #expect(household.schedule.lastSound(of: "third") == nil)
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
    #expect(household.nextWake == nil)
    let end = household.steps { $0.wait(until: "07:31") }
    #expect(
      end == [
        "pause players music", "persist", "ended music mon 07:30 silent: stopped", "tray",
        "changed",
      ])
    #expect(household.schedule.timers.isEmpty && household.deadline == nil)
  }

  @Test("Players are paused up to `late` after the end of the timer, even by a new agent")
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
    // The players are paused even if the next timer has ended, too.
    household = Self.started(Self.music(then: ["tea"]))
    let effects = household.sleep(until: "07:36")
    #expect(effects.contains { $0.contains("pause players music") }, "\(effects)")
    #expect(household.schedule.ringing.map(\.id) == ["tea"])
  }

  // MARK: - A timer that runs only while the screen is unlocked

  private static func focus() -> TimerPreset {
    var focus = TimerPreset(name: "focus", duration: .minutes(25), ring: RingSettings())
    focus.runsWhile = .unlocked
    return focus
  }

  /// Returns the state of the timer, with the time left.
  private func told(_ household: Household) -> String {
    let timer = household.schedule.timers[0]
    let state =
      timer.ring != nil
      ? "rings" : timer.isPaused ? timer.isWaiting ? "waits" : "paused" : "runs"
    return "\(state) \(timer.left(at: household.now).text)"
  }

  @Test("A timer is paused while the screen is locked, and then goes on; a ring is not interrupted")
  func waits() {
    var household = Self.started([Self.focus()], countdown: true)
    #expect(household.wakePlan.isLockWatched)
    _ = household.wait(until: "07:10")
    #expect(
      household.apply(.locked(true)) == [
        "mon 07:10 post countdown focus waits 0:15:00", "mon 07:10 persist",
      ])
    #expect(household.apply(.locked(true)) == [] && household.deadline == nil)
    _ = household.sleep(until: "07:40")
    #expect(told(household) == "waits 0:15:00")
    _ = household.apply(.locked(false))
    #expect(told(household) == "runs 0:15:00")
    _ = household.wait(until: "07:55")
    _ = household.apply(.locked(true))
    #expect(told(household) == "rings 0:00:00" && !household.wakePlan.isLockWatched)
    // A timer without the key `while` keeps running while the screen is locked.
    var tea = Self.started([TimerPreset(name: "tea", duration: .minutes(4), ring: RingSettings())])
    _ = tea.apply(.locked(true))
    #expect(told(tea) == "runs 0:04:00" && !tea.wakePlan.isLockWatched)
  }

  @Test("A timer paused by hand stays paused; a timer resumed or restarted while locked waits")
  func waitsAfterResume() {
    var household = Self.started([Self.focus()])
    _ = household.timer("focus", .pause)
    #expect(!household.wakePlan.isLockWatched)
    _ = household.apply(.locked(true))
    _ = household.apply(.locked(false))
    #expect(told(household) == "paused 0:25:00")
    _ = household.timer("focus", .resume)
    _ = household.apply(.locked(true))
    for act in [TimerAct.resume, .restart, .add(.minutes(5))] {
      _ = household.timer("focus", act)
      #expect(told(household).hasPrefix("waits"))
    }
    _ = household.apply(.locked(false))
    #expect(told(household) == "runs 0:30:00")
    _ = household.apply(.locked(true))
    _ = household.timer("focus", .pause)
    _ = household.apply(.locked(false))
    #expect(told(household) == "paused 0:30:00")
  }

  @Test("A waiting timer still waits in a new agent, until the screen or the config lets it go on")
  func waitsAcrossRestart() {
    var household = Self.started([Self.focus()])
    _ = household.apply(.locked(true))
    _ = household.restart(at: "07:30")
    #expect(told(household) == "waits 0:25:00" && household.wakePlan.isLockWatched)
    var other = household
    _ = household.apply(.locked(false))
    #expect(told(household) == "runs 0:25:00")
    _ = other.apply(.configured([], timers: TimerSettings()))
    #expect(told(other) == "runs 0:25:00")
  }

  // MARK: - Warnings before the end

  private static func egg(_ minutes: Int64) -> TimerPreset {
    var ring = RingSettings()
    (ring.fadeIn, ring.sounds) = (.zero, ["Kettle"])
    var preset = TimerPreset(name: "egg", duration: .minutes(minutes), ring: ring)
    preset.warn = .minutes(1)
    return preset
  }

  @Test("Before a timer ends, a warning gives one short sound and a notice")
  func warning() {
    var household = Self.started([Self.egg(5)])
    #expect(
      household.wait(until: "07:04:30") == [
        "mon 07:04 stroke Kettle", "mon 07:04 post ending egg 0:01:00",
      ])
    #expect(
      household.wait(until: "07:05").suffix(4) == [
        "mon 07:05 play egg", "mon 07:05 post ringing egg", "mon 07:05 persist",
        "mon 07:05 withdraw ending egg",
      ])
  }

  @Test("A late warning is shown without its sound, and no warning sounds over a ring")
  func lateWarning() {
    var household = Self.started([Self.egg(5)])
    var prompt = household
    #expect(prompt.sleep(until: "07:04:02").first == "mon 07:04:02 stroke Kettle")
    #expect(household.sleep(until: "07:04:03") == ["mon 07:04:03 post ending egg 0:01:00"])
    // If the user adds time, the warning disappears until it is due again.
    #expect(household.timer("egg", .add(.minutes(5))).last == "mon 07:04:03 withdraw ending egg")
    #expect(household.wait(until: "07:09").first == "mon 07:09 stroke Kettle")
    household = Self.started([Self.egg(5)])
    _ = household.start("tea", .minutes(3))
    #expect(!household.wait(until: "07:04:30").contains { $0.contains("stroke") })
    // A timer that is no longer than the time of its warning has no warning.
    household = Self.started([Self.egg(1)])
    #expect(!household.wait(until: "07:01").contains { $0.contains("ending") })
  }
}
