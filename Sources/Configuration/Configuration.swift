// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config as values, and the result of reading it. Reading never fails: it returns
// everything that is right, and a diagnostic for everything that is not. Next:
// `ConfigurationReader.swift`, which reads the tables.

import Scheduling
import TOML

public struct Configuration: Sendable, Equatable {
  /// How alarms and timers ring unless they say otherwise; already applied to each of them.
  public var defaults = RingSettings()
  public var agent = AgentSettings()
  /// In the order of the file, each with a different id.
  public var alarms: [Alarm] = []
  /// In the order of the file; already applied to each alarm.
  public var pauses: [Pause] = []
  /// In the order of the file, each with a different name.
  public var timers: [TimerPreset] = []
  public var clocks: [WorldClock] = []
  public var chimes: [Chime] = []

  public init() {}

  /// The size in bytes up to which a file is read.
  public static let largestFile = 16 * 1024 * 1024
}

/// The meaning of a config, and what is wrong with it.
public struct Reading: Sendable, Equatable {
  /// Everything that is right. A wrong key of `[defaults]` or `[agent]` keeps the value in force.
  /// Entries with errors are left out.
  public var configuration = Configuration()
  /// In the order of the text.
  public var diagnostics: [Diagnostic] = []
  /// Whether the text is TOML. If not, nothing of it was read.
  public var isTOML = true
  /// The ids of alarms with errors.
  public var faultyAlarms: Set<String> = []
  /// The ids of alarms that have errors and are switched off.
  public var faultyAndOff: Set<String> = []
  /// The id of each element of the list `alarm` in the text; nil if an error leaves it open.
  public var alarmNames: [String?] = []
  /// The index in the list `clock` of each clock of the configuration.
  public var clockPlaces: [Int] = []
  /// The index in the list `pause` of each pause of the configuration.
  public var pausePlaces: [Int] = []
  /// The names of timers with errors.
  public var faultyTimers: Set<String> = []
  /// Whether there is an alarm or a timer whose error leaves its name open. Any alarm or timer that
  /// is no longer in the file may be that one.
  public var hasNamelessFaults = false

  public init() {}

  /// The result for a file that could not be read at all.
  public init(unread diagnostic: Diagnostic) {
    isTOML = false
    diagnostics = [diagnostic]
  }

  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The index in the list `alarm` of each alarm, by its id.
  public var alarmPlaces: [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in alarmNames.enumerated() { if let name { places[name] = place } }
    return places
  }
}

extension Configuration {
  /// Reads a config. `file` is its name in diagnostics.
  public static func read(_ bytes: [UInt8], file: String, in context: ReadingContext) -> Reading {
    do throws(Diagnostic) {
      return try ConfigSnapshot(of: bytes, file: file, in: context).reading
    } catch { return Reading(unread: error) }
  }
}

extension Configuration {
  /// The settings in force after `reading`: everything that is right in it. An alarm or timer with
  /// an error keeps its former settings, but an alarm that is switched off is off in any case. A
  /// text that is not TOML changes nothing.
  public func replaced(by reading: Reading) -> Configuration {
    guard reading.isTOML else { return self }
    var result = reading.configuration
    let (alarmIDs, timerNames) = (Set(result.alarms.map(\.id)), Set(result.timers.map(\.name)))
    result.alarms += alarms.filter {
      !alarmIDs.contains($0.id)
        && (reading.hasNamelessFaults || reading.faultyAlarms.contains($0.id))
    }.map { alarm in
      var alarm = alarm
      if reading.faultyAndOff.contains(alarm.id) { alarm.enabled = false }
      return alarm
    }
    for index in result.alarms.indices { result.alarms[index].take(result.pauses) }
    result.timers += timers.filter {
      !timerNames.contains($0.name)
        && (reading.hasNamelessFaults || reading.faultyTimers.contains($0.name))
    }
    return result
  }
}
