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
      reading.configuration.defaults = entry.ringSettings(
        of: .defaults, over: RingSettings(), sounds, keeping: context.inForce.defaults)
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
    let tables = [("defaults", "[defaults]"), ("agent", "[agent]"), ("alarm", "[[alarm]]")]
    return tables.first { Configuration.keyOrder[$0.0]?.contains(key) == true }?.1
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

/// What settings of how it rings are read for.
enum RingOwner { case defaults, alarm, timer }

extension EntryReader {
  /// How something rings. `inForce` has what stands for a wrong key of `[defaults]`.
  mutating func ringSettings(
    of owner: RingOwner, over base: RingSettings, _ sounds: KnownNames,
    keeping inForce: RingSettings = RingSettings()
  ) -> RingSettings {
    var ring = base
    readSound(of: owner, &ring, sounds, inForce)
    readSnoozes(&ring, inForce)
    if owner != .timer { read("check", .duration(), or: inForce.check) { ring.check = $0 } }
    read("late", .duration(), or: inForce.late) { ring.late = $0 }
    read("upcoming", .duration(), or: inForce.upcoming) { ring.upcoming = $0 }
    read("wake", .flag, or: inForce.wake) { ring.wake = $0 }
    if owner != .timer {
      read("before", .duration(), or: inForce.before) { ring.before = $0 }
      read("on_before", .commands, or: inForce.onBefore) { ring.onBefore = $0 }
      read("bedtime", .bedtime, or: inForce.bedtime) { ring.bedtime = $0 }
    }
    read("on_ring", .commands, or: inForce.onRing) { ring.onRing = $0 }
    read("on_stop", .commands, or: inForce.onStop) { ring.onStop = $0 }
    return ring
  }

  private mutating func readSound(
    of owner: RingOwner, _ ring: inout RingSettings, _ sounds: KnownNames, _ inForce: RingSettings
  ) {
    read("sound", .sounds(sounds), or: inForce.sounds) { ring.sounds = $0 }
    if owner != .defaults { ring.devices = value("device", .names) ?? [] }
    read("volume", .percent, or: inForce.volume) { ring.volume = $0 }
    warnOfNoVolume(ring.volume)
    read("fade_in", .duration(), or: inForce.fadeIn) { ring.fadeIn = $0 }
  }

  private mutating func readSnoozes(_ ring: inout RingSettings, _ inForce: RingSettings) {
    read("snooze", .upToThreeDurations, or: inForce.snooze) { ring.snooze = $0 }
    read("snoozes", .count, or: inForce.snoozes) { ring.snoozes = $0 }
    read("ring_for", .durationOrForever, or: inForce.ringFor) { ring.ringFor = $0 }
    read("unanswered", .word, or: inForce.unanswered) { ring.unanswered = $0 }
    read("auto_snoozes", .count, or: inForce.autoSnoozes) { ring.autoSnoozes = $0 }
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
