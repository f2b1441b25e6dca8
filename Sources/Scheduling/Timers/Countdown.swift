// SPDX-License-Identifier: GPL-3.0-or-later
//
// Computes what the user is shown of a timer, and when that changes. Countdowns are rounded to
// steps that a person notices: seconds in the last minute before the end and the first minute after
// it, hours if more than a day is left, otherwise minutes. The words are chosen outside the core.

public struct TimerNotice: Hashable, Sendable {
  public enum Stand: Hashable, Sendable {
    /// The time left, rounded up.
    case running(left: Duration)
    /// `isWaiting` is true if the timer is paused only because the screen is locked.
    case paused(left: Duration, isWaiting: Bool = false)
    /// The time since the end, rounded down.
    case ringing(Ring, overtime: Duration)
    case snoozed(until: Instant)
  }

  public var id: String
  public var label: String?
  public var preset: String?
  public var length: Duration
  public var stand: Stand
  /// When the timer will end, by the wall clock, to the second; nil unless it is running.
  public var ends: Instant?
  public var round: Round?
  /// The label or name of the timer that follows in the chain.
  public var next: String?

  public init(
    id: String, label: String?, preset: String?, length: Duration, stand: Stand,
    ends: Instant? = nil
  ) {
    (self.id, self.label, self.preset) = (id, label, preset)
    (self.length, self.stand, self.ends) = (length, stand, ends)
  }

  public var kind: Notice.Key.Kind {
    switch stand {
    case .running, .paused: .countdown
    case .ringing: .ringing
    case .snoozed: .snoozed
    }
  }
}

extension Schedule {
  /// How many countdowns are shown at once. No one could read a thousand countdowns that change
  /// every minute, and no notification server could keep up with them.
  public static let countdownsShown = 10

  /// Returns the indices of the timers whose countdowns are shown: those that end first, and paused
  /// timers last.
  func countdowns(at now: Now) -> Set<Int> {
    guard timerSettings.countdown else { return [] }
    let open = timers.indices.filter {
      timers[$0].isCountingDown && !timers[$0].isCountdownClosed
    }
    let order = open.map { (end: timers[$0].end(at: now) ?? .distantFuture, i: $0) }
      .sorted { ($0.end, $0.i) < ($1.end, $1.i) }
    return Set(order.prefix(Self.countdownsShown).map(\.i))
  }

  /// Returns the time left of the running timer that ends first, as its countdown shows it, and
  /// when that time changes, on the boot clock. Nil if no timer is running.
  public func timeLeft(at now: Now) -> (left: Duration, changes: Duration)? {
    let running = timers.filter { $0.isCountingDown && !$0.isPaused }
    return running.min { $0.left(at: now) < $1.left(at: now) }?.countdown(at: now)
  }
}

// MARK: - Warnings before the end

extension Schedule {
  /// The greatest delay of the short sound of a chime or of a timer's warning. A later sound is
  /// dropped, because it would no longer mark the right moment.
  static let strokeLateness: Duration = .seconds(2)

  /// When to warn that the timer ends soon, on the boot clock; nil: no warning.
  func warning(of timer: Timer) -> Duration? {
    guard case .running(let until) = timer.phase,
      let warn = timerSettings.preset(of: timer)?.warn, warn > .zero, warn < timer.length
    else { return nil }
    return until.reading - warn
  }

  /// Returns the notice that the timer ends soon. Nil if the timer has no warning, or if the time
  /// for the warning has not come.
  func endingNotice(of timer: Timer, at now: Now) -> Notice? {
    guard let warning = warning(of: timer), warning <= now.boot,
      let warn = timerSettings.preset(of: timer)?.warn
    else { return nil }
    return .ending(
      id: timer.id, label: timer.label ?? timer.preset, round: round(of: timer), left: warn)
  }

  /// Returns the settings of the timer whose warning is due now; nil if no warning is due. `last`
  /// is the time of the last event.
  func warningStroke(since last: Now?, at now: Now) -> RingSettings? {
    guard let last, last.bootID == now.bootID else { return nil }
    let due = timers.first { timer in
      warning(of: timer).map {
        last.boot < $0 && $0 <= now.boot && now.boot - $0 <= Self.strokeLateness
      } ?? false
    }
    return due.map(settings)
  }

  func notice(of timer: Timer, at now: Now, step: Duration? = nil) -> TimerNotice {
    var notice = timer.notice(at: now, step: step)
    (notice.round, notice.next) = (round(of: timer), nextName(after: timer))
    return notice
  }
}

extension Timer {
  var isCountingDown: Bool {
    switch phase {
    case .running, .paused: true
    case .open: false
    }
  }

  /// Returns what to show of the timer now. The time left is rounded up to `step`; if `step` is
  /// nil, it is rounded up to the step that a person notices.
  fileprivate func notice(at now: Now, step: Duration?) -> TimerNotice {
    let stand: TimerNotice.Stand
    var ends: Instant?
    switch phase {
    case .paused(let left):
      stand = .paused(left: left.roundedUp(to: .seconds(1)), isWaiting: isWaiting)
    case .running:
      let left = left(at: now)
      stand = .running(left: countdown(at: now, step: step)?.left ?? left)
      // Half a second is added because the wall clock and the boot clock cannot be read at the same
      // moment.
      ends = Instant(seconds: (now.wall + left + .milliseconds(500)).seconds)
    case .open(let ring):
      stand =
        ring.snoozedUntil.map { .snoozed(until: $0) }
        ?? .ringing(ring, overtime: overtimeShown(ring, at: now).shown)
    }
    return TimerNotice(
      id: id, label: label, preset: preset, length: length, stand: stand, ends: ends)
  }

  /// Returns the time left, rounded as in a notice, and when that changes next, on the boot clock.
  /// Nil unless the timer is running.
  fileprivate func countdown(
    at now: Now, step: Duration? = nil
  ) -> (left: Duration, changes: Duration)? {
    guard case .running(let until) = phase else { return nil }
    let left = left(at: now)
    let step = step ?? left.noticeableStep
    let rounded = left.roundedUp(to: step)
    // Rounding up must not show more time than the timer had at its start.
    return (min(rounded, max(left, length)), until.reading - rounded + step)
  }

  /// Returns the earliest moments, strictly later than `now`, at which the event `tick` could
  /// change something. `awaitsReady` is true if no sound is prepared or playing. Only then is a
  /// tick needed to prepare a sound.
  func nextMoments(
    after now: Now, _ settings: RingSettings, showsCountdown: Bool, awaitsReady: Bool
  ) -> Deadline {
    var moments = Deadline()
    switch phase {
    case .paused: break
    case .running(let until):
      moments.consider(boot: until.reading)
      // After a restart of the machine, only the wall clock shows how long the machine was off. The
      // timer rings once it has ended by that clock, even if the clock may still be corrected, so
      // this moment is a deadline as well.
      if let end = until.reckoned(at: now)?.reading, end > now.boot { moments.consider(boot: end) }
      let ready = until.reading - Schedule.readyAhead
      if awaitsReady, ready > now.boot { moments.consider(boot: ready) }
      if showsCountdown { moments.consider(boot: countdown(at: now)?.changes) }
    case .open(let ring):
      moments.consider(wall: ring.nextMoment(settings))
      if let until = ring.snoozedUntil {
        let ready = until - Schedule.readyAhead
        if awaitsReady, ready > now.wall { moments.consider(wall: ready) }
      } else {
        let (shown, step) = overtimeShown(ring, at: now)
        moments.consider(wall: ring.due + shown + step)
      }
    }
    return moments
  }

  private func overtimeShown(_ ring: Ring, at now: Now) -> (shown: Duration, step: Duration) {
    let overtime = max(.zero, now.wall - ring.due)
    let step = (overtime + .microseconds(1)).noticeableStep
    return (overtime.roundedDown(to: step), step)
  }
}

extension Duration {
  /// By how much a time must change before someone who reads it notices.
  fileprivate var noticeableStep: Duration {
    self > .hours(24) ? .hours(1) : self > .minutes(1) ? .minutes(1) : .seconds(1)
  }

  /// Rounds down to whole steps. The duration must not be negative.
  fileprivate func roundedDown(to step: Duration) -> Duration {
    .microseconds(wholeMicroseconds / step.wholeMicroseconds * step.wholeMicroseconds)
  }

  fileprivate func roundedUp(to step: Duration) -> Duration {
    (self + step - .microseconds(1)).roundedDown(to: step)
  }
}
