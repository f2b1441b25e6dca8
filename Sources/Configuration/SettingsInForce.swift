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
  /// The configs from which the settings in force come, in the order in which they were read. Only
  /// the first may be without errors. An entry with errors keeps the settings that it had in the
  /// configs before.
  public var copies: [ConfigCopy] = []

  /// The limit for `copies`. More would be needed only if more than ten entries have errors, and
  /// each was last valid in a different version of the config. The oldest copies are then dropped,
  /// and a restart loses the settings of their entries.
  static let mostCopies = 10

  public init(of config: String) { self.config = config }

  /// Adds the config that was read last, and removes each copy from which no setting in force
  /// comes any longer. `context` must not open files, because all copies are read again.
  public mutating func take(_ reading: Reading, in context: ReadingContext) {
    copies = (reading.hasErrors ? copies : []) + [reading.copy]
    guard copies.count > 1 else { return }
    let inForce = configuration(in: context)
    for index in copies.indices.reversed().dropFirst() {
      var fewer = self
      fewer.copies.remove(at: index)
      if fewer.configuration(in: context) == inForce { self = fewer }
    }
    copies = copies.suffix(Self.mostCopies)
  }

  public func configuration(in context: ReadingContext) -> Configuration {
    var context = context
    for copy in copies {
      context.inForce = context.inForce.replaced(by: copy.read(in: context))
    }
    return context.inForce
  }

  public var calendars: [HolidayFile] { copies.reversed().flatMap(\.calendars) }
}
