// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the iCalendar files that a config names in `except`. Each file is read once for each
// reading of the config. If a file cannot be read, its days from the last successful reading still
// count. These days are stored with the settings in force. Next: `CalendarDays.swift`.

import Configuration
import Language
import Scheduling
import System

/// The calendars of one reading of the config. They must be used on one thread only.
final class CalendarFiles {
  /// The maximum number of calendars that are read. Each of them is also watched for changes.
  static let most = 20

  private let locations: Locations
  private let patience: Patience
  private var known: [HolidayFile]?
  private let zones: Zones
  /// The calendars whose remarks have been returned.
  private var reported: Set<String> = []
  private var read: [String: Result<CalendarDays, CalendarReading.Failure>] = [:]

  /// `zone` replaces the machine's time zone. `inForce` holds the calendars of the settings in
  /// force. If `inForce` is nil, the settings that are stored with the state are used.
  init(
    _ locations: Locations, in zone: String? = nil, inForce: [HolidayFile]? = nil,
    _ patience: Patience
  ) {
    (self.locations, self.patience, zones) = (locations, patience, Zones(machine: zone))
    known = inForce
  }

  private func inForce(on disk: Disk) -> [HolidayFile] {
    if let known { return known }
    // If the disk does not answer, continue without the stored settings, because the calendars
    // themselves may still be readable.
    let stored = try? patience.wait(for: locations.settings, on: disk) { [locations] disk in
      StateFile.settings(locations, on: disk)
    }
    let calendars = stored?.calendars ?? []
    known = calendars
    return calendars
  }

  /// Returns the calendar `name` in the settings in force, preferably for the same zone; nil if the
  /// calendar was never read, or had no days.
  private func calendarInForce(_ name: String, _ zone: String?, on disk: Disk) -> HolidayFile? {
    let files = inForce(on: disk).filter { $0.name == name && !$0.days.isEmpty }
    return files.first { $0.zone == zone } ?? files.first
  }

  private func daysInForce(of name: String, _ zone: String?, on disk: Disk) -> ExceptedDays? {
    calendarInForce(name, zone, on: disk)?.days
  }

  /// Returns the files in the folder `name` that cannot be read, with the days that they last had.
  /// The settings in force have the days of the whole folder. The last days of a file that has just
  /// become unreadable are those that no other file has now.
  func unread(_ name: String, _ zone: String?, on disk: Disk) -> [HolidayFile] {
    guard case .success(let days)? = read[locations.path(of: name)], !days.unread.isEmpty else {
      return []
    }
    let before = calendarInForce(name, zone, on: disk) ?? HolidayFile(name)
    var last = before.days.subtracting(days.excepted(in: zone, zones))
    for file in before.unread { last = last.subtracting(file.days) }
    return days.unread.map { path in
      let known = before.unread.first { $0.name == path }
      return HolidayFile(path, in: zone, known?.days ?? last)
    }
  }

  /// The paths to watch: the files and folders that the config names, and the files in the folders.
  var paths: [String] {
    var paths = Set(read.keys)
    for case .success(let days) in read.values {
      paths.formUnion(days.paths.prefix(Self.mostWatched))
    }
    return paths.sorted()
  }
  /// How many files of one folder are watched at most. The watch of the folder itself also reports
  /// a file that another one replaces, as programs that synchronise calendars do.
  private static let mostWatched = 50

  /// Returns the days of the calendar `name` for an alarm in `zone`.
  func calendar(_ name: String, _ zone: String?, on disk: Disk) -> ReadingContext.Calendar {
    if Locations.isAddress(name) {
      let failure = CalendarReading.Failure.address
      return (
        daysInForce(of: name, zone, on: disk) ?? ExceptedDays(), failure.words(name), failure.fix
      )
    }
    let path = locations.path(of: name)
    if read[path] == nil, read.count >= Self.most {
      let problem = Message("only \(Self.most) calendars are read, and this is one too many")
      return (ExceptedDays(), problem, nil)
    }
    let result =
      read[path]
      ?? Result { () throws(CalendarReading.Failure) in
        try CalendarDays(path, named: name, around: Clock.wall, zones, patience, on: disk)
      }
    read[path] = result
    switch result {
    case .success(let days):
      let ranges = unread(name, zone, on: disk).flatMap(\.days.ranges)
      return (days.excepted(in: zone, zones).union(ExceptedDays(ranges)), nil, nil)
    case .failure(let trouble):
      let known = daysInForce(of: name, zone, on: disk)
      let hint =
        known == nil
        ? Message("until the calendar can be read, the alarm also rings on the days in it")
        : Message("the days that were read from it last time still count")
      return (known ?? ExceptedDays(), trouble.words(name), trouble.fix ?? hint)
    }
  }

  private static let mostRemarks = 10

  /// Returns which events of the calendar `name` could not be read. The first call for a calendar
  /// returns all sentences, and later calls none.
  func remarks(of name: String) -> [Message] {
    let path = locations.path(of: name)
    guard case .success(let days)? = read[path], reported.insert(path).inserted else { return [] }
    let remarks = days.remarks
    if remarks.count <= Self.mostRemarks { return remarks }
    let count = remarks.count - Self.mostRemarks
    let rest = Message("\(TerminalText.quoted(name)) has \(count) more problems of this kind")
    return remarks.prefix(Self.mostRemarks) + [rest]
  }
}
