// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers as values: what was started, and where it stands. A running one ends by the boot clock,
// whatever the wall clock is set to; once it rings it is like an alarm. What time and answers do to
// it is in `TimerLife.swift`.

/// A timer that was started and is not over yet.
public struct Timer: Hashable, Sendable {
  /// What the command line calls it; no alarm and no other timer has it.
  public var id: String
  /// May hold anything; whoever shows it makes it harmless first.
  public var label: String?
  /// The name of the `[[timer]]` that it was started as, though the config may have none any more.
  public var preset: String?
  /// Instead of that of the preset or the defaults.
  public var sound: String?
  /// What it was started with, and is started with again.
  public var duration: Duration
  /// The same with all that was added since.
  public var length: Duration
  public var phase: Phase
  /// The user closed its countdown: it is not shown again until the timer is paused or resumed.
  public var isCountdownClosed = false
  /// Nil where nothing follows it.
  public var chain: Chain?

  public enum Phase: Hashable, Sendable {
    case running(until: BootMoment)
    case paused(left: Duration)
    /// It rings, or is snoozed.
    case open(Ring)
  }

  /// The longest that one takes, additions and all.
  public static let longest: Duration = .hours(366 * 24)

  public init(
    id: String, label: String? = nil, preset: String? = nil, sound: String? = nil,
    duration: Duration, phase: Phase
  ) {
    (self.id, self.label, self.preset, self.sound) = (id, label, preset, sound)
    (self.duration, length, self.phase) = (duration, duration, phase)
  }

  /// How it rings, if it does now.
  public var ring: Ring? {
    if case .open(let ring) = phase, ring.snoozedUntil == nil { ring } else { nil }
  }

  public var isPaused: Bool { if case .paused = phase { true } else { false } }

  /// How long until it rings; zero while it does.
  public func left(at now: Now) -> Duration {
    switch phase {
    case .running(let until): max(.zero, until.reading - now.boot)
    case .paused(let left): left
    case .open(let ring): ring.snoozedUntil.map { max(.zero, $0 - now.wall) } ?? .zero
    }
  }

  /// When it was over, though it is not told to ring yet.
  func overdue(at now: Now) -> BootMoment? {
    if case .running(let until) = phase, until.reading <= now.boot { until } else { nil }
  }

  /// How long ago it was over; nil where it does not ring.
  public func overtime(at now: Now) -> Duration? { ring.map { max(.zero, now.wall - $0.due) } }

  /// When it begins to ring, by the wall clock as it is now; nil where it waits for none.
  public func start(at now: Now) -> Instant? { ring == nil ? end(at: now) : nil }

  /// When it rings, or when it was over, by the wall clock; nil while it is paused.
  public func end(at now: Now) -> Instant? {
    switch phase {
    case .running(let until): now.wall + (until.reading - now.boot)
    case .paused: nil
    case .open(let ring): ring.snoozedUntil ?? ring.due
    }
  }
}

/// What is to be started: more than zero long, at most `Timer.longest`, under an id that is free.
public struct TimerOrder: Hashable, Sendable {
  public var id: String
  public var duration: Duration
  public var label: String?
  public var preset: String?
  public var sound: String?
  /// When it is to end, which may be a fraction of a second sooner than after `duration`.
  public var until: Instant?
  /// The time of day that `until` was asked for as, to be asked for again.
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

/// What the user does to a timer that there is.
public enum TimerAct: Hashable, Sendable {
  case pause
  case resume
  /// More time: to what runs or is paused; what rings or is snoozed runs again for so long.
  case add(Duration)
  /// It is gone, and does not ring.
  case cancel
  /// It runs again for what it was started with.
  case restart
  /// The countdown is not to be seen.
  case closeCountdown
}

/// A timer that was started before, to be started again.
public struct RecentTimer: Hashable, Sendable {
  public var duration: Duration
  /// The time of day at which it ends, if it was started so; `duration` is then what was left until
  /// that.
  public var until: CivilTime?
  public var label: String?
  public var preset: String?
  public var sound: String?

  /// What it is called, if anything.
  public var name: String? { label ?? preset }

  public init(
    duration: Duration, until: CivilTime? = nil, label: String?, preset: String? = nil,
    sound: String? = nil
  ) {
    (self.duration, self.until, self.label) = (duration, until, label)
    (self.preset, self.sound) = (preset, sound)
  }
}

/// What the config says of timers.
public struct TimerSettings: Hashable, Sendable {
  /// How a timer rings that was not started from a preset.
  public var ring: RingSettings
  public let presets: [TimerPreset]
  private let places: [String: Int]
  /// Whether running ones are shown.
  public var countdown: Bool

  /// `defaults` are those of alarms too: an alarm wakes gently, but who set a timer is awake.
  public init(
    defaults: RingSettings = RingSettings(), presets: [TimerPreset] = [], countdown: Bool = true
  ) {
    ring = defaults
    ring.fadeIn = .zero
    (self.presets, self.countdown) = (presets, countdown)
    places = Dictionary(presets.indices.map { (presets[$0].name, $0) }) { first, _ in first }
  }

  func preset(_ name: String) -> TimerPreset? { places[name].map { presets[$0] } }

  func preset(of timer: Timer) -> TimerPreset? { timer.preset.flatMap(preset) }

  /// How that timer rings.
  public func ring(of timer: Timer) -> RingSettings {
    var ring = preset(of: timer)?.ring ?? ring
    if let sound = timer.sound { ring.sounds = [sound] }
    return ring
  }
}

// MARK: - When it ends

/// A moment on the boot clock, which nobody sets, and what becomes of it when the machine starts
/// anew: then it goes by the wall clock, as soon as that can be believed.
public struct BootMoment: Hashable, Sendable {
  /// What `CLOCK_BOOTTIME` shows then, in the start of the machine that was last seen. Less than
  /// zero for what was before it.
  public var reading: Duration
  /// Set where nothing told yet how long the machine was off: what the wall clock would have shown
  /// at its start, had no time gone by until it was first looked at.
  public var startAsIf: Instant?

  public init(_ reading: Duration, startAsIf: Instant? = nil) {
    (self.reading, self.startAsIf) = (reading, startAsIf)
  }

  /// The machine has started anew between `last` and `now`. Where the wall clock was not set at
  /// that time, nobody will ever know for how long it was off.
  mutating func reboot(after last: Now, at now: Now) {
    reading += now.boot - last.boot
    let start = startAsIf.map { $0 + last.boot } ?? (last.wall.isPlausible ? last.wall : nil)
    startAsIf = start.map { $0 - now.boot }
  }

  /// The same moment, the time that went by meanwhile taken for what the wall clock says: less than
  /// none it was not. Nil where there is nothing to reckon, or nothing to reckon with.
  func reckoned(at now: Now) -> BootMoment? {
    guard let start = startAsIf, now.wall.isPlausible else { return nil }
    return BootMoment(reading - max(.zero, (now.wall - now.boot) - start))
  }
}
