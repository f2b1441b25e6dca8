// SPDX-License-Identifier: GPL-3.0-or-later
//
// The iCalendar files that a config names in `except`: each is read once for a reading of the config,
// and what cannot be read leaves out what it left out when it was read last. That is kept beside the
// state, for the agent may be started meanwhile. Next: `CalendarDays.swift`.

import Configuration
import Language
import Scheduling
import System
import TOML

/// For one reading of the config, on the thread that does it.
nonisolated final class CalendarFiles {
  /// Each is watched.
  static let most = 20

  private let locations: Locations
  private let patience: Patience
  private var known: [String: CalendarDays]?
  private let zones: Zones
  private var read: [String: Result<CalendarDays, Trouble>] = [:]
  private var answers: [String: [String?: ReadingContext.Calendar]] = [:]

  enum Trouble: Error {
    case file(FileError)
    case content(CalendarText.Failure)
  }

  /// - Parameter zone: stands in for the machine's.
  init(_ locations: Locations, in zone: String? = nil, _ patience: Patience) {
    (self.locations, self.patience, zones) = (locations, patience, Zones(machine: zone))
  }

  @Blocking private var memory: [String: CalendarDays] {
    if let known { return known }
    let path = locations.calendars
    // Nothing if the disk does not answer: the calendars themselves are there.
    let read = (try? patience.wait(for: path) { CalendarMemory.read(path) }) ?? [:]
    known = read
    return read
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
    let result = read[path] ?? load(path)
    read[path] = result
    switch result {
    case .success(let days): return ReadingContext.Calendar(days: days.excepted(in: zone, zones))
    case .failure(let trouble):
      let known = memory[path]?.excepted(in: zone, zones)
      let hint =
        known == nil
        ? Message("until it can be read, it leaves out no day")
        : Message("what it left out when it was read last still counts")
      return ReadingContext.Calendar(
        days: known ?? ExceptedDays(), problem: trouble.words(name), hint: trouble.mend ?? hint)
    }
  }

  @Blocking private func load(_ path: String) -> Result<CalendarDays, Trouble> {
    do throws(FileError) {
      let bytes = try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.read(path, limit: Configuration.largestFile)
      }
      do throws(CalendarText.Failure) {
        return .success(try CalendarDays(bytes, around: Clock.wall))
      } catch { return .failure(.content(error)) }
    } catch { return .failure(.file(error)) }
  }

  /// Keeps what was read for when it cannot be.
  @Blocking func remember() {
    if read.isEmpty { return }
    var kept: [String: CalendarDays] = [:]
    for (path, result) in read { kept[path] = (try? result.get()) ?? memory[path] }
    if kept == memory { return }
    do throws(FileError) {
      let (path, text) = (locations.calendars, CalendarMemory.text(kept))
      try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.replace(path, with: text)
      }
    } catch {
      Log.warning("the days of the calendars are not kept: \(error)")
    }
    known = kept
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

/// The last good days of each calendar, by its path, as TOML.
private nonisolated enum CalendarMemory {
  private static let limit = 16 * 1024 * 1024

  /// Nothing where it cannot be read: the calendars themselves are there.
  @Blocking static func read(_ path: String) -> [String: CalendarDays] {
    guard let bytes = try? DurableFile.read(path, limit: limit),
      let root = try? TOMLDocument.parse(bytes).root
    else { return [:] }
    var memory: [String: CalendarDays] = [:]
    for entry in root.entries {
      guard case .array(let elements) = entry.value.kind else { continue }
      var known = CalendarDays()
      var days: [ClosedRange<CivilDate>] = []
      for element in elements {
        guard case .string(let text) = element.kind else { continue }
        let parts = text.split(separator: "/")
        if let (first, last) = ExceptedDays.range(text), first <= last {
          days.append(first...last)
        } else if parts.count == 2, let from = Int64(parts[0]), let to = Int64(parts[1]), from < to
        {
          known.times.append(from..<to)
        }
      }
      known.days = ExceptedDays(days)
      memory[entry.key] = known
    }
    return memory
  }

  static func text(_ memory: [String: CalendarDays]) -> [UInt8] {
    var text =
      "# What iCalendar files left out when they were read last: days, and seconds of 1970.\n"
    for (path, known) in memory.sorted(by: { $0.key < $1.key }) {
      let days = known.days.ranges.map { "\"\($0.lowerBound)..\($0.upperBound)\"" }
      let times = known.times.map { "\"\($0.lowerBound)/\($0.upperBound)\"" }
      text += "\(TOMLText.key(path)) = [\((days + times).joined(separator: ", "))]\n"
    }
    return Array(text.utf8)
  }
}
