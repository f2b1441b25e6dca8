// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is shown of a timer, rounded to what a person notices, and when that changes: each second in
// the minutes before and after its end, else each minute, and each hour of days. Words are made
// elsewhere.

/// A timer as a notification shows it.
public struct TimerNotice: Hashable, Sendable {
  public enum Stand: Hashable, Sendable {
    /// Rounded up.
    case running(left: Duration)
    case paused(left: Duration)
    /// Rounded down.
    case ringing(Ring, overtime: Duration)
    case snoozed(until: Instant)
  }

  public var id: String
  public var label: String?
  public var preset: String?
  public var length: Duration
  public var stand: Stand
  /// When it will be over by the wall clock, to the second; nil where it does not run.
  public var ends: Instant?
  public var round: Round?
  /// What follows it, as that is called.
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
  /// So many are shown at once: a thousand that change each minute nobody could read, nor could a
  /// notification server keep up with them.
  public static let countdownsShown = 10

  /// Where the timers are whose countdowns may be shown: those that end first, before any that are
  /// paused.
  func countdowns(at now: Now) -> Set<Int> {
    guard timerSettings.countdown else { return [] }
    let open = timers.indices.filter { timers[$0].hasCountdown }
    guard open.count > Self.countdownsShown else { return Set(open) }
    let order = open.map { (isPaused: timers[$0].isPaused, left: timers[$0].left(at: now), i: $0) }
      .sorted { ($0.isPaused ? 1 : 0, $0.left, $0.i) < ($1.isPaused ? 1 : 0, $1.left, $1.i) }
    return Set(order.prefix(Self.countdownsShown).map(\.i))
  }
}

// MARK: - Ahead of the end

extension Schedule {
  /// Later than this after its moment, a short sound tells nothing any more.
  static let strokeLateness: Duration = .seconds(2)

  /// When the end of that timer is told ahead, by the boot clock.
  func warning(of timer: Timer) -> Duration? {
    guard case .running(let until) = timer.phase,
      let warn = timerSettings.preset(of: timer)?.warn, warn > .zero, warn < timer.length
    else { return nil }
    return until.reading - warn
  }

  /// The notice of that, from then to the end.
  func endingNotice(of timer: Timer, at now: Now) -> Notice? {
    guard let warning = warning(of: timer), warning <= now.boot,
      let warn = timerSettings.preset(of: timer)?.warn
    else { return nil }
    return .ending(
      id: timer.id, label: timer.label ?? timer.preset, round: round(of: timer), left: warn)
  }

  /// How the timer sounds whose end is to be told now; nil where none is. `last` is when that was
  /// asked before.
  func warningStroke(since last: Now?, at now: Now) -> RingSettings? {
    guard let last, last.bootID == now.bootID else { return nil }
    let due = timers.first { timer in
      warning(of: timer).map {
        last.boot < $0 && $0 <= now.boot && now.boot - $0 <= Self.strokeLateness
      } ?? false
    }
    return due.map(settings)
  }

  /// What there is to be told of that timer, with its place among others.
  func notice(of timer: Timer, at now: Now, step: Duration? = nil) -> TimerNotice {
    var notice = timer.notice(at: now, step: step)
    (notice.round, notice.next) = (round(of: timer), timerSettings.nextName(after: timer))
    return notice
  }
}

extension Timer {
  fileprivate var hasCountdown: Bool { isCountingDown && !isCountdownClosed }

  /// Whether the user should see it now.
  func isShown(_ showsCountdown: Bool) -> Bool {
    !isCountingDown || showsCountdown && !isCountdownClosed
  }

  /// Whether it runs or is paused.
  var isCountingDown: Bool {
    switch phase {
    case .running, .paused: true
    case .open: false
    }
  }

  /// What there is to be told of it now; what is left of it in such steps.
  fileprivate func notice(at now: Now, step: Duration?) -> TimerNotice {
    let stand: TimerNotice.Stand
    var ends: Instant?
    switch phase {
    case .running, .paused:
      let left = left(at: now)
      if case .paused = phase {
        stand = .paused(left: left.roundedUp(to: .seconds(1)))
      } else {
        // Rounded up, there would be more left than there ever was.
        let rounded = left.roundedUp(to: step ?? left.noticeableStep)
        stand = .running(left: min(rounded, max(left, length)))
        // The two clocks are never read at quite the same time.
        ends = Instant(seconds: (now.wall + left + .milliseconds(500)).seconds)
      }
    case .open(let ring):
      stand =
        ring.snoozedUntil.map { .snoozed(until: $0) }
        ?? .ringing(ring, overtime: overtimeShown(ring, at: now).shown)
    }
    return TimerNotice(
      id: id, label: label, preset: preset, length: length, stand: stand, ends: ends)
  }

  /// The earliest moments, strictly later than `now`, at which a tick could change something. The
  /// sound needs to be made ready only where none is, and none plays.
  func nextMoments(
    after now: Now, _ settings: RingSettings, showsCountdown: Bool, awaitsReady: Bool
  ) -> Deadline {
    var moments = Deadline()
    switch phase {
    case .paused: break
    case .running(let until):
      moments.consider(boot: until.reading)
      // While the clock is doubted it rings by it all the same.
      if let end = until.reckoned(at: now)?.reading, end > now.boot { moments.consider(boot: end) }
      let ready = until.reading - Schedule.readyAhead
      if awaitsReady, ready > now.boot { moments.consider(boot: ready) }
      if showsCountdown, !isCountdownClosed {
        let left = left(at: now)
        let step = left.noticeableStep
        moments.consider(boot: until.reading - left.roundedUp(to: step) + step)
      }
    case .open(let ring):
      if let moment = ring.nextMoment(settings) { moments.consider(wall: moment) }
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
  /// By how much it must change until a person who reads it notices.
  fileprivate var noticeableStep: Duration {
    self > .hours(24) ? .hours(1) : self > .minutes(1) ? .minutes(1) : .seconds(1)
  }

  /// What is not negative, in whole steps.
  fileprivate func roundedDown(to step: Duration) -> Duration {
    .microseconds(wholeMicroseconds / step.wholeMicroseconds * step.wholeMicroseconds)
  }

  fileprivate func roundedUp(to step: Duration) -> Duration {
    (self + step - .microseconds(1)).roundedDown(to: step)
  }
}
