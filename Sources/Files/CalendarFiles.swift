// SPDX-License-Identifier: GPL-3.0-or-later
//
// The iCalendar files that a config names in `except`: each is read once for a reading of the
// config, and a file that cannot be read leaves out what it leaves out by the settings in force.
// Next: `CalendarDays.swift`.

import Configuration
import Language
import Persistence
import Scheduling
import System

/// For one reading of the config, on the thread that does it.
nonisolated final class CalendarFiles {
  /// Each is watched.
  static let most = 20

  private let locations: Locations
  private let patience: Patience
  private var known: Configuration?
  private let zones: Zones
  private var read: [String: Result<CalendarDays, Trouble>] = [:]
  private var answers: [String: [String?: ReadingContext.Calendar]] = [:]

  enum Trouble: Error {
    case file(FileError)
    case content(CalendarText.Failure)
  }

  /// - Parameters:
  ///   - zone: Stands in for the machine's.
  ///   - inForce: The settings in force; nil for those that are stored with the state.
  init(
    _ locations: Locations, in zone: String? = nil, inForce: Configuration? = nil,
    _ patience: Patience
  ) {
    (self.locations, self.patience, zones) = (locations, patience, Zones(machine: zone))
    known = inForce
  }

  /// The settings in force: of this agent, or of the one that stored its own.
  @Blocking private var inForce: Configuration {
    if let known { return known }
    let path = locations.settings
    // None if the disk does not answer: the calendars themselves are there.
    let stored = try? patience.wait(for: path) { StateFile.settings(path) }
    let configuration = stored.flatMap { $0.config == locations.config ? $0.configuration : nil }
    known = configuration ?? Configuration()
    return known ?? Configuration()
  }

  /// The days that the calendar `name` leaves out by the settings in force, if it has been read.
  @Blocking private func daysInForce(of name: String, _ zone: String?) -> ExceptedDays? {
    let files = inForce.alarms.map(\.recurrence).flatMap { rule in
      rule.calendars.filter { $0.name == name && !$0.days.isEmpty }.map { (rule.zone, $0.days) }
    }
    return (files.first { $0.0 == zone } ?? files.first)?.1
  }

  /// What was asked for.
  var paths: [String] { read.keys.sorted() }

  /// What the calendar `name` leaves out for an alarm in `zone`.
  @Blocking func calendar(_ name: String, _ zone: String?) -> ReadingContext.Calendar {
    if let answer = answers[name]?[zone] { return answer }
    let answer = find(name, zone)
    answers[name, default: [:]][zone] = answer
    return answer
  }

  @Blocking private func find(_ name: String, _ zone: String?) -> ReadingContext.Calendar {
    let path = locations.path(of: name)
    if read[path] == nil, read.count >= Self.most {
      return ReadingContext.Calendar(
        problem: Message("only \(Self.most) calendars are read, and this is one more"))
    }
    let result =
      read[path]
      ?? Result { () throws(Trouble) in
        try CalendarDays(path, around: Clock.wall, patience)
      }
    read[path] = result
    switch result {
    case .success(let days): return ReadingContext.Calendar(days: days.excepted(in: zone, zones))
    case .failure(let trouble):
      let known = daysInForce(of: name, zone)
      let hint =
        known == nil
        ? Message("until it can be read, it leaves out no day")
        : Message("what it left out when it was read last still counts")
      return ReadingContext.Calendar(
        days: known ?? ExceptedDays(), problem: trouble.words(name), hint: trouble.mend ?? hint)
    }
  }
}

nonisolated extension CalendarFiles.Trouble {
  func words(_ name: String) -> Message {
    let name = TerminalText.quoted(name)
    return switch self {
    case .file(let error): Message("\(name) cannot be read: \(error.reason)")
    case .content(.library(let trouble)): Message("\(name) cannot be read: \(trouble)")
    case .content(.notWhole(let line)):
      Message("\(name) is no iCalendar file, or not all of one: see its line \(line)")
    case .content(.event(let title)):
      Message("\(name) has an event whose time cannot be read: \(TerminalText.quoted(title))")
    case .content(.tooMany):
      Message("\(name) has too many events: more than \(CalendarDays.mostDays) days and times")
    case .content(.tooSlow): Message("\(name) has rules that take too long to follow")
    }
  }

  var mend: Message? {
    guard case .content(.library) = self else { return nil }
    return Message("install libical3, as Debian calls it, or libical")
  }
}
