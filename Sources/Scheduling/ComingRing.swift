// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rings to come, as `belfry next` lists them: the same occurrences that the schedule would
// ring, further ahead than it needs to look itself.

public struct ComingRing: Hashable, Sendable {
  public var alarm: Alarm
  public var at: Instant
  /// The date that it belongs to, in the alarm's own zone; nil for the end of a snooze.
  public var date: CivilDate?
  public var note: ZoneNote?
  /// When it would have been, had the user not moved it.
  public var movedFrom: Instant?
}

extension Schedule {
  /// The first `count` rings after the last event, earliest first, then in the order of the config.
  public func coming(_ count: Int, in zones: some ZoneRules) -> [ComingRing] {
    // A ring among the first `count` belongs to an alarm whose first ring is among them.
    let nearest = entries.first(count, by: \.nextStart)
    return nearest.flatMap { i in entries[i].coming(count, in: zones).map { (i, $0) } }
      .sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }.prefix(count).map(\.1)
  }
}

extension Schedule.Entry {
  /// Its first `count` rings to come.
  public func coming(_ count: Int, in zones: some ZoneRules) -> [ComingRing] {
    var rings: [ComingRing] = []
    // A snooze that reaches the next occurrence ends with it.
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
