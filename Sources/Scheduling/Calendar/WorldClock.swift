// SPDX-License-Identifier: GPL-3.0-or-later
//
// The world clock: places, and how their clocks stand to the one here. It knows no city by itself;
// the table of them is read in the target `Cities`.

/// One line of the world clock, `[[clock]]`.
public struct WorldClock: Hashable, Sendable {
  public enum Place: Hashable, Sendable {
    /// A city, and the name that the config has for it; nil where no table of cities could be
    /// asked.
    case city(City?, as: String)
    case zone(String)
  }
  public var place: Place
  public var label: String?

  public init(place: Place, label: String? = nil) { (self.place, self.label) = (place, label) }

  /// Nil where it is not known.
  public var zone: String? {
    switch place {
    case .city(let city, _): city?.zone
    case .zone(let zone): zone
    }
  }

  public var city: City? {
    if case .city(let city, _) = place { city } else { nil }
  }

  /// What it is called where it has no label: the city as the config has it, or the zone.
  public var name: String {
    switch place {
    case .city(_, let name): name
    case .zone(let zone): zone
    }
  }
}

/// A city of the table. Names that are not known are empty.
public struct City: Hashable, Sendable {
  /// What tells it from every other city: its name, with the country or region where a larger city
  /// has that name as well.
  public var title: String
  /// In English.
  public var name: String
  /// In Hangul.
  public var korean: String
  /// In the language of the place, where that differs.
  public var local: String
  public var region: String
  public var country: String
  public var koreanCountry: String
  /// ISO 3166-1.
  public var countryCode: String
  /// Degrees north, -90...90, and east, -180...180.
  public var latitude: Double
  public var longitude: Double
  public var population: Int
  /// In the tz database.
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

/// What a clock elsewhere shows at a moment, beside the one here.
public struct ClockReading: Hashable, Sendable {
  public var there: CivilDateTime
  /// How far that clock is ahead of the one here, in seconds.
  public var offset: Int
  /// By how many days the date there is ahead: -1 is yesterday. Between the two ends of the world
  /// it may be two.
  public var days: Int
}

extension ZoneRules {
  /// The clock of `zone` at `instant`, seen from the zone `here`; nil is the machine's.
  public func reading(of zone: String, at instant: Instant, from here: String? = nil)
    -> ClockReading
  {
    let (there, local) = (civil(at: instant, in: zone), civil(at: instant, in: here))
    return ClockReading(
      there: there, offset: Int(there.localSeconds - local.localSeconds),
      days: there.date.daysSinceEpoch - local.date.daysSinceEpoch)
  }
}
