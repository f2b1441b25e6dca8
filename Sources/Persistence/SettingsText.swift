// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the settings in force to text and back. The agent starts with these settings before it
// has read the config, because the disk of the config may hang. Next: `SettingsInForce.swift` in
// Configuration; `StoredFields.swift`, which converts the fields.

import Cities
import Configuration
import Scheduling
import TOML
import Values

/// The text of `settings.toml`, which is in the same folder as the state. This file is written when
/// the settings change, not at each ring.
public enum SettingsText {
  static let version = 4

  public static func render(_ settings: SettingsInForce) -> String {
    let version = Value.Entry("version", Value(encoding: version))
    return "# The settings in force; belfryd writes this. Alarms are set in config.toml.\n"
      + TOMLTable([version] + settings.entries).text
  }

  /// Reads settings from `bytes`. Returns nil if they are not in the form that `render` writes. In
  /// that case nothing is lost, because the config still exists.
  public static func parse(_ bytes: [UInt8]) -> SettingsInForce? {
    guard let root = try? TOMLDocument.parse(bytes).root else { return nil }
    let stored = Value(.table(root))
    if stored["version"] == Value(encoding: version) { return SettingsInForce(stored: stored) }
    // Release 1.0.0 stored a list of texts. The first of them had no errors, if there was one.
    guard stored["version"] == .integer(3), let config = stored["config"],
      let copy = stored["copies"]?.list?.first?.table
    else { return nil }
    return SettingsInForce(stored: .table([Value.Entry("config", config)] + copy))
  }
}

extension SettingsInForce: StoredRecord {
  static var blank: SettingsInForce { SettingsInForce(of: "") }
  static var fields: [StoredField<SettingsInForce>] {
    [
      StoredField("config", \.config), StoredField("text", \.text),
      StoredField(records: "cities", \.cities),
      StoredField(records: "calendars", \.calendars),
      StoredField("gone", \.isGone),
    ]
  }
}

extension SettingsInForce.FoundCity: StoredRecord {
  static let blank = SettingsInForce.FoundCity(name: "", city: .blank)
  static let fields: [StoredField<SettingsInForce.FoundCity>] = [
    StoredField("name", \.name), StoredField(record: "city", \.city),
  ]
}

extension HolidayFile: StoredRecord {
  static let blank = HolidayFile("")
  static let fields: [StoredField<HolidayFile>] = [
    StoredField("name", \.name), StoredField("zone", \.zone),
    StoredField("days", \.days, as: pairs, from: days),
  ]
}

extension HolidayFile {
  /// Ranges of days are stored as `[[2026-12-25, 2026-12-25], [2026-12-28, 2027-01-02]]`.
  @Sendable private static func pairs(_ days: ExceptedDays) -> [[CivilDate]] {
    days.ranges.map { [$0.lowerBound, $0.upperBound] }
  }

  @Sendable private static func days(_ pairs: [[CivilDate]]) -> ExceptedDays? {
    guard pairs.allSatisfy({ $0.count == 2 && $0[0] <= $0[1] }) else { return nil }
    return ExceptedDays(pairs.map { $0[0]...$0[1] })
  }
}

extension City: StoredRecord {
  static let blank = City(
    title: "", name: "", country: "", countryCode: "", latitude: 0, longitude: 0, population: 0,
    zone: "")
  static let fields: [StoredField<City>] = [
    StoredField("title", \.title), StoredField("name", \.name), StoredField("korean", \.korean),
    StoredField("local", \.local), StoredField("region", \.region),
    StoredField("country", \.country), StoredField("korean_country", \.koreanCountry),
    StoredField("country_code", \.countryCode),
    StoredField("latitude", \.latitude, as: { $0 }, from: { abs($0) <= 90 ? $0 : nil }),
    StoredField("longitude", \.longitude, as: { $0 }, from: { abs($0) <= 180 ? $0 : nil }),
    StoredField("population", \.population), StoredField("zone", \.zone),
  ]
}
