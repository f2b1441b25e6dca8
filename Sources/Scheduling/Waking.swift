// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides when a suspended machine has to be woken, which ring it would sleep through, when the
// machine must not be suspended, and when to check whether the next ring would be heard.
// `Machine.swift` in the agent wakes the machine and keeps it awake.

public struct ExpectedRing: Hashable, Sendable {
  public var kind: RingKind
  public var id: String
  public var label: String?
  public var start: Instant
  /// Whether a suspended machine is to be woken for the ring.
  public var wakes: Bool
}

extension Schedule {
  /// Only rings that are due within this time matter for whether the machine may sleep.
  public static let watchfulFor: Duration = .hours(12)

  /// Returns the next ring of each alarm and timer. `moment` returns the moment to use as the
  /// `start` of an alarm's ring; if it returns nil, the alarm is left out. All alarms are left out
  /// if the clock has not been set.
  private func expected(
    at now: Now, _ moment: (Entry) -> Instant? = \.nextStart
  ) -> [ExpectedRing] {
    let alarms = (now.wall.isPlausible ? entries : []).compactMap { entry in
      moment(entry).map { start in
        ExpectedRing(
          kind: .alarm, id: entry.alarm.id, label: entry.alarm.label, start: start,
          wakes: entry.alarm.ring.wake)
      }
    }
    return alarms
      + timers.compactMap { timer in
        ringStart(of: timer, at: now).map { start in
          ExpectedRing(
            kind: .timer, id: timer.id, label: timer.label ?? timer.preset, start: start,
            wakes: settings(of: timer).wake)
        }
      }
  }

  /// Returns when a suspended machine should be awake again for the next ring that wakes the
  /// machine: `ahead` before the ring or, if that moment is past, at the ring. The checks and
  /// commands of an alarm that wakes the machine count as rings: see `nextNeed`. The result is
  /// strictly later than `now`; nil if there is no such ring.
  public func nextWake(_ ahead: Duration, after now: Now) -> Instant? {
    [
      nextNeed(.zero, after: now, where: \.wakes), nextNeed(ahead, after: now, where: \.wakes),
    ].compactMap(\.self).min()
  }

  /// Returns the earliest moment later than `now` that lies `ahead` before something for which the
  /// machine must be awake: a ring, a check whether the user is up, or commands ahead of a ring
  /// (`wakingMoment`). Only what `isWanted` accepts counts. From the returned moment on,
  /// `needsMachine` with the same `ahead` is true. Nil if there is no such moment.
  public func nextNeed(
    _ ahead: Duration, after now: Now, where isWanted: (ExpectedRing) -> Bool = { _ in true }
  ) -> Instant? {
    let near = now.wall + ahead
    return expected(at: now) { $0.wakingMoment(after: near) }
      .filter { $0.start > near && isWanted($0) }.map { $0.start - ahead }.min()
  }

  /// Returns the first ring within `watchfulFor` that a machine suspended now would sleep through.
  /// `isWoken` says whether the machine can be woken for rings that ask for it.
  public func nextSleptThrough(isWoken: Bool, at now: Now) -> ExpectedRing? {
    let limit = now.wall + Self.watchfulFor
    return expected(at: now).filter { $0.start <= limit && !(isWoken && $0.wakes) }
      .min { $0.start < $1.start }
  }

  /// Returns the next ring of the alarm or timer `id`. Nil if there is no next ring, or if `id` is
  /// an alarm and the clock cannot be trusted.
  public func expectedRing(_ id: String, at now: Now) -> ExpectedRing? {
    expected(at: now).first { $0.id == id }
  }

  /// Whether the alarm or timer `id` is ringing, snoozed, or due within `watchfulFor`.
  public func isAwaited(_ id: String, at now: Now) -> Bool {
    openRing(id) != nil
      || expectedRing(id, at: now).map { $0.start - Self.watchfulFor <= now.wall } ?? false
  }

  /// Whether the machine must not be suspended: something is ringing, silenced or not, or the
  /// machine has to be awake for something within `ahead`.
  public func needsMachine(_ ahead: Duration, at now: Now) -> Bool {
    let rings = expected(at: now) { $0.wakingMoment(after: now.wall) }
    return isRingingInEarnest || rings.contains { $0.start - ahead <= now.wall }
  }

  public var nextEntry: Entry? { entries.first(1, by: \.nextStart).first.map { entries[$0] } }

  /// The most important alarms now: those that are ringing, snoozed or being checked, then the
  /// `count` alarms that begin to ring next.
  public func foremost(_ count: Int) -> [Entry] {
    let coming = entries.first(count, by: \.nextStart)
    let underway = entries.indices.filter {
      entries[$0].openRing != nil || entries[$0].check != nil
    }
    return (underway + coming.filter { !underway.contains($0) }).map { entries[$0] }
  }

  /// Whether any alarm or timer is ringing, or will ring or end without the user's doing.
  public var isSet: Bool { isAlarmSet || timers.contains { !$0.isPaused } }

  var isAlarmSet: Bool {
    entries.contains { $0.ring != nil || $0.possibleStart != nil }
  }
}

// MARK: - Whether the next ring would be heard

// The agent checks twice whether a ring would be heard: twelve hours before the ring, which is the
// evening before a morning ring, and one hour before it.
extension Schedule.Entry {
  /// How long before a ring the agent checks whether it would be heard. Before a morning ring, the
  /// first check finds the user still up; the second check finds what changed since, while there is
  /// still time to fix it.
  static let looksAhead: [Duration] = [.hours(12), .hours(1)]
  /// A ring that begins sooner than this needs no check, because the ring itself will soon show
  /// whether it is heard.
  static let tooLateToLook: Duration = .minutes(1)

  /// Returns when to check whether this alarm, which is the next one, would be heard: `now` if a
  /// check is due, nil if no check is left before the ring. Timers are not checked, because someone
  /// who sets a timer is awake. `last` is the time of the last check, or of the last sound that was
  /// heard, because such a sound makes a check unnecessary.
  public func nextLook(after last: Instant?, at now: Now) -> Instant? {
    guard now.wall.isPlausible, let start = nextStart else { return nil }
    // If the clock was set back, a check that lies ahead of `now` does not count.
    let last = last.flatMap { $0 <= now.wall ? $0 : nil }
    let moments = Self.looksAhead.map { start - $0 }
    guard let moment = moments.first(where: { last ?? .distantPast < $0 }) else {
      return nil
    }
    let look = max(moment, now.wall)
    return look <= start - Self.tooLateToLook ? look : nil
  }
}
