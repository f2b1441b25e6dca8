// SPDX-License-Identifier: GPL-3.0-or-later
//
// Computes when the events and tasks of calendars begin, by RFC 5545. A part of an event that
// cannot be read costs that part, and is reported. Every step of a rule is counted, so no calendar
// takes longer than a fixed number of steps. Next: `CalendarDays.swift` in Files, for `except`, and
// `CalendarItems.swift` in Files, for imports.

import Language
import Scheduling

/// Something in a calendar that could not be read, or is not taken over.
public struct EventProblem: Hashable, Sendable {
  public var line: Int
  /// The title of the event; its UID if it has no title.
  public var title: String
  public var message: Message
  /// Whether the days of the rule are unknown or incomplete.
  public var isOfRule = false
  /// Whether the time zone is unknown.
  public var isOfZone = false
}

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
}

/// The rules of the calendar take too many steps together.
public struct TooSlow: Error { public init() {} }

public struct EventReader<Rules: ZoneRules> {
  public struct Item {
    public var component: CalendarComponent
    public var isCancelled: Bool
    fileprivate var calendar: Int
    fileprivate var uid: String
    fileprivate var sequence: Int
    fileprivate var original: EventTime?
    /// Whether this item replaces one occurrence of a repeating item.
    public var isOverride: Bool

    public var isTask: Bool { component.kind == "VTODO" }
  }

  /// The events and tasks that count: of several revisions, only the newest one.
  public private(set) var items: [Item] = []
  /// The problems found so far, each once.
  public private(set) var problems: [EventProblem] = []
  private var known: Set<EventProblem> = []
  private var zones: CalendarZones<Rules>
  private var steps = Steps()
  /// The times of replaced occurrences, by UID.
  private var replaced: [String: [CalendarProperty]] = [:]
  /// The changes of an occurrence and all later ones (`RANGE=THISANDFUTURE`), by UID.
  private var shifts: [String: [Item]] = [:]

  public init(_ calendars: [CalendarComponent], _ rules: Rules) {
    zones = CalendarZones(rules)
    for (number, calendar) in calendars.enumerated() {
      zones.add(calendar)
      let isCancelling = calendar["METHOD"]?.value.uppercased() == "CANCEL"
      for part in calendar.parts where part.kind == "VEVENT" || part.kind == "VTODO" {
        let status = part["STATUS"]?.value.uppercased()
        items.append(
          Item(
            component: part, isCancelled: isCancelling || status == "CANCELLED", calendar: number,
            uid: part["UID"]?.value ?? "",
            sequence: part["SEQUENCE"].flatMap { Int($0.value) } ?? 0,
            original: part["RECURRENCE-ID"].flatMap { EventTime($0.value) },
            isOverride: part["RECURRENCE-ID"] != nil))
      }
    }
    let cancelled = items.indices.filter {
      calendars[items[$0].calendar]["METHOD"]?.value.uppercased() == "CANCEL"
    }
    keepNewest(cancelling: Set(cancelled.map { key(items[$0]) }))
    for item in items where item.isOverride && !item.uid.isEmpty {
      guard let id = item.component["RECURRENCE-ID"] else { continue }
      replaced[item.uid, default: []].append(id)
      if id.parameters["RANGE"]?.uppercased() == "THISANDFUTURE" {
        shifts[item.uid, default: []].append(item)
      }
    }
  }

  private struct Key: Hashable {
    var uid: String
    var original: EventTime?
  }
  private func key(_ item: Item) -> Key { Key(uid: item.uid, original: item.original) }

  /// Drops old revisions. Of several items with one UID, those with the highest SEQUENCE count. A
  /// message that cancels takes away every item that is not newer.
  private mutating func keepNewest(cancelling: Set<Key>) {
    var newest: [Key: Int] = [:]
    for item in items where !item.uid.isEmpty {
      newest[key(item)] = max(newest[key(item)] ?? item.sequence, item.sequence)
    }
    var cancelled: [Key: Int] = [:]
    for item in items where item.isCancelled && cancelling.contains(key(item)) {
      cancelled[key(item)] = max(cancelled[key(item)] ?? item.sequence, item.sequence)
    }
    items = items.filter { $0.uid.isEmpty || $0.sequence == newest[key($0)] }
    for index in items.indices where !items[index].uid.isEmpty {
      if let sequence = cancelled[key(items[index])], items[index].sequence <= sequence {
        items[index].isCancelled = true
      }
      // If the series is cancelled, so are the occurrences that were moved.
      if let sequence = cancelled[Key(uid: items[index].uid, original: nil)],
        items[index].sequence <= sequence
      {
        items[index].isCancelled = true
      }
    }
  }

  private mutating func report(
    _ item: Item, _ message: Message, at line: Int? = nil, isOfRule: Bool = false,
    isOfZone: Bool = false
  ) {
    let title = item.component["SUMMARY"]?.value ?? item.uid
    let problem = EventProblem(
      line: line ?? item.component.line, title: title, message: message, isOfRule: isOfRule,
      isOfZone: isOfZone)
    if problems.count < 1000, known.insert(problem).inserted { problems.append(problem) }
  }

  public mutating func seconds(of property: CalendarProperty, _ item: Item) -> Int64? {
    guard let time = EventTime(property.value) else { return nil }
    let zone = zone(of: property, time, item)
    if case .unknown = zone { return nil }
    return zones.seconds(time.local, in: zone, &steps)
  }

  /// Returns the name of the tz database for the zone of a time; nil if there is none.
  public mutating func zoneName(
    of property: CalendarProperty, _ item: Item, preferring first: String, from year: Int
  ) -> String? {
    guard let text = property.parameters["TZID"], let time = EventTime(property.value) else {
      return nil
    }
    let zone = zone(of: property, time, item)
    return zones.name(of: zone, named: text, first: first, from: year, &steps)
  }

  private mutating func zone(
    of property: CalendarProperty, _ time: EventTime, _ item: Item
  ) -> EventZone {
    if time.isUTC { return .named("UTC") }
    if time.time == nil { return .floating }
    return zones.zone(property.parameters["TZID"], in: item.calendar)
  }
}

// MARK: - Occurrences

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
    var shifted: [Shift] = []
    if !item.isOverride {
      readExceptions(item, &series)
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
    let rules = item.isOverride ? [] : item.component.all("RRULE")
    var isEmpty = false
    for rule in rules {
      guard let times = try times(of: rule, item, series, first, last) else {
        isEmpty = true
        continue
      }
      for time in times { pass(time) }
    }
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

  /// Returns the times of a rule; nil if it ends before it starts, and therefore has no days. A
  /// rule that cannot be read is reported, and has no times.
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

  private mutating func readExceptions(_ item: Item, _ series: inout Series) {
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
      guard let parsed = try? EventRule(rule.value, startingAt: series.start) else {
        report(item, Message("its EXRULE cannot be read: \(rule.value)"), at: rule.line)
        continue
      }
      var found: [CivilDateTime] = []
      let (isDay, until) = (series.isDay, parsed.until)
      let horizon = CivilDate(daysSinceEpoch: series.start.date.daysSinceEpoch + 40_000)
      _ = parsed.forEach(from: series.start, first: series.start.date, last: horizon, &steps) {
        local in
        if let until, isDay || until.time == nil ? local.date > until.date : until.local < local {
          return false
        }
        found.append(local)
        return found.count < 100_000
      }
      for local in found {
        if isDay {
          series.days.insert(local.date)
        } else {
          series.moments.insert(zones.seconds(local, in: series.zone, &steps))
        }
      }
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
