// SPDX-License-Identifier: GPL-3.0-or-later
//
// The reply to a change of an alarm, which says in full what was understood: when the alarm rings,
// on which days, and when it rings next. The commands and the search use it. Next:
// `RuleWording.swift`, for the days.

import Configuration
import Language
import Scheduling
import System

extension Wording {
  /// Returns `work: Mondays at 07:30, next on Mon 30 Nov, in 1 d 5 h`. `rule` is nil if the alarm
  /// has an error in the config. For the reply to a skip of several rings, `skipsMany` is true.
  public func reply(
    _ id: String, _ rule: Recurrence?, _ standing: Standing, seenFrom now: Instant,
    skipsMany: Bool = false
  ) -> String {
    "\(id): \(inFull(rule, standing, seenFrom: now, skipsMany: skipsMany))"
  }

  public func inFull(
    _ rule: Recurrence?, _ standing: Standing, seenFrom now: Instant, skipsMany: Bool = false
  ) -> String {
    guard let rule else { return tr("does not ring") }
    let today = zones.civil(at: now, in: rule.zone).date
    let next = standing.wanted
    var words: [String] = []
    var isDated = false
    let time = time(rule) + (rule.zone.map { " (\($0))" } ?? "")
    let first = standing.next?.due ?? standing.pause?.due
    let local = first.map { zones.civil(at: $0, in: rule.zone) }
    switch rule.dates {
    case .on(let date):
      isDated = local?.date == date
      words.append(tr("once on \(Self.date(date, seenFrom: today)) at \(time)", context: "rule"))
    case .once:
      isDated = local != nil
      let date = local.map { Self.date($0.date, seenFrom: today) }
      words.append(
        date.map { tr("once on \($0) at \(time)", context: "rule") }
          ?? tr("once at \(time)", context: "rule"))
    case .days, .every:
      words.append(tr("\(Self.eachDay(rule.dates)) at \(time)", context: "rule"))
    }
    words += limits(rule, seenFrom: today)
    let isPlain = next.map { zones.civil(at: $0, in: nil).time == rule.time } ?? false
    return Self.list(
      words
        + self.standing(
          standing, seenFrom: now, skipsMany,
          isKnown: isDated && isPlain && standing.next?.movedFrom == nil && rule.sun == nil,
          isAtItsTime: isPlain && rule.sun == nil))
  }

  /// Returns the first and the last day of a rule, and the days on which it does not ring.
  private func limits(_ rule: Recurrence, seenFrom today: CivilDate) -> [String] {
    let from = rule.from.flatMap { $0 > today && rule.repeats ? $0 : nil }
    let excepted = rule.exceptions.map { text in
      CivilDate(text).map { Self.date($0, seenFrom: today) } ?? text
    }
    return [
      from.map { tr("from \(Self.date($0, seenFrom: today))", context: "rule") },
      rule.until.map { tr("until \(Self.date($0, seenFrom: today))", context: "rule") },
      excepted.isEmpty ? nil : tr("except \(Self.list(excepted))", context: "rule"),
    ].compactMap(\.self)
  }

  /// Returns how the alarm stands, and when it rings next. The date of the next ring is left out if
  /// it is known already (`isKnown`), and its time if that is the alarm's own (`isAtItsTime`).
  private func standing(
    _ standing: Standing, seenFrom now: Instant, _ skipsMany: Bool, isKnown: Bool,
    isAtItsTime: Bool
  ) -> [String] {
    func moment(_ instant: Instant) -> String {
      let local = zones.civil(at: instant, in: nil)
      let date = Self.date(local.date, seenFrom: zones.civil(at: now, in: nil).date)
      return tr("\(date) at \(time(local.time))", context: "moment of a ring")
    }
    var words = standing.state == .scheduled ? [] : [long(standing, seenFrom: now)]
    if standing.state == .off || standing.state == .over { return words }
    if standing.state == .ringing { words = [tr("rings now")] }
    if let before = standing.next?.movedFrom { words.append(tr("moved from \(moment(before))")) }
    if standing.isSkipped, let skipped = standing.next?.due {
      words.append(
        skipsMany ? tr("skipped from \(moment(skipped))") : tr("skipped on \(moment(skipped))"))
      if standing.wanted == nil, standing.repeats { words.append(tr("does not ring again")) }
    }
    if let pause = standing.pause {
      words.append(
        paused(until: pause.until, seenFrom: zones.civil(at: now, in: nil).date))
    }
    guard let next = standing.wanted else {
      return words.isEmpty ? [tr("over", context: "alarm")] : words
    }
    if !isKnown {
      let date = Self.date(
        zones.civil(at: next, in: nil).date, seenFrom: zones.civil(at: now, in: nil).date)
      words.append(isAtItsTime ? tr("next on \(date)") : tr("next on \(moment(next))"))
    }
    return words + [tr("in \(Self.span(next - now))")]
  }

  /// Returns the days of a rule that repeats: `Mondays and Thursdays`, `weekdays`,
  /// `every 2 weeks on Monday`.
  private static func eachDay(_ dates: Recurrence.Dates) -> String {
    guard case .days(let days) = dates, !days.areOfMonth, named(days.weekdays) == nil,
      days.weekdays.count < 7
    else { return Self.days(dates) }
    return and(days.weekdays.sorted().map(plural))
  }

  private static func plural(_ weekday: Weekday) -> String {
    switch weekday {
    case .monday: tr("Mondays")
    case .tuesday: tr("Tuesdays")
    case .wednesday: tr("Wednesdays")
    case .thursday: tr("Thursdays")
    case .friday: tr("Fridays")
    case .saturday: tr("Saturdays")
    case .sunday: tr("Sundays")
    }
  }
}
