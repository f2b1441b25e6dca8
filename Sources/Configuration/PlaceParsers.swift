// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parsers for time zones and cities.

import Language
import TOML

extension ValueParser where Value == String {
  /// Parses the identifier of a known time zone.
  static func zone(_ zones: KnownNames) -> ValueParser {
    known(zones, hint: Message(#"write it like "Asia/Seoul""#)) {
      Message("no time zone is called \($0)")
    }
  }

  /// Parses the name of a known city. If the table of cities cannot be read, `cities` is nil and
  /// every name is accepted, because that is not an error of the config.
  static func city(_ cities: KnownNames?) -> ValueParser {
    known(cities, hint: Message("belfry world search finds cities")) {
      Message("no city is called \($0)")
    }
  }

  /// Parses one of `names`. `hint` is for a name that is not similar to any of them.
  private static func known(
    _ names: KnownNames?, hint: Message, orElse unknown: @escaping (String) -> Message
  ) -> ValueParser {
    ValueParser(.someText) { field in
      guard let name = ValueParser<String>.name.parse(field) else { return nil }
      guard let names, !names.contains(name) else { return name }
      field.error(
        unknown(TerminalText.quoted(name)),
        hint: names.nearest(to: name).map(Message.didYouMean) ?? hint)
      return nil
    }
  }
}
