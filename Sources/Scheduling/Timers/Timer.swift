// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers as values: how a timer was started, and its state. A running timer ends by the boot clock,
// so setting the wall clock does not affect it. Once it rings, it behaves like an alarm. What time
// and answers do to a timer is in `TimerLife.swift`.

/// A timer that was started and is running, paused, ringing or snoozed.
public struct Timer: Hashable, Sendable {
  /// The name that the command line uses for the timer. No alarm and no other timer has it.
  public var id: String
  /// Any text. Whoever displays it must escape it first.
  public var label: String?
  /// The name of the `[[timer]]` that was started. The config may no longer contain it.
  public var preset: String?
  /// The sound to play instead of the one that the preset or the defaults name.
  public var sound: String?
  /// The length with which the timer was started, and with which `restart` starts it again.
  public var duration: Duration
  /// `duration` plus all time that was added since.
  public var length: Duration
  public var phase: Phase
  /// Whether the user closed the countdown. It is not shown again until the timer is paused or
  /// resumed.
  public var isCountdownClosed = false
  /// The timer's place in a chain; nil if nothing follows it.
  public var chain: Chain?

  public enum Phase: Hashable, Sendable {
    case running(until: BootMoment)
    case paused(left: Duration)
    /// The timer is ringing or snoozed.
    case open(Ring)
  }

  /// The greatest length of a timer, including added time.
  public static let longest: Duration = .hours(366 * 24)

  public init(
    id: String, label: String? = nil, preset: String? = nil, sound: String? = nil,
    duration: Duration, phase: Phase
  ) {
    (self.id, self.label, self.preset, self.sound) = (id, label, preset, sound)
    (self.duration, length, self.phase) = (duration, duration, phase)
  }

  /// The ring that is ringing now; nil otherwise.
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

  /// When the timer ended, if it still counts as running although its time is over; otherwise nil.
  func overdue(at now: Now) -> BootMoment? {
    if case .running(let until) = phase, until.reading <= now.boot { until } else { nil }
  }

  /// How long ago a ringing timer ended; nil if it is not ringing.
  public func overtime(at now: Now) -> Duration? { ring.map { max(.zero, now.wall - $0.due) } }

  /// When the timer will begin to ring, converted to the wall clock; nil if it is paused or already
  /// ringing.
  public func start(at now: Now) -> Instant? { ring == nil ? end(at: now) : nil }

  /// When the timer rings or, if it is ringing, when it ended, on the wall clock; nil while it is
  /// paused.
  public func end(at now: Now) -> Instant? {
    switch phase {
    case .running(let until): now.wall + (until.reading - now.boot)
    case .paused: nil
    case .open(let ring): ring.snoozedUntil ?? ring.due
    }
  }
}

/// A timer to start. `duration` must be more than zero and at most `Timer.longest`, and `id` must
/// not be in use.
public struct TimerOrder: Hashable, Sendable {
  public var id: String
  public var duration: Duration
  public var label: String?
  public var preset: String?
  public var sound: String?
  /// The moment at which it is to end. This may be a fraction of a second earlier than after
  /// `duration`.
  public var until: Instant?
  /// The time of day that the user asked for, as in `20:20`; kept so that the timer can be started
  /// again.
  public var timeOfDay: CivilTime?

  public init(
    id: String, duration: Duration, label: String? = nil, preset: String? = nil,
    sound: String? = nil, until: Instant? = nil, timeOfDay: CivilTime? = nil
  ) {
    (self.id, self.duration, self.label) = (id, duration, label)
    (self.preset, self.sound, self.until) = (preset, sound, until)
    self.timeOfDay = timeOfDay
  }
}

public enum TimerAct: Hashable, Sendable {
  case pause
  case resume
  /// Adds time. A running or paused timer gets that much longer; a ringing or snoozed one runs
  /// again for that long.
  case add(Duration)
  /// Removes the timer without a ring.
  case cancel
  /// Runs the timer again for its `duration`.
  case restart
  case closeCountdown
}

/// An earlier timer that can be started again.
public struct RecentTimer: Hashable, Sendable {
  public var duration: Duration
  /// The time of day until which it ran, if it was started that way. `duration` is then the time
  /// that was left until that time of day.
  public var until: CivilTime?
  public var label: String?
  public var preset: String?
  public var sound: String?

  public var name: String? { label ?? preset }

  public init(
    duration: Duration, until: CivilTime? = nil, label: String?, preset: String? = nil,
    sound: String? = nil
  ) {
    (self.duration, self.until, self.label) = (duration, until, label)
    (self.preset, self.sound) = (preset, sound)
  }
}

/// What the config says about timers.
public struct TimerSettings: Hashable, Sendable {
  /// How a timer rings that was not started from a preset.
  public var ring: RingSettings
  public let presets: [TimerPreset]
  /// Whether to show the countdowns of running timers.
  public var countdown: Bool

  /// `defaults` are the alarms' defaults. Timers leave out the fade-in: an alarm wakes gently, but
  /// someone who set a timer is awake.
  public init(
    defaults: RingSettings = RingSettings(), presets: [TimerPreset] = [], countdown: Bool = true
  ) {
    ring = defaults
    ring.fadeIn = .zero
    (self.presets, self.countdown) = (presets, countdown)
  }

  func preset(_ name: String) -> TimerPreset? { presets.first { $0.name == name } }

  func preset(of timer: Timer) -> TimerPreset? { timer.preset.flatMap(preset) }

  /// How that timer rings: by its preset or the defaults, with its own sound if it has one.
  public func ring(of timer: Timer) -> RingSettings {
    var ring = preset(of: timer)?.ring ?? ring
    if let sound = timer.sound { ring.sounds = [sound] }
    return ring
  }
}

// MARK: - When it ends

/// A moment on the boot clock, which no one can set. After a restart of the machine, it is
/// converted by the wall clock, as soon as that clock can be believed.
public struct BootMoment: Hashable, Sendable {
  /// What `CLOCK_BOOTTIME` shows at that moment, counted from the start of the machine that was
  /// seen last. Negative if the moment was before that start.
  public var reading: Duration
  /// Set while it is not known how long the machine was off: what the wall clock would have shown
  /// at the machine's start if no time had passed while it was off.
  public var startAsIf: Instant?

  public init(_ reading: Duration, startAsIf: Instant? = nil) {
    (self.reading, self.startAsIf) = (reading, startAsIf)
  }

  /// Converts the moment after the machine was started again between `last` and `now`. If the wall
  /// clock was not set at `last`, it can never be known how long the machine was off.
  mutating func reboot(after last: Now, at now: Now) {
    reading += now.boot - last.boot
    let start = startAsIf.map { $0 + last.boot } ?? (last.wall.isPlausible ? last.wall : nil)
    startAsIf = start.map { $0 - now.boot }
  }

  /// The same moment, corrected by the time that the machine was off, as the wall clock shows it
  /// (at least zero). Nil if nothing needs correction, or if the wall clock cannot be believed.
  func reckoned(at now: Now) -> BootMoment? {
    guard let start = startAsIf, now.wall.isPlausible else { return nil }
    return BootMoment(reading - max(.zero, (now.wall - now.boot) - start))
  }
}
