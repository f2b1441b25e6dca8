// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened to the wall clock between two events, told by the boot clock beside it, and what
// that means for instants noted before and for occurrences found too late. It judges readings and
// reads no clock. Next: `OccurrenceLife.swift`, which acts on it.

/// The difference between two readings of the clocks that time going by does not explain.
struct ClockChange {
  /// By how much the wall clock was set. Across a start of the machine only that it shows less than
  /// it did is known to be a change; for how long the machine was off, nothing tells.
  let step: Duration
  /// The wall clock shows less than it would have, or less than it did.
  let isBack: Bool
  /// The earlier reading is of a clock that had not been set since the machine started.
  let wasUnset: Bool
  /// The machine was started in between.
  var isNewStart: Bool { lastStart != nil }
  /// The earlier reading, where the machine was started in between.
  let lastStart: Now?
  /// It is not what it would be, had nobody touched it.
  var isSet: Bool { isBack || step != .zero }
  /// Something other than that time went by.
  var isOdd: Bool { isSet || wasUnset || isNewStart }

  /// Reading the two clocks takes a moment; slewing moves both alike.
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
    return (-tolerance...tolerance).contains(excess) ? .zero : excess
  }

  private static func setBack(from last: Now, to now: Now) -> Duration {
    last.wall.isPlausible && now.wall.isPlausible ? min(.zero, now.wall - last.wall) : .zero
  }

  /// Ringing and snoozing take time, not clock time: what was noted of them moves with the clock.
  /// An instant from before the machine started has a meaning that an unset clock never had.
  func carried(_ instant: Instant) -> Instant {
    instant.isPlausible == wasUnset ? instant : instant + step
  }

  func carried(_ phase: AlarmState.Phase) -> AlarmState.Phase {
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

/// A clock that may be wrong ahead, or was never set: for a while after that shows, somebody may
/// still put it right.
struct Doubt: Equatable {
  /// By the boot clock.
  let end: Duration

  /// As long as a machine takes to find its network and the time.
  static let lasts: Duration = .seconds(60)
  /// In the first of these a machine has just been started.
  static let startTakes: Duration = .minutes(5)

  /// What there is to doubt at `now`; `doubt` is what there was.
  static func after(_ clock: ClockChange, at now: Now, before doubt: Doubt?) -> Doubt? {
    let new = Doubt(end: now.boot + lasts)
    guard now.wall.isPlausible else { return doubt ?? new }
    guard !now.isSynchronized else { return nil }
    let isAhead = clock.step > Schedule.promptness || clock.isNewStart && now.boot < startTakes
    return isAhead ? new : doubt.flatMap { now.boot < $0.end ? $0 : nil }
  }
}

extension Instant {
  /// A clock that shows less than 2026-01-01 was never set: nothing is decided by it.
  var isPlausible: Bool { self >= Schedule.earliestPlausible }
}

extension Duration {
  static prefix func - (d: Duration) -> Duration { .zero - d }
}

/// Why an occurrence that is found due too late was not found in time.
struct Absence {
  /// The reason where the clock is not to blame.
  var away: Missed.Reason
  /// How far the clock was set forward.
  var leap: Duration

  init(_ clock: ClockChange, isFresh: Bool) {
    away = isFresh || clock.wasUnset ? .off : .asleep
    leap = clock.wasUnset ? .zero : max(.zero, clock.step)
  }

  func reason(for due: Instant, foundAt now: Instant, late: Duration) -> Missed.Reason {
    let wouldBeInTime = (now - leap) - due <= late
    return leap > .zero && wouldBeInTime ? .clockSet : away
  }
}
