// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the days of the events in a calendar. Alarms do not ring on these days. An event that
// cannot be read costs that event alone, and is reported. Next: `CalendarFiles.swift`, which uses
// the days of the last successful reading if a file is refused.

import ICalendar
import Language
import Scheduling
import System

/// The days on which a calendar has events, and the times of events whose days depend on the time
/// zone of the alarm.
struct CalendarDays: Equatable, Sendable {
  var days = ExceptedDays()
  /// Times of events in seconds since 1970. The time zone of an alarm decides on which days these
  /// times are.
  var times: [Range<Int64>] = []
  /// A sentence for each part of the calendar that could not be read.
  var remarks: [Message] = []
  var paths: [String] = []
  /// The files in a folder that could not be read.
  var unread: [String] = []

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

extension CalendarDays {
  /// The maximum number of ranges of days and of times that one calendar may have. A calendar with
  /// more is refused.
  static let mostDays = 5000
  /// How many days before and after today are read. The year before today is for alarms that the
  /// agent has to catch up with.
  private static let window = (back: 366, ahead: 3653)
  private static let longest = 3660

  /// Reads the calendar at `path`, and keeps the days of its events around the time `now`. `name`
  /// is the calendar's name in remarks.
  init(
    _ path: String, named name: String, around now: Instant, _ zones: Zones, _ patience: Patience,
    on disk: Disk
  ) throws(CalendarReading.Failure) {
    let today = CivilDate(daysSinceEpoch: Int(now.microseconds / 86_400_000_000))
    let window = today.adding(days: -Self.window.back)...today.adding(days: Self.window.ahead)
    var reading = try CalendarReading(path, zones, patience, on: disk)
    var ranges: [ClosedRange<CivilDate>] = []
    var times: Set<Range<Int64>> = []
    func add(_ start: EventStart) {
      let first = start.local.date
      if let begin = start.seconds {
        let last = first.adding(days: Int(start.length / 86_400) + 1)
        if window.overlaps(first...last) { times.insert(begin..<begin + start.length) }
        return
      }
      // A time without a zone is on the same day in every zone.
      let begin = start.local.localSeconds
      let last = CivilDateTime(localSeconds: begin + start.length - 1).date
      if (first...last).overlaps(window), ranges.last != first...last {
        ranges.append(first...last)
      }
    }
    // A long event that began before the window may last into it.
    let first = window.lowerBound.adding(days: -Self.longest)
    for item in reading.reader.items where !item.isTask && !item.isCancelled {
      do throws(TooSlow) {
        try reading.reader.forEachStart(of: item, from: first, until: window.upperBound) { start in
          if !start.isExcepted, ranges.count + times.count <= Self.mostDays { add(start) }
        }
      } catch { throw .tooSlow }
      if ranges.count + times.count > Self.mostDays { throw .tooMany }
    }
    days = ExceptedDays(ranges)
    self.times = times.sorted { $0.lowerBound < $1.lowerBound }
    remarks = reading.remarks + reading.reader.problems.map { $0.words(name) }
    (paths, unread) = (reading.paths, reading.unread)
  }
}
