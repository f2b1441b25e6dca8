// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the bytes of a calendar: an iCalendar file, or a folder of such files, as vdirsyncer and
// khal keep them. An event of one file may change an event of another one in the same folder.
// ICalendar reads the bytes. Next: `CalendarDays.swift` and `CalendarItems.swift`.

import Configuration
import ICalendar
import Language
import Scheduling
import System

struct CalendarReading {
  enum Failure: Error {
    case file(FileError)
    case address
    case text(CalendarTextError)
    case noFiles
    /// There are more days and times than are read.
    case tooMany
    /// The rules take too many steps to follow.
    case tooSlow
  }

  var reader: EventReader<Zones>
  /// The files of a folder that cannot be read, each with the reason.
  var remarks: [Message] = []
  /// The paths that have been read.
  var paths: [String] = []
  /// The paths of the files in a folder that cannot be read.
  var unread: [String] = []

  /// The maximum number of files in a folder that are read.
  static let mostFiles = 2000

  init(_ path: String, _ zones: Zones, _ patience: Patience, on disk: Disk) throws(Failure) {
    if Locations.isAddress(path) { throw .address }
    var calendars: [CalendarComponent] = []
    let names: [String]?
    do throws(FileError) {
      names = try patience.wait(for: path, on: disk) { disk throws(FileError) in
        Folder.isFolder(path, on: disk) ? Folder.names(in: path, on: disk) : nil
      }
    } catch { throw .file(error) }
    guard let names else {
      calendars = try Self.calendars(path, Configuration.largestFile, patience, on: disk)
      reader = EventReader(calendars, zones)
      paths = [path]
      return
    }
    var (left, last) = (Configuration.largestFile, Failure.noFiles)
    let files = names.filter { $0.lowercased().hasSuffix(".ics") && !$0.hasPrefix(".") }
    for name in files.prefix(Self.mostFiles) {
      let file = path.utf8.last == UInt8(ascii: "/") ? path + name : Path.join(path, name)
      paths.append(file)
      do throws(Failure) {
        let size = try Self.bytes(file, left, patience, on: disk)
        left -= size.count
        calendars += try Self.parse(size)
      } catch {
        last = error
        remarks.append(error.words(file))
        unread.append(file)
        if left <= 0 { break }
      }
    }
    if files.count > Self.mostFiles {
      remarks.append(Message("only \(Self.mostFiles) files of a folder are read"))
    }
    if calendars.isEmpty { throw last }
    reader = EventReader(calendars, zones)
  }

  private static func calendars(
    _ path: String, _ limit: Int, _ patience: Patience, on disk: Disk
  ) throws(Failure) -> [CalendarComponent] {
    try parse(try bytes(path, limit, patience, on: disk))
  }

  private static func bytes(
    _ path: String, _ limit: Int, _ patience: Patience, on disk: Disk
  ) throws(Failure) -> [UInt8] {
    do throws(FileError) { return try patience.read(path, limit: limit, on: disk) } catch {
      throw .file(error)
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(Failure) -> [CalendarComponent] {
    do throws(CalendarTextError) { return try CalendarComponent.read(bytes) } catch {
      throw .text(error)
    }
  }
}

extension CalendarReading.Failure {
  func words(_ given: String) -> Message {
    let name = TerminalText.quoted(given)
    return switch self {
    case .file(let error): Message("\(name) cannot be read: \(error.reason)")
    case .address: Locations.problem(ofAddress: given).message
    case .text(.notWhole(let line)):
      Message("\(name) is not an iCalendar file, or is incomplete: see its line \(line)")
    case .text(.tooMany):
      Message("\(name) has more than \(CalendarComponent.mostEvents) events")
    case .noFiles: Message("the folder \(name) has no .ics file")
    case .tooMany:
      Message("\(name) has too many events: more than \(CalendarDays.mostDays) days and times")
    case .tooSlow: Message("\(name) has rules that take too long to follow")
    }
  }

  var fix: Message? {
    guard case .address = self else { return nil }
    return Locations.problem(ofAddress: "").hint
  }
}

extension EventProblem {
  /// The problem with the place and the title of the event, such as
  /// `"days.ics", line 12, "Holiday": its end cannot be read: 2027108`.
  func words(_ name: String) -> Message {
    Message("\(TerminalText.quoted(name)), line \(line), \(TerminalText.quoted(title)): \(message)")
  }
}
