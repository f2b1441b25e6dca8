// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays a story in virtual time, on a simulated machine with clocks, a disk and an agent, and lets
// the oracle check the agent after each event. Next: `Machine.swift`, which carries out effects.

import Scheduling

struct World {
  /// How to break the agent on purpose, in order to test the oracle.
  enum Sabotage { case none, forgetsOnRestart, oversleepsDeadlines, losesAnswers }

  var schedule = Schedule()
  var zones: TestZones
  var now: Now
  var alarms: [Alarm]
  /// The true time since the story began.
  var elapsed: Duration = .zero
  var events = 0
  var wakeUps = 0
  /// All steps and effects as text, to print if the story fails.
  var log: [String] = []

  let keepsLog: Bool
  let sabotage: Sabotage
  var oracle: Oracle
  var timerOracle: TimerOracle
  let timers: TimerSettings
  let chimes: [Chime]
  /// The elapsed time at which the chime last struck.
  var struck: Duration?
  /// The elapsed time until which the agent may wait for a correction of the clock.
  var doubtsEnd: Duration = .zero
  /// Reports an answer of the user to the timer oracle, after the agent has saved the answer.
  var given: ((inout TimerOracle, Duration) -> Void)?
  /// The id of the latest timer for each number that a step can name.
  var timerIDs: [Int: String] = [:]
  var timersStarted = 0
  /// The elapsed time at which the agent last saved its state to `disk`.
  var recorded: Duration = .zero
  var disk = State()
  var heard: SoundOrder = .silent
  var screen: [Notice.Key: Notice] = [:]
  /// The ids of the alarms for which the agent wants to know whether the user is up.
  var looks: [String] = []
  /// For each alarm, the due time of the ring whose `on_before` commands ran last.
  var prepared: [String: Instant] = [:]
  /// The rings whose `on_before` commands are running, each with its due time.
  var preparing: [OpenRing.Key: Instant] = [:]
  /// For each alarm, the due time of the ring whose bedtime notice the user closed last.
  var bedtimeClosed: [String: Instant] = [:]
  /// The bedtime notice that the user is closing; nil after the agent has saved the change.
  var closing: (id: String, due: Instant)?
  var crashAfter: Int?
  var astray: Duration = .zero

  init(_ story: Story, _ calendar: Calendar, sabotage: Sabotage = .none, keepsLog: Bool = false) {
    (self.keepsLog, self.sabotage, alarms) = (keepsLog, sabotage, story.alarms)
    zones = TestZones(machine: story.zone)
    now = Now(wall: story.start, boot: .seconds(100), bootID: "0")
    oracle = Oracle(calendar, alarms: story.alarms)
    (timers, timerOracle) = (story.timers, TimerOracle(story.timers))
    // Only a third of the stories have chimes, because chimes cause the most wake-ups.
    let hours = Chime.Hours(CivilTime("06:40"), CivilTime("20:00"))
    let chime = Chime(every: .minutes(120), between: hours, sounds: ["Clock"])
    chimes = sabotage == .none && story.alarms.count.isMultiple(of: 3) ? [chime] : []
  }

  var configured: Event { .configured(alarms, timers: timers, chimes: chimes) }

  /// Plays the story to its end, or to the first error that the oracle finds.
  mutating func play(_ story: Story) throws(Violation) {
    oracle.enabled(alarms, at: now.wall, in: zones)
    try happen(configured)
    for step in story.steps {
      tell("— \(step)")
      try take(step)
    }
  }
}

// MARK: - Steps

extension World {
  mutating func take(_ step: Step) throws(Violation) {
    switch step {
    case .wait(let time): try wait(time)
    case .suspend(let time):
      pass(time)
      try happen(.tick)
    case .kill(let time):
      pass(time)
      try restart()
    case .off(let time, let astray): try reboot(after: time, astray: stray(astray))
    case .offWithoutClock(let time): try rebootWithoutClock(after: time)
    case .crash(let count): crashAfter = count
    case .setClock(let step):
      try waitForCertainty()
      setWall(now.wall + stray(step))
      doubtsBegin()
      try happen(.tick)
    case .move(let zone): try travel(to: zone)
    case .travel(let time, let zone, let off):
      if !off { pass(time) }
      try travel(to: zone, off: off ? time : nil)
    case .toggle(let i): try toggle(i)
    case .stop(let i): try answer(i, .stop(alarms[i].id))
    case .isUp(let i): try answer(i, .isUp(alarms[i].id))
    case .snooze(let i, let length): try answer(i, .snooze(alarms[i].id, length))
    case .snoozeUnanswered(let length): try snoozeUnanswered(length)
    case .hush(let i): try answer(i, .hush(alarms[i].id))
    case .skip(let i, let count): try answer(i, .skip(alarms[i].id, .next(count)))
    case .reschedule(let i, let time): try answer(i, .move(alarms[i].id, time))
    case .unskip(let i): try answer(i, .unskip(alarms[i].id))
    case .closeBedtime(let i): try answer(i, .closeBedtime(alarms[i].id))
    case .acknowledge: try happen(.acknowledgeMissed)
    case .timer(let place, let act): try answer(act, inPlace: place)
    case .stopwatch(let act): try answer(act)
    }
  }

  /// Waits until an alarm that has snoozed by itself is ringing, but at most 12 hours, and snoozes
  /// that alarm.
  private mutating func snoozeUnanswered(_ length: Duration) throws(Violation) {
    let end = now.wall + .hours(12)
    while now.wall < end {
      let found = alarms.firstIndex { schedule.entry($0.id)?.ring?.autoSnoozeCount ?? 0 > 0 }
      if let found { return try answer(found, .snooze(alarms[found].id, length)) }
      guard let next = schedule.nextDeadline(after: now).earliest(at: now) else { return }
      try wait(min(next, end) - now.wall)
    }
  }

  mutating func wait(_ time: Duration) throws(Violation) {
    let end = now.wall + time
    while let deadline = schedule.nextDeadline(after: now).earliest(at: now), deadline <= end {
      guard deadline > now.wall else { throw Violation(text: "a deadline is not later than now") }
      pass(deadline - now.wall + (sabotage == .oversleepsDeadlines ? .minutes(1) : .zero))
      let (before, timers, missed) = (schedule.entries, schedule.timers, schedule.missed)
      let (stroke, isWhole) = (schedule.stroke?.at, crashAfter == nil)
      wakeUps += 1
      let isIdle = try happen(.tick, onTime: true)
      if stroke == deadline {
        guard
          !isWhole || struck == elapsed || !schedule.ringing.isEmpty || schedule.sound != .silent
        else {
          throw Violation(text: "a chime is lost")
        }
        continue
      }
      if isIdle, schedule.entries == before, schedule.timers == timers, schedule.missed == missed {
        throw Violation(text: "a wake-up without cause")
      }
    }
    pass(max(.zero, end - now.wall))
  }

  mutating func reboot(after time: Duration, astray: Duration) throws(Violation) {
    try waitForCertainty()
    pass(time)
    setWall(now.wall + astray)
    (now.boot, now.bootID) = (.seconds(30), now.bootID + "'")
    now.isSynchronized = astray == .zero
    oracle.rebooted()
    tellOfReboot(astray: astray)
    doubtsBegin()
    try restart()
  }

  mutating func rebootWithoutClock(after time: Duration) throws(Violation) {
    try waitForCertainty()
    pass(time)
    let right = now.wall + .seconds(45)
    now = Now(wall: Instant(seconds: 20), boot: .seconds(30), bootID: now.bootID + "'")
    oracle.rebooted()
    tellOfReboot(astray: .zero)
    try restart()
    now.boot += .seconds(45)
    elapsed += .seconds(45)
    now.wall = right
    doubtsBegin()
    try happen(.tick)
  }

  mutating func travel(to zone: String, off: Duration? = nil) throws(Violation) {
    // If `off` is given, the machine is off while the zone changes. Before it is switched off, wait
    // until the agent trusts the clock: the oracle cannot predict an agent that doubts its clock.
    if off != nil { try waitForCertainty() }
    zones.machine = zone
    oracle.moved()
    if let off { try reboot(after: off, astray: .zero) } else { try happen(.zonesChanged) }
  }

  mutating func toggle(_ i: Int) throws(Violation) {
    alarms[i].enabled.toggle()
    oracle.enabled(alarms, at: now.wall, in: zones)
    let alarm = alarms[i]
    if !alarm.enabled {
      // While an alarm is off, the agent forgets the `on_before` commands and the closed bedtime
      // notice of rings that are past. If the clock is set back before such a ring, the commands
      // may run again, and the notice may appear again.
      prepared[alarm.id] = prepared[alarm.id].flatMap { $0 > now.wall ? $0 : nil }
      bedtimeClosed[alarm.id] = bedtimeClosed[alarm.id].flatMap { $0 > now.wall ? $0 : nil }
    }
    try happen(configured)
  }

  /// Applies an answer of the user to the alarm with the index `i`, after a tick. An answer counts
  /// once the agent has saved it.
  mutating func answer(_ i: Int, _ event: Event) throws(Violation) {
    try happen(.tick)
    guard let entry = schedule.entry(alarms[i].id) else { return }
    let shown = screen[Notice.Key(kind: .bedtime, id: alarms[i].id)]
    if case .closeBedtime = event, case .bedtime(let id, _, let due, _) = shown {
      closing = (id, due)
    }
    var answer = oracle.answer(event, by: i, to: entry, at: elapsed, now.wall, zones)
    let effects = schedule.apply(event, at: now, in: zones)
    if case .snooze(let length)? = answer.kind, answer.due != nil,
      schedule.entry(alarms[i].id)?.snoozedUntil != now.wall + length
    {
      answer.kind = .refusedSnooze
      guard !answer.isCounted else {
        throw Violation(text: "alarm \(alarms[i].id) was not snoozed, though it allows one more")
      }
    }
    if sabotage == .losesAnswers, !effects.isEmpty { oracle.given(answer, by: i, in: zones) }
    let isRecorded = try perform(
      sabotage == .losesAnswers ? effects.filter { $0 != .persist } : effects)
    if isRecorded { oracle.given(answer, by: i, in: zones) }
    closing = nil
    let snoozedUntil = schedule.entry(alarms[i].id)?.snoozedUntil
    if case .refusedSnooze? = answer.kind, snoozedUntil != entry.snoozedUntil {
      throw Violation(text: "alarm \(alarms[i].id) was snoozed more often than it allows")
    }
    try look()
  }

  mutating func answer(_ act: TimerOracle.Act, inPlace place: Int) throws(Violation) {
    try happen(.tick)
    try waitForCertainty()
    if case .start = act {
      timersStarted += 1
      timerIDs[place] = "t\(timersStarted)"
    }
    guard let id = timerIDs[place] else { return }
    let timer = schedule.timer(id)
    let event: Event =
      switch act {
      case .start(let duration): .startTimer(TimerOrder(id: id, RecentTimer(duration: duration)))
      case .act(let act): .timer(id, act)
      case .stop: .stop(id)
      case .snooze(let length): .snooze(id, length)
      case .hush: .hush(id)
      }
    let duration = timer?.duration
    try answer(event) { oracle, elapsed in
      if case .act(.restart) = act, let duration {
        oracle.restarted(id, duration, at: elapsed)
      } else {
        oracle.given(act, to: id, at: elapsed)
      }
    }
  }

  mutating func answer(_ act: StopwatchAct) throws(Violation) {
    try happen(.tick)
    try waitForCertainty()
    try answer(.stopwatch(act)) { $0.given(act, at: $1) }
  }

  /// Applies an answer to a timer or the stopwatch. An answer counts once the agent has saved it.
  mutating func answer(
    _ event: Event, _ given: @escaping (inout TimerOracle, Duration) -> Void
  ) throws(Violation) {
    let effects = schedule.apply(event, at: now, in: zones)
    self.given = given
    if sabotage == .losesAnswers, effects.contains(.persist) { tellOracle() }
    try perform(sabotage == .losesAnswers ? effects.filter { $0 != .persist } : effects)
    self.given = nil
    try look()
  }

  /// Reports a start of the machine to the timer oracle. The agent knows only from the wall clock
  /// how long the machine was off, and takes a negative time as zero.
  mutating func tellOfReboot(astray: Duration) {
    let away = elapsed - recorded
    timerOracle.rebooted(shift: away - max(.zero, away + astray))
  }

  /// Waits until the agent trusts the clock, because before that the oracle cannot judge it.
  mutating func waitForCertainty() throws(Violation) {
    if mayDoubt { try wait(doubtsEnd - elapsed) }
  }

  mutating func doubtsBegin() { doubtsEnd = elapsed + .minutes(1) }
  var mayDoubt: Bool { !now.isSynchronized && elapsed < doubtsEnd }

  mutating func tellOracle() {
    given?(&timerOracle, elapsed)
    given = nil
  }

  mutating func look(onTime: Bool = false) throws(Violation) {
    try oracle.look(at: self, onTime: onTime)
    if now.wall >= Schedule.earliestPlausible {
      try timerOracle.look(at: self, onTime: onTime)
      try lookAtBedtimes()
      try lookAtPreparations()
    }
  }
}
