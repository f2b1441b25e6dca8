// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tables of a config, key by key: what is read here is what a config may hold, and an unknown
// key is one that is not read here. Next: `AlarmEntry.swift`, `EntryReader.swift`.

import Scheduling
import TOML

struct ConfigurationReader {
  let context: ReadingContext
  let zones: KnownNames
  let sounds: KnownNames
  let diagnostics: DiagnosticCollector
  var reading = Reading()
  var places = Places()
  /// Those that alarms name, be there something wrong with the alarm.
  var groups: Set<String> = []

  init(_ context: ReadingContext, _ diagnostics: DiagnosticCollector) {
    (self.context, self.diagnostics) = (context, diagnostics)
    zones = KnownNames(context.isKnownZone, context.zoneNames)
    sounds = KnownNames(context.isKnownSound, context.soundNames)
  }

  /// Reads a whole config; diagnostics go to the diagnostics.
  func read(_ root: TOMLTable) -> Reading {
    var reader = self
    reader.readTables(root)
    return reader.reading
  }

  private mutating func readTables(_ root: TOMLTable) {
    findPlaces(root)
    var file = EntryReader(Entry(table: root, position: .start), diagnostics)
    file.read("defaults", .table) { table in
      var entry = EntryReader(table, diagnostics)
      let inForce = context.inForce.defaults
      let ring = entry.ringSettings(over: RingSettings(), sounds, keeping: inForce)
      reading.configuration.defaults = entry.alarmSettings(over: ring, keeping: inForce)
      entry.warnOfTheRest(elsewhere: Self.home)
    }
    file.read("agent", .table) { table in
      var entry = EntryReader(table, diagnostics)
      reading.configuration.agent = entry.agentSettings(keeping: context.inForce.agent)
      entry.warnOfTheRest(elsewhere: Self.home)
    }
    file.read("alarm", .tables) { readAlarms($0) }
    file.read("pause", .tables) { readPauses($0) }
    file.read("timer", .tables) { readTimers($0) }
    file.read("clock", .tables) { readClocks($0) }
    file.read("chime", .tables) { readChimes($0) }
    if file.isWrong("alarm") || file.isWrong("timer") { reading.hasNamelessFaults = true }
    file.warnOfTheRest(elsewhere: Self.home)
  }

  /// The table that has `key`, for one that stands in another.
  private static func home(of key: String) -> String? {
    let sounds = KnownNames({ _ in true }, { [] })
    let defaults = keys {
      _ = $0.alarmSettings(over: $0.ringSettings(over: RingSettings(), sounds))
    }
    if defaults.contains(key) {
      return "[defaults]"
    }
    if keys({ _ = $0.agentSettings() }).contains(key) { return "[agent]" }
    return SettingText.keys.contains(key) ? "[[alarm]]" : nil
  }

  /// The keys that `read` asks for.
  private static func keys(_ read: (inout EntryReader) -> Void) -> [String] {
    let nothing = Entry(table: TOMLTable(), position: .start)
    var reader = EntryReader(nothing, DiagnosticCollector(file: ""))
    read(&reader)
    return reader.keys
  }
}

// MARK: - Cities

/// The cities that a config names.
struct Places {
  /// By the names that it has for them; nil where there is no table of cities: then nobody can tell.
  var cities: [String: City]? = [:]
  var known: KnownNames?
  /// Where an alarm by the sun is that names none.
  var own: City?
}

extension ConfigurationReader {
  /// All at once, before any is read: each question reads the table of cities.
  mutating func findPlaces(_ root: TOMLTable) {
    let ofClocks = root.cities(of: "clock")
    let names = Set(ofClocks + root.cities(of: "alarm"))
    let found = names.isEmpty ? [:] : context.cities(names)
    places.cities = found
    places.known = found.map { found in KnownNames({ found[$0] != nil }, context.cityNames) }
    places.own = ofClocks.lazy.compactMap { found?[$0] }.first
  }
}

extension TOMLTable {
  fileprivate func cities(of key: String) -> [String] {
    guard case .array(let entries) = self[key]?.kind else { return [] }
    return entries.compactMap { entry in
      guard case .table(let table) = entry.kind, case .string(let name) = table["city"]?.kind else {
        return nil
      }
      return name
    }
  }
}

// MARK: - [defaults] and [agent]

extension EntryReader {
  /// The keys that `[defaults]`, alarms and timers share. `inForce` has what stands for a wrong one.
  mutating func ringSettings(
    over base: RingSettings, _ sounds: KnownNames, keeping inForce: RingSettings = RingSettings()
  ) -> RingSettings {
    var ring = base
    read("sound", .sounds(sounds), or: inForce.sounds) { ring.sounds = $0 }
    read("volume", .percent, or: inForce.volume) { ring.volume = $0 }
    warnOfNoVolume(ring.volume)
    read("fade_in", .duration(), or: inForce.fadeIn) { ring.fadeIn = $0 }
    read("snooze", .upToThreeDurations, or: inForce.snooze) { ring.snooze = $0 }
    read("snoozes", .count, or: inForce.snoozes) { ring.snoozes = $0 }
    read("ring_for", .durationOrForever, or: inForce.ringFor) { ring.ringFor = $0 }
    read("unanswered", .word, or: inForce.unanswered) { ring.unanswered = $0 }
    read("auto_snoozes", .count, or: inForce.autoSnoozes) { ring.autoSnoozes = $0 }
    read("late", .duration(), or: inForce.late) { ring.late = $0 }
    read("upcoming", .duration(), or: inForce.upcoming) { ring.upcoming = $0 }
    read("wake", .flag, or: inForce.wake) { ring.wake = $0 }
    read("on_ring", .commands, or: inForce.onRing) { ring.onRing = $0 }
    read("on_stop", .commands, or: inForce.onStop) { ring.onStop = $0 }
    return ring
  }

  /// The same, and what only an alarm or a timer has.
  mutating func ownSettings(over base: RingSettings, _ sounds: KnownNames) -> RingSettings {
    var ring = ringSettings(over: base, sounds)
    ring.devices = value("device", .names) ?? []
    return ring
  }

  /// What `[defaults]` has for alarms alone.
  mutating func alarmSettings(
    over base: RingSettings, keeping inForce: RingSettings = RingSettings()
  ) -> RingSettings {
    var ring = base
    read("check", .duration(), or: inForce.check) { ring.check = $0 }
    read("before", .duration(), or: inForce.before) { ring.before = $0 }
    read("on_before", .commands, or: inForce.onBefore) { ring.onBefore = $0 }
    read("bedtime", .bedtime, or: inForce.bedtime) { ring.bedtime = $0 }
    return ring
  }

  mutating func agentSettings(keeping inForce: AgentSettings = AgentSettings()) -> AgentSettings {
    var agent = AgentSettings()
    read("clock", .word, or: inForce.clock) { agent.clock = $0 }
    read("on_close", .word, or: inForce.onClose) { agent.onClose = $0 }
    read("device", .names, or: inForce.devices) { agent.devices = $0 }
    read("mixer", .word, or: inForce.mixer) { agent.mixer = $0 }
    read("mixer_floor", .percent, or: inForce.mixerFloor) { agent.mixerFloor = $0 }
    read("pause_media", .flag, or: inForce.pauseMedia) { agent.pauseMedia = $0 }
    read("countdown", .flag, or: inForce.countdown) { agent.countdown = $0 }
    read("tray", .flag, or: inForce.tray) { agent.tray = $0 }
    read("wake_ahead", .duration(), or: inForce.wakeAhead) { agent.wakeAhead = $0 }
    read("lock_screen", .word, or: inForce.lockScreen) { agent.lockScreen = $0 }
    return agent
  }
}
