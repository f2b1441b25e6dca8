// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the core is told: that time went by, what the config says, what the user answered. Next:
// `Schedule.swift`, which it goes into.

public enum Event: Hashable, Sendable {
  /// Time went by, or the clock was set.
  case tick
  /// The machine's time zone, or the rules of one, are other than before.
  case zonesChanged
  /// The alarms as the config now has them; nil if no config was ever read: then what is remembered
  /// of them stays. Before the first of these nothing happens.
  case configured(
    [Alarm]?, timers: TimerSettings = TimerSettings(), chimes: [Chime] = [])
  /// These were taken out of the config by the user's word: they are not there by mistake.
  case removed([String])
  /// Ends what rings or is snoozed.
  case stop(String)
  /// From now on; of what is snoozed already too. A length of zero or less changes nothing, and so
  /// does one snooze more than `RingSettings.snoozes` has.
  case snooze(String, Duration)
  /// Of an alarm that was stopped: the user is up; or nobody can tell, and is asked.
  case isUp(String)
  case ask(String)
  /// Silences what rings for a while, so that the user can decide. Once it cannot be snoozed any
  /// more, this is granted once.
  case hush(String)
  /// The next occurrences are not wanted, or are after all, and as they were.
  case skip(String, SkippedRings = .next(1))
  case unskip(String)
  /// The next occurrence alone is wanted at that time.
  case move(String, CivilTime)
  /// The user knows that it is time to sleep.
  case closeBedtime(String)
  /// The user has read what was missed.
  case acknowledgeMissed
  /// Several answers at once, as one: a thousand of them cost little more than one does.
  case answers([Event])
  case startTimer(TimerOrder)
  case forgetTimer(RecentTimer)
  case timer(String, TimerAct)
  case stopwatch(StopwatchAct)
  /// Rings at once, for trial, where nothing rings in earnest.
  case rehearse(Alarm)
}

extension Event {
  /// The alarm, or the timer that rings, that an answer is for.
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

  /// Whether it is what rings now that is meant, and not a ring to come.
  var answersRing: Bool {
    switch self {
    case .stop, .snooze, .hush: true
    default: false
    }
  }
}
