// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of time zones and cities: what a value that names a place may be.

import Language
import TOML

extension ValueParser where Value == String {
  /// The identifier of a time zone that is known.
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

  /// The name of a city that is known; any, where there is no table of cities to ask: then it is
  /// not the config that is wrong.
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
