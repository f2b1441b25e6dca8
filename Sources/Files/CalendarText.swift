// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads iCalendar text (RFC 5545) with libical. The number of components, the number of occurrences
// and the time are limited. All access goes through `CalendarText.read`, and no pointer of libical
// leaves this folder. Next: `CalendarDays.swift`, for `except`; `CalendarItems.swift`, for imports.

import CIcal
import Configuration
import Language
import Scheduling
import Synchronization
import System

/// The functions of libical; nil if libical is missing. `CalendarText.read` checks this before any
/// use.
nonisolated let ical: belfry_ical! = Library.ical.load(belfry_ical(), belfry_ical_names())

nonisolated struct CalendarText {
  enum Failure: Error {
    case file(FileError)
    /// libical cannot be loaded. The string is the message of the loader.
    case library(String)
    /// The text is not iCalendar or is incomplete. `line` is the line of the error.
    case notWhole(line: Int)
    /// An event cannot be read. The string is the summary of the event.
    case event(String)
    /// There are more events and tasks, or more days and times, than are read.
    case tooMany
    /// The rules have too many occurrences, or take too long to follow.
    case tooSlow
  }

  /// The start of an occurrence in a form that can be compared. This is needed because rules,
  /// exceptions and replacements may write the same moment differently.
  enum Moment: Hashable {
    case day(CivilDate)
    case time(Int64)
  }

  struct Start {
    var time: icaltimetype
    var date: CivilDate
    var moment: Moment
    /// Whether the event in the file excludes this occurrence, for example with `EXDATE`.
    var isExcepted: Bool
  }

  static let mostEvents = 20_000
  /// The maximum number of occurrences that all rules of a calendar together may have.
  private static let mostTimes = 400_000
  private static let patience = Duration.seconds(5)

  /// Only one thread may use libical at a time, because its list of time zones is shared without a
  /// lock.
  private static let turn = Mutex(())

  private let calendars: [OpaquePointer]
  private let begin = ContinuousClock.now
  private var timesLeft = Self.mostTimes
  /// The occurrences of a repeating event that are replaced, because a separate event with the same
  /// UID describes them. The key is the UID.
  private var replaced: [String: Set<Moment>] = [:]

  /// Calls `body` with the calendar at `path`, and returns its result. This may take seconds.
  @Blocking static func read<Value>(
    _ path: String, _ patience: Patience,
    _ body: (inout CalendarText) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try patience.read(path, limit: Configuration.largestFile)
    } catch { throw .file(error) }
    if let trouble = Library.ical.trouble { throw .library(trouble) }
    if ical == nil { throw .library(Library.ical.rawValue) }
    if let line = damage(bytes) { throw .notWhole(line: line) }
    let result = turn.withLock { _ -> Result<Value, Failure> in
      ical.icalerror_set_errors_are_fatal(0)
      guard let root = ical.icalparser_parse_string(bytes.map { CChar(bitPattern: $0) } + [0])
      else {
        return .failure(.notWhole(line: 1))
      }
      defer { ical.icalcomponent_free(root) }
      do throws(Failure) {
        var text = try CalendarText(root)
        return .success(try body(&text))
      } catch { return .failure(error) }
    }
    return try result.get()
  }

  private init(_ root: OpaquePointer) throws(Failure) {
    let isCalendar = ical.icalcomponent_isa(root) == Int32(ICAL_VCALENDAR_COMPONENT.rawValue)
    calendars = isCalendar ? [root] : Self.components(of: root, ICAL_VCALENDAR_COMPONENT)
    if calendars.isEmpty { throw .notWhole(line: 1) }
    let items = all(ICAL_VEVENT_COMPONENT) + all(ICAL_VTODO_COMPONENT)
    if items.count > Self.mostEvents { throw .tooMany }
    for item in items {
      for id in Self.properties(of: item, ICAL_RECURRENCEID_PROPERTY) {
        let time = ical.icalproperty_get_datetime_with_component(id, item)
        if let moment = Self.moment(time) { replaced[Self.uid(item), default: []].insert(moment) }
      }
    }
  }

  /// Returns the line at which the text is damaged; nil if the text is complete. A text is damaged
  /// if it contains a NUL byte or no component, if a component has no end or no beginning, if
  /// components are nested too deep (libical frees them recursively), or if there are too many
  /// components. libical itself would accept a text that was cut short.
  private static func damage(_ bytes: [UInt8]) -> Int? {
    func number(_ place: Int) -> Int { 1 + bytes[..<place].count { $0 == 10 } }
    if let place = bytes.firstIndex(of: 0) { return number(place) }
    var (open, components): ([Int], Int) = ([], 0)
    for var line in bytes.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
      let place = line.startIndex
      let word = String(decoding: line.prefix(6), as: UTF8.self).uppercased()
      if word == "BEGIN:" {
        open.append(place)
        components += 1
      } else if word.hasPrefix("END:"), open.popLast() == nil {
        return number(place)
      }
      if open.count > 8 || components > 4 * mostEvents { return number(place) }
    }
    return components > 0 ? open.last.map(number) : 1
  }

  func all(_ kind: ical_kind) -> [OpaquePointer] {
    calendars.flatMap { Self.components(of: $0, kind) }
  }

  /// Calls `body` with the starts of `item`, in no particular order: the first start, all starts
  /// that `RDATE` adds, and the starts that the rules add up to the day `last`. A start may be
  /// passed twice. Throws if a start cannot be computed.
  mutating func starts(
    of item: OpaquePointer, until last: CivilDate, _ body: (Start) throws(Failure) -> Void
  ) throws(Failure) {
    let start = ical.icalcomponent_get_dtstart(item)
    guard Self.moment(start) != nil, !Self.hasDamage(item) else { throw Self.failure(item) }
    let except = try exceptions(of: item)
    func pass(_ time: icaltimetype) throws(Failure) {
      guard let date = Self.date(time), let moment = Self.moment(time) else { return }
      let isExcepted = except.contains(moment) || except.contains(.day(date))
      try body(Start(time: time, date: date, moment: moment, isExcepted: isExcepted))
    }
    try pass(start)
    for date in Self.properties(of: item, ICAL_RDATE_PROPERTY) {
      let period = ical.icalproperty_get_rdate(date)
      let time = ical.icalproperty_get_datetime_with_component(date, item)
      try pass(time.year == 0 ? period.period.start : time)
    }
    for rule in Self.properties(of: item, ICAL_RRULE_PROPERTY) {
      guard let times = belfry_ical_times(ical, rule, start, Self.time(last)) else {
        throw Self.failure(item)
      }
      defer { ical.icalrecur_iterator_free(times) }
      while true {
        let time = ical.icalrecur_iterator_next(times)
        guard let date = Self.date(time), date <= last else { break }
        timesLeft -= 1
        if timesLeft < 0 { throw .tooSlow }
        try pass(time)
      }
    }
    if begin.duration(to: .now) > Self.patience { throw .tooSlow }
  }

  private func exceptions(of item: OpaquePointer) throws(Failure) -> Set<Moment> {
    var except: Set<Moment> = []
    if Self.properties(of: item, ICAL_RECURRENCEID_PROPERTY).isEmpty {
      except = replaced[Self.uid(item)] ?? []
    }
    for exception in Self.properties(of: item, ICAL_EXDATE_PROPERTY) {
      let time = ical.icalproperty_get_datetime_with_component(exception, item)
      guard let moment = Self.moment(time) else { throw Self.failure(item) }
      except.insert(moment)
    }
    return except
  }
}

// MARK: - libical's values

nonisolated extension CalendarText {
  private static func time(_ date: CivilDate) -> icaltimetype {
    var time = icaltimetype()
    (time.year, time.month, time.day) = (Int32(date.year), Int32(date.month), Int32(date.day))
    return time
  }

  static func date(_ time: icaltimetype) -> CivilDate? {
    guard (1...9000).contains(time.year) else { return nil }
    return CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day))
  }

  static func moment(_ time: icaltimetype) -> Moment? {
    guard let date = date(time) else { return nil }
    return time.is_date != 0 ? .day(date) : .time(seconds(time))
  }

  /// Returns `time` as seconds since 1970. `time` contains its time zone.
  static func seconds(_ time: icaltimetype) -> Int64 {
    Int64(ical.icaltime_as_timet_with_zone(time, time.zone))
  }

  /// Whether libical dropped a property that decides when `item` happens. libical reports this with
  /// an additional property.
  private static func hasDamage(_ item: OpaquePointer) -> Bool {
    let names = ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"]
    return properties(of: item, ICAL_XLICERROR_PROPERTY).contains { property in
      let text = ical.icalproperty_get_xlicerror(property).map { String(cString: $0) } ?? ""
      return names.contains(where: text.includes)
    }
  }

  static func failure(_ item: OpaquePointer) -> Failure {
    .event(ical.icalcomponent_get_summary(item).map { String(cString: $0) } ?? uid(item))
  }

  private static func uid(_ item: OpaquePointer) -> String {
    ical.icalcomponent_get_uid(item).map { String(cString: $0) } ?? ""
  }

  static func components(of parent: OpaquePointer, _ kind: ical_kind) -> [OpaquePointer] {
    let number = Int32(kind.rawValue)
    return all(from: ical.icalcomponent_get_first_component(parent, number)) {
      ical.icalcomponent_get_next_component(parent, number)
    }
  }

  static func properties(of item: OpaquePointer, _ kind: ical_kind) -> [OpaquePointer] {
    let number = Int32(kind.rawValue)
    return all(from: ical.icalcomponent_get_first_property(item, number)) {
      ical.icalcomponent_get_next_property(item, number)
    }
  }

  private static func all(
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
