// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the events and tasks of a calendar and their alarms, as values for an import. Each time is
// given twice: as the file has it, and as the days that its rule gives. This lets an import check
// that its own rule gives the same days. Next: `CalendarAlarms.swift` in Import.

import ICalendar
import Language
import Scheduling
import System

public struct CalendarItem: Sendable {
  public struct Property: Sendable {
    public var name: String
    /// The value as it is in the file, with its backslash escapes.
    public var value: String
    /// The name of the time zone, if the value is a time.
    public var zone: String?
    /// For a property that triggers an alarm: `START` or `END`. The time of the alarm is counted
    /// from the start or the end of the item.
    public var related: String?
    /// The time in seconds since 1970, if the file itself defines its time zone.
    public var seconds: Int64?
  }

  public var isTask: Bool
  public var properties: [Property]
  public var alarms: [[Property]] = []
  /// The days of the item in the ten years from today, or from the item's first day if that is
  /// later; for a yearly rule, in forty years. Nil if the days cannot be computed, or if the item
  /// has no alarm.
  public var days: Occurrences?
  /// The problems with reading the item. Empty if the item has no alarm.
  public var problems: [Message] = []
  /// Why the days of the rule are unknown; nil if they are known.
  public var ruleProblem: Message?

  public struct Occurrences: Sendable {
    public var window: ClosedRange<CivilDate>
    /// All days in order, including the days that the file excludes.
    public var all: [CivilDate] = []
    public var excepted: Set<CivilDate> = []
    /// The days that a rule of the file excludes (`EXRULE`).
    public var exceptedByRule: Set<CivilDate> = []
    /// Whether the item begins at the same time of day on all days.
    public var isEven = true
    /// The last of the computed days, if the rule has an end. If the rule ends after a number of
    /// occurrences (`COUNT`), all days are computed, even those outside `window`.
    public var last: CivilDate?
  }

  public struct Failure: Error, Sendable {
    public var message: Message
    public var hint: Message?
  }

  /// Reads the calendar at `path`. This may take seconds.
  public static func read(
    _ path: String, at now: Instant, on disk: Disk
  ) throws(Failure) -> (items: [CalendarItem], remarks: [Message]) {
    do throws(CalendarReading.Failure) {
      var reading = try CalendarReading(path, Zones(), Patience(), on: disk)
      var items: [CalendarItem] = []
      for item in reading.reader.items {
        do throws(TooSlow) { items.append(try CalendarItem(item, &reading.reader, at: now)) } catch
        {
          throw .tooSlow
        }
      }
      return (items, reading.remarks)
    } catch {
      var hint = error.fix
      if case .text(.notWhole) = error { hint = Message("export it again as iCalendar") }
      throw Failure(message: error.words(path), hint: hint)
    }
  }

  private init(
    _ item: EventReader<Zones>.Item, _ reader: inout EventReader<Zones>, at now: Instant
  ) throws(TooSlow) {
    isTask = item.isTask
    let year = CivilDate(daysSinceEpoch: Int(now.microseconds / 86_400_000_000)).year
    func read(_ component: CalendarComponent) -> [Property] {
      component.properties.compactMap { Self.property($0, item, &reader, year) }
    }
    properties = read(item.component)
    if item.isCancelled {
      properties.removeAll { $0.name == "STATUS" }
      properties.append(Property(name: "STATUS", value: "CANCELLED"))
    }
    // Some programs copy the rule into the event that replaces one occurrence.
    if item.isOverride {
      properties.removeAll { ["RRULE", "RDATE", "EXDATE", "EXRULE"].contains($0.name) }
    }
    alarms = item.component.parts.filter { $0.kind == "VALARM" }.map(read)
    // The days are needed only if the item has an alarm.
    if alarms.isEmpty { return }
    let before = reader.problems.count
    days = try Self.days(of: item, properties, &reader, now)
    let found = reader.problems.dropFirst(before)
    ruleProblem = found.first(where: \.isOfRule)?.message
    // An item in an unknown zone is not imported at all, and the import says so.
    problems = found.filter { !$0.isOfRule && !$0.isOfZone }.map(\.message)
  }

  private static func property(
    _ property: CalendarProperty, _ item: EventReader<Zones>.Item,
    _ reader: inout EventReader<Zones>, _ year: Int
  ) -> Property? {
    if property.value.isEmpty { return nil }
    var result = Property(name: property.name, value: property.value)
    guard ["DTSTART", "DTEND", "DUE", "TRIGGER"].contains(result.name) else { return result }
    result.related = property.parameters["RELATED"]
    result.zone = property.parameters["TZID"]
    if result.zone != nil {
      let machine = Zones.machineZone
      let name = reader.zoneName(of: property, item, preferring: machine, from: year)
      if let name {
        result.zone = name
      } else {
        result.seconds = reader.seconds(of: property, item)
      }
    }
    return result
  }

  /// The last day up to which the days of a rule with a count are computed.
  private static let farthest = CivilDate(daysSinceEpoch: 1_000_000)

  private static func days(
    of item: EventReader<Zones>.Item, _ properties: [Property],
    _ reader: inout EventReader<Zones>, _ now: Instant
  ) throws(TooSlow) -> Occurrences? {
    guard let start = item.component["DTSTART"] ?? item.component["DUE"],
      let begin = EventTime(start.value)
    else { return nil }
    // Begin a day early, because in some time zones the date is still that of yesterday.
    let today = CivilDate(daysSinceEpoch: Int(now.microseconds / 86_400_000_000) - 1)
    let first = max(today, begin.date)
    let rule = properties.first { $0.name == "RRULE" }?.value.uppercased() ?? ""
    // A rule such as "every four years" has only three days in ten years. Too many other rules
    // have the same three days.
    let years = rule.includes("FREQ=YEARLY") ? 40 : 10
    var days = Occurrences(window: first...first.adding(days: years * 365 + 3))
    func value(_ name: String) -> Substring? {
      rule.split { " ;".contains($0) }.first { $0.hasPrefix(name) }?.dropFirst(name.count)
    }
    // An empty part of a rule, or a count that is no count, means that the part is absent.
    let isCounted = value("COUNT=").flatMap { Int($0) } ?? 0 > 0
    let hasEnd = isCounted || value("UNTIL=")?.isEmpty == false
    var all: Set<CivilDate> = []
    let end = isCounted ? farthest : days.window.upperBound
    try reader.forEachStart(of: item, from: hasEnd ? begin.date : first, until: end) { next in
      if next.local.time != begin.time ?? .midnight { days.isEven = false }
      let date = next.local.date
      if hasEnd { days.last = max(days.last ?? date, date) }
      guard days.window.contains(date) else { return }
      all.insert(date)
      if next.isExcepted { days.excepted.insert(date) }
      if next.isExceptedByRule { days.exceptedByRule.insert(date) }
    }
    days.all = all.sorted()
    return days
  }
}
