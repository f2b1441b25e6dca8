// SPDX-License-Identifier: GPL-3.0-or-later
//
// A city with its names, position and time zone, as the table of cities has it. Next:
// `CityTable.swift`.

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
