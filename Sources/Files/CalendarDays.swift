// SPDX-License-Identifier: GPL-3.0-or-later
//
// The days that the events of an iCalendar file touch, RFC 5545, as libical reads them. What of an
// event cannot be read makes the whole file unread: a holiday that is lost would ring. Next:
// `CalendarFiles.swift`, which says what counts then.

import CIcal
import Language
import Scheduling
import Synchronization
import System

/// What a calendar leaves out: days anywhere, and times whose days depend on the zone.
nonisolated struct CalendarDays: Equatable, Sendable {
  var days = ExceptedDays()
  /// In seconds since 1970, without their ends.
  var times: [Range<Int64>] = []

  func excepted(in zone: String?, _ zones: some ZoneRules) -> ExceptedDays {
    func date(_ seconds: Int64) -> CivilDate {
      zones.civil(at: Instant(seconds: seconds), in: zone).date
    }
    if times.isEmpty { return days }
    return ExceptedDays(
      days.ranges + times.map { date($0.lowerBound)...date($0.upperBound - 1) })
  }
}

nonisolated extension CalendarDays {
  enum Failure: Error, Equatable {
    /// libical cannot be loaded; in the loader's words.
    case library(String)
    /// No iCalendar, or not all of it.
    case notWhole
    /// Of an event with this summary.
    case event(String)
    case tooMany, tooSlow
  }

  static let mostEvents = 20_000
  static let mostDays = 5000
  /// A year back, for an alarm that is behind, and as far ahead as anybody plans.
  private static let window = (back: 366, ahead: 3653)
  /// Of all rules together.
  private static let mostTimes = 400_000
  private static let patience = Duration.seconds(5)

  /// libical keeps the zones that it has met for all threads.
  private static let turn = Mutex(())

  /// What `bytes` leave out around `now`. It may take seconds: for a worker, or a command.
  init(_ bytes: [UInt8], around now: Instant) throws(Failure) {
    if let trouble = Library.ical.trouble { throw .library(trouble) }
    guard Self.isWhole(bytes) else { throw .notWhole }
    let today = CivilDate(daysSinceEpoch: Int(now.microseconds / 86_400_000_000))
    let window =
      today.adding(days: -Self.window.back)...today.adding(days: Self.window.ahead)
    let result = Self.turn.withLock { _ -> Result<CalendarDays, Failure> in
      icalerror_set_errors_are_fatal(0)
      guard let root = icalparser_parse_string(bytes.map { CChar(bitPattern: $0) } + [0]) else {
        return .failure(.notWhole)
      }
      defer { icalcomponent_free(root) }
      var reader = Reader(window: window)
      do throws(Failure) { return .success(try reader.read(root)) } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }

  /// Whether each component ends that begins, none is deeper than calendars have them (libical frees
  /// them by recursion), and there are not too many. libical itself takes what was cut short.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    if bytes.contains(0) { return false }
    var (depth, components) = (0, 0)
    for var line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
      let word = String(decoding: line.prefix(6), as: UTF8.self).uppercased()
      if word == "BEGIN:" {
        (depth, components) = (depth + 1, components + 1)
      } else if word.hasPrefix("END:") {
        depth -= 1
      }
      if !(0...8).contains(depth) || components > 4 * mostEvents { return false }
    }
    return depth == 0 && components > 0
  }
}

// MARK: - Events

nonisolated extension CalendarDays {
  /// When an occurrence begins, for comparing: rules, exceptions and replacements name it in
  /// whichever form they like.
  fileprivate enum Moment: Hashable {
    case day(CivilDate)
    case time(Int64)
  }

  /// How long an event is.
  fileprivate enum Length {
    case days(Int)
    case seconds(Int64)
  }

  fileprivate struct Reader {
    let window: ClosedRange<CivilDate>
    private let begin = ContinuousClock.now
    private var ranges: [ClosedRange<CivilDate>] = []
    private var times: Set<Range<Int64>> = []
    private var timesLeft = CalendarDays.mostTimes
    /// The occurrences that events of their own replace, by the UID of both.
    private var replaced: [String: Set<Moment>] = [:]

    init(window: ClosedRange<CivilDate>) { self.window = window }

    mutating func read(_ root: OpaquePointer) throws(Failure) -> CalendarDays {
      let isCalendar = icalcomponent_isa(root) == Int32(ICAL_VCALENDAR_COMPONENT.rawValue)
      let calendars = isCalendar ? [root] : components(of: root, ICAL_VCALENDAR_COMPONENT)
      if calendars.isEmpty { throw .notWhole }
      let events = calendars.flatMap { components(of: $0, ICAL_VEVENT_COMPONENT) }
      if events.count > CalendarDays.mostEvents { throw .tooMany }
      for event in events {
        for id in properties(of: event, ICAL_RECURRENCEID_PROPERTY) {
          let time = icalproperty_get_datetime_with_component(id, event)
          if let moment = moment(time) { replaced[uid(event), default: []].insert(moment) }
        }
      }
      for event in events { try add(event) }
      return CalendarDays(
        days: ExceptedDays(ranges), times: times.sorted { $0.lowerBound < $1.lowerBound })
    }

    private mutating func add(_ event: OpaquePointer) throws(Failure) {
      if icalcomponent_get_status(event) == Int32(ICAL_STATUS_CANCELLED.rawValue) { return }
      let start = icalcomponent_get_dtstart(event)
      let length = self.length(from: start, to: icalcomponent_get_dtend(event))
      guard moment(start) != nil, !hasDamage(event) else { throw failure(event) }
      var except: Set<Moment> = []
      if properties(of: event, ICAL_RECURRENCEID_PROPERTY).isEmpty {
        except = replaced[uid(event)] ?? []
      }
      for exception in properties(of: event, ICAL_EXDATE_PROPERTY) {
        let time = icalproperty_get_datetime_with_component(exception, event)
        guard let moment = moment(time) else { throw failure(event) }
        except.insert(moment)
      }
      try add(start, length, except)
      for date in properties(of: event, ICAL_RDATE_PROPERTY) {
        let period = icalproperty_get_rdate(date)
        let time = icalproperty_get_datetime_with_component(date, event)
        try add(time.year == 0 ? period.period.start : time, length, except)
      }
      for rule in properties(of: event, ICAL_RRULE_PROPERTY) {
        guard let times = belfry_ical_times(rule, start, end) else { throw failure(event) }
        defer { icalrecur_iterator_free(times) }
        while true {
          let time = icalrecur_iterator_next(times)
          guard let date = date(time), date <= window.upperBound else { break }
          timesLeft -= 1
          if timesLeft < 0 { throw .tooSlow }
          try add(time, length, except)
        }
      }
      if begin.duration(to: .now) > CalendarDays.patience { throw .tooSlow }
    }

    /// One occurrence, unless it is excepted or far away.
    private mutating func add(
      _ start: icaltimetype, _ length: Length, _ except: Set<Moment>
    ) throws(Failure) {
      guard let first = date(start), let moment = moment(start) else { return }
      if except.contains(moment) || except.contains(.day(first)) { return }
      switch (moment, length) {
      case (.time(let begin), .seconds(let seconds)) where start.zone != nil:
        let last = first.adding(days: Int(seconds / 86_400) + 1)
        if window.overlaps(first...last) { times.insert(begin..<begin + max(1, seconds)) }
      case (.time(let begin), .seconds(let seconds)):
        let days = Int((begin + max(1, seconds) - 1) / 86_400 - begin / 86_400)
        add(first...first.adding(days: days))
      case (_, .days(let days)): add(first...first.adding(days: days - 1))
      case (.day, .seconds): add(first...first)
      }
      if ranges.count + times.count > CalendarDays.mostDays { throw .tooMany }
    }

    private mutating func add(_ range: ClosedRange<CivilDate>) {
      if range.overlaps(window), ranges.last != range { ranges.append(range) }
    }
  }
}
nonisolated

  // MARK: - libical's values

  extension CalendarDays.Reader
{
  fileprivate var end: icaltimetype {
    var time = icaltimetype()
    (time.year, time.month, time.day) = (
      Int32(window.upperBound.year), Int32(window.upperBound.month), Int32(window.upperBound.day)
    )
    return time
  }

  fileprivate func date(_ time: icaltimetype) -> CivilDate? {
    guard (1...9000).contains(time.year) else { return nil }
    return CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day))
  }

  fileprivate func moment(_ time: icaltimetype) -> CalendarDays.Moment? {
    guard let date = date(time) else { return nil }
    if time.is_date != 0 { return .day(date) }
    return .time(Int64(icaltime_as_timet_with_zone(time, time.zone)))
  }

  /// Without an end, and with one that is before the beginning, it is a day or a moment. Events of
  /// thousands of years are cut.
  fileprivate func length(from start: icaltimetype, to end: icaltimetype) -> CalendarDays.Length {
    let most = 366_000
    guard let first = date(start), let last = date(end), let (from, to) = both(start, end) else {
      return start.is_date != 0 ? .days(1) : .seconds(0)
    }
    if start.is_date != 0 {
      return .days(min(most, max(1, last.daysSinceEpoch - first.daysSinceEpoch)))
    }
    return .seconds(min(Int64(most) * 86_400, max(0, to - from)))
  }

  fileprivate func both(_ start: icaltimetype, _ end: icaltimetype) -> (Int64, Int64)? {
    (
      Int64(icaltime_as_timet_with_zone(start, start.zone)),
      Int64(icaltime_as_timet_with_zone(end, end.zone))
    )
  }

  /// Whether libical left something out that decides when it is: it says so in a property.
  fileprivate func hasDamage(_ event: OpaquePointer) -> Bool {
    let names = ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"]
    return properties(of: event, ICAL_XLICERROR_PROPERTY).contains { property in
      let text = icalproperty_get_xlicerror(property).map { String(cString: $0) } ?? ""
      return names.contains { text.contains($0) }
    }
  }

  fileprivate func failure(_ event: OpaquePointer) -> CalendarDays.Failure {
    .event(icalcomponent_get_summary(event).map { String(cString: $0) } ?? uid(event))
  }

  fileprivate func uid(_ event: OpaquePointer) -> String {
    icalcomponent_get_uid(event).map { String(cString: $0) } ?? ""
  }

  fileprivate func components(of parent: OpaquePointer, _ kind: ical_kind) -> [OpaquePointer] {
    let number = Int32(kind.rawValue)
    return all(from: icalcomponent_get_first_component(parent, number)) {
      icalcomponent_get_next_component(parent, number)
    }
  }

  fileprivate func properties(of event: OpaquePointer, _ kind: ical_kind) -> [OpaquePointer] {
    let number = Int32(kind.rawValue)
    return all(from: icalcomponent_get_first_property(event, number)) {
      icalcomponent_get_next_property(event, number)
    }
  }

  private func all(
    from first: OpaquePointer?, _ next: () -> OpaquePointer?
  ) -> [OpaquePointer] {
    var (found, item): ([OpaquePointer], OpaquePointer?) = ([], first)
    while let each = item {
      found.append(each)
      item = next()
    }
    return found
  }
}
