// SPDX-License-Identifier: GPL-3.0-or-later
//
// Upcoming rings, as `belfry next` lists them. They are computed from the same occurrences as the
// schedule's own rings, but further ahead.

public struct ComingRing: Hashable, Sendable {
  public var alarm: Alarm
  public var at: Instant
  /// The date on which the alarm's rule sets the ring, in the alarm's zone; nil if the alarm rings
  /// then because a snooze ends.
  public var date: CivilDate?
  public var note: ZoneNote?
  /// When the ring would have been due if the user had not moved it.
  public var movedFrom: Instant?
}

extension Schedule {
  /// Returns the first `count` rings that are upcoming after the schedule's last event, earliest
  /// first. Rings at equal times are in the order of the config.
  public func coming(_ count: Int, in zones: some ZoneRules) -> [ComingRing] {
    // Only the `count` alarms that ring first can be listed. If any ring of an alarm is among the
    // first `count` of all rings, the first ring of that alarm is among them as well.
    let nearest = entries.first(count, by: \.nextStart)
    return nearest.flatMap { i in entries[i].coming(count, in: zones).map { (i, $0) } }
      .sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.prefix(count).map(\.1)
  }
}

extension Schedule.Entry {
  public func coming(_ count: Int, in zones: some ZoneRules) -> [ComingRing] {
    var rings: [ComingRing] = []
    // List the end of a snooze only if it comes before the next ring that is not skipped, because
    // that ring replaces the snoozed one.
    if let snoozedUntil, snoozedUntil == nextStart, snoozedUntil != wanted?.due {
      rings.append(ComingRing(alarm: alarm, at: snoozedUntil))
    }
    var candidate = wanted
    while let occurrence = candidate, rings.count < count {
      rings.append(
        ComingRing(
          alarm: alarm, at: occurrence.due, date: occurrence.date, note: occurrence.note,
          movedFrom: occurrence.movedFrom))
      candidate =
        alarm.recurrence.repeats
        ? unsettled(after: occurrence.due, besides: state.skipped, zones) : nil
    }
    return rings
  }
}
