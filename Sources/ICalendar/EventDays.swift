// SPDX-License-Identifier: GPL-3.0-or-later
//
// Computes when an event or a task begins, by RFC 5545. A part of an event that cannot be read is
// left out and reported. Every step of a rule is counted, so no calendar takes longer than a
// fixed number of steps. Next: `CalendarDays.swift` in Files, for `except`, and
// `CalendarItems.swift` in Files, for imports.

import Language
import Scheduling

public struct EventStart: Sendable {
  /// The local time at which the occurrence begins, in the zone of the event.
  public var local: CivilDateTime
  /// Whether the occurrence takes whole days.
  public var isDay: Bool
  /// The moment in seconds since 1970; nil for whole days, and for a time without a zone.
  public var seconds: Int64?
  /// The length in seconds, at least 1.
  public var length: Int64
  /// Whether the file leaves out this occurrence, for example with `EXDATE`.
  public var isExcepted: Bool
  /// Whether a rule of the file leaves it out (`EXRULE`).
  public var isExceptedByRule = false
}

/// The rules of the calendar take too many steps together.
public struct TooSlow: Error { public init() {} }

extension EventReader {
  private struct Series {
    var start: CivilDateTime
    var isDay: Bool
    var zone: EventZone
    var length: Int64
    var moments: Set<Int64> = []
    var days: Set<CivilDate> = []
    /// The written days of times. They count for a series of whole days.
    var timeDays: Set<CivilDate> = []
    /// The times that an `EXRULE` leaves out.
    var ruled: Set<CivilDateTime> = []
  }

  private struct Shift {
    var from: CivilDateTime
    var by: Int64
    var length: Int64
    /// Whether the series is cancelled from here on.
    var isEnd: Bool
  }

  /// Calls `body` with the starts of `item`, in no particular order. Occurrences before `first` or
  /// after `last` may be left out. Does nothing for an item without a readable start. Throws if the
  /// rules of the calendar take too many steps.
  public mutating func forEachStart(
    of item: Item, from first: CivilDate, until last: CivilDate, _ body: (EventStart) -> Void
  ) throws(TooSlow) {
    steps.ofEvent = Steps.mostOfEvent
    guard var series = series(of: item) else { return }
    var (shifted, ruled, isEmpty) = ([Shift](), [CivilDateTime](), false)
    if !item.isOverride {
      for rule in item.component.all("RRULE") {
        let times = try times(of: rule, item, series, first, last)
        if let times { ruled += times } else { isEmpty = true }
      }
      // A rule that leaves out times need not go on after the last one.
      let end = ruled.map(\.date).max() ?? last
      try readExceptions(item, &series, first, max(end, series.start.date))
      shifted = readShifts(item, series)
    }
    func pass(_ given: CivilDateTime, length: Int64? = nil) {
      var (local, length) = (given, length ?? series.length)
      var start = EventStart(
        local: local, isDay: series.isDay, seconds: nil, length: length, isExcepted: false)
      let seconds = zones.seconds(local, in: series.zone, &steps)
      start.isExcepted =
        series.days.contains(local.date) || series.isDay && series.timeDays.contains(local.date)
        || !series.isDay && series.moments.contains(seconds)
      if series.ruled.contains(local) {
        (start.isExcepted, start.isExceptedByRule) = (true, true)
      }
      if !start.isExcepted, let shift = shifted.last(where: { !(local < $0.from) }) {
        local = CivilDateTime(localSeconds: local.localSeconds + shift.by)
        length = shift.length
        start.isExcepted = shift.isEnd
      }
      (start.local, start.length) = (local, length)
      switch series.zone {
      case .floating, .unknown: break
      case .named, .own: start.seconds = zones.seconds(local, in: series.zone, &steps)
      }
      body(start)
    }
    for time in ruled { pass(time) }
    if !isEmpty { pass(series.start) }
    let dates = item.isOverride ? [] : item.component.all("RDATE")
    for date in dates.flatMap({ added(by: $0, item, series) }) {
      pass(date.local, length: date.length)
    }
    if steps.ofCalendar <= 0 { throw TooSlow() }
  }

  private mutating func series(of item: Item) -> Series? {
    let component = item.component
    guard let property = component["DTSTART"] ?? (item.isTask ? component["DUE"] : nil) else {
      report(item, Message("it has no start"))
      return nil
    }
    guard let start = EventTime(property.value) else {
      report(item, Message("its start cannot be read: \(property.value)"), at: property.line)
      return nil
    }
    let zone = zone(of: property, start, item)
    if case .unknown(let name) = zone {
      report(
        item, Message("its time zone is unknown: \(name); its days are those that are written"),
        at: property.line, isOfZone: true)
    }
    let length = length(of: item, start, zone)
    return Series(
      start: start.local, isDay: start.time == nil, zone: zone, length: length)
  }

  /// Returns the length of an event in seconds, at least 1. An event without an end, or with an end
  /// before its beginning, counts as a moment or a day. At most ten years.
  private mutating func length(of item: Item, _ start: EventTime, _ zone: EventZone) -> Int64 {
    var length: Int64 = 0
    let end = item.component["DTEND"] ?? (item.isTask ? item.component["DUE"] : nil)
    if let property = end {
      if let end = EventTime(property.value) {
        let endZone = self.zone(of: property, end, item)
        if end.time == nil || start.time == nil || endZone == .floating || zone == .floating {
          length = end.local.localSeconds - start.local.localSeconds
        } else {
          length =
            zones.seconds(end.local, in: endZone, &steps)
            - zones.seconds(start.local, in: zone, &steps)
        }
      } else {
        report(item, Message("its end cannot be read: \(property.value)"), at: property.line)
      }
    } else if let property = item.component["DURATION"] {
      if let span = EventSpan(property.value) {
        length = span.total
      } else {
        report(item, Message("its duration cannot be read: \(property.value)"), at: property.line)
      }
    }
    return min(3660 * 86_400, max(1, length))
  }

  /// Returns the times of an `RRULE` or `EXRULE`; nil if it ends before it starts, and therefore
  /// has no days. A rule that cannot be read is reported, and has no times.
  private mutating func times(
    of rule: CalendarProperty, _ item: Item, _ series: Series, _ first: CivilDate,
    _ last: CivilDate
  ) throws(TooSlow) -> [CivilDateTime]? {
    let parsed: EventRule
    do throws(EventRule.Failure) {
      parsed = try EventRule(rule.value, startingAt: series.start)
    } catch {
      switch error {
      case .unreadable:
        report(
          item, Message("its rule cannot be read: \(rule.value)"), at: rule.line, isOfRule: true)
      case .tooOften:
        report(
          item, Message("it repeats more than once a day, which is not followed: \(rule.value)"),
          at: rule.line, isOfRule: true)
      }
      return []
    }
    if let until = parsed.until, isAfter(series.start, until, series) { return nil }
    var (zones, used, times) = (zones, steps, [CivilDateTime]())
    let isWhole = parsed.forEach(from: series.start, first: first, last: last, &steps) { local in
      if let until = parsed.until, Self.isAfter(local, until, series, &zones, &used) {
        return false
      }
      times.append(local)
      return true
    }
    self.zones = zones
    if steps.ofCalendar <= 0 { throw TooSlow() }
    if !isWhole {
      report(
        item, Message("its rule takes too long to follow: \(rule.value)"), at: rule.line,
        isOfRule: true)
    }
    return times
  }

  private mutating func isAfter(
    _ local: CivilDateTime, _ until: EventTime, _ series: Series
  ) -> Bool {
    Self.isAfter(local, until, series, &zones, &steps)
  }

  /// Whether `local` is after the end of its rule. If either of them is a date, days are compared.
  private static func isAfter(
    _ local: CivilDateTime, _ until: EventTime, _ series: Series,
    _ zones: inout CalendarZones<Rules>, _ steps: inout Steps
  ) -> Bool {
    if series.isDay || until.time == nil { return local.date > until.date }
    if !until.isUTC || series.zone == .floating { return until.local < local }
    return zones.seconds(local, in: series.zone, &steps) > until.local.localSeconds
  }

  /// Reading an exception takes about as long as this many steps of a rule.
  private static var costOfException: Int { 8 }

  private mutating func readExceptions(
    _ item: Item, _ series: inout Series, _ first: CivilDate, _ last: CivilDate
  ) throws(TooSlow) {
    let component = item.component
    for property in component.all("EXDATE") + (item.uid.isEmpty ? [] : replaced[item.uid] ?? []) {
      for text in property.value.split(separator: ",") {
        guard steps.use(Self.costOfException) else { return }
        guard let time = EventTime(text) else {
          let what = property.name == "EXDATE" ? "EXDATE" : "RECURRENCE-ID"
          report(item, Message("its \(what) cannot be read: \(String(text))"), at: property.line)
          continue
        }
        guard time.time != nil else {
          series.days.insert(time.date)
          continue
        }
        series.timeDays.insert(time.date)
        var zone = self.zone(of: property, time, item)
        if zone == .floating { zone = series.zone }
        if case .unknown = zone { zone = series.zone }
        series.moments.insert(zones.seconds(time.local, in: zone, &steps))
      }
    }
    for rule in component.all("EXRULE") {
      series.ruled.formUnion(try times(of: rule, item, series, first, last) ?? [])
    }
  }

  private mutating func readShifts(
    _ item: Item, _ series: Series
  ) -> [Shift] {
    var shifts: [Shift] = []
    for change in self.shifts[item.uid] ?? [] where !item.uid.isEmpty {
      guard steps.use(Self.costOfException) else { break }
      guard let original = change.original, let moved = self.series(of: change) else { continue }
      shifts.append(
        Shift(
          from: original.local, by: moved.start.localSeconds - original.local.localSeconds,
          length: moved.length, isEnd: change.isCancelled))
    }
    return shifts.sorted { $0.from < $1.from }
  }

  /// Returns the times that `RDATE` adds. A period has a length of its own.
  private mutating func added(
    by property: CalendarProperty, _ item: Item, _ series: Series
  ) -> [(local: CivilDateTime, length: Int64?)] {
    var found: [(local: CivilDateTime, length: Int64?)] = []
    for text in property.value.split(separator: ",") {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let time = EventTime(parts[0]) else {
        report(item, Message("its RDATE cannot be read: \(String(text))"), at: property.line)
        continue
      }
      var local = time.local
      if series.isDay {
        local = CivilDateTime(time.date, .midnight)
      } else if time.time == nil {
        local = CivilDateTime(time.date, series.start.time)
      } else {
        let zone = self.zone(of: property, time, item)
        if zone != .floating, zone != series.zone {
          let seconds = zones.seconds(local, in: zone, &steps)
          local = zones.local(seconds, in: series.zone) ?? local
        }
      }
      var length: Int64?
      if parts.count == 2 {
        if let span = EventSpan(String(parts[1])) { length = max(1, span.total) }
        if let end = EventTime(parts[1]) {
          length = max(1, end.local.localSeconds - time.local.localSeconds)
        }
      }
      found.append((local, length.map { min($0, 3660 * 86_400) }))
      if !steps.use() { break }
    }
    return found
  }
}
