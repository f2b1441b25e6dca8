// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ring that a pause takes away, so that it can be shown to the user: a paused alarm must never
// look like an alarm that has nothing to ring for. Next: `Entry.swift`.

/// The ring that an alarm would have next if it were not paused.
public struct PausedRing: Hashable, Sendable {
  public var due: Instant
  /// The day on which the ring would be, in the alarm's zone.
  public var date: CivilDate
  /// The last of the paused days in a row; nil: the days go on until the pause is removed.
  public var until: CivilDate?
}

extension Schedule {
  /// The alarms whose next ring a pause takes away, in the order of the config.
  public func pausedRings(
    at now: Instant, in zones: some ZoneRules
  ) -> [(alarm: Alarm, ring: PausedRing)] {
    entries.compactMap { entry in
      entry.pausedRing(at: now, in: zones).map { (entry.alarm, $0) }
    }
  }
}

extension Schedule.Entry {
  /// The next ring, if a pause takes it away; nil otherwise.
  public func pausedRing(at now: Instant, in zones: some ZoneRules) -> PausedRing? {
    let paused = alarm.recurrence.paused
    guard !paused.isEmpty else { return nil }
    var other = Self(alarm: alarm.unpaused, state: state)
    other.state.handled = max(state.handled, now)
    other.findNext(zones)
    guard let taken = other.wanted, taken.due < wanted?.due ?? .distantFuture else { return nil }
    let date = zones.civil(at: taken.due, in: alarm.recurrence.zone).date
    guard var last = paused.range(with: date)?.upperBound else { return nil }
    while last < .latest, let more = paused.range(with: last.adding(days: 1)) {
      last = more.upperBound
    }
    return PausedRing(due: taken.due, date: date, until: last < .latest ? last : nil)
  }
}
