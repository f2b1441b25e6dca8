// SPDX-License-Identifier: GPL-3.0-or-later
//
// How an alarm or a timer stands at one moment: what it is doing, and what becomes of its next
// ring. Only this file derives this from the schedule. In Presentation, `StatusOfAlarm.swift` sends
// it to other programs, and `StandingWording.swift` puts it into words. Next: `Explanation.swift`.

public struct Standing: Hashable, Sendable {
  public enum State: Hashable, Sendable {
    case off
    /// The alarm waits for its next ring, which may be skipped or paused.
    case scheduled
    /// The alarm is ringing. A ringing timer is `overdue`.
    case ringing
    case snoozed(until: Instant)
    /// The alarm was stopped, and rings again unless the user is up.
    case checking(Check)
    /// The alarm will not ring any more.
    case over
    /// The timer is running.
    case running(left: Duration, of: Duration, ends: Instant)
    /// The timer is paused, by the user or because the screen is locked.
    case halted(left: Duration, of: Duration, isLocked: Bool)
    /// The timer is ringing. It ended at `since`, and `by` is the time since then.
    case overdue(since: Instant, by: Duration)
  }

  /// The check whether someone who stopped the alarm is up.
  public struct Check: Hashable, Sendable {
    /// When Belfry checks this.
    public var asks: Instant
    /// When the alarm rings again, unless the user is up.
    public var ringsAgain: Instant
    /// Whether Belfry is asking the user now.
    public var isAsked: Bool

    public init(asks: Instant, ringsAgain: Instant, isAsked: Bool) {
      (self.asks, self.ringsAgain, self.isAsked) = (asks, ringsAgain, isAsked)
    }
  }

  public struct Next: Hashable, Sendable {
    public var due: Instant
    public var note: ZoneNote?
    /// When the ring would have been due if the user had not moved it.
    public var movedFrom: Instant?

    public init(due: Instant, note: ZoneNote? = nil, movedFrom: Instant? = nil) {
      (self.due, self.note, self.movedFrom) = (due, note, movedFrom)
    }
  }

  /// A pause that silences a ring.
  public struct Pause: Hashable, Sendable {
    /// When the ring would be due. Nil if an older agent, which does not report this, is running.
    public var due: Instant?
    /// The last day of the pause; nil if the pause lasts until the user removes it.
    public var until: CivilDate?

    public init(due: Instant?, until: CivilDate?) { (self.due, self.until) = (due, until) }
  }

  public var state: State
  /// The first upcoming ring that no pause silences, even if the user skipped it.
  public var next: Next?
  /// When the first of these rings that the user did not skip is due.
  public var wanted: Instant?
  /// The pause that silences an earlier ring than `next`.
  public var pause: Pause?
  /// Whether the rule of the alarm names more than one day.
  public var repeats: Bool

  public init(
    state: State, next: Next? = nil, wanted: Instant? = nil, pause: Pause? = nil,
    repeats: Bool = false
  ) {
    (self.state, self.next, self.wanted) = (state, next, wanted)
    (self.pause, self.repeats) = (pause, repeats)
  }
}

extension Standing {
  public var isSkipped: Bool { next.map { $0.due != wanted } ?? false }

  public var check: Check? { if case .checking(let check) = state { check } else { nil } }

  /// When the alarm rings next: at the end of a snooze, or at the next ring that is not skipped. If
  /// the alarm was stopped and has no such ring, this is when it rings again unless the user is up.
  /// Nil if the alarm is ringing now, or has no upcoming ring.
  public var nextRing: Instant? {
    switch state {
    case .snoozed(let until): until
    case .checking(let check): wanted ?? check.ringsAgain
    case .scheduled: wanted
    default: nil
    }
  }
}

extension Schedule {
  /// Returns how `alarm` stands at `now`, which must be the time of the last event. An alarm that
  /// is not in the schedule is off.
  public func standing(of alarm: Alarm, at now: Instant, in zones: some ZoneRules) -> Standing {
    entry(alarm.id)?.standing(at: now, in: zones)
      ?? Standing(state: .off, repeats: alarm.recurrence.repeats)
  }
}

extension Schedule.Entry {
  fileprivate func standing(at now: Instant, in zones: some ZoneRules) -> Standing {
    let pause = pausedRing(at: now, in: zones).map { Standing.Pause(due: $0.due, until: $0.until) }
    let state: Standing.State =
      switch self.state.phase {
      // If a scheduled alarm has no upcoming ring, not even a paused one, its date was past when
      // the agent first saw the alarm.
      case .scheduled: next == nil && pause == nil ? .over : .scheduled
      case .open(let ring): ring.snoozedUntil.map { .snoozed(until: $0) } ?? .ringing
      case .checking(_, let check):
        .checking(
          Standing.Check(asks: check.due, ringsAgain: check.end, isAsked: check.isAsked))
      case .over: .over
      }
    return Standing(
      state: state,
      next: next.map { Standing.Next(due: $0.due, note: $0.note, movedFrom: $0.movedFrom) },
      wanted: wanted?.due, pause: pause, repeats: alarm.recurrence.repeats)
  }
}

extension Timer {
  public func standing(at now: Now) -> Standing {
    let state: Standing.State =
      switch phase {
      case .running:
        .running(left: left(at: now), of: length, ends: end(at: now) ?? now.wall)
      case .paused(let left): .halted(left: left, of: length, isLocked: isWaiting)
      case .open(let ring):
        ring.snoozedUntil.map { .snoozed(until: $0) }
          ?? .overdue(since: ring.due, by: overtime(at: now) ?? .zero)
      }
    return Standing(state: state)
  }
}
