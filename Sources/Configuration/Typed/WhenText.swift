// SPDX-License-Identifier: GPL-3.0-or-later
//
// When an alarm is to ring, as people say it: a time of day, with a day, weekdays or an interval
// before or behind it, or how long from now. For the search, for `belfry watch`, and for `add`.
// Next: `Phrase.swift`.

import Scheduling

struct WhenText {
  let now: Instant
  let zones: any ZoneRules
  let weekdays: WeekdayNames

  /// The rule at the beginning of `words`, and the words behind it. An hour alone is a time only
  /// with `hourAlone`.
  func take(from words: [String], hourAlone: Bool = true) -> (Recurrence, rest: [String])? {
    takeTime(from: words, hourAlone: hourAlone) ?? takeAhead(from: words)
  }

  /// The same, of a time with days or a date alone.
  func takeOnDays(from words: [String]) -> (Recurrence, rest: [String])? {
    let found = takeTime(from: words, hourAlone: false)
    return found?.0.dates == .once ? nil : found
  }

  private func takeTime(
    from words: [String], hourAlone: Bool
  ) -> (Recurrence, rest: [String])? {
    var (dates, rest) = takeDates(from: words)
    if dates != .once, rest.first?.lowercased() == "at" { rest.removeFirst() }
    // Why it is no time does not matter: something else is meant.
    guard let (time, behind) = try? TimeText.take(from: rest, hourAlone: hourAlone) else {
      return nil
    }
    rest = behind
    if dates == .once {
      (dates, rest) = takeDates(from: behind)
      // `7:30 목 운동` is for the neck; a Thursday is `목요일` behind the time.
      let isSyllable = behind.first.flatMap(WeekdayNames.syllables)?.count == 1
      if isSyllable, behind.count - rest.count == 1 { (dates, rest) = (.once, behind) }
    }
    return rule(time, dates).map { ($0, rest) }
  }

  /// The day, the days or the interval at the beginning of `words`.
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

  /// Nil if it never rings. An interval is counted from the first day that fits, which is the first
  /// one on which it rings.
  private func rule(_ time: CivilTime, _ dates: Recurrence.Dates) -> Recurrence? {
    guard case .every(var interval, let days) = dates else {
      return Recurrence(time: time, dates: dates)
    }
    let first = Recurrence(time: time, dates: days.isEmpty ? .once : .days(days))
    guard let start = first.next(after: now, in: zones)?.date else { return nil }
    interval.start = start
    return Recurrence(time: time, dates: .every(interval, days), from: start)
  }

  /// `in 10 minutes`, `10분 뒤`: once, to the second. None if the clock is set back meanwhile, since
  /// that time of day is before it, too.
  func takeAhead(from words: [String]) -> (Recurrence, rest: [String])? {
    guard let (length, rest) = DurationText.takeAhead(from: words) else { return nil }
    // Never sooner: what follows says "in 10 min" and not "in 9 min 59 s".
    let due = Instant(seconds: (now + length + .microseconds(999_999)).seconds)
    let local = zones.civil(at: due, in: nil)
    guard zones.resolve(local, in: nil)?.instant == due else { return nil }
    return (Recurrence(time: local.time, dates: .on(local.date)), rest)
  }
}
