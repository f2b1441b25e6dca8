// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the time and the repetition rule of an event in a calendar to settings of an alarm.
// ICalendar computes the days of the rule, and the import looks for a rule of Belfry with exactly
// the same days. Next: `RingDays.swift` in Scheduling, which defines the days of Belfry's rules.

import Configuration
import Files
import ICalendar
import Language
import Scheduling
import System
import TOML

extension EventSpan {
  /// Reads a span. Returns nil if the text is not a span, or if the span is longer than a year.
  init?(ofOneYear text: String) {
    guard let span = EventSpan(text), (-366...366).contains(span.days),
      (-366 * 86_400...366 * 86_400).contains(span.seconds)
    else { return nil }
    self = span
  }
}

struct CalendarRing {
  private let local: CivilDateTime
  /// The name of the alarm's time zone; nil for the time zone of the machine.
  private var zone: String?
  /// The moment in seconds since 1970, if its time zone is defined in the calendar file and unknown
  /// to the machine; otherwise nil.
  private var seconds: Int64?
  private let fileZone: String

  /// Makes a ring at `moment`; if that is a day, at the midnight at which the day begins. `zone` is
  /// the name of its time zone in the calendar file, or the zone of the tz database that the file's
  /// zone stands for. Some programs put a path before the name, so only its last parts are looked
  /// up.
  init(_ moment: EventTime, _ zone: String?, _ seconds: Int64?) throws(Import.Failure) {
    local = moment.local
    fileZone = zone ?? ""
    if moment.isUTC {
      self.zone = "UTC"
    } else if let zone {
      let parts = OutsideText.names(in: zone)
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
    after span: EventSpan
  ) throws(Import.Failure) -> (CivilTime, [ConfigEditor.Setting]) {
    let zones = Zones()
    let day = CivilDateTime(local.date.adding(days: span.days), local.time)
    var (begin, place) = (seconds.map { $0 + Int64(span.days) * 86_400 }, zone)
    if begin == nil, let zone { begin = zones.resolve(day, in: zone)?.instant.seconds }
    // If the moment is in UTC, or in a zone that only the calendar file defines, the setting has
    // the machine's zone, because no one reads times in UTC.
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
    by rule: CalendarRule, after span: EventSpan
  ) throws(Import.Failure) -> (CivilTime, [ConfigEditor.Setting]) {
    if seconds != nil { throw unknown }
    let seconds = local.localSeconds + Int64(span.days) * 86_400 + span.seconds
    let ring = CivilDateTime(localSeconds: seconds)
    var settings = try rule.settings(ringing: ring.date)
    if let zone { settings.append(ConfigEditor.Setting("timezone", text: zone)) }
    return (ring.time, settings)
  }
}

/// The repetition rule of an event, such as `RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR`. The text of
/// the rule is not parsed. ICalendar computes the days of the rule, and Belfry looks for a rule of
/// its own with the same days.
struct CalendarRule {
  private let text: String
  private let begin: CivilDate
  private let days: CalendarItem.Occurrences
  private let today: CivilDate

  init(_ item: CalendarItem, _ now: Instant) throws(Import.Failure) {
    let rules = item.properties.filter { ["RRULE", "RDATE", "EXRULE"].contains($0.name) }
    text = rules.map { "\($0.name):\($0.value)" }.joined(separator: " ")
    if let problem = item.ruleProblem, problem.key.hasPrefix("its rule") {
      throw Import.Failure(message: tr(problem))
    }
    guard item.ruleProblem == nil, let days = item.days, days.isEven,
      let begin = (item["DTSTART"]?.value).flatMap({ EventTime($0) })
    else { throw Self.inexpressible(text) }
    (self.days, self.begin) = (days, begin.local.date)
    today = Zones().civil(at: now, in: nil).date
  }

  private static func inexpressible(_ text: String) -> Import.Failure {
    Import.Failure(message: tr("no setting of an alarm can express its rule: \(text)"))
  }

  /// Returns the rule as settings of an alarm whose first ring is on `first`. Throws if Belfry has
  /// no settings with the same days as the rule.
  func settings(ringing first: CivilDate) throws(Import.Failure) -> [ConfigEditor.Setting] {
    let shift = first.daysSinceEpoch - begin.daysSinceEpoch
    let until = last.map { $0.adding(days: shift) }
    if let until, until < today { throw Import.Failure(message: tr("it is over")) }
    let end = days.window.upperBound.adding(days: shift)
    // Days that EXRULE excludes are left out by a rule of Belfry without them, or by a list of
    // exceptions. The list needs an end.
    let ruled = days.exceptedByRule
    var (all, listed) = (days.all.filter { !ruled.contains($0) }, days.excepted.subtracting(ruled))
    func find() -> Recurrence.Dates? {
      all = all.map { $0.adding(days: shift) }
      return Self.candidates(all, first).first {
        isSame($0, as: all, from: first, until: until, end: end)
      }
    }
    var found = find()
    if found == nil, !ruled.isEmpty, until != nil {
      (all, listed) = (days.all, days.excepted)
      found = find()
    }
    // If the rule has no end, two days are not enough to find out what the rule is.
    guard let dates = found, until != nil || all.count > 2 else { throw Self.inexpressible(text) }
    var settings: [ConfigEditor.Setting] = []
    func set(_ key: String, _ texts: [String]) {
      settings.append(SettingText.setting(key, texts))
    }
    // A rule with one ring left is an alarm with a date.
    if case .on(let date) = dates { return [ConfigEditor.Setting("date", date: date)] }
    switch dates {
    case .every(let interval, let days):
      let text = interval.count == 1 ? String(interval.text.dropLast()) : interval.text
      set("every", [text])
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
    let except = listed.map { $0.adding(days: shift) }.filter { $0 >= today }.sorted()
    if !except.isEmpty { set("except", except.map(\.description)) }
    return settings
  }

  /// The last day on which the event takes place. Nil if the rule has no end, or ends after the
  /// days that are computed.
  private var last: CivilDate? {
    let until = text.split { " ;:".contains($0) }.first { $0.hasPrefix("UNTIL=") }
      .flatMap { EventTime(String($0.dropFirst(6))) }
    return until.map { $0.local.date > days.window.upperBound } == true ? nil : days.last
  }

  /// Returns whether the rule of Belfry with `dates` has exactly the days `all`, which are computed
  /// up to `end`.
  private func isSame(
    _ dates: Recurrence.Dates, as all: [CivilDate], from first: CivilDate, until: CivilDate?,
    end: CivilDate
  ) -> Bool {
    var from = first
    if case .every(let interval, _) = dates { from = interval.start }
    let rule = Recurrence(
      time: .midnight, dates: dates, zone: "UTC", from: from, until: until)
    let zones = Zones()
    // Compare from the first computed day, but at the latest from today. Do not
    // compare from `from`: the weeks or months of a rule may be counted from a day long before its
    // first ring, and rings before today do not matter.
    let shift = first.daysSinceEpoch - begin.daysSinceEpoch
    let begin = min(days.window.lowerBound.adding(days: shift), today)
    var after = Instant(seconds: Int64(begin.daysSinceEpoch) * 86_400 - 1)
    for day in all {
      guard let next = rule.next(after: after, in: zones), next.date == day else { return false }
      after = next.due
    }
    let next = rule.next(after: after, in: zones)
    return !all.isEmpty && next.map { $0.date > end } ?? true
  }

  /// Returns rules of Belfry that might give exactly the days `all`. `isSame` then checks each of
  /// these rules.
  private static func candidates(_ all: [CivilDate], _ first: CivilDate) -> [Recurrence.Dates] {
    /// Returns the smallest step between two of the days. `number` gives the number of the day,
    /// week or month to which a date belongs. The result is nil if there is no step, or if it is
    /// too large for a rule of Belfry.
    func step(_ number: (CivilDate) -> Int) -> Int? {
      let numbers = Set(all.map(number)).sorted()
      let steps = zip(numbers.dropFirst(), numbers).map { $0 - $1 }
      return steps.min().flatMap { (1...Interval.most).contains($0) ? $0 : nil }
    }
    let weekdays = Days(Set(all.map(\.weekday)))
    if all.count == 1 { return [.on(all[0])] }
    var dates: [Recurrence.Dates] = [.days(weekdays)]
    if let months = step({ $0.year * 12 + $0.month }) {
      func every(from start: CivilDate, _ days: Days = Days()) -> Recurrence.Dates {
        months % 12 == 0
          ? .every(Interval(months / 12, .years, from: start), days)
          : .every(Interval(months, .months, from: start), days)
      }
      // If a month lacks the day, such as the 30th, iCalendar skips that month, but Belfry's rule
      // takes the last day of the month. With steps of a year or more, the computed days
      // may not show this difference. Every month but February has the same length each year, and
      // February has 29 days every fourth year.
      let isSafe =
        months % 12 == 0 && (first.month != 2 || first.day != 29 || months % 48 == 0)
      if first.day < 29 || months < 12 || isSafe {
        dates += [every(from: first), every(from: longMonth(before: first, months))]
      }
      let places = [
        all.map { Days.Ordinal.Place(rawValue: ($0.day + 6) / 7) ?? .last }, all.map { _ in .last },
      ]
      let ordinals = places.map { places in
        Days([], Set(zip(places, all).map { Days.Ordinal($0, $1.weekday) }))
      }
      let monthDays: [Set<Days.MonthDay>] = [
        Set(all.map { .day($0.day) }),
        Set(all.map { $0.adding(days: 1).day == 1 ? .last : .day($0.day) }), [.lastWeekday],
      ]
      for days in ordinals + monthDays.map({ Days([], [], $0) }) {
        dates.append(months == 1 ? .days(days) : every(from: first, days))
      }
    }
    // Weeks begin on Monday. Adding 3 makes 1970-01-01, a Thursday, the fourth day of its week.
    if let weeks = step({ ($0.daysSinceEpoch + 3) / 7 }), weeks > 1 {
      dates.append(.every(Interval(weeks, .weeks, from: first), weekdays))
    }
    if let days = step(\.daysSinceEpoch) {
      dates.append(.every(Interval(days, .days, from: first), Days()))
    }
    return dates
  }

  /// Returns a start date for a rule that rings on the last day of every `count`th month. The date
  /// must be the 31st of a month: such a rule rings on the last day of each shorter month. Goes
  /// back from `date` in steps of `count` months to the first month with 31 days.
  private static func longMonth(before date: CivilDate, _ count: Int) -> CivilDate {
    for step in 0..<12 {
      let month = date.year * 12 + date.month - 1 - step * count
      if let day = CivilDate(year: month / 12, month: month % 12 + 1, day: 31) { return day }
    }
    return date
  }
}
