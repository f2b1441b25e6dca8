// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tz database on this machine as the core wants it. `GTimeZone` was given up: a zone file that
// is cut short crashes it, one that changes under its name is not seen, it heeds no `TZ` when asked
// by identifier, and it knows no summer after 2037. Next: `ZoneData.swift` in the core.

import Glibc
import Language
import Scheduling

/// Where zones are found, as `tzset(3)` has it.
public nonisolated struct ZoneFiles: Equatable, Sendable {
  /// The tz database.
  public var folder: String
  /// The machine's zone, a link into the database or a file of its own.
  public var localTime: String
  /// Debian's note of what the machine's zone is called.
  public var note = "/etc/timezone"
  /// The variable `TZ`, which decides over `localTime` where it is set.
  public var variable: String?

  /// As the environment has it.
  public init() {
    folder = Environment.value("TZDIR") ?? "/usr/share/zoneinfo"
    localTime = "/etc/localtime"
    // Not `Environment.value`: here an empty variable has a meaning, UTC.
    variable = getenv("TZ").map { String(cString: $0) }
  }

  public init(folder: String, localTime: String, variable: String?) {
    (self.folder, self.localTime, self.variable) = (folder, localTime, variable)
  }

  /// What kept a zone from being known.
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

  /// The zone of that name. Offsets such as `+09:00` are no names: they have no summer time, and
  /// who writes one seldom wants that.
  func named(_ name: String) throws(Problem) -> ZoneData {
    guard name.unicodeScalars.first?.properties.isAlphabetic == true, !name.includes("..")
    else {
      throw .noName(name)
    }
    return try read("\(folder)/\(name)")
  }

  /// The zone that the machine is in; `unset` where it is in none.
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
        // Many containers have no `/etc/localtime`, and mean UTC.
        if case .file(let error) = error, error.isMissing, path == localTime { return unset }
        throw error
      }
    }
  }

  /// What the machine's zone is called, such as `Asia/Seoul`; a rule or a path where it has no
  /// name.
  var machineName: String {
    switch location {
    case .utc: "UTC"
    case .name(let name): name
    case .path(let path): databaseName(path) ?? path
    }
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
    return name.hasPrefix("/") ? .path(String(name)) : .name(String(name))
  }

  /// The zone that the machine is meant to be in, if a note of it is there and the database has it.
  var notedName: String? {
    guard let bytes = try? SystemFile.read(note, limit: 1000) else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first
    guard let name = line.map(String.init), (try? named(name)) != nil else { return nil }
    return name
  }

  /// The part of `path`, or of where it leads to, that is below the database.
  private func databaseName(_ path: String) -> String? {
    let parts = (SystemFile.link(at: path) ?? path).split(separator: "/")
    guard let root = parts.lastIndex(of: "zoneinfo") else { return nil }
    return parts[(root + 1)...].joined(separator: "/")
  }

  private func read(_ path: String) throws(Problem) -> ZoneData {
    let bytes: [UInt8]
    // The largest of the database has 4 KiB.
    do throws(FileError) { bytes = try SystemFile.read(path, limit: 1 << 20) } catch {
      throw .file(error)
    }
    do throws(ZoneDataError) { return try ZoneData(file: bytes) } catch {
      throw .content(error, path: path)
    }
  }
}

/// Zone rules that remember the zones they were asked for. When the machine's zone changes, or the
/// rules on disk, go on with `renewed()`.
public nonisolated final class Zones: ZoneRules {
  private var known: [String?: ZoneData] = [:]
  private let machine: String?
  private let files: ZoneFiles
  /// What was known before, for zones that cannot be read any more.
  private let former: [String?: ZoneData]

  /// `machine` stands in for the zone that the machine is in.
  public convenience init(machine: String? = nil, files: ZoneFiles = ZoneFiles()) {
    self.init(machine, files, former: [:])
  }

  private init(_ machine: String?, _ files: ZoneFiles, former: [String?: ZoneData]) {
    (self.machine, self.files, self.former) = (machine, files, former)
  }

  /// What the files say now. A zone that can no longer be read keeps the rules that it had.
  public func renewed() -> Zones {
    Zones(machine, files, former: former.merging(known) { $1 })
  }

  public func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    data(zone).interval(containing: instant)
  }

  public func isKnown(_ zone: String) -> Bool { (try? files.named(zone)) != nil }

  /// Whether the tz database has `name`.
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
      // Who changes the zone may take the old one away first.
      return try files.machine(unset: former[zone] ?? .utc)
    } catch {
      let stands = former[zone] == nil ? "UTC stands in for it" : "its rules stay as they were"
      Log.warning("\(error); \(stands)")
      return nil
    }
  }

  /// Every identifier that the tz database on this machine has; empty where it does not list them.
  public static var names: [String] {
    let list = "\(ZoneFiles().folder)/tzdata.zi"
    guard let text = try? SystemFile.read(list, limit: 1 << 20) else {
      // The list only serves to guess what was mistyped.
      return []
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      // `Z Asia/Seoul 8:27:52 - LMT 1908 Ap` begins a zone, `L Asia/Seoul ROK` gives it a name
      // more.
      let fields = line.split(separator: " ")
      return switch fields.first {
      case "Z" where fields.count > 1: String(fields[1])
      case "L" where fields.count > 2: String(fields[2])
      default: nil
      }
    }
  }

  /// Why the machine's zone cannot be read; nil where it can.
  public static var machineProblem: Message? {
    do throws(ZoneFiles.Problem) { _ = try ZoneFiles().machine() } catch { return error.message }
    return nil
  }

  /// Whether the machine's zone is that of `TZ`, so that only this process is in it.
  public static var isOfVariable: Bool { ZoneFiles().variable != nil }

  /// The zone that a machine is meant to be in whose own cannot be read; nil if that is not known.
  public static var notedZone: String? { ZoneFiles().notedName }

  /// The identifier of the zone that the machine is in, such as `Asia/Seoul`; a rule or a path
  /// where it has none.
  public static var machineZone: String { ZoneFiles().machineName }
}
