// SPDX-License-Identifier: GPL-3.0-or-later
//
// Days, rules and places as the state has them: values that are no records, because few words say all of
// them. Next: `SettingsText.swift`, the records that they are in.

import Scheduling
import TOML

/// `["2026-12-25", "2026-12-28..2027-01-02"]`
extension ExceptedDays: Stored {
  var stored: TOMLValue.Kind {
    ranges.map {
      $0.lowerBound == $0.upperBound
        ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
    }.stored
  }

  init?(stored: TOMLValue.Kind) {
    guard let texts = [String](stored: stored) else { return nil }
    var ranges: [ClosedRange<CivilDate>] = []
    for text in texts {
      guard let (first, last) = Self.days(text) else { return nil }
      ranges.append(first...last)
    }
    self.init(ranges)
  }

  private static func days(_ text: String) -> (CivilDate, CivilDate)? {
    let (first, last) = (text.prefix(10), text.suffix(10))
    guard text.utf8.count == 10 || text.utf8.count == 22, let first = CivilDate(iso: first),
      let last = CivilDate(iso: last), first <= last
    else { return nil }
    return (first, last)
  }
}

extension CivilDate {
  fileprivate init?(iso text: Substring) {
    let parts = text.split(separator: "-")
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// `[1, 4]` for Mondays and Thursdays, `[[1, 2]]` for the first Tuesday of a month.
extension Days: Stored {
  var stored: TOMLValue.Kind {
    let plain = weekdays.sorted().map { TOMLValue($0.rawValue.stored) }
    let ordinals = ordinals.sorted().map {
      TOMLValue([$0.place.rawValue, $0.weekday.rawValue].stored)
    }
    return .array(plain + ordinals)
  }

  init?(stored: TOMLValue.Kind) {
    guard case .array(let values) = stored else { return nil }
    self.init()
    for value in values {
      if let number = Int(stored: value.kind), let weekday = Weekday(rawValue: number) {
        weekdays.insert(weekday)
      } else if let pair = [Int](stored: value.kind), pair.count == 2,
        let place = Ordinal.Place(rawValue: pair[0]), let weekday = Weekday(rawValue: pair[1])
      {
        ordinals.insert(Ordinal(place, weekday))
      } else {
        return nil
      }
    }
  }
}

/// `"once"`, `{on = 2026-12-24}`, `{days = [1, 4]}`, or with `count`, `unit` and `start` as well.
extension Recurrence.Dates: Stored {
  var stored: TOMLValue.Kind {
    switch self {
    case .once: return "once".stored
    case .on(let date): return Self.table([("on", date.stored)])
    case .days(let days): return Self.table([("days", days.stored)])
    case .every(let interval, let days):
      return Self.table([
        ("count", interval.count.stored), ("unit", interval.unit.rawValue.stored),
        ("start", interval.start.stored), ("days", days.stored),
      ])
    }
  }

  init?(stored: TOMLValue.Kind) {
    if stored == .string("once") {
      self = .once
      return
    }
    guard case .table(let table) = stored else { return nil }
    if let date = table["on"].flatMap({ CivilDate(stored: $0.kind) }) {
      self = .on(date)
      return
    }
    guard let days = table["days"].flatMap({ Days(stored: $0.kind) }) else { return nil }
    guard let count = table["count"].flatMap({ Int(stored: $0.kind) }) else {
      if days.isEmpty { return nil }
      self = .days(days)
      return
    }
    guard (1...Interval.most).contains(count),
      let word = table["unit"].flatMap({ String(stored: $0.kind) }),
      let unit = Interval.Unit(rawValue: word),
      let start = table["start"].flatMap({ CivilDate(stored: $0.kind) })
    else { return nil }
    self = .every(Interval(count, unit, from: start), days)
  }

  private static func table(_ entries: [(String, TOMLValue.Kind)]) -> TOMLValue.Kind {
    .table(TOMLTable(entries: entries.map { TOMLTable.Entry($0.0, $0.1) }))
  }
}

/// `"Asia/Seoul"` for a zone, else `{city = {…}, name = "Seoul"}`.
extension WorldClock.Place: Stored {
  var stored: TOMLValue.Kind {
    switch self {
    case .zone(let zone): return zone.stored
    case .city(let city, let name):
      let entries = [
        TOMLTable.Entry("name", name.stored), TOMLTable.Entry("city", city.stored),
      ]
      return .table(TOMLTable(entries: entries))
    }
  }

  init?(stored: TOMLValue.Kind) {
    if let zone = String(stored: stored) {
      self = .zone(zone)
      return
    }
    guard case .table(let table) = stored,
      let name = table["name"].flatMap({ String(stored: $0.kind) }),
      let city = table["city"].flatMap({ City?(stored: $0.kind) })
    else { return nil }
    self = .city(city, as: name)
  }
}
