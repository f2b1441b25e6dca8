// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config as values, and the result of reading a config. Reading never fails: it returns
// all valid settings, and a diagnostic for each error. Next: `ConfigurationReader.swift`, which
// reads the tables.

import Scheduling
import TOML

public struct Configuration: Sendable, Equatable {
  /// The settings in `[defaults]`, for alarms and timers that do not set their own. Each alarm and
  /// timer here already includes them.
  public var defaults = RingSettings()
  public var agent = AgentSettings()
  /// The alarms in the order of the file. Each alarm has a different id.
  public var alarms: [Alarm] = []
  /// The pauses in the order of the file. The alarms here already leave out the paused days.
  public var pauses: [Pause] = []
  /// The presets in the order of the file. Each preset has a different name.
  public var timers: [TimerPreset] = []
  public var clocks: [WorldClock] = []
  public var chimes: [Chime] = []

  public init() {}

  public func alarm(_ id: String) -> Alarm? { alarms.first { $0.id == id } }

  /// The size in bytes of the largest config that is read or written.
  public static let largestFile = 16 * 1024 * 1024
}

public struct Reading: Sendable, Equatable {
  /// All valid settings. Tables with errors are left out.
  public var configuration = Configuration()
  /// The diagnostics in the order of the text.
  public var diagnostics: [Diagnostic] = []
  /// Whether the text is TOML. If the text is not TOML, no settings were read.
  public var isTOML = true
  var text = ""
  var root = TOMLTable()
  /// The cities that the config names.
  var cities: [SettingsInForce.FoundCity] = []
  /// What was read of each element of a list, such as `alarm`, in the order of the text.
  var tables: [String: [ReadTable]] = [:]
  /// The keys of the file, such as `defaults`, whose table has an error, or whose value is no table
  /// or list of tables.
  var faultyKeys: Set<String> = []

  /// An element of a list of tables.
  public struct ReadTable: Sendable, Equatable {
    /// What identifies the entry among the entries of its kind; nil if it is unknown because of an
    /// error. This is the id of an alarm and the name of a timer. A pause, a clock and a chime have
    /// the values that say which one they are, and several of them may be equal.
    public var id: String?
    public var isFaulty: Bool
  }

  public init() {}

  /// Makes the result for a file that could not be read at all.
  public init(unread diagnostic: Diagnostic) {
    isTOML = false
    diagnostics = [diagnostic]
  }

  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The id of each element of the list `alarm` in the text; nil if the id is unknown because of an
  /// error.
  public var alarmNames: [String?] { tables["alarm"]?.map(\.id) ?? [] }

  /// The index of each alarm in the list `alarm` of the text, by the alarm's id.
  public var alarmPlaces: [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in alarmNames.enumerated() { if let name { places[name] = place } }
    return places
  }

  /// The ids of the alarms that have errors.
  public var faultyAlarms: Set<String> { faulty("alarm") }
  /// The names of the timers that have errors.
  public var faultyTimers: Set<String> { faulty("timer") }
  /// Whether an alarm has an error that makes its id unknown.
  public var hasNamelessAlarms: Bool { hasNameless("alarm") }
  /// Whether a timer has an error that makes its name unknown.
  public var hasNamelessTimers: Bool { hasNameless("timer") }
  /// For each clock of the configuration, its index in the list `clock` of the text.
  public var clockPlaces: [Int] { validPlaces("clock") }
  /// For each pause of the configuration, its index in the list `pause` of the text.
  public var pausePlaces: [Int] { validPlaces("pause") }

  func faulty(_ key: String) -> Set<String> {
    Set(tables[key]?.compactMap { $0.isFaulty ? $0.id : nil } ?? [])
  }

  private func hasNameless(_ key: String) -> Bool {
    faultyKeys.contains(key) || tables[key]?.contains { $0.id == nil } ?? false
  }

  private func validPlaces(_ key: String) -> [Int] {
    tables[key]?.enumerated().compactMap { $1.isFaulty ? nil : $0 } ?? []
  }

  /// Notes what was read of the element `index` of a list. Elements before it that are no tables
  /// are noted as faulty.
  mutating func recordTable(_ key: String, _ index: Int, _ id: String?, isFaulty: Bool) {
    while tables[key]?.count ?? 0 < index {
      tables[key, default: []].append(ReadTable(id: nil, isFaulty: true))
    }
    tables[key, default: []].append(ReadTable(id: id, isFaulty: isFaulty))
  }
}

extension Configuration {
  /// Reads a config. `file` is the name of the config in diagnostics.
  public static func read(_ bytes: [UInt8], file: String, in context: ReadingContext) -> Reading {
    do throws(Diagnostic) {
      return try ConfigSnapshot(of: bytes, file: file, in: context).reading
    } catch { return Reading(unread: error) }
  }
}
