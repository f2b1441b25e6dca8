// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a machine that sleeps means for the rings to come: when it has to be woken, which rings it
// would sleep through, and when it must not sleep. Who wakes it, or keeps it awake, is elsewhere.

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
    var earliest: Instant?
    forEachStart(at: now) { _, start, wakes in
      let moment = [start - ahead, start].first { $0 > now.wall }
      if wakes, let moment, moment < earliest ?? .distantFuture { earliest = moment }
    }
    return earliest
  }

  /// The first to ring in the next `watchfulFor` that a machine suspended now would sleep through:
  /// `isWoken` tells whether it is woken for those that ask for it.
  public func nextSleptThrough(isWoken: Bool, at now: Now) -> ExpectedRing? {
    var first: (id: String, start: Instant)?
    forEachStart(at: now) { id, start, wakes in
      if !(isWoken && wakes), start - Self.watchfulFor <= now.wall,
        start < first?.start ?? .distantFuture
      {
        first = (id, start)
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

  /// Whether something rings, heard or hushed, or is to within `ahead`: no time to fall asleep.
  public func needsMachine(_ ahead: Duration, at now: Now) -> Bool {
    var isNeeded = entries.contains { $0.ring != nil } || timers.contains { $0.ring != nil }
    forEachStart(at: now) { _, start, _ in isNeeded = isNeeded || start - ahead <= now.wall }
    return isNeeded
  }

  /// When the next of all begins to ring.
  public func nextStart(at now: Now) -> Instant? {
    var earliest: Instant?
    forEachStart(at: now) { _, start, _ in earliest = min(earliest ?? start, start) }
    return earliest
  }

  /// The alarm that begins to ring next.
  public var nextEntry: Entry? {
    entries.lazy.filter { $0.nextStart != nil }
      .min { $0.nextStart ?? .distantFuture < $1.nextStart ?? .distantFuture }
  }

  /// Whether anything rings or will, as far as is known.
  public var isSet: Bool { isAlarmSet || timers.contains { !$0.isPaused } }

  var isAlarmSet: Bool { entries.contains { $0.ring != nil || $0.nextStart != nil } }

  /// Where alarms and timers begin to ring next. Timers run whether or not the wall clock was set.
  private func forEachStart(
    at now: Now, _ body: (_ id: String, _ start: Instant, _ wakes: Bool) -> Void
  ) {
    if now.wall.isPlausible {
      for entry in entries {
        if let start = entry.nextStart { body(entry.alarm.id, start, entry.alarm.ring.wake) }
      }
    }
    for timer in timers {
      if let start = timer.start(at: now) { body(timer.id, start, settings(of: timer).wake) }
    }
  }
}
