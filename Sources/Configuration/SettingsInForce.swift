// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings in force: a config without errors, in which each table is as it takes effect. One
// function computes them from the settings that were last in force and the present file; the agent
// and every command call it. Next: `Configuration.swift`, which has the result as values.

import Cities
import Scheduling
import TOML

/// The settings in force, as they are stored for the next start of the agent.
public struct SettingsInForce: Hashable, Sendable {
  /// The absolute path of the config. A config with another path has other alarms, so these
  /// settings do not apply to it.
  public var config: String
  /// The text of the file or, if tables of the file have errors, the text with the last valid form
  /// of each of these tables.
  public var text = ""
  /// The cities and calendars that were found in other files when the text was read. With them, the
  /// agent can read the text without opening these files, because their disk may hang.
  public var cities: [FoundCity] = []
  public var calendars: [HolidayFile] = []
  /// Whether the config is gone. Nothing is in force then, and the text is the last one that was.
  public var isGone = false

  public init(of config: String) { self.config = config }

  public struct FoundCity: Hashable, Sendable {
    public var name: String
    public var city: City

    public init(name: String, city: City) { (self.name, self.city) = (name, city) }
  }

  /// Returns the settings as values. `context` looks up zones; no other file is needed.
  public func configuration(in context: ReadingContext) -> Configuration {
    reading(in: context).configuration
  }

  private func reading(in context: ReadingContext) -> Reading {
    if isGone { return Reading() }
    var context = context
    // The names in the text were known when they were read, and that is enough.
    context.isOfSettingsInForce = true
    context.cities = { names in
      Dictionary(cities.filter { names.contains($0.name) }.map { ($0.name, $0.city) }) { first, _ in
        first
      }
    }
    context.calendar = { name, zone in
      let found = calendars.first { ($0.name, $0.zone) == (name, zone) }
      return (found?.days ?? ExceptedDays(), nil, nil)
    }
    return Configuration.read(Array(text.utf8), file: "", in: context)
  }
}

extension SettingsInForce {
  /// The alarms that are not in force because the config is gone.
  public func lostAlarms(in context: ReadingContext) -> [Alarm] {
    guard isGone else { return [] }
    var last = self
    last.isGone = false
    return last.configuration(in: context).alarms
  }

  /// Returns the settings in force after the file was read as `reading`, and the same as values:
  ///
  /// - A table without an error is in force as it stands in the file.
  /// - A table with an error keeps the form that is in force. If none is, the table has no effect.
  /// - If an error hides the id of an entry, all entries of its kind that are in force and not in
  ///   the file stay.
  /// - If the file is not TOML, or cannot be read, nothing changes.
  ///
  /// The result after the same reading again is the same. `context` must not open files.
  public func replaced(
    by reading: Reading, in context: ReadingContext
  ) -> (settings: SettingsInForce, configuration: Configuration) {
    guard reading.isTOML else { return (self, configuration(in: context)) }
    var new = SettingsInForce(of: config)
    guard reading.hasErrors else {
      (new.text, new.cities) = (reading.text, reading.cities)
      new.calendars = reading.configuration.calendars
      return (new, reading.configuration)
    }
    new.text = TOMLTable(of: reading, keeping: self.reading(in: context)).text
    new.cities = reading.cities + cities
    new.calendars = reading.configuration.calendars + calendars
    // Keep only the cities and calendars that the text names.
    let merged = new.reading(in: context)
    (new.cities, new.calendars) = (merged.cities, merged.configuration.calendars)
    return (new, merged.configuration)
  }
}

extension TOMLTable {
  /// Makes the settings in force after `reading`, if `former` are the settings in force before.
  fileprivate init(of reading: Reading, keeping former: Reading) {
    self.init()
    for key in Configuration.tableKeys {
      let source = reading.faultyKeys.contains(key) ? former : reading
      if let value = source.root[key], value.kind.table != nil { set(key, value) }
    }
    for key in Configuration.listKeys {
      let list = Self.list(key, of: reading, keeping: former)
      if !list.isEmpty { set(key, TOMLValue(.array(list.map { TOMLValue(.table($0)) }))) }
    }
  }

  private static func list(
    _ key: String, of reading: Reading, keeping former: Reading
  ) -> [TOMLTable] {
    let inForce = former.entries(key)
    let kept = Dictionary(
      inForce.compactMap { entry in entry.id.map { ($0, entry.table) } }
    ) { first, _ in first }
    let entries = reading.entries(key)
    var list = entries.compactMap { $0.isFaulty ? $0.id.flatMap { kept[$0] } : $0.table }
    if reading.faultyKeys.contains(key) || entries.contains(where: { $0.id == nil }) {
      let inFile = Set(entries.map(\.id))
      list += inForce.filter { !inFile.contains($0.id) }.map(\.table)
    }
    return list
  }

  fileprivate mutating func set(_ key: String, _ value: TOMLValue) {
    entries.append(Entry(key: key, keyPosition: .start, value: value))
  }
}

extension Reading {
  /// Returns the tables of a list. What a table of alarms takes from elsewhere in the file is
  /// written in it, so that it means the same in another file.
  fileprivate func entries(_ key: String) -> [(id: String?, isFaulty: Bool, table: TOMLTable)] {
    let values = root[key]?.kind.array ?? []
    let bySun = Set(configuration.alarms.filter { $0.recurrence.sun != nil }.map(\.id))
    let city = root.cities(of: "clock").first
    var counts: [String: Int] = [:]
    return zip(values, tables[key] ?? []).map { value, read in
      var table = value.kind.table ?? TOMLTable()
      guard let id = read.id else { return (nil, read.isFaulty, table) }
      if key == "alarm" {
        if table["id"] == nil { table.set("id", TOMLValue(.string(id))) }
        // Alarms by the sun follow the first clock with a city.
        if table["city"] == nil, bySun.contains(id), let city {
          table.set("city", TOMLValue(.string(city)))
        }
      }
      // Of equal entries, the first one corresponds to the first one in the other text, and so on.
      counts[id, default: 0] += 1
      return ("\(id)\0\(counts[id, default: 0])", read.isFaulty, table)
    }
  }
}

extension Configuration {
  /// The iCalendar files of all alarms, each file once for each time zone.
  var calendars: [HolidayFile] {
    Set(alarms.flatMap(\.recurrence.calendars))
      .sorted { ($0.name, $0.zone ?? "") < ($1.name, $1.zone ?? "") }
  }

  static let tableKeys = ["defaults", "agent"]
  static let listKeys = ["alarm", "pause", "timer", "clock", "chime"]
}
