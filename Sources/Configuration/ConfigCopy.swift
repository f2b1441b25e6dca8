// SPDX-License-Identifier: GPL-3.0-or-later
//
// A copy of a config, with the cities and holidays that the config takes from other files. The
// agent can read the copy without opening those files, because their disk may hang.
// `SettingsText.swift` in Persistence stores the copy. Next: `ConfigSnapshot.swift`.

import Scheduling
import TOML

/// The text of a config, and the cities and calendars that were found in other files when the
/// config was read.
public struct ConfigCopy: Hashable, Sendable {
  public var text = ""
  public var cities: [FoundCity] = []
  public var calendars: [HolidayFile] = []

  public init() {}

  public struct FoundCity: Hashable, Sendable {
    public var name: String
    public var city: City

    public init(name: String, city: City) { (self.name, self.city) = (name, city) }
  }

  /// Reads the copy. Zones and weekdays are looked up in `context`.
  func read(in context: ReadingContext) -> Reading {
    var context = context
    context.cities = { _ in Dictionary(cities.map { ($0.name, $0.city) }) { first, _ in first } }
    context.calendar = { name, zone in
      let found = calendars.first { ($0.name, $0.zone) == (name, zone) }
      return (found?.days ?? ExceptedDays(), nil, nil)
    }
    return Configuration.read(Array(text.utf8), file: "", in: context)
  }
}

extension Configuration {
  /// The iCalendar files of all alarms, each file once for each time zone.
  public var calendars: [HolidayFile] {
    Set(alarms.flatMap(\.recurrence.calendars))
      .sorted { ($0.name, $0.zone ?? "") < ($1.name, $1.zone ?? "") }
  }
}

/// The settings in force, as they are stored for the next start of the agent.
public struct SettingsInForce: Equatable, Sendable {
  /// The absolute path of the config. A config with another path has other alarms, so these
  /// settings do not apply to it.
  public var config: String
  /// The last config without errors.
  public var faultless: ConfigCopy?
  /// The last config, if it has errors. Its entries with errors keep the settings of `faultless`.
  public var latest: ConfigCopy?

  public init(of config: String) { self.config = config }

  public mutating func take(_ reading: Reading) {
    latest = reading.copy
    if !reading.hasErrors { (faultless, latest) = (latest, nil) }
  }

  public func configuration(in context: ReadingContext) -> Configuration {
    var context = context
    for copy in [faultless, latest].compactMap(\.self) {
      context.inForce = context.inForce.replaced(by: copy.read(in: context))
    }
    return context.inForce
  }

  public var calendars: [HolidayFile] {
    (latest?.calendars ?? []) + (faultless?.calendars ?? [])
  }
}
