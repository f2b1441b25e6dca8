// SPDX-License-Identifier: GPL-3.0-or-later
//
// Presets of timers (`[[timer]]` in the config), and what two of their keys do: `while` and
// `pause_players`. `TimerLife.swift` decides how every timer runs and rings, and `Chain.swift`
// decides which preset follows another one.

/// `[[timer]]` of the config: a timer that can be started by its name.
public struct TimerPreset: Hashable, Sendable {
  public var name: String
  public var duration: Duration
  public var label: String?
  public var ring: RingSettings
  /// The names of the presets that can follow, at most `mostFollowers`. Round 1 of the chain uses
  /// the first name, round 2 the second one, and so on; after the last name, the list begins again.
  /// The next timer starts when the user stops this timer or, if `flows` is true, as soon as this
  /// timer ends.
  public var then: [String] = []
  public var flow = false
  /// How many times the chain of presets that begins with this preset runs; nil: without end.
  public var rounds: Int? = 1
  /// How long before the timer's end a short sound and a notice announce the end; zero: no warning.
  public var warn: Duration = .zero
  /// Whether the timer ends without a ring, and pauses the media players instead.
  public var pausesPlayers = false
  public var runsWhile = RunsWhile.always
  /// Whether the preset that follows starts as soon as this timer ends. A timer that pauses the
  /// players does not ring, so there is nothing that the user could stop first.
  var flows: Bool { flow || pausesPlayers }

  /// The greatest number of names in `then`. With more names, a chain whose presets have lists of
  /// different lengths would need too many rounds before its rounds repeat: see `Chain.swift`.
  public static let mostFollowers = 12

  /// When a timer runs. With `unlocked`, it is paused while the screen is locked or the machine is
  /// suspended.
  public enum RunsWhile: String, CaseIterable, Sendable { case always, unlocked }

  public init(name: String, duration: Duration, ring: RingSettings) {
    (self.name, self.duration, self.ring) = (name, duration, ring)
  }
}

public struct TimerSettings: Hashable, Sendable {
  /// How a timer rings if it was not started from a preset.
  public var ring: RingSettings
  public let presets: [TimerPreset]
  public var countdown: Bool

  /// Makes the settings from `defaults`, the ring settings of alarms, but without the fade-in: an
  /// alarm should wake gently, but someone who set a timer is awake.
  public init(
    defaults: RingSettings = RingSettings(), presets: [TimerPreset] = [], countdown: Bool = true
  ) {
    ring = defaults
    ring.fadeIn = .zero
    (self.presets, self.countdown) = (presets, countdown)
  }

  func preset(_ name: String) -> TimerPreset? { presets.first { $0.name == name } }

  func preset(of timer: Timer) -> TimerPreset? { timer.preset.flatMap(preset) }

  /// Returns how `timer` rings: with the settings of its preset, or else with the defaults. If the
  /// timer has a sound of its own, that sound is played.
  public func ring(of timer: Timer) -> RingSettings {
    var ring = preset(of: timer)?.ring ?? ring
    if let sound = timer.sound { ring.sounds = [sound] }
    return ring
  }
}

// MARK: - Timers that run only while the screen is not locked

extension Schedule {
  /// See `WakePlan`.
  var isLockWatched: Bool { timers.contains(where: heedsLock) }

  private func heedsLock(_ timer: Timer) -> Bool {
    timerSettings.preset(of: timer)?.runsWhile == .unlocked && timer.isCountingDown
      && (timer.isWaiting || !timer.isPaused)
  }

  /// Pauses timers with `while = "unlocked"` if the screen is locked, and lets them go on if it is
  /// not. If that is not known, as after a start of the agent, they stay as they are. A waiting
  /// timer whose preset no longer has this setting goes on.
  mutating func followLock(at now: Now) {
    if !isLockWatched { isLocked = nil }
    for i in timers.indices {
      let (isHeeded, left) = (heedsLock(timers[i]), timers[i].left(at: now))
      if timers[i].isPaused, timers[i].isWaiting, !isHeeded || isLocked == false {
        timers[i].phase = .running(until: BootMoment(now.boot + left))
      } else if !timers[i].isPaused, isHeeded, isLocked == true {
        timers[i].phase = .paused(left: left)
      } else {
        continue
      }
      timers[i].isWaiting = timers[i].isPaused
    }
  }
}

// MARK: - Timers that pause the media players

extension Schedule {
  /// Whether the timer will end without a ring, because it pauses the media players.
  func endsQuietly(_ timer: Timer) -> Bool {
    timer.isCountingDown && timerSettings.preset(of: timer)?.pausesPlayers == true
  }

  mutating func endQuietly(_ timer: Timer, at now: Now) {
    quietEnds.append(notice(of: timer, at: now))
    endings.append(
      Outcome(
        kind: .timer, id: timer.id, label: timer.label ?? timer.preset,
        due: timer.end(at: now) ?? now.wall, open: nil, answer: .stopped, at: now.wall,
        length: timer.length))
  }

  /// When the timer will begin to ring, converted to the wall clock; nil if it is paused or already
  /// ringing, or will not ring.
  func ringStart(of timer: Timer, at now: Now) -> Instant? {
    endsQuietly(timer) || timer.ring != nil ? nil : timer.end(at: now)
  }
}
