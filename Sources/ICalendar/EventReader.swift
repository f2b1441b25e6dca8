// SPDX-License-Identifier: GPL-3.0-or-later
//
// The events and tasks of calendars that count: of several revisions the newest one, without those
// that a later message cancelled. Collects the problems with reading them. Next: `EventDays.swift`,
// which computes when they begin.

import Language
import Scheduling

/// Something in a calendar that could not be read, or is not taken over.
public struct EventProblem: Hashable, Sendable {
  public var line: Int
  /// The title of the event; its UID if it has no title.
  public var title: String
  public var message: Message
  /// Whether the problem is the event's rule, so that some or all of its days are unknown.
  public var isOfRule = false
  /// Whether the time zone is unknown.
  public var isOfZone = false
}

public struct EventReader<Rules: ZoneRules> {
  public struct Item {
    public var component: CalendarComponent
    public var isCancelled: Bool
    var calendar: Int
    var uid: String
    var sequence: Int
    var original: EventTime?
    /// Whether this item replaces one occurrence of a repeating item.
    public var isOverride: Bool

    public var isTask: Bool { component.kind == "VTODO" }
  }

  /// The events and tasks that count: of several revisions, only the newest one.
  public private(set) var items: [Item] = []
  /// The problems found so far, each once.
  public private(set) var problems: [EventProblem] = []
  private var known: Set<EventProblem> = []
  var zones: CalendarZones<Rules>
  var steps = Steps()
  /// The times of replaced occurrences, by UID.
  var replaced: [String: [CalendarProperty]] = [:]
  /// The changes of an occurrence and all later ones (`RANGE=THISANDFUTURE`), by UID.
  var shifts: [String: [Item]] = [:]

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
    for item in items {
      guard let sequence = item.component["SEQUENCE"], Int(sequence.value) == nil else { continue }
      report(item, Message("its SEQUENCE cannot be read: \(sequence.value)"), at: sequence.line)
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

  mutating func report(
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

  mutating func zone(
    of property: CalendarProperty, _ time: EventTime, _ item: Item
  ) -> EventZone {
    if time.isUTC { return .named("UTC") }
    if time.time == nil { return .floating }
    return zones.zone(property.parameters["TZID"], in: item.calendar)
  }
}
