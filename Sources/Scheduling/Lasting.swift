// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether anything changed that must survive a restart, by comparing the schedule with
// what was saved last. No other code has to note a change. Next: `State.swift`, the saved values.

/// The parts of a schedule that must survive a restart. As long as nothing changes, two copies
/// share their memory, and comparing them takes no time.
struct Lasting: Sendable, Equatable {
  var entries: [Schedule.Entry]
  var remembered: [String: AlarmState]
  var missed: [Missed]
  var timers: [Timer]
  var recents: [RecentTimer]
  var stopwatch: Stopwatch
  /// When the clocks were read for the state.
  var clock: Now?

  /// Whether this must be saved although `saved` was. After a restart of the machine, only the
  /// saved reading of the clocks shows how long the machine was off. So a step of the wall clock
  /// has to be saved if a timer or the stopwatch is running.
  func isUnsaved(since saved: Lasting) -> Bool {
    (missed, timers, recents) != (saved.missed, saved.timers, saved.recents)
      || stopwatch != saved.stopwatch || !hasSameAlarms(as: saved)
      || isCounting && clock.map { ClockChange(from: saved.clock, to: $0).step != .zero } ?? false
  }

  private var isCounting: Bool {
    if case .running = stopwatch.phase { return true }
    return timers.contains { if case .running = $0.phase { true } else { false } }
  }

  private func hasSameAlarms(as other: Lasting) -> Bool {
    // Comparing takes no time if both share their memory, because nothing was changed.
    if (entries, remembered) == (other.entries, other.remembered) { return true }
    guard remembered == other.remembered,
      entries.elementsEqual(other.entries, by: { $0.alarm.id == $1.alarm.id })
    else {
      // Alarms have come, gone or changed their places. Compare the state of each alarm.
      return states == other.states
    }
    // The settings of an alarm may have changed, but not its state. Then there is nothing to save.
    return entries.elementsEqual(other.entries) { $0.state == $1.state }
  }

  private var states: [String: AlarmState] {
    entries.reduce(into: remembered) { $0[$1.alarm.id] = $1.state }
  }
}
