// SPDX-License-Identifier: GPL-3.0-or-later
//
// The values that describe a timer: how it was started, and its state. A running timer ends at a
// moment on the boot clock, so setting the wall clock does not affect it. A ringing timer behaves
// like an alarm. `TimerLife.swift` changes timers as time passes and as the user acts.

/// A timer that was started and is running, paused, ringing or snoozed.
public struct Timer: Hashable, Sendable {
  /// The name that the command line uses for the timer. No alarm and no other timer has this name.
  public var id: String
  /// Any text. Code that displays the label must escape it first.
  public var label: String?
  /// The name of the `[[timer]]` block from which the timer was started; nil if there was none. The
  /// config may no longer contain that block.
  public var preset: String?
  /// The sound to play instead of the sound that is set in the preset or the defaults.
  public var sound: String?
  /// The length with which the timer was started. `restart` runs the timer for this length again.
  public var duration: Duration
  /// `duration` plus all time that was added since.
  public var length: Duration
  public var phase: Phase
  /// Whether the user closed the countdown. It is not shown again until the timer is paused or
  /// resumed.
  public var isCountdownClosed = false
  public var chain: Chain?
  /// Whether the timer is paused only because the screen is locked, and goes on by itself.
  public var isWaiting = false

  public enum Phase: Hashable, Sendable {
    case running(until: BootMoment)
    case paused(left: Duration)
    /// The timer has ended, and is ringing, silenced or snoozed.
    case open(Ring)
  }

  /// The longest length that a timer may have, including added time.
  public static let longest: Duration = .hours(366 * 24)

  public init(
    id: String, label: String? = nil, preset: String? = nil, sound: String? = nil,
    duration: Duration, phase: Phase
  ) {
    (self.id, self.label, self.preset, self.sound) = (id, label, preset, sound)
    (self.duration, length, self.phase) = (duration, duration, phase)
  }

  /// The timer's ring if it is ringing now; nil if the timer is running, paused or snoozed.
  public var ring: Ring? {
    if case .open(let ring) = phase, ring.snoozedUntil == nil { ring } else { nil }
  }

  public var isPaused: Bool { if case .paused = phase { true } else { false } }

  /// The time until the timer rings; zero while it is ringing.
  public func left(at now: Now) -> Duration {
    switch phase {
    case .running(let until): max(.zero, until.reading - now.boot)
    case .paused(let left): left
    case .open(let ring): ring.snoozedUntil.map { max(.zero, $0 - now.wall) } ?? .zero
    }
  }

  /// When the timer's time ran out, if its phase is still `running`. Nil if time is left, or if the
  /// timer is in another phase.
  func overdue(at now: Now) -> BootMoment? {
    if case .running(let until) = phase, until.reading <= now.boot { until } else { nil }
  }

  /// How long ago a ringing timer ended; nil if it is not ringing.
  public func overtime(at now: Now) -> Duration? { ring.map { max(.zero, now.wall - $0.due) } }

  /// When the timer rings or, if it is already ringing, when it ended. The result is on the wall
  /// clock; nil if the timer is paused.
  public func end(at now: Now) -> Instant? {
    switch phase {
    case .running(let until): now.wall + (until.reading - now.boot)
    case .paused: nil
    case .open(let ring): ring.snoozedUntil ?? ring.due
    }
  }
}

/// A request to start a timer, whose duration must be more than zero and at most `Timer.longest`.
/// `id` must not be in use.
public struct TimerOrder: Hashable, Sendable {
  public var id: String
  /// How the timer will be listed among the recent timers.
  public var timer: RecentTimer
  /// The moment at which the timer should end; nil: when its duration has passed. This moment may
  /// come a fraction of a second before the duration has passed.
  public var end: Instant?

  public init(id: String, _ timer: RecentTimer, end: Instant? = nil) {
    (self.id, self.timer, self.end) = (id, timer, end)
  }
}

public enum TimerAct: Hashable, Sendable {
  case pause
  case resume
  /// Adds time. A running or paused timer becomes longer by this time; a ringing or snoozed timer
  /// runs again for this time.
  case add(Duration)
  case cancel
  /// Runs the timer again for its `duration`.
  case restart
  case closeCountdown
}

/// An earlier timer that can be started again.
public struct RecentTimer: Hashable, Sendable {
  public var duration: Duration
  /// The time of day until which the timer ran, if the user started it with a time of day. In that
  /// case, `duration` is the time that was left until then.
  public var until: CivilTime?
  public var label: String?
  public var preset: String?
  public var sound: String?

  public var name: String? { label ?? preset }

  public init(
    duration: Duration, until: CivilTime? = nil, label: String? = nil, preset: String? = nil,
    sound: String? = nil
  ) {
    (self.duration, self.until, self.label) = (duration, until, label)
    (self.preset, self.sound) = (preset, sound)
  }
}

// MARK: - Moments on the boot clock

/// A moment on the boot clock, which no one can set. After a restart of the machine, the moment is
/// converted with the help of the wall clock, as soon as the wall clock can be trusted.
public struct BootMoment: Hashable, Sendable {
  /// The value of `CLOCK_BOOTTIME` at that moment, counted from the latest known start of the
  /// machine. Negative if the moment was before that start.
  public var reading: Duration
  /// After a restart of the machine: when the machine would have started if it had been off for no
  /// time at all. If this is 9:59 and the wall clock shows that the machine started at 10:29, the
  /// machine was off for 30 minutes. Nil once that length is known, or if it can never be known.
  public var startAsIf: Instant?

  public init(_ reading: Duration, startAsIf: Instant? = nil) {
    (self.reading, self.startAsIf) = (reading, startAsIf)
  }

  /// Converts this moment to the boot clock of `now`, because the machine was restarted after
  /// `last`. If the wall clock was not set at `last`, it can never be known how long the machine
  /// was off.
  mutating func reboot(after last: Now, at now: Now) {
    reading += now.boot - last.boot
    let start = startAsIf.map { $0 + last.boot } ?? (last.wall.isPlausible ? last.wall : nil)
    startAsIf = start.map { $0 - now.boot }
  }

  /// Returns this moment, corrected by how long the machine was off. The wall clock shows how long
  /// that was, and a negative time counts as zero. Nil if nothing needs correction, or if the wall
  /// clock cannot be trusted.
  func reckoned(at now: Now) -> BootMoment? {
    guard let start = startAsIf, now.wall.isPlausible else { return nil }
    return BootMoment(reading - max(.zero, (now.wall - now.boot) - start))
  }
}
