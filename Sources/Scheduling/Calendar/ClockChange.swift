// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened to the wall clock between two events, told by the boot clock beside it, and what
// that means for instants noted before and for occurrences found too late. It judges readings and
// reads no clock. Next: `OccurrenceLife.swift`, which acts on it.

/// The difference between two readings of the clocks that time going by does not explain.
struct ClockChange {
  /// By how much the wall clock was set; zero across a start of the machine, where nothing tells.
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
    let excess = (now.wall - last.wall) - (now.boot - last.boot)
    let isSet = last.bootID == now.bootID && !(-Self.tolerance...Self.tolerance).contains(excess)
    step = isSet ? excess : .zero
    isBack = step < .zero || now.wall < last.wall
    wasUnset = !last.wall.isPlausible
    lastStart = last.bootID == now.bootID ? nil : last
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

/// A wall clock that was set away from the one that was believed. An occurrence that rang by a clock
/// that ran ahead, and lies ahead again once that is put right, rang in a future that was not: it is
/// to come again. What rang by the clock that was believed never does.
public struct Astray: Hashable, Sendable {
  /// How far it shows more than the one that was believed; less than zero: less.
  public var ahead: Duration
  /// When, by itself, it was last set.
  public var since: Instant
  /// What it showed when it was last no further ahead than what counts: until then all that rang did.
  public var from: Instant

  public init(ahead: Duration, since: Instant, from: Instant) {
    (self.ahead, self.since, self.from) = (ahead, since, from)
  }

  /// What rings no earlier than this has rung. Nobody sets a clock by less without minding.
  static let counts: Duration = .minutes(10)
  /// For how long a clock has to stand as it was set to be believed, where somebody keeps it right.
  static let keptRight: Duration = .hours(1)

  /// How far the clock is astray at `now`; `before` is how far it was. What lies later than `unreal`
  /// and is settled was settled in a future that was not.
  static func after(
    _ clock: ClockChange, from last: Now?, to now: Now, before: Astray?
  ) -> (astray: Astray?, unreal: Instant?) {
    guard let last, now.wall.isPlausible else { return (before, nil) }
    // Across a start of the machine no more is known than that it shows less than it did.
    let across = last.wall.isPlausible ? min(.zero, now.wall - last.wall) : .zero
    let isStepKnown = !clock.isNewStart && !clock.wasUnset
    let step = isStepKnown ? clock.step : across
    let isFarBack = step < -counts || clock.wasUnset
    if isFarBack, now.isSynchronized, !last.isSynchronized { return (nil, now.wall) }
    let shown = isStepKnown ? now.wall - step : last.wall
    let before = before.flatMap { $0.isBelieved(at: shown, last) ? nil : $0 }
    let right = Astray(ahead: .zero, since: now.wall, from: shown)
    let astray = (before ?? right).set(by: step, to: now.wall, from: shown)
    guard isFarBack, let before, before.ahead > counts else { return (astray, nil) }
    // Found late by a clock that was not far ahead, it may have rung just now.
    let soon = before.ahead > counts * 2 ? .zero : counts
    return (astray, max(before.from, max(now.wall, now.wall - (before.ahead + step)) + soon))
  }

  private func isBelieved(at shown: Instant, _ last: Now) -> Bool {
    shown - since >= (last.isSynchronized ? Self.keptRight : Schedule.lookBack)
  }

  private func set(by step: Duration, to now: Instant, from shown: Instant) -> Astray? {
    let isMinor = (-Self.counts...Self.counts).contains(step)
    let astray = Astray(
      ahead: ahead + step, since: isMinor ? since + step : now,
      from: ahead > Self.counts || step == .zero ? from : shown)
    // Nobody puts it right to the millisecond.
    return (.seconds(-1) ... .seconds(1)).contains(astray.ahead) ? nil : astray
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
