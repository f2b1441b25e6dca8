// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays a story in virtual time: a machine with its clocks, a disk, and an agent that lives and
// dies. After each event the oracle looks at what the agent came to. It decides nothing about
// alarms. Here is what each step of a story is; next: `Machine.swift`.

import Scheduling

struct World {
  /// Ways to break the agent on purpose, which show that the oracle sees.
  enum Sabotage { case none, forgetsOnRestart, oversleepsDeadlines, losesAnswers }

  var schedule = Schedule()
  var zones: TestZones
  var now: Now
  var alarms: [Alarm]
  /// Time that truly went by.
  var elapsed: Duration = .zero
  var events = 0
  var wakeUps = 0
  /// What was done, for the reader of a failure.
  var log: [String] = []

  let keepsLog: Bool
  let sabotage: Sabotage
  var oracle: Oracle
  var timerOracle: TimerOracle
  let timers: TimerSettings
  let chimes: [Chime]
  /// When it struck last, in time that truly went by.
  var struck: Duration?
  /// Until then, in time that truly went by, the agent may wait for somebody to set the clock.
  var doubtsEnd: Duration = .zero
  /// Tells the oracle what the user did, once it is on the disk.
  var given: ((inout TimerOracle, Duration) -> Void)?
  /// The id of the timer that was last started in each place.
  var timerIDs: [Int: String] = [:]
  var timersStarted = 0
  /// When `disk` was written, in time that truly went by.
  var recorded: Duration = .zero
  var disk = State()
  var heard: SoundOrder = .silent
  var screen: [Notice.Key: Notice] = [:]
  /// The alarms of which the agent wants to know whether the user is up.
  var looks: [String] = []
  /// What was prepared last, and what the clock showed at the beginning of time, which tells
  /// whether it was set since.
  var prepared: [String: (due: Instant, start: Instant)] = [:]
  /// Of these the commands go on, as far as anybody said.
  var preparing: [OpenRing.Key: Instant] = [:]
  /// Which ring's word that it is time to sleep was closed, likewise.
  var bedtimeClosed: [String: (due: Instant, start: Instant)] = [:]
  /// That which the user closes, until it is on the disk.
  var closing: (id: String, due: Instant)?
  var crashAfter: Int?
  var astray: Duration = .zero

  init(_ story: Story, _ calendar: Calendar, sabotage: Sabotage = .none, keepsLog: Bool = false) {
    (self.keepsLog, self.sabotage, alarms) = (keepsLog, sabotage, story.alarms)
    zones = TestZones(machine: story.zone)
    now = Now(wall: story.start, boot: .seconds(100), bootID: "0")
    oracle = Oracle(calendar, alarms: story.alarms)
    (timers, timerOracle) = (story.timers, TimerOracle(story.timers))
    // In a third of the stories: they wake the agent more often than all else.
    let hours = Chime.Hours(CivilTime("06:40"), CivilTime("20:00"))
    let chime = Chime(every: .minutes(120), between: hours, sounds: ["Clock"])
    chimes = sabotage == .none && story.alarms.count.isMultiple(of: 3) ? [chime] : []
  }

  var configured: Event { .configured(alarms, timers: timers, chimes: chimes) }

  /// Plays the story to its end, or to the first violation.
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
    // Until it is off, the machine is where it was: an agent that runs is told of another zone.
    if off != nil { try waitForCertainty() }
    zones.machine = zone
    oracle.moved()
    if let off { try reboot(after: off, astray: .zero) } else { try happen(.zonesChanged) }
  }

  mutating func toggle(_ i: Int) throws(Violation) {
    alarms[i].enabled.toggle()
    oracle.enabled(alarms, at: now.wall, in: zones)
    try happen(configured)
  }

  /// The user answers what there is after a tick; given is an answer once it is on the disk.
  mutating func answer(_ i: Int, _ event: Event) throws(Violation) {
    try happen(.tick)
    guard let entry = schedule.entry(alarms[i].id) else { return }
    let shown = screen[Notice.Key(kind: .bedtime, id: alarms[i].id)]
    if case .closeBedtime = event, case .bedtime(let id, _, let due, _) = shown {
      closing = (id, due)
    }
    let answer = Oracle.Answer(event, to: entry, at: elapsed, now.wall, zones)
    let effects = schedule.apply(event, at: now, in: zones)
    if sabotage == .losesAnswers, !effects.isEmpty { oracle.given(answer, by: i, in: zones) }
    let isRecorded = try perform(
      sabotage == .losesAnswers ? effects.filter { $0 != .persist } : effects)
    if isRecorded { oracle.given(answer, by: i, in: zones) }
    closing = nil
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
      case .start(let duration): .startTimer(TimerOrder(id: id, duration: duration))
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

  /// Takes in an answer, which is given once it is on the disk.
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

  /// What the clock shows is all that tells how long the machine was off; less than no time it was
  /// not.
  mutating func tellOfReboot(astray: Duration) {
    let away = elapsed - recorded
    timerOracle.rebooted(shift: away - max(.zero, away + astray))
  }

  /// What is done to a timer, or to the clock, that the agent doubts the oracle cannot judge.
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

  /// For an hour, or until the ring, it is said that it is time to sleep, unless that was closed:
  /// of each ring that is to come next, and of no other.
  func lookAtBedtimes() throws(Violation) {
    for entry in schedule.entries {
      let (id, length) = (entry.alarm.id, entry.alarm.ring.bedtime)
      let due = entry.isSkipped ? nil : entry.next?.due
      let left = due.map { $0 - now.wall } ?? .zero
      var isWanted = left > .zero && left <= length && left > length - .hours(1)
      // By a clock that was set since, a ring may be another.
      if let closed = bedtimeClosed[id], closed.due == due {
        if closed.start != now.wall - elapsed { continue }
        isWanted = false
      }
      let shown = screen[Notice.Key(kind: .bedtime, id: id)]
      let isShown = if case .bedtime(_, _, due, _) = shown { true } else { false }
      guard isWanted == isShown, isShown || shown == nil else {
        throw Violation(
          text: "\(id) says that it is time to sleep: \(isShown), and is to: \(isWanted)")
      }
    }
  }
}
