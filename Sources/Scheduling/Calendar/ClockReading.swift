// SPDX-License-Identifier: GPL-3.0-or-later
//
// The world clock: cities and zones, and how far their clocks are ahead of the user's own clock.
// The target `Cities` reads the table of cities.

/// One clock of the world clock: `[[clock]]` of the config.
public struct WorldClock: Hashable, Sendable {
  /// What the clock is called if it has no label: the city's name as written in the config, or the
  /// zone.
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

/// A city from the table of cities. Names that are not known are empty strings.
public struct City: Hashable, Sendable {
  /// The city's unique name. The country or region is added if a larger city has the same name.
  public var title: String
  public var name: String
  public var korean: String
  /// The name in the language of the place, if that differs.
  public var local: String
  public var region: String
  public var country: String
  public var koreanCountry: String
  /// The country's two-letter code of ISO 3166-1, such as `KR`.
  public var countryCode: String
  /// The position in degrees: north, -90...90, and east, -180...180.
  public var latitude: Double
  public var longitude: Double
  public var population: Int
  /// The identifier in the tz database, such as `Asia/Seoul`.
  public var zone: String

  public init(
    title: String, name: String, korean: String = "", local: String = "", region: String = "",
    country: String, koreanCountry: String = "", countryCode: String, latitude: Double,
    longitude: Double, population: Int, zone: String
  ) {
    (self.title, self.name, self.korean, self.local) = (title, name, korean, local)
    (self.region, self.country, self.koreanCountry) = (region, country, koreanCountry)
    (self.countryCode, self.latitude, self.longitude) = (countryCode, latitude, longitude)
    (self.population, self.zone) = (population, zone)
  }
}

/// The reading of a clock in another zone at one moment, compared with the user's own clock.
public struct ClockReading: Hashable, Sendable {
  public var there: CivilDateTime
  /// How far the clock in the other zone is ahead of the user's own clock, in seconds.
  public var offset: Int
  /// By how many days the date in the other zone is ahead: -1 means yesterday. Across the date
  /// line, the difference can be two days.
  public var days: Int
}

extension ZoneRules {
  /// Returns what the clock of `zone` shows at `instant`, compared with the clock of the zone
  /// `here`. If `here` is nil, the machine's zone is used.
  public func reading(of zone: String, at instant: Instant, from here: String? = nil)
    -> ClockReading
  {
    let (there, local) = (civil(at: instant, in: zone), civil(at: instant, in: here))
    return ClockReading(
      there: there, offset: Int(there.localSeconds - local.localSeconds),
      days: there.date.daysSinceEpoch - local.date.daysSinceEpoch)
  }
}
