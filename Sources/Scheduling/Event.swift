// SPDX-License-Identifier: GPL-3.0-or-later
//
// The events that the core reacts to: time went by, the config was read, the user answered. Next:
// `Schedule.swift`, whose `apply` takes them.

public enum Event: Hashable, Sendable {
  /// Time went by, or the clock was set.
  case tick
  /// The machine's time zone or the rules of a zone changed.
  case zonesChanged
  /// The screen was locked or unlocked. A machine that is going to be suspended counts as locked.
  /// The schedule needs this event only while `WakePlan.isLockWatched` is true.
  case locked(Bool)
  /// The config was read, and these are its alarms. The list of alarms is nil if no config has ever
  /// been read; the remembered states of alarms are then kept. The schedule ignores all other
  /// events before the first `configured`. `saved` is when the config was saved; nil if that is not
  /// known.
  case configured(
    [Alarm]?, saved: Instant? = nil, timers: TimerSettings = TimerSettings(),
    chimes: [Chime] = [])
  /// Ends a ring that is ringing or snoozed. If the agent asked whether the user is up, this event
  /// is the answer yes.
  case stop(String)
  /// Snoozes a ring for this length from now. A ring that is already snoozed can be snoozed again.
  /// Has no effect if the length is zero or less, if `RingSettings.snooze` is empty, or if the user
  /// has snoozed the ring as often as `RingSettings.snoozeLimit` allows.
  case snooze(String, Duration)
  /// The result of the check whether the user is up after stopping an alarm. `isUp`: the user is
  /// up. `ask`: the agent cannot determine this and has to ask the user.
  case isUp(String)
  case ask(String)
  /// Silences a ring for a minute, so that the user can decide. Once the user has snoozed the ring
  /// as often as `RingSettings.snoozeLimit` allows, it can be silenced only one more time.
  case hush(String)
  /// `skip`: the next rings should not sound. `unskip`: all upcoming rings should sound, at their
  /// original times.
  case skip(String, SkippedRings = .next(1))
  case unskip(String)
  /// Undoes a skip or a move: the given rings are skipped and moved, as before.
  case restore(String, skipped: ClosedRange<CivilDate>?, moves: Moves)
  /// Moves the next ring, and no other, to this time of day.
  case move(String, CivilTime)
  case closeBedtime(String)
  case acknowledgeMissed
  /// Several answers that are applied as one event. A thousand answers then cost little more than
  /// one.
  case answers([Event])
  case startTimer(TimerOrder)
  case forgetTimer(RecentTimer)
  case timer(String, TimerAct)
  case stopwatch(StopwatchAct)
  /// Rings this alarm at once as a rehearsal, unless something is really ringing.
  case rehearse(Alarm)
}

extension Event {
  /// The id of the alarm, or of the ringing timer, that the event answers; nil for other events.
  var answeredID: String? {
    switch self {
    case .stop(let id), .isUp(let id), .ask(let id), .snooze(let id, _), .hush(let id),
      .skip(let id, _), .unskip(let id), .restore(let id, _, _), .move(let id, _),
      .closeBedtime(let id):
      id
    default: nil
    }
  }

  var isConfigured: Bool { if case .configured = self { true } else { false } }

  /// Whether the event answers a ring that is ringing or snoozed, and not an upcoming ring.
  var answersRing: Bool {
    switch self {
    case .stop, .snooze, .hush: true
    default: false
    }
  }
}
