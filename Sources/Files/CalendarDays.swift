// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the days of the events in an iCalendar file. Alarms do not ring on these days. If one event
// cannot be read, the whole file is refused, because otherwise an alarm would ring on a holiday
// that was lost. Next: `CalendarFiles.swift`, which uses the days of the last successful reading if
// a file is refused.

import CIcal
import Scheduling
import System

/// The days on which a calendar has events, and the times of events whose days depend on the time
/// zone of the alarm.
nonisolated struct CalendarDays: Equatable, Sendable {
  var days = ExceptedDays()
  /// Times of events in seconds since 1970. The time zone of an alarm decides on which days these
  /// times are.
  var times: [Range<Int64>] = []

  func excepted(in zone: String?, _ zones: some ZoneRules) -> ExceptedDays {
    func date(_ seconds: Int64) -> CivilDate {
      zones.civil(at: Instant(seconds: seconds), in: zone).date
    }
    if times.isEmpty { return days }
    return ExceptedDays(
      days.ranges
        + times.map { time in
          let (first, last) = (date(time.lowerBound), date(time.upperBound - 1))
          // If clocks are set back over midnight, the end of an event can be on the day before its
          // beginning.
          return min(first, last)...max(first, last)
        })
  }
}

nonisolated extension CalendarDays {
  /// The maximum number of ranges of days and of times that one calendar may have. A calendar with
  /// more is refused.
  static let mostDays = 5000
  /// How many days before and after today are read. The year before today is for alarms that the
  /// agent has to catch up with.
  private static let window = (back: 366, ahead: 3653)

  /// Reads the calendar at `path`, and keeps the days of its events around the time `now`.
  @Blocking init(
    _ path: String, around now: Instant, _ patience: Patience
  ) throws(CalendarText.Failure) {
    let today = CivilDate(daysSinceEpoch: Int(now.microseconds / 86_400_000_000))
    let window =
      today.adding(days: -Self.window.back)...today.adding(days: Self.window.ahead)
    self = try CalendarText.read(path, patience) { text throws(CalendarText.Failure) in
      var reader = Reader(window: window)
      for event in text.all(ICAL_VEVENT_COMPONENT) { try reader.add(event, of: &text) }
      return CalendarDays(
        days: ExceptedDays(reader.ranges),
        times: reader.times.sorted { $0.lowerBound < $1.lowerBound })
    }
  }
}

// MARK: - Events

nonisolated extension CalendarDays {
  private struct Reader {
    let window: ClosedRange<CivilDate>
    var ranges: [ClosedRange<CivilDate>] = []
    var times: Set<Range<Int64>> = []

    mutating func add(
      _ event: OpaquePointer, of text: inout CalendarText
    ) throws(CalendarText.Failure) {
      if ical.icalcomponent_get_status(event) == Int32(ICAL_STATUS_CANCELLED.rawValue) { return }
      let length = Self.length(of: event)
      try text.starts(of: event, until: window.upperBound) {
        start throws(CalendarText.Failure) in
        if !start.isExcepted { try add(start, length) }
      }
    }

    /// Returns the length of an event in seconds, at least 1. An event without an end, or with an
    /// end before its beginning, counts as a moment. A length of more than a thousand years is cut.
    private static func length(of event: OpaquePointer) -> Int64 {
      let start = ical.icalcomponent_get_dtstart(event)
      let end = ical.icalcomponent_get_dtend(event)
      guard CalendarText.date(start) != nil, CalendarText.date(end) != nil else { return 1 }
      let seconds = CalendarText.seconds(end) - CalendarText.seconds(start)
      return min(366_000 * 86_400, max(1, seconds))
    }

    /// Adds one occurrence of an event, unless it is outside `window`.
    private mutating func add(
      _ start: CalendarText.Start, _ length: Int64
    ) throws(CalendarText.Failure) {
      let first = start.date
      switch start.moment {
      case .time(let begin) where start.time.zone != nil:
        let last = first.adding(days: Int(length / 86_400) + 1)
        if window.overlaps(first...last) { times.insert(begin..<begin + length) }
      // A time without a zone is on the same day in every zone.
      case .time(let begin):
        let days = Int((begin + length - 1) / 86_400 - begin / 86_400)
        add(first...first.adding(days: days))
      case .day: add(first...first.adding(days: Int((length - 1) / 86_400)))
      }
      if ranges.count + times.count > CalendarDays.mostDays { throw .tooMany }
    }

    private mutating func add(_ range: ClosedRange<CivilDate>) {
      if range.overlaps(window), ranges.last != range { ranges.append(range) }
    }
  }
}
