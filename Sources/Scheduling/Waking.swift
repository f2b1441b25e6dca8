// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a machine that sleeps means for the rings to come: when it has to be woken, which ring it
// would sleep through, and when it must not sleep; and when to check whether the next ring would be
// heard. `SleepGuard.swift` and `Machine.swift` of the agent wake it and keep it awake.

/// A ring to come, of an alarm or of a timer.
public struct ExpectedRing: Hashable, Sendable {
  public var kind: RingKind
  public var id: String
  public var label: String?
  public var start: Instant
  /// Whether a suspended machine is to be woken for it.
  public var wakes: Bool

  init(of alarm: Alarm, at start: Instant) {
    (kind, id, label) = (.alarm, alarm.id, alarm.label)
    (self.start, wakes) = (start, alarm.ring.wake)
  }

  init(of timer: Timer, at start: Instant, wakes: Bool) {
    (kind, id, label) = (.timer, timer.id, timer.label ?? timer.preset)
    (self.start, self.wakes) = (start, wakes)
  }
}

extension Schedule {
  /// How far ahead of a ring it matters whether the machine sleeps.
  public static let watchfulFor: Duration = .hours(12)

  /// The first of the rings to come that `isMeant`: of each timer, and of each alarm at its
  /// `moment`, by a clock that can be believed.
  private func first(
    at now: Now, _ moment: (Entry) -> Instant?,
    where isMeant: (_ wakes: Bool, _ start: Instant) -> Bool = { _, _ in true }
  ) -> ExpectedRing? {
    let alarm = entries.first { entry in
      guard now.wall.isPlausible, let start = moment(entry) else { return nil }
      return isMeant(entry.alarm.ring.wake, start) ? start : nil
    }
    let rings =
      [alarm.map { ExpectedRing(of: $0.entry.alarm, at: $0.moment) }]
      + timers.map { timer in
        guard let start = timer.start(at: now) else { return nil }
        let wakes = settings(of: timer).wake
        return isMeant(wakes, start) ? ExpectedRing(of: timer, at: start, wakes: wakes) : nil
      }
    return rings.compactMap(\.self).min { $0.start < $1.start }
  }

  /// When a suspended machine should be awake again: `ahead` of the next ring that is to wake it
  /// or, that moment being past, at the ring itself. Strictly later than `now`; nil: never.
  public func nextWake(_ ahead: Duration, after now: Now) -> Instant? {
    func next(after moment: Instant) -> Instant? {
      first(at: now, { $0.wakingMoment(after: moment) }, where: { $0 && $1 > moment })?.start
    }
    return [next(after: now.wall), next(after: now.wall + ahead).map { $0 - ahead }]
      .compactMap(\.self).min()
  }

  /// The first to ring in the next `watchfulFor` that a machine suspended now would sleep through:
  /// `isWoken` tells whether it is woken for those that ask for it.
  public func nextSleptThrough(isWoken: Bool, at now: Now) -> ExpectedRing? {
    let limit = now.wall + Self.watchfulFor
    return first(at: now, \.nextStart, where: { $1 <= limit && !(isWoken && $0) })
  }

  /// The next ring of that alarm or timer, where a clock that can be believed tells it.
  public func expectedRing(_ id: String, at now: Now) -> ExpectedRing? {
    if let entry = entry(id) {
      guard now.wall.isPlausible else { return nil }
      return entry.nextStart.map { ExpectedRing(of: entry.alarm, at: $0) }
    }
    guard let timer = timer(id), let start = timer.start(at: now) else { return nil }
    return ExpectedRing(of: timer, at: start, wakes: settings(of: timer).wake)
  }

  /// Whether that alarm or timer rings, is snoozed, or is to ring in the next `watchfulFor`.
  public func isAwaited(_ id: String, at now: Now) -> Bool {
    openRing(id) != nil
      || expectedRing(id, at: now).map { $0.start - Self.watchfulFor <= now.wall } ?? false
  }

  /// Whether something rings, heard or hushed, or a machine that slept would have to be woken
  /// within `ahead`: no time to fall asleep.
  public func needsMachine(_ ahead: Duration, at now: Now) -> Bool {
    let next = first(at: now, { $0.wakingMoment(after: now.wall) })
    return isRingingInEarnest || next.map { $0.start - ahead <= now.wall } ?? false
  }

  /// When the next of all begins to ring, one of them that nobody may answer any more.
  public func nextStart(at now: Now) -> Instant? { first(at: now, \.possibleStart)?.start }

  /// The alarm that begins to ring next.
  public var nextEntry: Entry? { entries.first(by: \.nextStart)?.entry }

  /// The alarms that matter most now: those that ring or are snoozed, then `count` of those that
  /// begin to ring next.
  public func foremost(_ count: Int) -> [Entry] {
    let coming = entries.first(count, by: \.nextStart)
    let underway = entries.underway
    return (underway + coming.filter { !underway.contains($0) }).map { entries[$0] }
  }

  /// Whether anything rings or will, as far as is known.
  public var isSet: Bool { isAlarmSet || timers.contains { !$0.isPaused } }

  var isAlarmSet: Bool {
    entries.contains { $0.ring != nil || $0.possibleStart != nil }
  }
}

// MARK: - Whether it would be heard

// The evening before, and once more shortly before it.
extension Schedule {
  /// How long before a ring: that of the morning is looked at while the user is still up, and
  /// whatever became of it since while there is still time to mend it.
  static let looksAhead: [Duration] = [.hours(12), .hours(1)]
  /// What rings sooner than this proves itself.
  static let tooLateToLook: Duration = .minutes(1)

  /// When to look ahead of an alarm, `now` if it is time; nil: not before it rings. Who sets a
  /// timer is awake. `last` is when that was done last, or when something was last heard, which is
  /// as good.
  public func nextLook(after last: Instant?, at now: Now) -> Instant? {
    guard now.wall.isPlausible, let start = nextEntry?.nextStart else { return nil }
    // A clock that was set back knows of no look.
    let last = last.flatMap { $0 <= now.wall ? $0 : nil }
    let moments = Self.looksAhead.map { start - $0 }
    guard let moment = moments.first(where: { last ?? .distantPast < $0 }) else {
      return nil
    }
    let look = max(moment, now.wall)
    return look <= start - Self.tooLateToLook ? look : nil
  }
}
