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
  /// All valid settings. If a key of `[defaults]` or `[agent]` has a wrong value, the value in
  /// force is kept. Entries with errors are left out.
  public var configuration = Configuration()
  /// The diagnostics in the order of the text.
  public var diagnostics: [Diagnostic] = []
  /// Whether the text is TOML. If the text is not TOML, no settings were read.
  public var isTOML = true
  /// The ids of alarms that have errors.
  public var faultyAlarms: Set<String> = []
  /// The ids of alarms that have errors and are switched off.
  public var faultyAndOff: Set<String> = []
  /// The id of each element of the list `alarm` in the text; nil if the id is unknown because of an
  /// error.
  public var alarmNames: [String?] = []
  /// For each clock of the configuration, its index in the list `clock` of the text.
  public var clockPlaces: [Int] = []
  /// For each pause of the configuration, its index in the list `pause` of the text.
  public var pausePlaces: [Int] = []
  public var faultyTimers: Set<String> = []
  /// A copy of the config that can be stored. Its text is empty if the config is not TOML.
  public var copy = ConfigCopy()
  /// Whether an alarm has an error that makes its id unknown. If so, any alarm that seems to be
  /// missing from the file may be the one with the error. So all of these keep their former
  /// settings.
  public var hasNamelessAlarms = false
  /// Whether a timer has an error that makes its name unknown. If so, all timers that are missing
  /// from the file keep their former settings.
  public var hasNamelessTimers = false

  public init() {}

  /// Makes the result for a file that could not be read at all.
  public init(unread diagnostic: Diagnostic) {
    isTOML = false
    diagnostics = [diagnostic]
  }

  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The index of each alarm in the list `alarm` of the text, by the alarm's id.
  public var alarmPlaces: [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in alarmNames.enumerated() { if let name { places[name] = place } }
    return places
  }
}

extension Configuration {
  /// Reads a config. `file` is the name of the config in diagnostics.
  public static func read(_ bytes: [UInt8], file: String, in context: ReadingContext) -> Reading {
    do throws(Diagnostic) {
      return try ConfigSnapshot(of: bytes, file: file, in: context).reading
    } catch { return Reading(unread: error) }
  }

  /// Returns the settings in force after `reading`. An alarm or timer with an error keeps its
  /// former settings, but an alarm with an error can still be disabled. If the text is not TOML,
  /// nothing changes.
  public func replaced(by reading: Reading) -> Configuration {
    guard reading.isTOML else { return self }
    var result = reading.configuration
    let (alarmIDs, timerNames) = (Set(result.alarms.map(\.id)), Set(result.timers.map(\.name)))
    // An alarm with an error and without former settings may be one of the alarms that are missing:
    // a new label, or a new time, gives an alarm another id.
    let known = Set(alarms.map(\.id))
    let isUncertain =
      reading.hasNamelessAlarms
      || !reading.faultyAlarms.subtracting(reading.faultyAndOff).isSubset(of: known)
    // A missing alarm whose times a new alarm has was renamed without an error.
    let times = Set(result.alarms.filter { !known.contains($0.id) }.map(\.recurrence))
    result.alarms += alarms.filter {
      !alarmIDs.contains($0.id)
        && (reading.faultyAlarms.contains($0.id) || isUncertain && !times.contains($0.recurrence))
    }.map { alarm in
      var alarm = alarm
      if reading.faultyAndOff.contains(alarm.id) { alarm.enabled = false }
      return alarm
    }
    for index in result.alarms.indices { result.alarms[index].take(result.pauses) }
    result.timers += timers.filter {
      !timerNames.contains($0.name)
        && (reading.hasNamelessTimers || reading.faultyTimers.contains($0.name))
    }
    return result
  }
}
