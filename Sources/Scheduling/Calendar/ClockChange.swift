// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out what happened to the wall clock between two events, by comparing it with the boot
// clock. Also decides what this means for stored instants and for occurrences that are found too
// late. This file reads no clock. Next: `OccurrenceLife.swift`, which acts on the results.

/// The changes of the clocks between two readings, apart from the passing of time.
struct ClockChange {
  /// By how much the wall clock was set between the two readings. If the machine was started
  /// between them, only a step back can be detected, because nothing shows how long the machine was
  /// off.
  let step: Duration
  /// Whether the wall clock was set back: it shows an earlier time than at the last reading, or an
  /// earlier time than the elapsed time on the boot clock explains.
  let isBack: Bool
  /// Whether the wall clock had not been set yet at the earlier reading, so that it showed a time
  /// before 2026.
  let wasUnset: Bool
  /// The earlier reading, if the machine was started between the two readings; otherwise nil.
  let lastStart: Now?
  var isSet: Bool { isBack || step != .zero }

  /// Differences up to this length do not count as a step, because the two clocks cannot be read at
  /// the same moment. A time service that corrects the clock gradually needs no tolerance, because
  /// the kernel then changes the speed of both clocks alike.
  static let tolerance: Duration = .milliseconds(100)

  init(from last: Now?, to now: Now) {
    guard let last else {
      (step, isBack, wasUnset, lastStart) = (.zero, false, false, nil)
      return
    }
    step =
      last.bootID == now.bootID ? Self.step(from: last, to: now) : Self.setBack(from: last, to: now)
    isBack = step < .zero || now.wall < last.wall
    wasUnset = !last.wall.isPlausible
    lastStart = last.bootID == now.bootID ? nil : last
  }

  private static func step(from last: Now, to now: Now) -> Duration {
    let excess = (now.wall - last.wall) - (now.boot - last.boot)
    return (.zero - tolerance...tolerance).contains(excess) ? .zero : excess
  }

  private static func setBack(from last: Now, to now: Now) -> Duration {
    last.wall.isPlausible && now.wall.isPlausible ? min(.zero, now.wall - last.wall) : .zero
  }

  /// Shifts a stored instant by as much as the clock was set, so that a ring or a snooze keeps its
  /// length. If the clock was unset before, it showed a time before 2026, so only instants before
  /// 2026 are shifted. Later instants were stored before the machine started, when the clock was
  /// set.
  func carried(_ instant: Instant) -> Instant {
    instant.isPlausible == wasUnset ? instant : instant + step
  }

  func carried(_ state: AlarmState) -> AlarmState {
    var state = state
    state.phase = carried(state.phase)
    state.left = state.left.map { carried($0) }
    return state
  }

  private func carried(_ phase: AlarmState.Phase) -> AlarmState.Phase {
    switch phase {
    case .scheduled, .over: phase
    case .open(let ring): .open(carried(ring))
    case .checking(let ring, let check): .checking(carried(ring), carried(check))
    }
  }

  private func carried(_ check: StopCheck) -> StopCheck {
    StopCheck(
      stopped: carried(check.stopped), due: carried(check.due),
      lookedAt: check.lookedAt.map { carried($0) }, isAsked: check.isAsked)
  }

  func carried(_ ring: Ring) -> Ring {
    var ring = ring
    ring.since = carried(ring.since)
    ring.snoozedUntil = ring.snoozedUntil.map { carried($0) }
    ring.hushedUntil = ring.hushedUntil.map { carried($0) }
    return ring
  }
}

/// A doubt about a wall clock that may be ahead or was never set. For about a minute, a time
/// service may still correct such a clock.
struct Doubt: Equatable {
  let end: Duration

  /// How long a doubt lasts: as long as a machine takes to find its network and fetch the time.
  static let lasts: Duration = .seconds(60)
  /// A machine that has been up for less than this counts as just started.
  static let startTakes: Duration = .minutes(5)

  /// Returns the doubt that holds at `now`; nil if there is none. `doubt` is the doubt that held
  /// before.
  static func after(_ clock: ClockChange, at now: Now, before doubt: Doubt?) -> Doubt? {
    let new = Doubt(end: now.boot + lasts)
    guard now.wall.isPlausible else { return doubt ?? new }
    guard !now.isSynchronized else { return nil }
    let isAhead =
      clock.step > Schedule.promptness || clock.lastStart != nil && now.boot < startTakes
    return isAhead ? new : doubt.flatMap { now.boot < $0.end ? $0 : nil }
  }
}

extension Instant {
  /// Whether a clock that shows this instant has been set: the instant is in 2026 or later. The
  /// schedule decides nothing by a clock that has not been set.
  var isPlausible: Bool { self >= Schedule.earliestPlausible }
}

/// The reason why an occurrence was found too late.
struct Absence {
  /// Whether the machine was suspended or the agent was not running. This is the reason why the
  /// occurrence was found too late, unless the clock was set forward.
  var away: Missed.Reason
  /// By how much the clock was set forward; zero if it was not, or if it had been unset before.
  var leap: Duration

  init(_ clock: ClockChange, isFresh: Bool) {
    away = isFresh || clock.wasUnset ? .off : .asleep
    leap = clock.wasUnset ? .zero : max(.zero, clock.step)
  }

  func reason(for due: Instant, foundAt now: Instant, late: Duration) -> Missed.Reason {
    // Setting the clock is the reason if the occurrence would have been found in time without it.
    leap > .zero && (now - leap) - due <= late ? .clockSet : away
  }
}
