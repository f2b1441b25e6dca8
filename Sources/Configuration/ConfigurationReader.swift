// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the tables of a config. The entries of lists are read in `AlarmEntry.swift` and
// `OtherEntries.swift`. Single keys are read in `EntryReader.swift`.

import Cities
import Scheduling
import TOML

struct ConfigurationReader {
  let context: ReadingContext
  let diagnostics: DiagnosticCollector
  var known: Known
  var reading = Reading()
  var places = Places()
  /// The groups of all alarms, including alarms with errors.
  var groups: Set<String> = []

  init(_ context: ReadingContext, _ diagnostics: DiagnosticCollector) {
    (self.context, self.diagnostics) = (context, diagnostics)
    known = Known(
      weekdays: context.weekdays, zones: KnownNames(context.isKnownZone, context.zoneNames),
      sounds: KnownNames(
        context.isKnownSound, context.soundNames, problem: context.soundProblem))
  }

  func read(_ root: TOMLTable) -> Reading {
    var reader = self
    reader.readTables(root)
    return reader.reading
  }

  private mutating func readTables(_ root: TOMLTable) {
    findPlaces(root)
    var file = EntryReader(EntryTable(table: root, position: .start), diagnostics)
    file.read("defaults", .table, means: "How alarms and timers ring unless they say otherwise.") {
      table in
      var entry = EntryReader(table, diagnostics)
      reading.configuration.defaults = entry.ringSettings(
        of: .defaults, over: RingSettings(), known)
      entry.warnOfTheRest(home: Self.home)
      if !entry.isFaultless { reading.faultyKeys.insert("defaults") }
    }
    file.read("agent", .table, means: "How the agent behaves for all alarms and timers.") {
      table in
      var entry = EntryReader(table, diagnostics)
      reading.configuration.agent = entry.settings(
        AgentSettings.keys, over: AgentSettings(), known)
      entry.warnOfTheRest(home: Self.home)
      if !entry.isFaultless { reading.faultyKeys.insert("agent") }
    }
    file.read("alarm", .tables, means: "An alarm: at a time, on weekdays, on a date, or once.") {
      readAlarms($0)
    }
    file.read(
      "pause", .tables, means: "Days on which no alarm rings, or no alarm of a group."
    ) { readPauses($0) }
    file.read("timer", .tables, means: "A preset: belfry timer NAME starts it.") { readTimers($0) }
    file.read("clock", .tables, means: "A place of the world clock.") { readClocks($0) }
    file.read("chime", .tables, means: "One stroke at regular times, if it would disturb no one.") {
      readChimes($0)
    }
    for key in Configuration.tableKeys + Configuration.listKeys where file.isWrong(key) {
      reading.faultyKeys.insert(key)
    }
    // Note the last elements of lists, too, if they are no tables.
    for key in Configuration.listKeys {
      guard let count = root[key]?.kind.array?.count, count > reading.tables[key]?.count ?? 0
      else { continue }
      reading.recordTable(key, count - 1, nil, isFaulty: true)
    }
    file.warnOfTheRest(home: Self.home)
  }

  /// Returns the heading under which `key` belongs, such as `[agent]`.
  private static func home(of key: String) -> String? {
    let tables = [("defaults", "[defaults]"), ("agent", "[agent]"), ("alarm", "[[alarm]]")]
    return tables.first { Configuration.keyOrder[$0.0]?.contains(key) == true }?.1
  }
}

// MARK: - Cities

/// The cities that a config names.
struct Places {
  /// The cities by the names that the config uses for them; nil if the table of cities cannot be
  /// read.
  var cities: [String: City]? = [:]
  /// The city of the first clock that has a city. Alarms with a time such as `sunrise` use this
  /// city if they have no `city`.
  var own: City?
}

extension ConfigurationReader {
  /// Looks up all cities at once, because each lookup reads the whole table of cities.
  mutating func findPlaces(_ root: TOMLTable) {
    let ofClocks = root.cities(of: "clock")
    let names = Set(ofClocks + root.cities(of: "alarm"))
    let found = names.isEmpty ? [:] : context.cities(names)
    places.cities = found
    known.cities = found.map { found in KnownNames({ found[$0] != nil }, context.cityNames) }
    reading.cities = (found ?? [:]).sorted { $0.key < $1.key }
      .map { SettingsInForce.FoundCity(name: $0.key, city: $0.value) }
    // If the first city is unknown, do not take the second one: the alarms would move to it.
    places.own = ofClocks.first.flatMap { found?[$0] }
  }
}

extension TOMLTable {
  func cities(of key: String) -> [String] {
    (self[key]?.kind.array ?? []).compactMap { $0.kind.table?["city"]?.kind.string }
  }
}
