// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests chains of timers: which timer follows which, in how many rounds, and how a chain goes on
// after a sleep, a restart, or a change of the config.

import Scheduling
import Testing

@Suite("A chain of timers")
struct ChainTests {
  private static func preset(
    _ name: String, _ minutes: Int64, then: String? = nil, flow: Bool = false, rounds: Int? = 1
  ) -> TimerPreset {
    var ring = RingSettings()
    (ring.fadeIn, ring.sounds) = (.zero, ["Kettle"])
    var preset = TimerPreset(name: name, duration: .minutes(minutes), ring: ring)
    (preset.then, preset.flow) = (then.map { [$0] } ?? [], flow)
    preset.rounds = rounds
    return preset
  }

  private static func work(flow: Bool = false, rounds: Int? = 4) -> [TimerPreset] {
    [
      preset("focus", 25, then: "rest", flow: flow, rounds: rounds),
      preset("rest", 5, flow: flow),
    ]
  }

  private static func started(_ presets: [TimerPreset], _ name: String = "focus") -> Household {
    var household = Household(
      timers: TimerSettings(presets: presets, countdown: false), at: "2026-11-23 07:00")
    let duration = presets.first { $0.name == name }?.duration ?? .minutes(1)
    _ = household.start(name, duration, preset: name)
    return household
  }

  /// Returns the id, the round and the state of each timer.
  private func told(_ household: Household) -> [String] {
    household.schedule.timers.map { timer in
      let round = household.schedule.round(of: timer)
      let text = round.map { " \($0.number)/\($0.rounds.map { "\($0)" } ?? "ever")" } ?? ""
      let stand =
        timer.ring != nil
        ? "rings" : timer.isPaused ? "paused" : timer.left(at: household.now).text
      return timer.id + text + " " + stand
    }
  }

  @Test("The next timer starts when the user stops the one before, until all rounds are over")
  func rounds() {
    var household = Self.started(Self.work(rounds: 2))
    #expect(told(household) == ["focus 1/2 0:25:00"])
    _ = household.wait(until: "07:27")
    #expect(told(household) == ["focus 1/2 rings"])
    let notice = household.schedule.notice(Notice.Key(kind: .ringing, id: "focus"))
    if case .timer(let timer)? = notice {
      #expect(timer.round?.number == 1 && timer.next == "rest")
    } else {
      Issue.record("\(String(describing: notice))")
    }
    _ = household.stop("focus")
    #expect(told(household) == ["rest 1/2 0:05:00"])
    household.stop("rest", at: "07:32")
    #expect(told(household) == ["focus 2/2 0:25:00"])
    household.stop("focus", at: "07:57")
    _ = household.wait(until: "08:02")
    #expect(told(household) == ["rest 2/2 rings"])
    #expect(household.schedule.nextName(after: household.schedule.timers[0]) == nil)
    _ = household.stop("rest")
    #expect(household.schedule.timers.isEmpty && household.deadline == nil)
    #expect(
      household.history.allSatisfy { $0.hasSuffix("stopped") } && household.history.count == 4)
    #expect(household.schedule.recents.map(\.preset) == ["focus"])
  }

  @Test("With `flow` the next timer starts at once while the one before rings until answered")
  func flow() {
    var household = Self.started(Self.work(flow: true, rounds: 2))
    _ = household.wait(until: "07:26")
    #expect(told(household) == ["focus 1/2 rings", "rest 1/2 0:04:00"])
    _ = household.stop("focus")
    #expect(told(household) == ["rest 1/2 0:04:00"])
    _ = household.wait(until: "07:31")
    #expect(told(household) == ["rest 1/2 rings", "focus 2/2 0:24:00"])
    // No one answers the ring of `rest`. It ends without a snooze and is not listed as missed,
    // because the chain has gone on.
    _ = household.wait(until: "07:45")
    #expect(told(household) == ["focus 2/2 0:10:00"] && household.schedule.missed.isEmpty)
    #expect(household.history.last == "rest mon 07:30: missed unanswered")
    _ = household.wait(until: "07:56")
    #expect(told(household) == ["focus 2/2 rings", "rest 2/2 0:04:00"])
    // When the timer `rest` ends, its ring replaces the ring of `focus` before it.
    _ = household.wait(until: "08:01")
    #expect(told(household) == ["rest 2/2 rings"])
    #expect(household.history.last == "focus mon 07:55: missed unanswered")
    _ = household.stop("rest")
    #expect(household.schedule.timers.isEmpty)
  }

  @Test("A timer of a flow that is snoozed or given more time rings again, beside the chain")
  func leaves() {
    for answer in ["snooze", "add", "restart"] {
      var household = Self.started(Self.work(flow: true, rounds: 1))
      _ = household.wait(until: "07:26")
      switch answer {
      case "snooze": _ = household.snooze("focus", .minutes(6))
      case "add": _ = household.timer("focus", .add(.minutes(6)))
      default: _ = household.timer("focus", .restart)
      }
      _ = household.wait(until: "07:30")
      #expect(told(household).contains("rest rings"), "\(answer)")
      #expect(told(household).count == 2, "\(answer)")
      _ = household.wait(until: answer == "restart" ? "07:51" : "07:32")
      #expect(household.schedule.ringing.contains { $0.id == "focus" }, "\(answer)")
      _ = household.stop("focus")
      _ = household.stop("rest")
      #expect(household.schedule.timers.isEmpty, "\(answer)")
    }
  }

  @Test("After a sleep over several timers of a flow, the right one runs and only the last rings")
  func sleepThroughFlow() {
    var household = Self.started(Self.work(flow: true))
    #expect(household.sleep(until: "08:14").contains { $0.contains("play") } == false)
    #expect(told(household) == ["focus 3/4 0:11:00"])
    // Only `focus`, which ended last, 3 minutes ago, rings.
    _ = household.sleep(until: "08:58")
    #expect(told(household) == ["focus 4/4 rings", "rest 4/4 0:02:00"])
    // If all timers ended during the sleep, only the last timer is listed as missed.
    _ = household.sleep(until: "tue 07:00")
    #expect(told(household) == [])
    #expect(household.schedule.missed.map { "\($0.id) \($0.reason)" } == ["rest asleep"])
  }

  @Test("A timer of a flow rings up to `late` after its end, and is not missed before that")
  func late() {
    var presets = Self.work(flow: true)
    presets[1].duration = .minutes(15)
    for (time, expected) in [
      ("07:35", ["focus 1/4 rings", "rest 1/4 0:05:00"]), ("07:35:01", ["rest 1/4 0:04:59"]),
    ] {
      var household = Self.started(presets)
      _ = household.sleep(until: time)
      #expect(told(household) == expected)
    }
  }

  @Test("A chain of timers of a few seconds catches up with years of sleep at once")
  func years() {
    var presets = Self.work(flow: true, rounds: nil)
    presets[0].duration = .seconds(1)
    presets[1].duration = .seconds(2)
    var household = Self.started(presets)
    _ = household.sleep(until: "2031-11-23 07:00:02")
    let timer = household.schedule.timers.last
    #expect(timer?.preset == "rest" && timer?.chain?.round ?? 0 > 50_000_000)
    #expect(timer?.left(at: household.now) == .seconds(1))
    presets[0].rounds = 1000
    household = Self.started(presets)
    _ = household.sleep(until: "2031-11-23 07:00:02")
    #expect(household.schedule.timers.isEmpty && household.schedule.missed.map(\.id) == ["rest"])
  }

  @Test("A list in `then` names the next timer of each round, and begins again after its last name")
  func lists() {
    var presets = Self.work(rounds: nil) + [Self.preset("long", 30)]
    presets[0].then = ["rest", "rest", "long"]
    var household = Self.started(presets)
    var followers: [String?] = []
    for _ in 0..<4 {
      followers.append(household.schedule.nextName(after: household.schedule.timers[0]))
      for _ in 0..<2 {
        let timer = household.schedule.timers[0]
        if let end = timer.end(at: household.now) { _ = household.wait(for: end) }
        _ = household.stop(timer.id)
      }
    }
    #expect(followers == ["rest", "rest", "long", "rest"])
    #expect(told(household) == ["focus 5/ever 0:25:00"])
    // A chain with lists of different lengths is at the same timer with and without a long sleep.
    for index in presets.indices { presets[index].flow = true }
    presets[1].then = ["long", "focus"]
    for rounds in [nil, 20] {
      presets[0].rounds = rounds
      household = Self.started(presets)
      var awake = household
      _ = household.sleep(until: "wed 01:07")
      _ = awake.wait(until: "wed 01:07")
      #expect(told(household).last == told(awake).last)
      #expect(household.schedule.timers.isEmpty == (rounds != nil))
    }
  }

  @Test("A timer that rings to its end unanswered is missed, and the chain ends")
  func unanswered() {
    var household = Self.started(Self.work())
    _ = household.wait(until: "09:00")
    #expect(told(household) == [] && household.schedule.missed.map(\.reason) == [.unanswered])
  }

  @Test("Presets that lead in a circle run for as many rounds as the first preset says")
  func circles() {
    var presets = Self.work(rounds: 1)
    presets[1].then = ["focus"]
    var household = Self.started(presets)
    household.stop("focus", at: "07:25")
    #expect(told(household) == ["rest 0:05:00"])
    household.stop("rest", at: "07:30")
    #expect(told(household) == [])
    presets[0].rounds = nil
    household = Self.started(presets)
    household.stop("focus", at: "07:25")
    household.stop("rest", at: "07:30")
    #expect(told(household) == ["focus 2/ever 0:25:00"])
  }

  @Test("A preset without a successor repeats under its name, with its label and sound")
  func alone() {
    var household = Self.started([Self.preset("egg", 5, rounds: 2)], "egg")
    household.stop("egg", at: "07:05")
    #expect(told(household) == ["egg 2/2 0:05:00"])
    #expect(household.history == ["egg mon 07:05: stopped"])
    _ = household.timer("egg", .cancel)
    _ = household.start("mine", .minutes(5), label: "Mine", preset: "egg")
    household.stop("mine", at: "07:10")
    #expect(told(household) == ["mine 2/2 0:05:00"])
    #expect(household.schedule.timers[0].label == "Mine")
  }

  @Test("Pause, more time and restart keep the timer's round; cancel ends the chain")
  func acts() {
    var household = Self.started(Self.work())
    _ = household.timer("focus", .pause)
    #expect(told(household) == ["focus 1/4 paused"])
    _ = household.timer("focus", .resume)
    _ = household.wait(until: "07:25")
    _ = household.timer("focus", .add(.minutes(1)))
    #expect(told(household) == ["focus 1/4 0:01:00"])
    _ = household.wait(until: "07:26")
    _ = household.timer("focus", .restart)
    #expect(household.history.last == "focus mon 07:26: restarted")
    _ = household.wait(until: "07:51")
    _ = household.snooze("focus")
    _ = household.stop("focus")
    #expect(told(household) == ["rest 1/4 0:05:00"])
    _ = household.timer("rest", .cancel)
    #expect(household.schedule.timers.isEmpty)
  }

  @Test("After a restart of the agent, the chain goes on in the same round")
  func restart() {
    for flow in [false, true] {
      var household = Self.started(Self.work(flow: flow))
      household.stop("focus", at: "07:25")
      _ = household.wait(until: "07:30")
      _ = household.restart(at: "07:31")
      _ = household.stop("rest")
      #expect(told(household) == ["focus 2/4 \(flow ? "0:24:00" : "0:25:00")"])
    }
  }

  @Test("A chain skips presets that left the config, and ends if its first preset did")
  func removed() {
    let settings = { TimerSettings(presets: $0, countdown: false) }
    func after(_ presets: [TimerPreset], _ id: String, at time: String) -> [String] {
      var household = Self.started(Self.work())
      _ = household.wait(until: "07:25")
      if id == "rest" {
        _ = household.stop("focus")
        _ = household.wait(until: "07:30")
      }
      _ = household.apply(.configured([], timers: settings(presets)))
      _ = household.stop(id)
      return told(household)
    }
    var alone = Self.work()[0]
    alone.then = []
    #expect(after([alone], "focus", at: "07:25") == ["focus 2/4 0:25:00"])
    #expect(after([alone], "rest", at: "07:30") == ["focus 2/4 0:25:00"])
    #expect(after([Self.work()[1]], "focus", at: "07:25") == [])
    #expect(after([], "rest", at: "07:30") == [])
  }
}
