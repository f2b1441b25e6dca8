// SPDX-License-Identifier: GPL-3.0-or-later
//
// A simpler model of timers and the stopwatch, which checks those of the schedule. The model reads
// no clock. It knows only the true elapsed time and the error of the wall clock at each start of
// the machine. It requires that no timer is lost, no timer comes back after its answer, and each
// timer has the right time left.

import Scheduling

struct TimerOracle {
  /// The state of one timer. Its durations count from the beginning of the story, without the
  /// clock's errors.
  private enum Stand {
    case running(end: Duration)
    case paused(left: Duration)
    /// The timer has rung, and the user has not answered yet.
    case open
  }

  /// What the user can do to a timer.
  enum Act: Hashable {
    case start(Duration)
    case act(TimerAct)
    case stop
    case snooze(Duration)
    case hush
  }

  private enum Watch {
    case stopped(at: Duration)
    case running(since: Duration)
  }

  private let late: Duration
  private var timers: [String: Stand] = [:]
  private var stopwatch = Watch.stopped(at: .zero)
  /// Whether the agent may have doubted the clock since the last check. A doubting agent does not
  /// know exactly when a timer is due, and may let a timer ring that should have counted as missed.
  private var mayDoubt = false

  init(_ settings: TimerSettings) { late = max(settings.ring.late, Schedule.promptness) }

  // MARK: - Events

  /// Handles a restart of the machine. If the wall clock is wrong after the restart, the agent
  /// computes a wrong time for which the machine was off, and running timers end later by `shift`.
  mutating func rebooted(shift: Duration) {
    mayDoubt = true
    timers = timers.mapValues { stand in
      if case .running(let end) = stand { .running(end: end + shift) } else { stand }
    }
    if case .running(let since) = stopwatch { stopwatch = .running(since: since + shift) }
  }

  mutating func given(_ act: Act, to id: String, at elapsed: Duration) {
    switch (act, timers[id]) {
    case (.start(let duration), nil): timers[id] = .running(end: elapsed + duration)
    case (.stop, .open?), (.act(.cancel), _): timers[id] = nil
    case (.act(.pause), .running(let end)?): timers[id] = .paused(left: end - elapsed)
    case (.act(.resume), .paused(let left)?): timers[id] = .running(end: elapsed + left)
    case (.act(.add(let more)), .running(let end)?): timers[id] = .running(end: end + more)
    case (.act(.add(let more)), .paused(let left)?): timers[id] = .paused(left: left + more)
    case (.act(.add(let more)), .open?): timers[id] = .running(end: elapsed + more)
    default: break
    }
  }

  /// Records that the user restarted the timer `id` with `duration`.
  mutating func restarted(_ id: String, _ duration: Duration, at elapsed: Duration) {
    timers[id] = .running(end: elapsed + duration)
  }

  mutating func given(_ act: StopwatchAct, at elapsed: Duration) {
    switch (act, stopwatch) {
    case (.start, .stopped(let shown)): stopwatch = .running(since: elapsed - shown)
    case (.stop, .running(let since)): stopwatch = .stopped(at: Self.shown(elapsed - since))
    case (.reset, _): stopwatch = .stopped(at: .zero)
    default: break
    }
  }

  private static func shown(_ elapsed: Duration) -> Duration {
    .milliseconds(elapsed.wholeMicroseconds / 1000)
  }

  // MARK: - Judging

  /// Checks the timers and the stopwatch of the schedule after an event.
  mutating func look(at world: World, onTime: Bool) throws(Violation) {
    mayDoubt = mayDoubt || world.mayDoubt
    for (id, stand) in timers.sorted(by: { $0.key < $1.key }) {
      timers[id] = try look(at: world, onTime, id, stand)
    }
    guard Set(world.schedule.timers.map(\.id)) == Set(timers.keys) else {
      throw Violation(text: "a timer that was answered or missed returned")
    }
    try lookAtStopwatch(of: world)
    mayDoubt = world.mayDoubt
  }

  private func lookAtStopwatch(of world: World) throws(Violation) {
    let shown =
      switch stopwatch {
      case .stopped(let shown): shown
      case .running(let since): Self.shown(world.elapsed - since)
      }
    let isShown = world.schedule.stopwatch.elapsed(at: world.now)
    guard world.mayDoubt ? isShown <= shown : isShown == shown else {
      throw Violation(text: "the stopwatch shows \(isShown.text), not \(shown.text)")
    }
  }

  /// Checks the timer `id` and returns its new state; nil if the timer was missed.
  private func look(
    at world: World, _ onTime: Bool, _ id: String, _ stand: Stand
  ) throws(Violation) -> Stand? {
    func complain(_ text: String) -> Violation { Violation(text: "timer \(id) \(text)") }
    let timer = world.schedule.timer(id)
    let isMissed = world.schedule.missed.contains { $0.isTimer && $0.id == id }
    if timer != nil, isMissed { throw complain("both exists and is missed") }
    let isOpen = world.schedule.openRing(id) != nil
    switch stand {
    case .paused(let left):
      guard timer?.phase == .paused(left: left) else { throw complain("is not paused any more") }
      return stand
    case .open:
      guard isOpen || isMissed else { throw complain("rang and is lost") }
      return isOpen ? stand : nil
    case .running(let end):
      let left = end - world.elapsed
      if left > .zero {
        guard let shown = timer?.left(at: world.now), !isOpen else { throw complain("rings early") }
        guard shown == left || world.mayDoubt && shown > left else {
          throw complain("has \(shown.text) left, not \(left.text)")
        }
        return stand
      }
      let isInTime = left + late >= .zero
      // An agent that doubts the clock has not decided yet whether this timer was missed.
      if world.mayDoubt, !isInTime, timer != nil { return isOpen ? .open : stand }
      if onTime, left < .zero, !mayDoubt { throw complain("ends later than it could") }
      guard isOpen || isMissed else { throw complain("is due and lost") }
      guard isOpen == isInTime || mayDoubt else {
        throw complain(isOpen ? "rings too late" : "is missed, and was in time")
      }
      return isOpen ? .open : nil
    }
  }
}
