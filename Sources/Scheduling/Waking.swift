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

/// When the alarms and timers need the machine to be awake, as computed at one moment.
public struct WakePlan: Hashable, Sendable {
  /// When a suspended machine should be awake again for the next ring that wakes the machine: some
  /// time before the ring or, if that moment is past, at the ring. Nil if there is no such ring.
  public var nextWake: Instant?
  /// Whether the machine must not be suspended: something is ringing, silenced or not, or a ring is
  /// near.
  public var mustStayAwake = false
  /// The next moment from which the machine must not be suspended; nil if there is no such moment.
  public var nextNeed: Instant?
  /// Whether any alarm or timer is ringing, or will ring or end without the user's doing.
  public var isSet = false
  /// Whether it matters to any timer whether the screen is locked.
  public var isLockWatched = false

  public init() {}
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

  /// Returns what the alarms and timers require of the machine. For a ring, the machine has to be
  /// awake `ahead` before the ring begins. The checks and commands of an alarm
  /// (`Entry.wakingMoment`) count as rings.
  public func wakePlan(_ ahead: Duration, at now: Now) -> WakePlan {
    let near = now.wall + ahead
    let next = expected(at: now) { $0.wakingMoment(after: now.wall) }
    let later = expected(at: now) { $0.wakingMoment(after: near) }.filter { $0.start > near }
    let wakes =
      next.filter { $0.wakes && $0.start > now.wall }.map(\.start)
      + later.filter(\.wakes).map { $0.start - ahead }
    var plan = WakePlan()
    plan.nextWake = wakes.min()
    plan.mustStayAwake = isRingingInEarnest || next.contains { $0.start <= near }
    plan.nextNeed = later.map { $0.start - ahead }.min()
    (plan.isSet, plan.isLockWatched) = (isSet, isLockWatched)
    return plan
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

  private var isSet: Bool { isAlarmSet || timers.contains { !$0.isPaused } }

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
