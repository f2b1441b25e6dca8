// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parsers for time zones and cities.

import Language
import TOML

extension ValueParser where Value == String {
  /// Parses the identifier of a known time zone.
  static func zone(_ zones: KnownNames) -> ValueParser {
    ValueParser(.someText) { field in
      guard let zone = ValueParser<String>.name.parse(field) else { return nil }
      if zones.contains(zone) { return zone }
      field.error(
        Message("no time zone is called \(TerminalText.quoted(zone))"),
        hint: zones.nearest(to: zone).map(Message.didYouMean)
          ?? Message(#"write it like "Asia/Seoul""#))
      return nil
    }
  }

  /// Parses the name of a known city. If the table of cities is missing, `cities` is nil and every
  /// name is accepted, because the missing table is not an error of the config.
  static func city(_ cities: KnownNames?) -> ValueParser {
    ValueParser(.someText) { field in
      guard let city = ValueParser<String>.name.parse(field) else { return nil }
      guard let cities, !cities.contains(city) else { return city }
      field.error(
        Message("no city is called \(TerminalText.quoted(city))"),
        hint: cities.nearest(to: city).map(Message.didYouMean)
          ?? Message("belfry world search finds cities"))
      return nil
    }
  }
}
