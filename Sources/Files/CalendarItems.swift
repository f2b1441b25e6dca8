// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the events and tasks of an iCalendar file and their alarms, as values for an import. Each
// time is given twice: as the file has it, and as the days that libical computes. This lets an
// import check that its own rule gives the same days. Next: `CalendarAlarms.swift` in Import.

import CIcal
import Configuration
import Language
import Scheduling
import System

public nonisolated struct CalendarItem: Sendable {
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
  /// later. Nil if the days cannot be computed, or if the item has no alarm.
  public var days: Occurrences?

  public struct Occurrences: Sendable {
    public var window: ClosedRange<CivilDate>
    /// All days in order, including the days that the file excludes.
    public var all: [CivilDate] = []
    public var excepted: Set<CivilDate> = []
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
  @Blocking public static func read(_ path: String, at now: Instant) throws(Failure)
    -> [CalendarItem]
  {
    do throws(CalendarText.Failure) {
      return try CalendarText.read(path, Patience()) { text throws(CalendarText.Failure) in
        var items: [CalendarItem] = []
        for kind in [ICAL_VEVENT_COMPONENT, ICAL_VTODO_COMPONENT] {
          for item in text.all(kind) {
            items.append(try CalendarItem(item, kind == ICAL_VTODO_COMPONENT, of: &text, at: now))
          }
        }
        return items
      }
    } catch {
      var hint = error.fix
      if case .notWhole = error { hint = Message("export it again as iCalendar") }
      throw Failure(message: error.words(path), hint: hint)
    }
  }

  private init(
    _ item: OpaquePointer, _ isTask: Bool, of text: inout CalendarText, at now: Instant
  ) throws(CalendarText.Failure) {
    self.isTask = isTask
    properties = Self.properties(of: item)
    alarms = CalendarText.components(of: item, ICAL_VALARM_COMPONENT).map(Self.properties)
    // The days are needed only if the item has an alarm.
    if alarms.isEmpty { return }
    do throws(CalendarText.Failure) { days = try Self.days(of: item, properties, &text, now) } catch
    {
      guard case .event = error else { throw error }
    }
  }

  private static func properties(of component: OpaquePointer) -> [Property] {
    CalendarText.properties(of: component, ICAL_ANY_PROPERTY).compactMap { property in
      // Copy the text, because libical keeps it only for the next few calls.
      func parameter(_ name: String) -> String? {
        ical.icalproperty_get_parameter_as_string(property, name).map { String(cString: $0) }
      }
      guard let name = ical.icalproperty_get_property_name(property) else { return nil }
      let value = ical.icalproperty_get_value_as_string(property).map { String(cString: $0) } ?? ""
      var result = Property(name: String(cString: name), value: value)
      guard ["DTSTART", "DTEND", "DUE", "TRIGGER"].contains(result.name) else { return result }
      result.zone = parameter("TZID")
      result.related = parameter("RELATED")
      if result.zone != nil {
        let time = ical.icalproperty_get_datetime_with_component(property, component)
        if time.zone != nil { result.seconds = CalendarText.seconds(time) }
      }
      return result
    }
  }

  /// The last day up to which the days of a rule with a count are computed.
  private static let farthest = CivilDate(daysSinceEpoch: 1_000_000)

  private static func days(
    of item: OpaquePointer, _ properties: [Property], _ text: inout CalendarText, _ now: Instant
  ) throws(CalendarText.Failure) -> Occurrences? {
    // Begin a day early, because in some time zones the date is still that of yesterday.
    let today = CivilDate(daysSinceEpoch: Int(now.microseconds / 86_400_000_000) - 1)
    let start = ical.icalcomponent_get_dtstart(item)
    guard let begin = CalendarText.date(start) else { throw CalendarText.failure(item) }
    let first = max(today, begin)
    var days = Occurrences(window: first...first.adding(days: 3653))
    let rule = properties.first { $0.name == "RRULE" }?.value ?? ""
    let isCounted = rule.includes("COUNT=")
    let hasEnd = isCounted || rule.includes("UNTIL=")
    var all: Set<CivilDate> = []
    // libical stops at the beginning of the last day and not at its end, so the window is extended.
    let end = isCounted ? Self.farthest : days.window.upperBound.adding(days: 2)
    try text.starts(of: item, until: end) { next in
      if (next.time.hour, next.time.minute, next.time.second)
        != (start.hour, start.minute, start.second)
      {
        days.isEven = false
      }
      if hasEnd { days.last = max(days.last ?? next.date, next.date) }
      guard days.window.contains(next.date) else { return }
      all.insert(next.date)
      if next.isExcepted { days.excepted.insert(next.date) }
    }
    days.all = all.sorted()
    return days
  }
}
