// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the time and the rule of a calendar's alarm to settings of a config. A rule is first
// translated to a rule of Belfry. Its days are then compared with the days that libical computes:
// the translation is used only if the days are exactly the same. Next: `RingDays.swift` in
// Scheduling, which defines the days of Belfry's rules.

import Configuration
import Files
import Language
import Scheduling
import System
import TOML

/// A moment as iCalendar writes it, such as `20261224T073000Z` or `20261224T073000`. It can also be
/// a day such as `20261224`, which means the midnight at which that day begins.
nonisolated struct CalendarMoment {
  var local: CivilDateTime
  var isUTC: Bool

  init?(_ text: String) {
    let digits = text.utf8.compactMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    guard digits.count == 8 || digits.count == 14, text.first?.isNumber == true,
      let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    else { return nil }
    isUTC = text.hasSuffix("Z")
    local = CivilDateTime(date, .midnight)
    if digits.count == 8 { return }
    guard
      let time = CivilTime(hour: number(8..<10), minute: number(10..<12), second: number(12..<14))
    else { return nil }
    local = CivilDateTime(date, time)
  }
}

/// A time span as iCalendar writes it, such as `-P1DT15M`. The span keeps days and seconds apart,
/// because a day can be 23 or 25 hours long.
nonisolated struct CalendarSpan {
  var days = 0
  var seconds: Int64 = 0

  init(days: Int = 0, seconds: Int64 = 0) { (self.days, self.seconds) = (days, seconds) }

  /// Reads a span. Returns nil if the text is not a span, or if the span is longer than a year.
  init?(_ text: String) {
    var rest = text.uppercased()[...]
    let sign = rest.hasPrefix("-") ? -1 : 1
    if rest.hasPrefix("-") || rest.hasPrefix("+") { rest.removeFirst() }
    guard rest.popFirst() == "P" else { return nil }
    let units: [Character: (days: Int, seconds: Int64)] = [
      "W": (7, 0), "D": (1, 0), "H": (0, 3600), "M": (0, 60), "S": (0, 1),
    ]
    while !rest.isEmpty {
      if rest.hasPrefix("T") { rest.removeFirst() }
      let digits = rest.prefix { $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard digits.utf8.count < 9, let number = Int(digits),
        let unit = rest.popFirst().flatMap({ units[$0] })
      else { return nil }
      days += sign * number * unit.days
      seconds += Int64(sign * number) * unit.seconds
    }
    if abs(days) > 366 || abs(seconds) > 366 * 86_400 { return nil }
  }
}

nonisolated struct CalendarRing {
  private let local: CivilDateTime
  /// The time zone of the moment; nil for the zone in which the machine is.
  private var zone: String?
  /// The moment in seconds since 1970, if its time zone is defined in the calendar file and unknown
  /// to the machine; otherwise nil.
  private var seconds: Int64?
  private let fileZone: String

  /// `zone` is the name in the file. libical puts a path before the names of its own zones, so only
  /// the last parts of the name are looked up.
  init(_ moment: CalendarMoment, _ zone: String?, _ seconds: Int64?) throws(Import.Failure) {
    local = moment.local
    fileZone = zone ?? ""
    if moment.isUTC {
      self.zone = "UTC"
    } else if let zone {
      let parts = zone.split(separator: "/")
      self.zone = [3, 2, 1].lazy.map { parts.suffix($0).joined(separator: "/") }
        .first { Zones.exists($0) }
      self.seconds = self.zone == nil ? seconds : nil
      if self.zone == nil, seconds == nil { throw unknown }
    }
  }

  private var unknown: Import.Failure {
    Import.Failure(message: tr("its time zone is unknown: \(fileZone)"))
  }

  /// Returns the settings of an alarm that rings once, at this moment plus `span`.
  func once(
    after span: CalendarSpan
  ) throws(Import.Failure) -> (CivilTime, [ConfigEditor.Setting]) {
    let zones = Zones()
    let day = CivilDateTime(local.date.adding(days: span.days), local.time)
    var (begin, place) = (seconds.map { $0 + Int64(span.days) * 86_400 }, zone)
    if begin == nil, let zone { begin = zones.resolve(day, in: zone)?.instant.seconds }
    // A moment in UTC, or in a zone that only the file defines, is written in the machine's zone,
    // because no one reads times in UTC.
    if place == nil || place == "UTC", begin != nil {
      place = Zones.exists(Zones.machineZone) ? Zones.machineZone : "UTC"
    }
    var ring = CivilDateTime(localSeconds: day.localSeconds + span.seconds)
    if let begin { ring = zones.civil(at: Instant(seconds: begin + span.seconds), in: place) }
    var settings = [ConfigEditor.Setting("date", date: ring.date)]
    if let place { settings.append(ConfigEditor.Setting("timezone", text: place)) }
    return (ring.time, settings)
  }

  /// Returns the settings of an alarm that rings at the same time on each day of `rule`.
  func repeated(
    by rule: CalendarRule, after span: CalendarSpan
  ) throws(Import.Failure) -> (CivilTime, [ConfigEditor.Setting]) {
    if seconds != nil { throw unknown }
    let seconds = local.localSeconds + Int64(span.days) * 86_400 + span.seconds
    let ring = CivilDateTime(localSeconds: seconds)
    var settings = try rule.settings(ringing: ring.date, zone)
    if let zone { settings.append(ConfigEditor.Setting("timezone", text: zone)) }
    return (ring.time, settings)
  }
}

/// A rule as iCalendar writes it, such as `FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20271231`.
nonisolated struct CalendarRule {
  private let text: String
  private var parts: [String: String] = [:]
  private let begin: CivilDateTime
  private let days: CalendarItem.Occurrences
  private let today: CivilDate

  init(_ item: CalendarItem, _ now: Instant) throws(Import.Failure) {
    let rules = item.properties.filter { ["RRULE", "RDATE", "EXRULE"].contains($0.name) }
    text = rules.map { "\($0.name):\($0.value)" }.joined(separator: " ")
    guard rules.count == 1, rules[0].name == "RRULE", let days = item.days, days.isEven,
      let begin = (item["DTSTART"]?.value).flatMap(CalendarMoment.init)
    else { throw Self.inexpressible(text) }
    (self.days, self.begin) = (days, begin.local)
    today = Zones().civil(at: now, in: nil).date
    for part in rules[0].value.uppercased().split(separator: ";") {
      let pair = part.split(separator: "=").map(String.init)
      if pair.count == 2 { parts[pair[0]] = pair[1] }
    }
  }

  private static func inexpressible(_ text: String) -> Import.Failure {
    Import.Failure(message: tr("no setting of an alarm can express its rule: \(text)"))
  }

  /// Returns the rule as settings of an alarm whose first ring is on `first`. Throws if Belfry has
  /// no settings with the same days as the rule.
  func settings(
    ringing first: CivilDate, _ zone: String?
  ) throws(Import.Failure) -> [ConfigEditor.Setting] {
    let shift = first.daysSinceEpoch - begin.date.daysSinceEpoch
    let until = last(zone).map { $0.adding(days: shift) }
    if let until, until < today { throw Import.Failure(message: tr("it is over")) }
    let candidates = dates(from: first, shift)
    guard let dates = candidates.first(where: { isSame($0, first, until, shift) }) else {
      throw Self.inexpressible(text)
    }
    var settings: [ConfigEditor.Setting] = []
    func set(_ key: String, _ texts: [String]) {
      settings.append(SettingText.setting(key, texts))
    }
    switch dates {
    case .every(let interval, let days):
      set("every", ["\(interval.count) \(interval.unit.rawValue)"])
      if !days.isEmpty, interval.unit != .weeks || days != Days([interval.start.weekday]) {
        set("days", days.names)
      }
      set("from", [interval.start.description])
    case .days(let days):
      set("days", days.names)
      if first > today { set("from", [first.description]) }
    case .on, .once: break
    }
    if let until { set("until", [until.description]) }
    let except = days.excepted.map { $0.adding(days: shift) }.filter { $0 >= today }.sorted()
    if !except.isEmpty { set("except", except.map(\.description)) }
    return settings
  }

  /// Whether `dates` names exactly the days that libical has computed. Days after the last computed
  /// one are not compared.
  private func isSame(
    _ dates: Recurrence.Dates, _ first: CivilDate, _ until: CivilDate?, _ shift: Int
  ) -> Bool {
    var from = first
    if case .every(let interval, _) = dates { from = interval.start }
    let rule = Recurrence(
      time: .midnight, dates: dates, zone: "UTC", from: from, until: until)
    let zones = Zones()
    let end = days.window.upperBound.adding(days: shift)
    // Compare from the first day that libical has computed, but at the latest from today. Do not
    // compare from `from`: an interval may be counted from a day long before its first ring, and
    // rings before today do not matter.
    let begin = min(days.window.lowerBound.adding(days: shift), today)
    var after = Instant(seconds: Int64(begin.daysSinceEpoch) * 86_400 - 1)
    for day in days.all {
      guard let next = rule.next(after: after, in: zones), next.date == day.adding(days: shift)
      else { return false }
      after = next.due
    }
    let next = rule.next(after: after, in: zones)
    return !days.all.isEmpty && next.map { $0.date > end } ?? true
  }

  /// Returns the last day on which the calendar has the event; nil if the rule has no end. The
  /// alarm's last day is another one if the alarm rings some days before or after the event.
  private func last(_ zone: String?) -> CivilDate? {
    if parts["COUNT"] != nil { return days.last }
    guard let text = parts["UNTIL"], let moment = CalendarMoment(text) else { return nil }
    var until = moment.local
    if moment.isUTC, zone != "UTC" {
      until = Zones().civil(at: Instant(seconds: until.localSeconds), in: zone)
    }
    let isDay = !text.contains("T")
    return isDay || begin.time <= until.time ? until.date : until.date.adding(days: -1)
  }

  /// Returns the rules of Belfry that may have the same days as this calendar rule. `isSame` checks
  /// whether they do.
  private func dates(from first: CivilDate, _ shift: Int) -> [Recurrence.Dates] {
    let known: Set = [
      "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYMONTH", "BYSETPOS",
    ]
    guard Set(parts.keys).isSubset(of: known), let days = weekdays(shift),
      let count = Int(parts["INTERVAL"] ?? "1"), (1...Interval.most).contains(count)
    else { return [] }
    func every(_ unit: Interval.Unit, from start: CivilDate, _ days: Days = Days())
      -> Recurrence.Dates
    { .every(Interval(count, unit, from: start), days) }
    // If a month lacks the day, iCalendar skips that month, but Belfry's rule takes the last day of
    // the month. With steps of a year or more, the ten years that libical computes may not show
    // this difference.
    let isSafe = first.day < 29 || count < 12
    switch parts["FREQ"] {
    case "DAILY" where count == 1:
      return [.days(days.isEmpty ? Days(Set(Weekday.allCases)) : days)]
    case "DAILY": return [every(.days, from: first)]
    case "WEEKLY":
      let days = days.isEmpty ? Days([first.weekday]) : days
      return [count == 1 ? .days(days) : every(.weeks, from: first, days)]
    case "MONTHLY" where !days.isEmpty:
      return [count == 1 ? .days(days) : every(.months, from: first, days)]
    case "MONTHLY" where isSafe:
      let starts = [first] + (parts["BYMONTHDAY"] == "-1" ? [longMonth(before: first, count)] : [])
      return starts.map { every(.months, from: $0) }
    case "YEARLY" where !days.isEmpty: return [every(.years, from: first, days)]
    case "YEARLY" where (first.month, first.day) != (2, 29): return [every(.years, from: first)]
    default: return []
    }
  }

  /// Returns the start of an interval in months that names the last day of each month. That is the
  /// 31st of a month, because a shorter month then takes its last day. Goes back from `date` in
  /// steps of `count` months to the first month with 31 days.
  private func longMonth(before date: CivilDate, _ count: Int) -> CivilDate {
    for step in 0..<12 {
      let month = date.year * 12 + date.month - 1 - step * count
      if let day = CivilDate(year: month / 12, month: month % 12 + 1, day: 31) { return day }
    }
    return date
  }

  /// The rule's weekdays; nil if Belfry's rules cannot express them.
  private func weekdays(_ shift: Int) -> Days? {
    var days = Days()
    let names = (parts["BYDAY"] ?? "").split(separator: ",")
    let codes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    for name in names {
      guard let index = codes.firstIndex(of: String(name.suffix(2))),
        let weekday = Weekday(rawValue: ((index + shift) % 7 + 7) % 7 + 1)
      else { return nil }
      // The first Monday is `1MO`, or `MO` with BYSETPOS=1. Belfry's rules cannot express BYSETPOS
      // with several weekdays.
      let number = name.count > 2 ? String(name.dropLast(2)) : parts["BYSETPOS"]
      guard let number else {
        days.weekdays.insert(weekday)
        continue
      }
      let places: [String: Days.Ordinal.Place] = [
        "1": .first, "2": .second, "3": .third, "4": .fourth, "5": .fifth, "-1": .last,
      ]
      guard shift == 0, name.count > 2 ? parts["BYSETPOS"] == nil : names.count == 1,
        let place = places[number.hasPrefix("+") ? String(number.dropFirst()) : number]
      else { return nil }
      days.ordinals.insert(Days.Ordinal(place, weekday))
    }
    return names.isEmpty && parts["BYSETPOS"] != nil ? nil : days
  }
}
