// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a machine that sleeps means for the rings to come: when it has to be woken, which rings it
// would sleep through, and when it must not sleep. Who wakes it, or keeps it awake, is elsewhere.

extension Schedule {
  /// How far ahead of a ring it matters whether the machine sleeps.
  public static let watchfulFor: Duration = .hours(12)

  /// When a suspended machine should be awake again: `ahead` of the next ring that is to wake it
  /// or, that moment being past, at the ring itself. Strictly later than `now`; nil: never.
  public func nextWake(_ ahead: Duration, after now: Now) -> Instant? {
    guard now.wall.isPlausible else { return nil }
    return entries.lazy.filter(\.alarm.ring.wake).compactMap(\.nextStart)
      .compactMap { start in [start - ahead, start].first { $0 > now.wall } }
      .min()
  }

  /// The first to ring in the next `watchfulFor` that a machine suspended now would sleep through:
  /// `isWoken` tells whether it is woken for those that ask for it.
  public func nextSleptThrough(isWoken: Bool, at now: Now) -> (entry: Entry, start: Instant)? {
    entries.lazy.filter { !(isWoken && $0.alarm.ring.wake) }
      .compactMap { entry in entry.start(by: now, within: Self.watchfulFor).map { (entry, $0) } }
      .min { $0.1 < $1.1 }
  }

  /// Whether that alarm rings, is snoozed, or is to ring in the next `watchfulFor`.
  public func isAwaited(_ id: String, at now: Now) -> Bool {
    guard let entry = entry(id) else { return false }
    return entry.ring != nil || entry.snoozedUntil != nil
      || entry.start(by: now, within: Self.watchfulFor) != nil
  }

  /// Whether something rings, heard or hushed, or is to within `ahead`: no time to fall asleep.
  public func needsMachine(_ ahead: Duration, at now: Now) -> Bool {
    entries.contains { $0.ring != nil || $0.start(by: now, within: ahead) != nil }
  }

  /// When the next of all begins to ring.
  public var nextStart: Instant? { entries.lazy.compactMap(\.nextStart).min() }

  /// Whether anything rings or will, as far as is known.
  public var isSet: Bool { entries.contains { $0.ring != nil || $0.nextStart != nil } }
}

extension Schedule.Entry {
  /// When it begins to ring, if that is within `span` of a clock that can be believed.
  fileprivate func start(by now: Now, within span: Duration) -> Instant? {
    guard now.wall.isPlausible, let nextStart, nextStart - span <= now.wall else { return nil }
    return nextStart
  }
}
