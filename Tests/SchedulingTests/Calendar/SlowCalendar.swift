// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds every occurrence of a rule the slow way: day by day, with the table of UTC offsets of each
// zone. Next: `Oracle.swift`, which compares the schedule with these occurrences.

import Scheduling

struct Due: Hashable {
  var date: CivilDate
  var instant: Instant
}

/// Finds every occurrence of a rule in a zone, for the years of which the tables in `zones.txt`
/// know the changes of clocks.
final class Calendar {
  private struct Key: Hashable {
    var rule: Recurrence
    var zone: String
  }
  private var known: [Key: [Due]] = [:]

  /// Returns the occurrences of `rule`, earliest first. A once-only rule without a date counts as
  /// daily.
  func dues(_ rule: Recurrence, in machine: String) -> [Due] {
    let key = Key(rule: rule, zone: rule.zone ?? machine)
    if let dues = known[key] { return dues }
    let first = CivilDate("2026-01-01")
    let dues = (0..<720).map { first.adding(days: $0) }.filter { Self.matches($0, rule) }
      .compactMap { date in
        Self.instant(date, rule.time, key.zone).map { Due(date: date, instant: $0) }
      }
    known[key] = dues
    return dues
  }

  private static func matches(_ date: CivilDate, _ rule: Recurrence) -> Bool {
    if rule.except.contains(date) || date < rule.from ?? date || date > rule.until ?? date {
      return false
    }
    switch rule.dates {
    case .days(let days): return matches(date, days)
    case .on(let day): return day == date
    case .once: return true
    case .every(let interval, let days):
      let (from, day) = (interval.start, date.daysSinceEpoch)
      guard date >= from else { return false }
      let months = (date.year - from.year) * 12 + date.month - from.month
      let lastDay = date.adding(days: 1 - date.day + 31)
      let isItsDay = date.day == min(from.day, 32 - lastDay.day)
      switch interval.unit {
      case .days: return (day - from.daysSinceEpoch) % interval.count == 0
      case .weeks:
        let monday = { (date: CivilDate) in date.daysSinceEpoch - date.weekday.rawValue }
        return (monday(date) - monday(from)) / 7 % interval.count == 0
          && (days.isEmpty ? date.weekday == from.weekday : matches(date, days))
      case .months, .years:
        return months % (interval.unit == .years ? 12 * interval.count : interval.count) == 0
          && (days.isEmpty ? isItsDay : matches(date, days))
      }
    }
  }

  private static func matches(_ date: CivilDate, _ days: Days) -> Bool {
    days.weekdays.contains(date.weekday)
      || days.ordinals.contains { ordinal in
        guard ordinal.weekday == date.weekday else { return false }
        return ordinal.place == .last
          ? date.adding(days: 7).month != date.month
          : (date.day + 6) / 7 == ordinal.place.rawValue
      }
  }

  /// Returns the first moment at which local clocks show `time` on `date`, or a later time on the
  /// same date; nil if there is none.
  static func instant(_ date: CivilDate, _ time: CivilTime, _ zone: String) -> Instant? {
    let zones = TestZones()
    let local = CivilDateTime(date, time).localSeconds
    var interval = zones.interval(containing: Instant(seconds: local - 86_400), in: zone)
    while true {
      let earliest = max(interval.start?.seconds ?? .min, local - Int64(interval.offset))
      if earliest < interval.end?.seconds ?? .max {
        let found = Instant(seconds: earliest)
        return zones.civil(at: found, in: zone).date == date ? found : nil
      }
      interval = zones.interval(containing: interval.end ?? .distantFuture, in: zone)
    }
  }
}
