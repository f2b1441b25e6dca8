// SPDX-License-Identifier: GPL-3.0-or-later
//
// Describes a story: some alarms, and a list of steps that happen to them. Stories are made at
// random, played by `World` and checked by `Oracle`. A story that fails is shortened to the steps
// that cause the failure.

import Scheduling
import TestData

/// Something that happens in a story. No step refers to another step, so any step can be left out.
enum Step: Hashable {
  /// Time goes by while the agent is awake.
  case wait(Duration)
  case suspend(Duration)
  /// The agent is killed, and starts again after this duration.
  case kill(Duration)
  /// The machine is off for this duration, and meanwhile its clock gains `astray`.
  case off(Duration, astray: Duration)
  /// The machine is off for this duration. After its start, the clock shows 1970 until it is set.
  case offWithoutClock(Duration)
  /// The agent dies after this many further effects, and starts again at once.
  case crash(after: Int)
  case setClock(by: Duration)
  case move(String)
  /// The machine is suspended or off for this duration, and meanwhile the user carries it into
  /// another zone.
  case travel(Duration, to: String, off: Bool)
  /// The alarm with this index is disabled or, if it is disabled already, enabled.
  case toggle(Int)
  case stop(Int)
  /// The user confirms being up, even if the agent has not asked.
  case isUp(Int)
  case snooze(Int, Duration)
  /// The user snoozes an alarm that has snoozed by itself before, once such an alarm is ringing.
  case snoozeUnanswered(Duration)
  case hush(Int)
  case skip(Int, count: Int)
  /// The user moves only the next ring to another time of day.
  case reschedule(Int, to: CivilTime)
  case unskip(Int)
  case closeBedtime(Int)
  case acknowledge
  /// An act on a timer, or the start of a timer. The number says which timer of the story is meant.
  case timer(Int, TimerOracle.Act)
  case stopwatch(StopwatchAct)
}

struct Story {
  var start = Instant(utc: "2026-02-01 00:00")
  var zone = "Europe/Berlin"
  var alarms: [Alarm] = []
  var timers = TimerSettings()
  var steps: [Step] = []

  static let zones = [
    "Europe/Berlin", "America/New_York", "Asia/Seoul", "Africa/Cairo", "Australia/Lord_Howe",
    "Antarctica/Troll",
  ]
}

// MARK: - Random stories

extension Story {
  init(seed: UInt64, steps count: Int) {
    var chance = Chance(seed: seed)
    start = start + chance.seconds(0...(300 * 86_400))
    zone = chance.pick(Self.zones)
    alarms = (0..<6).map { Self.alarm($0, &chance) }
    timers = Self.timers(&chance)
    steps = (0..<count).map { _ in Self.step(&chance, timers) }
  }

  private static func alarm(_ number: Int, _ chance: inout Chance) -> Alarm {
    let time = chance.pick(["07:30", "07:30", "07:35", "02:30", "00:15", "01:45", "23:55", "15:00"])
    let days = chance.pick(["daily", "daily", "weekdays", "sat sun", "once", "2026-10-25", "tue"])
    var alarm = Alarm(
      "\(number)", time, days, except: chance.oneIn(3) ? ["2026-06-05", "2026-10-26"] : [],
      zone: chance.oneIn(5) ? "Asia/Seoul" : nil
    ) {
      $0.upcoming = chance.pick([.zero, .minutes(30), .hours(3)])
      $0.late = chance.pick([.zero, .minutes(10), .minutes(10), .hours(2), .hours(30)])
      $0.ringFor = chance.pick([.minutes(1), .minutes(10), nil])
      $0.unanswered = chance.pick([.snooze, .miss])
      $0.snooze = [chance.pick([.minutes(1), .minutes(10)])]
      $0.autoSnoozeLimit = Int(chance.number(0...3))
      $0.snoozeLimit = chance.pick([0, 0, 1, 2])
      $0.before = number.isMultiple(of: 2) ? .minutes(20) : .zero
      $0.onBefore = [["kettle", "on"]]
      $0.bedtime = [.zero, .minutes(30), .hours(8)][number % 3]
      $0.check = chance.pick([.zero, .minutes(5), .seconds(20)])
    }
    if chance.oneIn(3) {
      alarm.recurrence.dates = rule(&chance).dates
      alarm.recurrence.until = chance.oneIn(3) ? CivilDate("2026-09-30") : nil
    }
    return alarm
  }

  /// Returns a random rule that repeats every few days, weeks, months or years, or that names
  /// weekdays of a month.
  private static func rule(_ chance: inout Chance) -> Recurrence {
    let (time, from) = ("07:30", chance.pick(["2025-12-31", "2026-01-13", "2026-04-30"]))
    return chance.pick([
      Recurrence(time, every: 2, .days, from: from), Recurrence(time, every: 5, .days, from: from),
      Recurrence(time, every: 2, .weeks, "mon thu sat", from: from),
      Recurrence(time, every: 1, .months, from: from), Recurrence(time, days: "1/mon last/fri sun"),
      Recurrence(time, every: 2, .months, "2/tue last/sun", from: from),
    ])
  }

  private static func timers(_ chance: inout Chance) -> TimerSettings {
    var ring = RingSettings()
    ring.late = chance.pick([.zero, .minutes(10), .hours(2)])
    ring.ringFor = chance.pick([.minutes(1), .minutes(10), .hours(1)])
    ring.unanswered = chance.pick([.snooze, .miss])
    return TimerSettings(defaults: ring, countdown: chance.oneIn(8))
  }

  private static func timerStep(_ chance: inout Chance, _ settings: TimerSettings) -> Step {
    let place = Int(chance.number(0...2))
    switch chance.number(0...19) {
    case 0..<6:
      // The countdown of a timer of hours would cause a thousand wake-ups that test nothing new.
      let longest = chance.pick(settings.countdown ? [5, 60, 600] : [60, 6 * 3600, 30 * 3600])
      return .timer(place, .start(.seconds(chance.number(1...Int64(longest)))))
    case 6..<8: return .timer(place, .act(.pause))
    case 8..<10: return .timer(place, .act(.resume))
    case 10: return .timer(place, .act(.add(.minutes(1))))
    case 11: return .timer(place, .act(.cancel))
    case 12: return .timer(place, .act(.restart))
    case 13: return .timer(place, .act(.closeCountdown))
    case 14: return .timer(place, .stop)
    case 15: return .timer(place, .snooze(chance.pick([.seconds(90), .hours(26)])))
    case 16: return .timer(place, .hush)
    default: return .stopwatch(chance.pick([.start, .stop, .lap, .reset]))
    }
  }

  private static func step(_ chance: inout Chance, _ timers: TimerSettings) -> Step {
    if chance.oneIn(5) { return timerStep(&chance, timers) }
    let alarm = Int(chance.number(0...5))
    switch chance.number(0...99) {
    case 0..<34: return .wait(time(&chance))
    case 34..<42: return .suspend(time(&chance))
    case 42..<48: return .kill(chance.oneIn(2) ? .zero : time(&chance))
    case 48..<51:
      return .off(time(&chance), astray: chance.oneIn(3) ? step(upTo: 2, &chance) : .zero)
    case 51: return .offWithoutClock(time(&chance))
    case 52..<59: return .crash(after: Int(chance.number(0...6)))
    case 59..<64: return .setClock(by: step(upTo: 4, &chance))
    case 64: return .move(chance.pick(zones))
    case 65: return .travel(time(&chance), to: chance.pick(zones), off: chance.oneIn(2))
    case 66..<69: return .toggle(alarm)
    case 69..<77: return .stop(alarm)
    case 77: return .isUp(alarm)
    case 78..<86: return .snooze(alarm, chance.pick([.seconds(90), .minutes(10), .hours(26)]))
    case 86..<89: return .hush(alarm)
    case 89..<91: return .skip(alarm, count: chance.pick([1, 1, 2, 5]))
    case 91..<93:
      return .reschedule(alarm, to: CivilTime(chance.pick(["00:30", "02:30", "07:30", "23:50"])))
    case 93..<95: return .unskip(alarm)
    case 95..<97: return .closeBedtime(alarm)
    case 97: return .snoozeUnanswered(chance.pick([.seconds(90), .minutes(10)]))
    default: return .acknowledge
    }
  }

  /// Returns a random duration from milliseconds to 30 hours. The limit is random as well, so short
  /// durations are as likely as long ones.
  private static func time(_ chance: inout Chance) -> Duration {
    let limit = chance.pick([10, 600, 3600, 6 * 3600, 30 * 3600])
    return .milliseconds(chance.number(1...Int64(limit * 1000)))
  }

  private static func step(upTo days: Int64, _ chance: inout Chance) -> Duration {
    let limit = chance.pick([2, 900, 7200, days * 86_400])
    return chance.seconds(-limit...limit)
  }
}

// MARK: - Shorter stories

extension Story {
  /// Returns a shorter story for which `fails` is still true. Steps are dropped, joined and
  /// simplified, and alarms are disabled.
  func shortened(while fails: (Story) -> Bool) -> Story {
    var story = self
    func accept(_ shorter: Story) -> Bool {
      guard fails(shorter) else { return false }
      story = shorter
      return true
    }
    for i in story.alarms.indices {
      var shorter = story
      shorter.alarms[i].enabled = false
      _ = accept(shorter)
    }
    var size = story.steps.count / 2
    while size >= 1 {
      let before = story.steps
      var from = 0
      while from < story.steps.count {
        var shorter = story
        shorter.steps.removeSubrange(from..<min(from + size, story.steps.count))
        if !accept(shorter) { from += size }
      }
      if size == 1 {
        for i in story.steps.indices.reversed() { _ = story.simplified(at: i).map(accept) }
      }
      if size > 1 || story.steps == before { size /= 2 }
    }
    return story
  }

  /// Returns the story with a simpler step `i`. Step 0 is removed, and the story starts later
  /// instead. Any other step becomes a wait of the same length; if a wait follows, the two are
  /// joined. Nil if step `i` cannot be simplified.
  private func simplified(at i: Int) -> Story? {
    if i == 0, case .move(let zone)? = steps.first {
      return Story(
        start: start, zone: zone, alarms: alarms, timers: timers, steps: Array(steps.dropFirst()))
    }
    guard i < steps.count, let time = steps[i].time else { return nil }
    var story = self
    if i == 0 {
      story.start = story.start + time
      story.steps.removeFirst()
      return story
    }
    if i + 1 < steps.count, case .wait(let more) = steps[i + 1] {
      story.steps.replaceSubrange(i...(i + 1), with: [.wait(time + more)])
      return story
    }
    story.steps[i] = .wait(time)
    return story.steps == steps ? nil : story
  }
}

extension Step {
  /// How much time goes by during the step; nil for a step that takes no time.
  fileprivate var time: Duration? {
    switch self {
    case .wait(let time), .suspend(let time), .kill(let time), .off(let time, _),
      .offWithoutClock(let time), .travel(let time, _, _):
      time
    case .setClock(let step) where step > .zero: step
    case .crash, .setClock, .move, .toggle, .stop, .isUp, .snooze, .snoozeUnanswered, .hush, .skip,
      .reschedule, .unskip, .closeBedtime, .acknowledge, .timer, .stopwatch:
      nil
    }
  }
}

extension Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .wait(let time): "wait \(time.text)"
    case .suspend(let time): "suspended for \(time.text)"
    case .kill(let time): "the agent is killed, and starts \(time.text) later"
    case .off(let time, let astray):
      "the machine is off for \(time.text)"
        + (astray == .zero ? "" : ", its clock astray by \(astray.text)")
    case .offWithoutClock(let time): "the machine is off for \(time.text), and boots in 1970"
    case .crash(let count): "the agent will die after \(count) effects"
    case .setClock(let step): "the clock is set by \(step.text)"
    case .move(let zone): "the zone is \(zone)"
    case .travel(let time, let zone, let off):
      "\(off ? "off" : "suspended") for \(time.text), then the zone is \(zone)"
    case .toggle(let i): "alarm \(i) is disabled, or enabled again"
    case .stop(let i): "stop \(i)"
    case .isUp(let i): "the user is up, who stopped \(i)"
    case .snooze(let i, let length): "snooze \(i) for \(length.text)"
    case .snoozeUnanswered(let length): "snooze one that snoozed by itself for \(length.text)"
    case .hush(let i): "hush \(i)"
    case .skip(let i, let count): "skip \(count) of \(i)"
    case .reschedule(let i, let time): "move \(i) to \(time)"
    case .unskip(let i): "unskip \(i)"
    case .closeBedtime(let i): "close the bedtime of \(i)"
    case .acknowledge: "acknowledge"
    case .timer(let place, .start(let duration)): "timer \(place) is started with \(duration.text)"
    case .timer(let place, let act): "timer \(place): \(act)"
    case .stopwatch(let act): "stopwatch: \(act)"
    }
  }
}

extension Duration {
  /// The duration as text, such as `-1:30:00`, with milliseconds if it has any.
  var text: String {
    let seconds = wholeSeconds
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(\.magnitude)
    let fraction = (wholeMicroseconds % 1_000_000).magnitude / 1000
    return (self < .zero ? "-" : "") + "\(parts[0])"
      + parts.dropFirst().map { $0 < 10 ? ":0\($0)" : ":\($0)" }.joined()
      + (fraction == 0 ? "" : " and \(fraction) ms")
  }
}
