// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why an alarm rings when it does, and why not when it does not, as values; the words are the
// command's. The rings are those of `ComingRing.swift`, so that the two never disagree.

/// What is to come of one alarm, and what is not.
public struct Explanation: Hashable, Sendable {
  public var alarm: Alarm
  /// The coming rings, the earliest first.
  public var rings: [ComingRing]
  /// Dates on which it would ring, up to the last of `rings`, in order.
  public var leftOut: [LeftOut]
  /// Why nothing is to come, where nothing is.
  public var silence: Silence?

  /// A date, in the alarm's own zone, on which it does not ring.
  public struct LeftOut: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
      /// The user excepted the date.
      case excepted
      /// It is in a pause.
      case paused
      /// The user skipped that ring.
      case skipped
      /// It rang, or was passed over, before the clock was set back.
      case settled
      /// The zone left the date out of its calendar.
      case noSuchDate = "no-such-date"
      /// The sun stays above the horizon, or below it.
      case sunUp = "sun-up"
      case sunDown = "sun-down"
    }
    public var date: CivilDate
    public var reason: Reason
  }

  /// More nobody reads.
  static let mostLeftOut = 1000

  public enum Silence: String, Hashable, Sendable {
    case disabled
    /// A once-only alarm that has rung, or was missed.
    case over
    /// Its date, or the time on it, is past.
    case past
    /// Its last day is past, or the time on it.
    case ended
    /// No day that it asks for is between its first and its last, or there is none such at all.
    case never
    /// Every date on which it could ring is left out.
    case leftOut = "left-out"
    /// It rings now, and not again.
    case ringing
  }
}

extension Schedule {
  /// Why `alarm` rings as it does, for the first `count` rings after the last event, which was at
  /// `now`.
  public func explanation(
    of alarm: Alarm, count: Int, at now: Instant, in zones: some ZoneRules
  ) -> Explanation {
    guard let entry = entry(alarm.id) else {
      return Explanation(alarm: alarm, rings: [], leftOut: [], silence: .disabled)
    }
    let rings = entry.coming(count, in: zones)
    let last = rings.last.map { $0.date ?? zones.civil(at: $0.at, in: alarm.recurrence.zone).date }
    let leftOut = entry.leftOut(after: now, until: last, in: zones)
    return Explanation(
      alarm: alarm, rings: rings, leftOut: leftOut,
      silence: rings.isEmpty ? entry.silence(leftOut) : nil)
  }
}

extension Schedule {
  /// What would ring later than `now`, but that it did so before the clock was set back; in the
  /// order of the config.
  public func settledAhead(
    of now: Instant, in zones: some ZoneRules
  ) -> [(alarm: Alarm, date: CivilDate, due: Instant)] {
    entries.flatMap { entry in
      entry.state.settled.filter { $0 > now }.sorted().compactMap { settled in
        entry.alarm.recurrence
          .next(after: settled - .microseconds(1), in: zones, moves: entry.state.moves)
          .flatMap { $0.due == settled ? (entry.alarm, $0.date, settled) : nil }
      }
    }
  }
}

extension Recurrence {
  /// Why nothing is due on `date`.
  fileprivate func silence(
    on date: CivilDate, _ zones: some ZoneRules
  ) -> Explanation.LeftOut.Reason {
    switch sun.flatMap({ byTheSun($0, on: date, zones) })?.course {
    case .staysUp: .sunUp
    case .staysDown: .sunDown
    case .rises, nil: .noSuchDate
    }
  }
}

extension Schedule.Entry {
  fileprivate func isSettled(_ due: Instant?) -> Bool { due.map(state.settled.contains) ?? false }

  fileprivate func leftOut(
    after now: Instant, until last: CivilDate?, in zones: some ZoneRules
  ) -> [Explanation.LeftOut] {
    let rule = alarm.recurrence
    let today = zones.civil(at: now, in: rule.zone).date
    var first = rule.firstDay(from: today)
    if let day = first, let due = rule.occurrence(on: day, zones)?.due, due <= now {
      first = rule.firstDay(from: day.adding(days: 1))
    }
    // Without a ring there is no end to look for: what is excepted or skipped is all there is, and
    // of a pause without an end the first day says enough.
    let ends = [
      state.skipped?.upperBound, rule.except.ranges.last?.upperBound,
      rule.calendars.compactMap { $0.days.ranges.last?.upperBound }.max(), first,
    ]
    var end = last ?? ends.compactMap(\.self).max() ?? today
    // The sun may be what keeps it silent.
    if last == nil, rule.sun != nil, let day = rule.firstDay(from: today.adding(days: 1)) {
      end = max(end, day)
    }
    if case .on(let only) = rule.dates { end = only }
    var leftOut: [Explanation.LeftOut] = []
    var date = today.adding(days: -1)
    while let day = rule.firstDay(from: date), day <= end, leftOut.count < Explanation.mostLeftOut {
      date = day.adding(days: 1)
      let moved = state.moves[day].flatMap { rule.moved(day, to: $0, zones) }
      let occurrence = moved ?? rule.occurrence(on: day, zones)
      guard occurrence.map({ $0.due > now }) ?? (day > today) else { continue }
      let reason: Explanation.LeftOut.Reason? =
        if let occurrence {
          if rule.exception(for: occurrence, zones) != nil {
            rule.excepts(zones.civil(at: occurrence.due, in: rule.zone).date) ? .excepted : .paused
          } else {
            state.skips(occurrence) ? .skipped : isSettled(occurrence.due) ? .settled : nil
          }
        } else {
          rule.silence(on: day, zones)
        }
      if let reason { leftOut.append(Explanation.LeftOut(date: day, reason: reason)) }
    }
    return leftOut
  }

  fileprivate func silence(_ leftOut: [Explanation.LeftOut]) -> Explanation.Silence {
    if state.phase == .over || check != nil { return .over }
    if ring != nil { return .ringing }
    if !leftOut.isEmpty { return .leftOut }
    let rule = alarm.recurrence
    if rule.namesNoDay { return .never }
    return if case .on = rule.dates { .past } else { .ended }
  }
}
