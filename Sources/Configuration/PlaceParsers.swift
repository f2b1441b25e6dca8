// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parsers for time zones and cities.

import Language
import TOML

extension ValueParser where Value == String {
  /// Parses the identifier of a known time zone.
  static func zone(_ zones: KnownNames) -> ValueParser {
    known(zones, hint: Message(#"write it like "Asia/Seoul""#), nearest: zones.nearestZone) {
      Message("no time zone is called \($0)")
    }
  }

  /// Parses the name of a known city. If the table of cities cannot be read, `cities` is nil and
  /// every name is accepted, because that is not an error of the config.
  static func city(_ cities: KnownNames?) -> ValueParser {
    known(cities, hint: Message("belfry world search finds cities"), nearest: cities?.nearest) {
      Message("no city is called \($0)")
    }
  }

  /// Parses one of `names`. `hint` is for a name that is not similar to any of them, and `nearest`
  /// finds the similar one.
  private static func known(
    _ names: KnownNames?, hint: Message, nearest: ((String) -> String?)?,
    orElse unknown: @escaping (String) -> Message
  ) -> ValueParser {
    ValueParser(.someText) { field in
      guard let name = ValueParser<String>.name.parse(field) else { return nil }
      guard let names, !names.contains(name) else { return name }
      field.error(
        unknown(TerminalText.quoted(name)),
        hint: nearest?(name).map(Message.didYouMean) ?? hint)
      return nil
    }
  }
}

extension KnownNames {
  /// Returns the zone that the user probably meant. `KST` is not a mistyped `EST`: an abbreviation
  /// stands for one zone, or for several, and then none is suggested.
  fileprivate func nearestZone(to name: String) -> String? {
    if let zone = Self.abbreviations[name.uppercased()] { return zone }
    if name.utf8.count <= 5, name == name.uppercased() { return nil }
    return nearest(to: name)
  }

  /// Abbreviations of zones that mean one zone everywhere.
  private static let abbreviations = [
    "KST": "Asia/Seoul", "JST": "Asia/Tokyo", "HKT": "Asia/Hong_Kong", "SGT": "Asia/Singapore",
    "PKT": "Asia/Karachi", "WIB": "Asia/Jakarta", "ICT": "Asia/Bangkok", "CEST": "Europe/Berlin",
    "EEST": "Europe/Helsinki", "MSK": "Europe/Moscow", "TRT": "Europe/Istanbul",
    "EDT": "America/New_York", "CDT": "America/Chicago", "MDT": "America/Denver",
    "PDT": "America/Los_Angeles", "PST": "America/Los_Angeles", "AKST": "America/Anchorage",
    "AEST": "Australia/Sydney", "AEDT": "Australia/Sydney", "AWST": "Australia/Perth",
    "ACST": "Australia/Darwin", "NZST": "Pacific/Auckland", "NZDT": "Pacific/Auckland",
    "SAST": "Africa/Johannesburg", "EAT": "Africa/Nairobi", "BRT": "America/Sao_Paulo",
  ]
}
