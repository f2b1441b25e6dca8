// SPDX-License-Identifier: GPL-3.0-or-later
//
// Explains when an alarm rings and why it does not ring on other days. The upcoming rings come from
// `ComingRing.swift`, so `belfry next` and the explanation never disagree. The explanation consists
// of values; the command chooses the words.

public struct Explanation: Hashable, Sendable {
  public var alarm: Alarm
  public var rings: [ComingRing]
  /// The dates on which the alarm would ring by its rule, but will not ring. They are in order and
  /// end at the last date in `rings`.
  public var leftOut: [LeftOut]
  /// Why nothing is upcoming; nil if `rings` is not empty.
  public var silence: Silence?

  public struct LeftOut: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable {
      /// The config excepts the date, either by `except` or by a calendar file.
      case excepted
      case paused
      case skipped
      /// The ring was already heard or skipped before the clock was set back.
      case settled
      /// The zone left the date out of its calendar, as Pacific/Apia did with 2011-12-30.
      case noSuchDate = "no-such-date"
      /// There is no sunrise or sunset: the sun stays above the horizon all day, or below it.
      case sunUp = "sun-up"
      case sunDown = "sun-down"
    }
    public var date: CivilDate
    public var reason: Reason
  }

  /// The greatest number of dates in `leftOut`; no one reads more.
  static let mostLeftOut = 1000

  public enum Silence: String, Hashable, Sendable {
    case disabled
    /// A once-only alarm that has rung or was missed.
    case over
    /// The alarm's only date is past, or the alarm's time on that date is past.
    case past
    /// The alarm's last day (`until`) is past, or the alarm's time on that day is past.
    case ended
    /// The rule names only days that do not exist, or no day between the alarm's first and last
    /// day.
    case never
    /// Every date on which the alarm could ring is left out.
    case leftOut = "left-out"
    /// The alarm is ringing now and will not ring again.
    case ringing
  }
}

extension Schedule {
  /// Explains the first `count` rings of `alarm` after the last event, which was at `now`.
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

  /// Returns the rings that are due later than `now` but will not sound, because they rang or were
  /// skipped before the clock was set back. Alarms are in the order of the config.
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
  /// Returns why nothing is due on `date`: the sun does not rise or set, or the zone left out the
  /// date.
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
  fileprivate func leftOut(
    after now: Instant, until last: CivilDate?, in zones: some ZoneRules
  ) -> [Explanation.LeftOut] {
    let rule = alarm.recurrence
    let today = zones.civil(at: now, in: rule.zone).date
    var first = rule.firstDay(from: today)
    if let day = first, let due = rule.occurrence(on: day, zones)?.due, due <= now {
      first = rule.firstDay(from: day.adding(days: 1))
    }
    // End the list `leftOut` at the last upcoming ring. If no ring is upcoming, end it at the last
    // date that is excepted or skipped, but not before the rule's next date. Leave out paused dates
    // after that, because a pause may have no end. The skip of an only ring has no end either.
    let ends = [
      rule.repeats ? state.skipped?.upperBound : next?.date, rule.except.ranges.last?.upperBound,
      rule.calendars.compactMap { $0.days.ranges.last?.upperBound }.max(), first,
    ]
    var end = last ?? ends.compactMap(\.self).max() ?? today
    // The sun may be the reason that nothing is upcoming: look at the next day of the rule as well.
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
            state.skips(occurrence)
              ? .skipped : state.settled.contains(occurrence.due) ? .settled : nil
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
