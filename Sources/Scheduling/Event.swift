// SPDX-License-Identifier: GPL-3.0-or-later
//
// The events that the core reacts to: time went by, the config was read, the user answered. Next:
// `Schedule.swift`, whose `apply` takes them.

public enum Event: Hashable, Sendable {
  /// Time went by, or the clock was set.
  case tick
  /// The machine's time zone changed, or the rules of a zone did.
  case zonesChanged
  /// The config was read: these are its alarms now. Nil if no config has ever been read: what is
  /// remembered of alarms then stays. The schedule ignores all other events until the first of
  /// these.
  case configured(
    [Alarm]?, timers: TimerSettings = TimerSettings(), chimes: [Chime] = [])
  /// The user deleted these alarms with a command, so they have not left the config by accident.
  case removed([String])
  /// Ends a ring, whether ringing or snoozed; or answers the question whether the user is up.
  case stop(String)
  /// Snoozes a ring for that long from now, also one that is snoozed already. Has no effect if the
  /// length is zero or less, or if the ring has been snoozed `RingSettings.snoozes` times.
  case snooze(String, Duration)
  /// After an alarm was stopped: `isUp` if the user is up, `ask` if that cannot be determined, so
  /// that the user has to be asked.
  case isUp(String)
  case ask(String)
  /// Silences a ring for a minute, so that the user can decide. Once the ring cannot be snoozed any
  /// more, it can be silenced only one more time.
  case hush(String)
  /// `skip`: the next rings shall not sound. `unskip`: all upcoming rings shall sound, at their own
  /// times.
  case skip(String, SkippedRings = .next(1))
  case unskip(String)
  /// Only the next ring is moved, to that time of day.
  case move(String, CivilTime)
  /// The user closed the notice that says it is time to sleep.
  case closeBedtime(String)
  /// The user acknowledged all missed rings.
  case acknowledgeMissed
  /// Several answers applied as one event: a thousand of them cost little more than one.
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
      .skip(let id, _), .unskip(let id), .move(let id, _), .closeBedtime(let id):
      id
    case .tick, .zonesChanged, .configured, .removed, .acknowledgeMissed, .answers, .startTimer,
      .forgetTimer, .timer, .stopwatch, .rehearse:
      nil
    }
  }

  /// Whether the event answers a ring that is ringing or snoozed, not an upcoming one.
  var answersRing: Bool {
    switch self {
    case .stop, .snooze, .hush: true
    default: false
    }
  }
}
