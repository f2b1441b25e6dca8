// SPDX-License-Identifier: GPL-3.0-or-later
//
// Gives the core the time zones in this machine's tz database. GLib's `GTimeZone` is not used, for
// four reasons: a truncated zone file crashes it, it does not notice when a file is replaced, it
// ignores the variable `TZ` if asked for a zone by name, and it knows no daylight saving time after
// 2037. Next: `ZoneData.swift` in the core.

import Glibc
import Language
import Scheduling

/// Where to look for time zones, by the rules of tzset(3).
public struct ZoneFiles: Equatable, Sendable {
  public var folder: String
  /// The path that leads to the machine's zone: a link into the tz database, or a zone file.
  public var localTime: String
  /// The variable `TZ`; if it is set, it takes precedence over `localTime`.
  public var variable: String?

  public init() {
    folder = Environment.value("TZDIR") ?? "/usr/share/zoneinfo"
    localTime = "/etc/localtime"
    // `Environment.value` does not fit here: it turns an empty variable into nil, but an empty `TZ`
    // means UTC.
    variable = getenv("TZ").map { String(cString: $0) }
  }

  public init(folder: String, localTime: String, variable: String?) {
    (self.folder, self.localTime, self.variable) = (folder, localTime, variable)
  }

  enum Problem: Error, CustomStringConvertible {
    case file(FileError)
    case content(ZoneDataError, path: String)
    case noName(String)

    var description: String { message.description }

    var message: Message {
      switch self {
      case .file(let error): error.message
      case .content(.notZoneData, let path): Message("\(path): not a time zone file")
      case .content(.cutShort, let path): Message("\(path): cut short")
      case .content(.damaged(let what), let path): Message("\(path): damaged: \(what)")
      case .noName(let text): Message("no time zone is called \(text)")
      }
    }
  }

  /// Returns the zone called `name`. Refuses offsets such as `+09:00`: an offset has no daylight
  /// saving time, and few people who write an offset want that.
  func named(_ name: String) throws(Problem) -> ZoneData {
    guard name.unicodeScalars.first?.properties.isAlphabetic == true,
      !OutsideText.names(in: name).contains("..")
    else {
      throw .noName(name)
    }
    return try read("\(folder)/\(name)")
  }

  /// Returns the machine's zone; `unset` if no zone is configured.
  func machine(unset: ZoneData = .utc) throws(Problem) -> ZoneData {
    switch location {
    case .utc: return .utc
    case .name(let name):
      do throws(Problem) { return try named(name) } catch {
        guard let rule = ZoneData(rule: name) else { throw error }
        return rule
      }
    case .path(let path):
      do throws(Problem) { return try read(path) } catch {
        // A missing `/etc/localtime`, as in many containers, means UTC.
        if case .file(let error) = error, error.isMissing, path == localTime { return unset }
        throw error
      }
    }
  }

  /// The name of the machine's zone, such as `Asia/Seoul`. If the zone has no name, this is its
  /// rule or its path.
  var machineName: String {
    switch location {
    case .utc: "UTC"
    case .name(let name): name
    case .path(let path): databaseName(path) ?? path
    }
  }

  var machineFile: String {
    if case .path(let path) = location { path } else { localTime }
  }

  private enum Location {
    case utc
    case name(String)
    case path(String)
  }

  private var location: Location {
    guard var name = variable?[...] else { return .path(localTime) }
    if name.hasPrefix(":") { name = name.dropFirst() }
    if name.isEmpty { return .utc }
    return OutsideText.isAbsolute(name) ? .path(String(name)) : .name(String(name))
  }

  /// Every zone name in this machine's tz database; empty if the database has no list of names.
  public var names: [String] {
    let list = "\(folder)/tzdata.zi"
    guard let text = try? SystemFile.read(list, limit: 1 << 20) else {
      // The list is needed only to suggest corrections of typing errors.
      return []
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      // The line `Z Asia/Seoul 8:27:52 - LMT 1908 Ap` begins a zone. The line `L Asia/Seoul ROK`
      // gives the zone `Asia/Seoul` the second name `ROK`.
      let fields = line.split(separator: " ")
      return switch fields.first {
      case "Z" where fields.count > 1: String(fields[1])
      case "L" where fields.count > 2: String(fields[2])
      default: nil
      }
    }
  }

  /// Why the machine's zone cannot be read; nil if it can be read.
  public var machineProblem: Message? {
    do throws(Problem) { _ = try machine() } catch { return error.message }
    return nil
  }

  /// Returns the part of `path` after "zoneinfo", a zone name such as "Asia/Seoul"; nil if there is
  /// no such part. If `path` is a symbolic link, uses the link's target.
  private func databaseName(_ path: String) -> String? {
    let parts = OutsideText.names(in: SystemFile.link(at: path) ?? path)
    guard let root = parts.lastIndex(of: "zoneinfo") else { return nil }
    return parts[(root + 1)...].joined(separator: "/")
  }

  private func read(_ path: String) throws(Problem) -> ZoneData {
    let bytes: [UInt8]
    // The limit is generous: the largest file of the tz database has 4 KiB.
    do throws(FileError) { bytes = try SystemFile.read(path, limit: 1 << 20) } catch {
      throw .file(error)
    }
    do throws(ZoneDataError) { return try ZoneData(file: bytes) } catch {
      throw .content(error, path: path)
    }
  }
}

/// Zone rules that remember each zone they have read. When the machine's zone or a zone file
/// changes, replace the object by `renewed()`.
public final class Zones: ZoneRules {
  private var known: [String?: ZoneData] = [:]
  private let machine: String?
  private let files: ZoneFiles
  /// The zones that were known before `renewed()` made this object. A zone that can no longer be
  /// read is taken from here.
  private let former: [String?: ZoneData]

  /// Uses the zone named `machine`, if given, instead of the machine's own zone.
  public convenience init(machine: String? = nil, files: ZoneFiles = ZoneFiles()) {
    self.init(machine, files, former: [:])
  }

  private init(_ machine: String?, _ files: ZoneFiles, former: [String?: ZoneData]) {
    (self.machine, self.files, self.former) = (machine, files, former)
  }

  /// Reads the files again. A zone that can no longer be read keeps the rules that it had.
  public func renewed() -> Zones {
    Zones(machine, files, former: former.merging(known) { $1 })
  }

  public func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    data(zone).interval(containing: instant)
  }

  public func isKnown(_ zone: String) -> Bool { (try? files.named(zone)) != nil }

  public static func exists(_ name: String) -> Bool { Zones().isKnown(name) }

  private func data(_ zone: String?) -> ZoneData {
    if let data = known[zone] { return data }
    let data = read(zone ?? machine) ?? former[zone] ?? .utc
    known[zone] = data
    return data
  }

  private func read(_ zone: String?) -> ZoneData? {
    do throws(ZoneFiles.Problem) {
      if let zone { return try files.named(zone) }
      // A program that changes the machine's zone may remove the old link first. Keep the old rules
      // until the new link exists.
      return try files.machine(unset: former[zone] ?? .utc)
    } catch {
      let stands = former[zone] == nil ? "UTC is used instead" : "its rules stay as they were"
      Log.warning("\(error); \(stands)")
      return nil
    }
  }

  /// The file that the machine's zone comes from.
  public static var machineFile: String { ZoneFiles().machineFile }

  /// The name of the machine's zone, such as `Asia/Seoul`. If the zone has no name, this is its
  /// rule or its path.
  public static var machineZone: String { ZoneFiles().machineName }
}
