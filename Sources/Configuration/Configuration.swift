// SPDX-License-Identifier: GPL-3.0-or-later
//
// The user's config as values, and what reading it gives. A reading never fails: it returns
// everything that is right, and a diagnostic for everything that is not. It opens no file. Next:
// `ConfigurationReader.swift`, where each table's keys are.

import Scheduling
import TOML

public struct Configuration: Sendable, Equatable {
  /// How alarms and timers ring that do not say otherwise; already part of each of them.
  public var defaults = RingSettings()
  public var agent = AgentSettings()
  /// In the order of the file, each with an identifier of its own.
  public var alarms: [Alarm] = []
  /// In the order of the file; already part of each alarm.
  public var pauses: [Pause] = []
  /// In the order of the file, each with a name of its own.
  public var timers: [TimerPreset] = []
  public var clocks: [WorldClock] = []
  public var chimes: [Chime] = []

  public init() {}

  /// In bytes; a larger file is not read at all, see `UnreadableFile`.
  public static let largestFile = 16 * 1024 * 1024
}

/// What a text says, and what is wrong with it.
public struct Reading: Sendable, Equatable {
  /// Everything that is right. A key that is wrong has what was in force, or its default; an alarm,
  /// timer or clock with an error is not here.
  public var configuration = Configuration()
  /// In the order of the text.
  public var diagnostics: [Diagnostic] = []
  /// False where the text is not TOML: then nothing of it was read.
  public var isTOML = true
  /// The identifiers of alarms that have an error, as far as they can be told.
  public var faultyAlarms: Set<String> = []
  /// Those of them that are switched off, whatever is wrong with them besides.
  public var faultyAndOff: Set<String> = []
  /// What each alarm of the list `alarm` of the text is called, as far as that can be told: where
  /// one stands, for `TOMLEdit`.
  public var alarmNames: [String?] = []
  /// The same for each of the configuration's clocks, in the list `clock`.
  public var clockPlaces: [Int] = []
  /// The same for the pauses, in the list `pause`.
  public var pausePlaces: [Int] = []
  /// The names of timers that have an error, as far as they can be told.
  public var faultyTimers: Set<String> = []
  /// Whether there are errors that cost an alarm or a timer whose name cannot be told: any of those
  /// that were there before may be meant.
  public var hasNamelessFaults = false

  public init() {}

  /// Of a file that was not read at all.
  public init(unread diagnostic: Diagnostic) {
    isTOML = false
    diagnostics = [diagnostic]
  }

  public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// Where each alarm that has a name stands in the list.
  public var alarmPlaces: [String: Int] {
    var places: [String: Int] = [:]
    for (place, name) in alarmNames.enumerated() { if let name { places[name] = place } }
    return places
  }
}

extension Configuration {
  /// Reads `bytes`, the whole of a config. `file` is the name that diagnostics give it.
  public static func read(_ bytes: [UInt8], file: String, in context: ReadingContext) -> Reading {
    do throws(Diagnostic) {
      return try ConfigSnapshot(of: bytes, file: file, in: context).reading
    } catch { return Reading(unread: error) }
  }
}

extension Configuration {
  /// What is in force once `reading` has been taken in: all that is right in it, and for an alarm
  /// or timer that is wrong, what was in force before; an alarm that is switched off now is off,
  /// whatever is wrong with it. A text that is not TOML changes nothing.
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
