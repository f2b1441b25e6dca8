// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes timers and the stopwatch when time passes, the clock is set, the machine restarts, or the
// user acts. A ringing timer behaves like a ringing alarm: see `Ring.swift`. `Countdown.swift`
// computes what is shown of timers.
//
// | `Phase` | meaning                      | what happens                         | next    |
// | ------- | ---------------------------- | ------------------------------------ | ------- |
// | running | counting down                | its time is up, at most `late` ago   | open    |
// |         |                              | the same, found later: missed        | removed |
// |         |                              | Pause, or the screen is locked       | paused  |
// |         |                              | Add, Restart                         | running |
// | paused  | the time left is kept        | Resume, Restart, the screen unlocked | running |
// |         |                              | Add                                  | paused  |
// | open    | ringing, silenced or snoozed | Snooze, or snoozed by itself         | open    |
// |         |                              | Add, Restart                         | running |
// |         |                              | Stop; missed, after `ringFor`        | removed |
//
// Cancel removes a timer in any phase. In a chain, the next timer starts when one has ended or was
// stopped: see `Chain.swift`.

extension Schedule {
  public static let timersKept = 1000
  public static let recentsKept = 20

  public func timer(_ id: String) -> Timer? { timers.first { $0.id == id } }

  public func settings(of timer: Timer) -> RingSettings { timerSettings.ring(of: timer) }

  /// Returns an id for a new timer called `name`: `name` itself or, for example, `name-2`. No alarm
  /// and no other timer has this id, and `taken` returns false for it.
  public func timerID(
    for name: String, in chain: Chain? = nil, besides taken: (String) -> Bool = { _ in false }
  ) -> String {
    // A chain may use the id of its own first timer again.
    let firsts = timers.compactMap(\.chain?.id).filter { $0 != chain?.id }
    let timerIDs = Set(timers.map(\.id) + firsts)
    return numbered(name) { timerIDs.contains($0) || isAlarm($0) || taken($0) }
  }

  /// Adds the timers of a saved state. A timer whose id is taken gets another one. Among `saved`,
  /// a timer that has left its chain may have the chain's id, and keeps it.
  mutating func addSaved(_ saved: [Timer]) {
    let taken = Set(timers.map(\.id) + timers.compactMap(\.chain?.id))
    let ids = Set(saved.map(\.id))
    for var timer in saved {
      if taken.contains(timer.id) || isAlarm(timer.id) {
        timer.id = timerID(for: timer.id, in: timer.chain, besides: ids.contains)
      }
      timers.append(timer)
    }
  }

  private func isAlarm(_ id: String) -> Bool { places[id] != nil || remembered[id] != nil }

  /// If an alarm in the config has the id of a timer, the timer gets another id, because an id must
  /// belong to only one of them.
  mutating func renameTimers() {
    for i in timers.indices where places[timers[i].id] != nil {
      let (open, id) = (openRing(of: timers[i]), timerID(for: timers[i].id))
      if let open, open.snoozedUntil == nil { renamings.append(.renamed(open, to: id)) }
      timers[i].id = id
    }
  }
}

/// Returns `name` or, if it is taken, the first of `name-2`, `name-3` and so on that is not.
public func numbered(_ name: String, unless isTaken: (String) -> Bool) -> String {
  var (free, count) = (name, 1)
  while isTaken(free) {
    count += 1
    free = "\(name)-\(count)"
  }
  return free
}

// MARK: - Changes by time

extension Schedule {
  /// Adapts running timers and the stopwatch to the clocks at `now`. Setting the wall clock does
  /// not change when timers end. But after a restart of the machine, only the wall clock and the
  /// state show how long the machine was off, so the state is saved whenever the wall clock is set.
  mutating func count(to now: Now, _ clock: ClockChange, isDoubted: Bool) {
    for i in timers.indices {
      switch timers[i].phase {
      case .running(let until):
        let moment = counted(until, to: now, clock) {
          // A timer that has ended by the wall clock, and is not too late, rings at once, as an
          // alarm does, even if the clock may still be corrected (`isDoubted`). Nothing else is
          // decided by such a clock.
          !isDoubted || (.zero...settings(of: timers[i]).lateness).contains(now.boot - $0.reading)
        }
        guard let moment else { continue }
        timers[i].phase = .running(until: moment)
      case .open(var ring) where clock.step != .zero:
        ring = clock.carried(ring)
        // An alarm stays due at its time of day when the clock is set. But a timer that ended three
        // minutes ago still did so, so its end is shifted with the clock.
        ring.due = clock.carried(ring.due)
        timers[i].phase = .open(ring)
      case .paused, .open: break
      }
    }
    guard case .running(let since) = stopwatch.phase,
      let moment = counted(since, to: now, clock, isBelieved: { _ in !isDoubted })
    else { return }
    stopwatch.phase = .running(since: moment)
  }

  /// Returns `moment`, corrected after a change of the clocks or a restart of the machine; nil if
  /// there is no change to save.
  private func counted(
    _ moment: BootMoment, to now: Now, _ clock: ClockChange, isBelieved: (BootMoment) -> Bool
  ) -> BootMoment? {
    var counted = moment
    if let last = clock.lastStart { counted.reboot(after: last, at: now) }
    if let reckoned = counted.reckoned(at: now), isBelieved(reckoned) { counted = reckoned }
    return counted == moment ? nil : counted
  }

  /// Whether a running timer or the stopwatch still has to be corrected by the time that the
  /// machine was off, because that time is not known yet.
  var awaitsReckoning: Bool {
    let isOpen = timers.contains { timer in
      if case .running(let until) = timer.phase { until.startAsIf != nil } else { false }
    }
    if case .running(let since) = stopwatch.phase { return isOpen || since.startAsIf != nil }
    return isOpen
  }

  /// Advances all timers to `now`, and removes those that were missed.
  mutating func advanceTimers(to now: Now, _ absence: Absence) {
    flow(to: now)
    for i in timers.indices.reversed() {
      let (settings, isQuiet) = (settings(of: timers[i]), endsQuietly(timers[i]))
      while let step = timers[i].advance(to: now, settings, absence) {
        let open = openRing(of: timers[i])
        switch step {
        case .goesOn(let phase):
          timers[i].phase = phase
          if let open, case .open(let ring) = phase { noteSnooze(open, ring, at: now.wall) }
          guard isQuiet else { continue }
          endQuietly(timers[i], at: now)
        // The next timer of the chain has started already, so this timer is not listed as missed.
        case .missed where timers[i].chain?.hasGoneOn == true: endUnanswered(i, at: now.wall)
        case .missed(let due, let reason):
          let missed = Missed(
            id: timers[i].id, label: timers[i].label ?? timers[i].preset, dues: [due],
            reason: reason, isTimer: true)
          miss(missed, open, at: now.wall)
        }
        timers.remove(at: i)
        break
      }
    }
    endRingsOfChains(at: now.wall)
  }
}

extension RingSettings {
  /// An alarm or timer still rings if it is found at most this long after its due time: `late`, but
  /// at least `promptness`.
  var lateness: Duration { max(self.late, Schedule.promptness) }
}

extension Timer {
  fileprivate enum Step {
    case goesOn(Phase)
    case missed(due: Instant, Missed.Reason)
  }

  /// Returns what becomes of the timer as time passes, if its next change is due; otherwise nil.
  fileprivate func advance(
    to now: Now, _ settings: RingSettings, _ absence: Absence
  ) -> Step? {
    switch phase {
    case .paused: return nil
    case .running(let until):
      guard until.reading <= now.boot else { return nil }
      let overdue = now.boot - until.reading
      let due = now.wall - overdue
      guard overdue <= settings.lateness else { return .missed(due: due, absence.away) }
      return .goesOn(.open(Ring(due: due, since: now.wall)))
    case .open(var ring):
      guard let moment = ring.nextMoment(settings), moment <= now.wall else { return nil }
      var settings = settings
      // The next timer of the chain has started already, so this timer does not snooze by itself.
      if chain?.hasGoneOn == true { settings.unanswered = .miss }
      if let reason = ring.advance(to: now.wall, settings, absence) {
        return .missed(due: ring.due, reason)
      }
      return .goesOn(.open(ring))
    }
  }
}

// MARK: - Acts of the user

extension Schedule {
  mutating func start(_ order: TimerOrder, at now: Now) {
    let recent = order.timer
    guard !isAlarm(order.id), timer(order.id) == nil, recent.duration > .zero,
      recent.duration <= Timer.longest, timers.count < Self.timersKept
    else { return }
    let length = order.end.map { $0 - now.wall } ?? recent.duration
    var timer = Timer(
      id: order.id, label: recent.label, preset: recent.preset, sound: recent.sound,
      duration: recent.duration, phase: .running(until: BootMoment(now.boot + length)))
    timer.chain = chain(of: order)
    timers.append(timer)
    recents = Array(([recent] + recents.filter { !$0.isAlike(recent) }).prefix(Self.recentsKept))
  }

  mutating func forget(_ recent: RecentTimer) {
    recents.removeAll { $0.isAlike(recent) }
  }

  mutating func apply(_ act: TimerAct, on id: String, at now: Now) {
    guard let i = timers.firstIndex(where: { $0.id == id }) else { return }
    let open = openRing(of: timers[i])
    timers[i].apply(act, at: now)
    if act == .cancel {
      timers.remove(at: i)
      end(open, answeredTo: nil, at: now.wall)
    } else if var open, openRing(of: timers[i]) == nil {
      if case .add = act { open.length = nil }
      end(open, .restarted, at: now.wall)
    }
  }

  mutating func apply(_ act: StopwatchAct, at now: Now) {
    stopwatch.apply(act, at: now)
  }

  mutating func answerTimer(_ event: Event, _ i: Int, at now: Now) {
    guard let before = openRing(of: timers[i]) else { return }
    if case .stop = event {
      end(before, .stopped, at: now.wall)
      return goOn(i, at: now)
    }
    var after = before
    after.ring.answer(event, before.settings, at: now.wall)
    timers[i].phase = .open(after.ring)
    if after.snoozedUntil != nil { timers[i].leaveChainThatHasGoneOn() }
    end(before, answeredTo: after, at: now.wall)
  }
}

extension RecentTimer {
  /// Whether both timers would look the same in a list.
  fileprivate func isAlike(_ other: RecentTimer) -> Bool {
    (until, label ?? preset) == (other.until, other.label ?? other.preset)
      && (until != nil || duration == other.duration)
  }
}

extension Timer {
  fileprivate mutating func apply(_ act: TimerAct, at now: Now) {
    switch act {
    case .pause:
      isWaiting = false
      guard case .running = phase else { return }
      phase = .paused(left: left(at: now))
      isCountdownClosed = false
    case .resume:
      if case .paused(let left) = phase { run(for: left, at: now) }
    case .add(let more):
      guard more > .zero, more <= Self.longest - length else { return }
      length += more
      switch phase {
      case .running(var until):
        until.reading += more
        phase = .running(until: until)
      case .paused(let left): phase = .paused(left: left + more)
      case .open: run(for: more, at: now)
      }
    case .restart:
      length = duration
      run(for: duration, at: now)
    case .closeCountdown:
      if ring == nil { isCountdownClosed = true }
    case .cancel: break
    }
  }

  private mutating func run(for time: Duration, at now: Now) {
    phase = .running(until: BootMoment(now.boot + time))
    (isCountdownClosed, isWaiting) = (false, false)
    leaveChainThatHasGoneOn()
  }
}

extension Stopwatch {
  fileprivate mutating func apply(_ act: StopwatchAct, at now: Now) {
    switch (act, phase) {
    case (.start, .stopped(let elapsed)): phase = .running(since: BootMoment(now.boot - elapsed))
    case (.stop, .running): phase = .stopped(at: elapsed(at: now))
    case (.lap, .running) where laps.count < Self.lapsKept: laps.append(elapsed(at: now))
    case (.reset, _): self = Stopwatch()
    default: break
    }
  }
}
