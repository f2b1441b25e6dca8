// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads when an alarm should ring: a time of day or a duration from now. Before or after a time of
// day, there may be a day, weekdays or an interval, and `once`. The search, `belfry watch` and
// `belfry add` use this code. Next: `Phrase.swift`.

import Scheduling

struct WhenText {
  let now: Instant
  let zones: any ZoneRules
  let weekdays: WeekdayNames

  /// Reads when the alarm should ring from the beginning of `words`. Returns this as a rule, and
  /// the remaining words. `bare` says which numbers alone are a time.
  func parsePrefix(of words: [String], bare: TimeText.Bare = .hours) -> (
    Recurrence, rest: [String]
  )? {
    takeTime(from: words, bare) ?? takeAhead(from: words)
  }

  /// Does the same as `take`, but accepts only a time with days or a date.
  func takeOnDays(from words: [String]) -> (Recurrence, rest: [String])? {
    let found = takeTime(from: words, .none)
    return found?.0.dates == .once ? nil : found
  }

  private func takeTime(
    from words: [String], _ bare: TimeText.Bare
  ) -> (Recurrence, rest: [String])? {
    var (dates, rest) = takeDates(from: words)
    if dates != .once, ["at", "um", "à"].contains(rest.first?.lowercased()) { rest.removeFirst() }
    guard let (clock, behind) = takeClock(from: rest, bare) else { return nil }
    var time = clock
    rest = behind
    if dates == .once {
      (dates, rest) = takeDates(from: behind)
      // After the time, a single syllable is not a day. In `7:30 목 운동`, `목` means neck. People
      // would write `목요일` for Thursday there.
      let isSyllable = behind.first.flatMap(WeekdayNames.syllables)?.count == 1
      if isSyllable, behind.count - rest.count == 1 { (dates, rest) = (.once, behind) }
      // In `7:30 tomorrow evening`, the part of the day is the only word that is left.
      if dates != .once, rest.count == 1, let word = rest.first, let other = time {
        if let there = TimeText.time(other, in: word) { (time, rest) = (there, []) }
      }
    }
    if Self.isOnce(words) || Self.isOnce(rest) {
      guard let once = first(of: dates, time ?? .midnight) else { return nil }
      dates = once
      if Self.isOnce(rest) { rest.removeFirst() }
    }
    guard clock != nil else {
      return nextDay(dates).flatMap { rule(.midnight, $0) }.map { ($0, rest) }
    }
    return time.flatMap { rule($0, dates) }.map { ($0, rest) }
  }

  /// Returns the time of day at the beginning of `words`, or nil for 24:00.
  private func takeClock(
    from words: [String], _ bare: TimeText.Bare
  ) -> (CivilTime?, rest: [String])? {
    if let rest = TimeText.takeEndOfDay(from: words) { return (nil, rest) }
    return TimeText.parsePrefix(of: words, bare: bare).map { ($0, $1) }
  }

  /// Returns the dates on which 24:00 of `dates` is, as 00:00; nil if no rule names them.
  private func nextDay(_ dates: Recurrence.Dates) -> Recurrence.Dates? {
    switch dates {
    case .once: .once
    case .on(let date): .on(date.adding(days: 1))
    case .days(let days) where !days.areOfMonth:
      .days(Days(Set(days.weekdays.map { Weekday.allCases[$0.rawValue % 7] })))
    case .days, .every: nil
    }
  }

  private static func isOnce(_ words: [String]) -> Bool { words.first?.lowercased() == "once" }

  /// Returns the first of `dates` on which `time` is still to come, as the only date.
  private func first(of dates: Recurrence.Dates, _ time: CivilTime) -> Recurrence.Dates? {
    guard case .days = dates else { return dates }
    return Recurrence(time: time, dates: dates).next(after: now, in: zones).map { .on($0.date) }
  }

  /// Returns the dates on which to ring from the beginning of `words`: a date, days, or an interval
  /// such as `every 2 weeks`. Also returns the remaining words.
  private func takeDates(from words: [String]) -> (Recurrence.Dates, rest: [String]) {
    let today = zones.civil(at: now, in: nil).date
    if Self.isOnce(words) { return takeDates(from: Array(words.dropFirst())) }
    if words.first?.lowercased() == "tonight" { return (.on(today), ["night"] + words.dropFirst()) }
    if words.first?.lowercased() == "this", let part = words.dropFirst().first, isPart(part) {
      return (.on(today), Array(words.dropFirst()))
    }
    if let (date, rest) = DayText.parsePrefix(of: words, on: today, weekdays) {
      return (.on(date), rest)
    }
    var (days, rest) = weekdays.parsePrefix(of: words)
    if days.isEmpty, let found = takeEveryOther(from: words, today) { return found }
    guard let (step, behind) = Interval.parsePrefix(of: rest) else {
      return (days.isEmpty ? .once : .days(days), rest)
    }
    rest = behind
    if days.isEmpty { (days, rest) = weekdays.parsePrefix(of: behind) }
    return (.every(Interval(step.count, step.unit, from: today), days), rest)
  }

  private func isPart(_ word: String) -> Bool {
    CivilTime(hour: 7, minute: 0).flatMap { TimeText.time($0, in: word) } != nil
  }

  /// Takes `every second mon` or `every other monday`, which people say for every other week.
  private func takeEveryOther(
    from words: [String], _ today: CivilDate
  ) -> (Recurrence.Dates, rest: [String])? {
    let start = words.prefix(2).map { $0.lowercased() }
    guard start.count == 2, ["every", "each"].contains(start[0]),
      ["second", "2nd", "other"].contains(start[1])
    else { return nil }
    let (days, rest) = weekdays.parsePrefix(of: Array(words.dropFirst(2)))
    guard !days.weekdays.isEmpty, !days.areOfMonth else { return nil }
    return (.every(Interval(2, .weeks, from: today), days), rest)
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

  /// Reads `in 10 minutes` or `10분 뒤` as an alarm that rings once, exact to the second. When clocks
  /// are set back, a time of day occurs twice, and an alarm rings at the earlier one. The later one
  /// is written in a zone of its own, whose clocks never change.
  func takeAhead(from words: [String]) -> (Recurrence, rest: [String])? {
    guard let (length, rest) = DurationText.takeAhead(from: words) else { return nil }
    // Round up, so that the reply says "in 10 min" and not "in 9 min 59 s".
    let due = Instant(seconds: (now + length + .microseconds(999_999)).seconds)
    for zone in [nil] + fixedZones(at: due) where zone.map(zones.isKnown) ?? true {
      let local = zones.civil(at: due, in: zone)
      guard zones.resolve(local, in: zone)?.instant == due else { continue }
      return (Recurrence(time: local.time, dates: .on(local.date), zone: zone), rest)
    }
    return nil
  }

  /// The names of zones without clock changes: the one whose clocks show the same time as local
  /// ones at `instant`, if there is one, and UTC. The sign in these names is that of POSIX, so
  /// `Etc/GMT-1` is an hour ahead of UTC.
  private func fixedZones(at instant: Instant) -> [String] {
    let (hours, rest) = zones.interval(containing: instant, in: nil).offset
      .quotientAndRemainder(dividingBy: 3600)
    let isNamed = rest == 0 && hours != 0 && (-12...14).contains(hours)
    return (isNamed ? ["Etc/GMT\(hours > 0 ? "-" : "+")\(hours.magnitude)"] : []) + ["Etc/UTC"]
  }
}
