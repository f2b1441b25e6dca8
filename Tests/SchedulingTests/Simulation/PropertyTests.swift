// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests properties that every schedule must have, with random stories. They concern deadlines,
// ticks that come twice or too often, and an agent that is killed between two effects. A failure
// prints the seed of its story.

import Scheduling
import TestData
import Testing

@Suite("Properties of the schedule")
struct PropertyTests {
  /// A random story and its agent, at some moment of the story.
  private struct Scene {
    var schedule = Schedule()
    var zones = TestZones()
    var now = Now(wall: Instant(utc: "2026-02-01 00:00"), boot: .seconds(9), bootID: "0")
    var disk = State()
    /// Whether the screen is locked, as the desktop last reported it; nil before its first report.
    private(set) var isLocked: Bool?
    var chance: Chance
    let alarms: [Alarm]
    let configured: Event

    init(seed: UInt64) {
      let story = Story(seed: seed, steps: 0)
      (alarms, chance) = (story.alarms, Chance(seed: seed))
      (now.wall, zones.machine) = (story.start, story.zone)
      let timers = TimerSettings(
        defaults: story.timers.ring, presets: Self.presets, countdown: story.timers.countdown)
      configured = .configured(alarms, timers: timers)
      _ = apply(configured)
    }

    /// Presets for two chains of timers. In the first chain, each timer waits until the user stops
    /// the one before; in the second, it starts at once.
    private static let presets: [TimerPreset] = [
      preset("work", .minutes(4), then: ["rest", "rest", "walk"], flow: false),
      preset("rest", .seconds(90), then: [], flow: false),
      preset("run", .minutes(3), then: ["walk", "run"], flow: true),
      preset("walk", .hours(2), then: ["run"], flow: true),
    ]

    private static func preset(
      _ name: String, _ duration: Duration, then: [String], flow: Bool
    ) -> TimerPreset {
      var preset = TimerPreset(name: name, duration: duration, ring: RingSettings())
      (preset.then, preset.flow, preset.rounds) = (then, flow, flow ? nil : 3)
      (preset.warn, preset.pausesPlayers) = (.minutes(1), name == "rest")
      preset.runsWhile = name == "work" ? .unlocked : .always
      return preset
    }

    var deadline: Instant? { schedule.nextDeadline(after: now).earliest(at: now) }

    mutating func apply(_ event: Event) -> [Effect] {
      let effects = schedule.apply(event, at: now, in: zones)
      if effects.contains(.persist) { disk = schedule.state }
      return effects
    }

    mutating func pass(_ time: Duration) {
      now.wall = now.wall + time
      now.boot += time
    }

    /// Lets time go by, in most cases until the next deadline. Some of the time, the user acts.
    mutating func goOn() {
      let time = chance.oneIn(8) ? chance.seconds(1...40_000) : deadline.map { $0 - now.wall }
      pass(time ?? .hours(1))
      if chance.oneIn(20) { now.wall = now.wall + chance.seconds(-7200...7200) }
      _ = apply(.tick)
      let id = chance.pick(alarms).id
      let events = [
        Event.stop(id), .snooze(id, .minutes(9)), .hush(id), .skip(id), .unskip(id), .ask(id),
        .isUp(id),
      ]
      if chance.oneIn(3) { _ = apply(chance.pick(events)) }
      if chance.oneIn(5) { useTimers() }
      if chance.oneIn(8) {
        let isLocked = chance.oneIn(2)
        self.isLocked = isLocked
        _ = apply(.locked(isLocked))
      }
    }

    private mutating func useTimers() {
      let id = chance.pick(["a", "b", "work", "rest", "run", "walk"])
      let order = TimerOrder(
        id: id,
        RecentTimer(
          duration: chance.pick([.seconds(3), .minutes(4), .hours(30)]),
          preset: id.count > 1 ? id : nil))
      let acts: [TimerAct] = [
        .pause, .resume, .add(.minutes(1)), .cancel, .restart, .closeCountdown,
      ]
      _ = apply(chance.oneIn(2) ? .startTimer(order) : .timer(id, chance.pick(acts)))
      let events = [Event.stop(id), .snooze(id, .minutes(9)), .hush(id)]
      if chance.oneIn(3) { _ = apply(chance.pick(events)) }
      if chance.oneIn(3) { _ = apply(.stopwatch(chance.pick([.start, .stop, .lap, .reset]))) }
    }
  }

  private func everywhere(_ check: (inout Scene) -> Bool) {
    let scenes = Chance.asked("BELFRY_SCENES") ?? UInt64(60)
    for seed in Chance.firstSeed..<(Chance.firstSeed + scenes) {
      var scene = Scene(seed: seed)
      for step in 0..<120 {
        scene.goOn()
        guard check(&scene) else {
          Issue.record("BELFRY_SEED=\(seed), step \(step), \(scene.now.wall.utc)")
          return
        }
      }
    }
  }

  @Test("A deadline is always later than now")
  func deadlines() {
    everywhere { scene in
      let deadline = scene.schedule.nextDeadline(after: scene.now)
      return deadline.wall.map { $0 > scene.now.wall } ?? true
        && deadline.boot.map { $0 > scene.now.boot } ?? true
    }
  }

  @Test("An event that comes twice does nothing the second time")
  func twice() {
    everywhere { scene in
      _ = scene.apply(scene.configured)
      let before = scene.schedule
      return scene.apply(.tick) == [] && scene.apply(.zonesChanged) == []
        && scene.apply(scene.configured) == [] && scene.schedule == before
    }
  }

  @Test("Ticks between deadlines do nothing and do not change the deadline")
  func split() {
    everywhere { scene in
      guard let deadline = scene.deadline else { return true }
      var other = scene
      let way = (deadline - scene.now.wall).wholeMicroseconds
      for _ in 0..<3 {
        let left = (deadline - other.now.wall).wholeMicroseconds
        guard left > 1 else { break }
        other.pass(.microseconds(other.chance.number(0...(left - 1))))
        guard other.apply(.tick) == [] else { return false }
        guard other.deadline == deadline else { return false }
      }
      other.pass(deadline - other.now.wall)
      scene.pass(.microseconds(way))
      return other.apply(.tick) == scene.apply(.tick) && other.schedule == scene.schedule
    }
  }

  @Test("A restarted agent has the same state, sound and deadline as one that never stopped")
  func restart() {
    everywhere { scene in
      var other = Schedule(restoring: scene.disk)
      _ = other.apply(scene.configured, at: scene.now, in: scene.zones)
      _ = scene.apply(.tick)
      return other.state == scene.schedule.state && other.sound == scene.schedule.sound
        && other.nextDeadline(after: scene.now) == scene.schedule.nextDeadline(after: scene.now)
    }
  }

  @Test("A state that is read late has the same effect as one that is read at the start")
  func late() {
    everywhere { scene in
      var (late, prompt) = (Schedule(), Schedule(restoring: scene.disk))
      _ = late.apply(scene.configured, at: scene.now, in: scene.zones)
      late.recall(scene.disk, at: scene.now)
      for event in [scene.configured, .tick] {
        _ = late.apply(event, at: scene.now, in: scene.zones)
        _ = prompt.apply(event, at: scene.now, in: scene.zones)
      }
      return late.state == prompt.state && late.sound == prompt.sound
        && late.nextDeadline(after: scene.now) == prompt.nextDeadline(after: scene.now)
    }
  }

  @Test("An agent killed between two effects of a tick reaches the same state after a start")
  func killed() {
    everywhere { scene in
      var whole = scene
      guard let deadline = scene.deadline else { return true }
      whole.pass(deadline - whole.now.wall)
      scene.now = whole.now
      let effects = whole.apply(.tick)
      let recorded = whole.disk
      // Whether the screen is locked is not saved. Each agent hears it from the desktop.
      let screen = scene.isLocked.map { Event.locked($0) }
      if let screen { _ = whole.apply(screen) }
      return effects.indices.allSatisfy { count in
        let isRecorded = effects[..<count].contains(.persist)
        var other = Schedule(restoring: isRecorded ? recorded : scene.disk)
        _ = other.apply(scene.configured, at: scene.now, in: scene.zones)
        if let screen { _ = other.apply(screen, at: scene.now, in: scene.zones) }
        return other.state == whole.schedule.state && other.sound == whole.schedule.sound
      }
    }
  }
}
