// SPDX-License-Identifier: GPL-3.0-or-later
//
// One clock of the world clock, as the config sets it. `WorldView.swift` in Presentation shows it.

import Cities

/// A clock of the world clock, made from one table `[[clock]]` of the config.
public struct WorldClock: Hashable, Sendable {
  /// The name of a clock without a label: the city's name as written in the config, or the zone.
  public var name: String
  /// The city; nil if the config gives a zone instead of a city, or if the city is not known.
  public var city: City?
  /// The tz database identifier; nil if the city is not known.
  public var zone: String?
  public var label: String?

  /// Makes the clock of a city. The city is nil if no table of cities could be read.
  public init(city: City?, named name: String, label: String? = nil) {
    (self.name, self.city, zone, self.label) = (name, city, city?.zone, label)
  }

  public init(zone: String, label: String? = nil) {
    (name, self.zone, self.label) = (zone, zone, label)
  }
}
