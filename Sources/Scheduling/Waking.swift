// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a machine that sleeps means for the rings to come: when it has to be woken, which rings it
// would sleep through, and when it must not sleep; and when to look ahead whether the next ring would
// be heard. Who wakes it, keeps it awake, or looks, is elsewhere.

/// A ring to come, of an alarm or of a timer.
public struct ExpectedRing: Hashable, Sendable {
  public var kind: RingKind
  public var id: String
  public var label: String?
  public var start: Instant
  /// Whether a suspended machine is to be woken for it.
  public var wakes: Bool
}

extension Schedule {
  /// How far ahead of a ring it matters whether the machine sleeps.
  public static let watchfulFor: Duration = .hours(12)

  /// When a suspended machine should be awake again: `ahead` of the next ring that is to wake it
  /// or, that moment being past, at the ring itself. Strictly later than `now`; nil: never.
  public func nextWake(_ ahead: Duration, after now: Now) -> Instant? {
    let (soon, later) = (
      nextWakingStart(after: now.wall, at: now), nextWakingStart(after: now.wall + ahead, at: now)
    )
    return [soon, later.map { $0 - ahead }].compactMap(\.self).min()
  }

  /// When the next ring that wakes the machine begins of those that begin later than `moment`.
  private func nextWakingStart(after moment: Instant, at now: Now) -> Instant? {
    let alarm =
      now.wall.isPlausible
      ? entries.first { $0.alarm.ring.wake ? $0.wakingMoment(after: moment) : nil } : nil
    let starts = timers.compactMap { settings(of: $0).wake ? $0.start(at: now) : nil }
    return (starts + [alarm?.moment].compactMap(\.self)).filter { $0 > moment }.min()
  }

  /// The first to ring in the next `watchfulFor` that a machine suspended now would sleep through:
  /// `isWoken` tells whether it is woken for those that ask for it.
  public func nextSleptThrough(isWoken: Bool, at now: Now) -> ExpectedRing? {
    let limit = now.wall + Self.watchfulFor
    func isSlept(_ wakes: Bool, _ start: Instant) -> Bool { start <= limit && !(isWoken && wakes) }
    let alarm =
      now.wall.isPlausible
      ? entries.first { entry in
        entry.nextStart.flatMap { isSlept(entry.alarm.ring.wake, $0) ? $0 : nil }
      } : nil
    var first = alarm.map { (id: $0.entry.alarm.id, start: $0.moment) }
    for timer in timers {
      if let start = timer.start(at: now), isSlept(settings(of: timer).wake, start),
        start < first?.start ?? .distantFuture
      {
        first = (timer.id, start)
      }
    }
    return first.flatMap { expectedRing($0.id, at: now) }
  }

  /// The next ring of that alarm or timer, where a clock that can be believed tells it.
  public func expectedRing(_ id: String, at now: Now) -> ExpectedRing? {
    if let entry = entry(id) {
      guard now.wall.isPlausible, let start = entry.nextStart else { return nil }
      let alarm = entry.alarm
      return ExpectedRing(
        kind: .alarm, id: id, label: alarm.label, start: start, wakes: alarm.ring.wake)
    }
    guard let timer = timer(id), let start = timer.start(at: now) else { return nil }
    let name = timer.label ?? timer.preset
    return ExpectedRing(
      kind: .timer, id: id, label: name, start: start, wakes: settings(of: timer).wake)
  }

  /// Whether that alarm or timer rings, is snoozed, or is to ring in the next `watchfulFor`.
  public func isAwaited(_ id: String, at now: Now) -> Bool {
    openRing(id) != nil
      || expectedRing(id, at: now).map { $0.start - Self.watchfulFor <= now.wall } ?? false
  }

  /// Whether something rings, heard or hushed, or is to within `ahead`, or a command is to run ahead of
  /// a ring: no time to fall asleep.
  public func needsMachine(_ ahead: Duration, at now: Now) -> Bool {
    isRingingInEarnest
      || nextStart(at: now).map { $0 - ahead <= now.wall } ?? false
      || nextPreparation(at: now).map { $0 - ahead <= now.wall } ?? false
  }

  /// When the next of all begins to ring, one of them that nobody may answer any more.
  public func nextStart(at now: Now) -> Instant? {
    let starts = timers.compactMap { $0.start(at: now) }
    let alarm = now.wall.isPlausible ? entries.first(by: \.possibleStart) : nil
    return (starts + [alarm?.moment].compactMap(\.self)).min()
  }

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

  /// When to look ahead of an alarm, `now` if it is time; nil: not before it rings. Who sets a timer
  /// is awake. `last` is when that was done last, or when something was last heard, which is as good.
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
