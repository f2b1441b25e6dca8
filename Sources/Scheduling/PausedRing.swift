// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the ring that is left out because of a pause, so that it can be shown to the user. A paused
// alarm must never look like an alarm that has no upcoming ring. Next: `Entry.swift`.

/// The ring that an alarm would have next if it were not paused.
public struct PausedRing: Hashable, Sendable {
  public var due: Instant
  /// The day on which the ring would be, in the alarm's zone.
  public var date: CivilDate
  /// The last of the paused days in a row; nil if they go on until the user removes the pause.
  public var until: CivilDate?
}

extension Schedule {
  /// Returns the alarms whose next ring is left out because of a pause, in the order of the config.
  public func pausedRings(
    at now: Instant, in zones: some ZoneRules
  ) -> [(alarm: Alarm, ring: PausedRing)] {
    entries.compactMap { entry in
      entry.pausedRing(at: now, in: zones).map { (entry.alarm, $0) }
    }
  }
}

extension Schedule.Entry {
  public func pausedRing(at now: Instant, in zones: some ZoneRules) -> PausedRing? {
    let paused = alarm.recurrence.paused
    guard !paused.isEmpty else { return nil }
    var other = Self(alarm: alarm.unpaused, state: state)
    other.state.handled = max(state.handled, now)
    other.findNext(zones)
    guard let taken = other.wanted else { return nil }
    let date = zones.civil(at: taken.due, in: alarm.recurrence.zone).date
    guard var last = paused.range(with: date)?.upperBound else { return nil }
    while last < .latest, let more = paused.range(with: last.adding(days: 1)) {
      last = more.upperBound
    }
    return PausedRing(due: taken.due, date: date, until: last < .latest ? last : nil)
  }
}
