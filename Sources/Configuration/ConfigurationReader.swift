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
    file.read("defaults", .table, means: "How alarms and timers ring that do not say otherwise.") {
      table in
      var entry = EntryReader(table, diagnostics)
      reading.configuration.defaults = entry.ringSettings(
        of: .defaults, over: RingSettings(), sounds, keeping: context.inForce.defaults)
      entry.warnOfTheRest(elsewhere: Self.home)
    }
    file.read("agent", .table, means: "How the agent behaves, whatever it is that rings.") {
      table in
      var entry = EntryReader(table, diagnostics)
      reading.configuration.agent = entry.agentSettings(
        sounds, keeping: context.inForce.agent)
      entry.warnOfTheRest(elsewhere: Self.home)
    }
    file.read("alarm", .tables, means: "An alarm: at a time, on weekdays, on a date, or once.") {
      readAlarms($0)
    }
    file.read(
      "pause", .tables, means: "Days on which no alarm rings, as in a holiday, or none of a group."
    ) { readPauses($0) }
    file.read("timer", .tables, means: "A preset: belfry timer NAME starts it.") { readTimers($0) }
    file.read("clock", .tables, means: "A place of the world clock.") { readClocks($0) }
    file.read("chime", .tables, means: "One stroke at such times, where it disturbs nobody.") {
      readChimes($0)
    }
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
  /// By the names that it has for them; nil where there is no table of cities: then nobody can
  /// tell.
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
