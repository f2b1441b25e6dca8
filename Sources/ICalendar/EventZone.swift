// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the time zone that a calendar names, and turns local times into moments. A name of the tz
// database is used as such, because old calendars define such zones only for one year. Any other
// name means the file's own VTIMEZONE, or else a name of Windows. Next: `EventReader.swift`.

import Scheduling

/// The time zone of a time in a calendar.
enum EventZone: Hashable {
  /// A time without a zone: it is the same local time everywhere.
  case floating
  /// A zone of the tz database.
  case named(String)
  /// A zone that the file defines. The number is that of its definition.
  case own(Int)
  case unknown(String)
}

/// A VTIMEZONE: the offsets from UTC, and when they begin.
struct ZoneDefinition {
  private struct Observance {
    var start: CivilDateTime
    var from: Int
    var to: Int
    var rule: EventRule?
    var dates: [CivilDateTime] = []
  }
  private var observances: [Observance] = []
  private var known: [Int: [(at: CivilDateTime, from: Int, to: Int)]] = [:]

  private static let most = 200
  private static let mostDates = 2000

  /// Nil if the definition cannot be read, or if it changes more often than a zone does.
  init?(_ component: CalendarComponent) {
    for part in component.parts.prefix(Self.most)
    where part.kind == "STANDARD" || part.kind == "DAYLIGHT" {
      guard let start = part["DTSTART"].flatMap({ EventTime($0.value) }),
        let from = part["TZOFFSETFROM"].flatMap({ Self.offset($0.value) }),
        let to = part["TZOFFSETTO"].flatMap({ Self.offset($0.value) })
      else { return nil }
      var observance = Observance(start: start.local, from: from, to: to)
      if let rule = part["RRULE"] {
        observance.rule = try? EventRule(rule.value, startingAt: start.local)
        guard let rule = observance.rule, rule.frequency == .yearly, rule.times.isEmpty else {
          return nil
        }
      }
      for date in part.all("RDATE").flatMap({ $0.value.split(separator: ",") }) {
        guard let time = EventTime(date) else { return nil }
        observance.dates.append(time.local)
        if observance.dates.count > Self.mostDates { return nil }
      }
      observances.append(observance)
    }
    if observances.isEmpty { return nil }
  }

  /// Reads an offset such as `+0100`, in seconds.
  private static func offset(_ text: String) -> Int? {
    var digits = text.utf8.map { Int($0) }[...]
    let sign = digits.first == 0x2D ? -1 : 1
    if digits.first == 0x2D || digits.first == 0x2B { digits.removeFirst() }
    guard digits.count == 4 || digits.count == 6,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    var parts: [Int] = []
    while !digits.isEmpty {
      parts.append(digits.prefix(2).reduce(0) { $0 * 10 + $1 - 0x30 })
      digits = digits.dropFirst(2)
    }
    let seconds = parts[0] * 3600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
    return seconds < 86_400 ? sign * seconds : nil
  }

  mutating func offset(at local: CivilDateTime, _ steps: inout Steps) -> Int {
    let changes = changes(around: local.date.year, &steps)
    return changes.last { !(local < $0.at) }?.to ?? changes.first?.from ?? 0
  }

  /// The changes until the end of `year`, from the last one before the year before.
  private mutating func changes(
    around year: Int, _ steps: inout Steps
  ) -> [(at: CivilDateTime, from: Int, to: Int)] {
    if let changes = known[year] { return changes }
    var changes: [(at: CivilDateTime, from: Int, to: Int)] = []
    guard let first = CivilDate(year: max(1, year - 1), month: 1, day: 1),
      let last = CivilDate(year: year, month: 12, day: 31)
    else { return [] }
    for observance in observances {
      var times = [observance.start] + observance.dates
      _ = observance.rule?.forEach(
        from: observance.start, first: first, last: last, &steps
      ) { time in
        if let until = observance.rule?.until {
          var end = until.local
          if until.time == nil { end = CivilDateTime(until.date.adding(days: 1), .midnight) }
          if until.isUTC {
            end = CivilDateTime(localSeconds: end.localSeconds + Int64(observance.from))
          }
          if end < time { return false }
        }
        times.append(time)
        return true
      }
      changes += times.filter { $0.date <= last }.map { ($0, observance.from, observance.to) }
    }
    changes.sort { $0.at < $1.at }
    // Before the first change, its old offset counts.
    if changes.isEmpty, let next = observances.min(by: { $0.start < $1.start }) {
      changes = [(next.start, next.from, next.to)]
    }
    known[year] = changes
    return changes
  }
}

/// The zones of the calendars that are read together.
struct CalendarZones<Rules: ZoneRules> {
  private let rules: Rules
  private var definitions: [ZoneDefinition] = []
  /// The zones by the number of the calendar and the name in it.
  private var found: [[String: EventZone]] = []

  init(_ rules: Rules) { self.rules = rules }

  mutating func add(_ calendar: CalendarComponent) {
    var zones: [String: EventZone] = [:]
    for part in calendar.parts where part.kind == "VTIMEZONE" {
      guard let name = part["TZID"]?.value else { continue }
      if let known = known(name) ?? part["X-LIC-LOCATION"].flatMap({ known($0.value) }) {
        zones[name] = .named(known)
      } else if let definition = ZoneDefinition(part) {
        zones[name] = .own(definitions.count)
        definitions.append(definition)
      }
    }
    found.append(zones)
  }

  /// The name of the tz database that `name` ends with. Some programs put a path before it.
  private func known(_ name: String) -> String? {
    if name.utf8.count > 200 { return nil }
    let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return [3, 2, 1].lazy.filter { $0 <= parts.count }
      .map { parts.suffix($0).joined(separator: "/") }.first { rules.isKnown($0) }
  }

  mutating func zone(_ name: String?, in calendar: Int) -> EventZone {
    guard let name else { return .floating }
    if let zone = found[calendar][name] { return zone }
    let zone = known(name) ?? WindowsZones.zone(name).flatMap(known)
    let result = zone.map { EventZone.named($0) } ?? .unknown(name)
    found[calendar][name] = result
    return result
  }

  /// Returns the moment of a local time in seconds since 1970. A floating time, and one in an
  /// unknown zone, is taken as if it were UTC.
  mutating func seconds(_ local: CivilDateTime, in zone: EventZone, _ steps: inout Steps) -> Int64 {
    switch zone {
    case .floating, .unknown: local.localSeconds
    case .named(let name):
      rules.resolve(local, in: name)?.instant.seconds ?? local.localSeconds
    case .own(let number):
      local.localSeconds - Int64(definitions[number].offset(at: local, &steps))
    }
  }

  func local(_ seconds: Int64, in zone: EventZone) -> CivilDateTime? {
    guard case .named(let name) = zone else { return nil }
    return rules.civil(at: Instant(seconds: seconds), in: name)
  }

  /// Returns a zone of the tz database for an alarm: the zone itself, or one with the same offsets
  /// in each month of the three years from `year`. After the zone that `text` is a name of Windows
  /// for, `first` is tried.
  mutating func name(
    of zone: EventZone, named text: String, first: String, from year: Int, _ steps: inout Steps
  ) -> String? {
    switch zone {
    case .floating, .unknown: return nil
    case .named(let name): return name
    case .own(let number):
      let usual = WindowsZones.zone(text).map { [$0] } ?? []
      let days = (0..<36).compactMap {
        CivilDate(year: year + $0 / 12, month: $0 % 12 + 1, day: 15)
      }
      for name in usual + [first] + WindowsZones.table.values.sorted() where rules.isKnown(name) {
        let isSame = days.allSatisfy { day in
          let local = CivilDateTime(day, CivilTime(hour: 12, minute: 0) ?? .midnight)
          let seconds = local.localSeconds - Int64(definitions[number].offset(at: local, &steps))
          return rules.resolve(local, in: name)?.instant.seconds == seconds
        }
        if isSame { return name }
      }
      return nil
    }
  }
}
