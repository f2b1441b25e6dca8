// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads when an alarm should ring: a time of day or a duration from now. Before or after a time of
// day, there may be a day, weekdays or an interval. The search, `belfry watch` and `belfry add` use
// this code. Next: `Phrase.swift`.

import Scheduling

struct WhenText {
  let now: Instant
  let zones: any ZoneRules
  let weekdays: WeekdayNames

  /// Reads when the alarm should ring from the beginning of `words`. Returns this as a rule, and
  /// the remaining words. With `hourAlone`, an hour without minutes is a time.
  func take(from words: [String], hourAlone: Bool = true) -> (Recurrence, rest: [String])? {
    takeTime(from: words, hourAlone: hourAlone) ?? takeAhead(from: words)
  }

  /// Does the same as `take`, but accepts only a time with days or a date.
  func takeOnDays(from words: [String]) -> (Recurrence, rest: [String])? {
    let found = takeTime(from: words, hourAlone: false)
    return found?.0.dates == .once ? nil : found
  }

  private func takeTime(
    from words: [String], hourAlone: Bool
  ) -> (Recurrence, rest: [String])? {
    var (dates, rest) = takeDates(from: words)
    if dates != .once, rest.first?.lowercased() == "at" { rest.removeFirst() }
    guard let (time, behind) = TimeText.take(from: rest, hourAlone: hourAlone) else {
      return nil
    }
    rest = behind
    if dates == .once {
      (dates, rest) = takeDates(from: behind)
      // After the time, a single syllable is not a day. In `7:30 목 운동`, `목` means neck. People
      // would write `목요일` for Thursday there.
      let isSyllable = behind.first.flatMap(WeekdayNames.syllables)?.count == 1
      if isSyllable, behind.count - rest.count == 1 { (dates, rest) = (.once, behind) }
    }
    return rule(time, dates).map { ($0, rest) }
  }

  /// Returns the dates on which to ring from the beginning of `words`: a date, days, or an interval
  /// such as `every 2 weeks`. Also returns the remaining words.
  private func takeDates(from words: [String]) -> (Recurrence.Dates, rest: [String]) {
    let today = zones.civil(at: now, in: nil).date
    if let (date, rest) = DayText.take(from: words, on: today) { return (.on(date), rest) }
    var (days, rest) = weekdays.take(from: words)
    guard let (step, behind) = Interval.take(from: rest) else {
      return (days.isEmpty ? .once : .days(days), rest)
    }
    rest = behind
    if days.isEmpty { (days, rest) = weekdays.take(from: behind) }
    return (.every(Interval(step.count, step.unit, from: today), days), rest)
  }

  /// Returns the rule with this time and these dates; nil if the rule would never ring. An interval
  /// is counted from the first day on which the rule can ring.
  private func rule(_ time: CivilTime, _ dates: Recurrence.Dates) -> Recurrence? {
    guard case .every(var interval, let days) = dates else {
      return Recurrence(time: time, dates: dates)
    }
    let first = Recurrence(time: time, dates: days.isEmpty ? .once : .days(days))
    guard let start = first.next(after: now, in: zones)?.date else { return nil }
    interval.start = start
    return Recurrence(time: time, dates: .every(interval, days), from: start)
  }

  /// Reads `in 10 minutes` or `10분 뒤` as an alarm that rings once, exact to the second. Returns nil
  /// if no alarm can ring at that moment: when clocks are set back, a time of day occurs twice, and
  /// an alarm always rings at the earlier one.
  func takeAhead(from words: [String]) -> (Recurrence, rest: [String])? {
    guard let (length, rest) = DurationText.takeAhead(from: words) else { return nil }
    // Round up, so that the reply says "in 10 min" and not "in 9 min 59 s".
    let due = Instant(seconds: (now + length + .microseconds(999_999)).seconds)
    let local = zones.civil(at: due, in: nil)
    guard zones.resolve(local, in: nil)?.instant == due else { return nil }
    return (Recurrence(time: local.time, dates: .on(local.date)), rest)
  }
}
