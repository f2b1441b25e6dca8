// SPDX-License-Identifier: GPL-3.0-or-later
//
// One key of a table in the config, as a row of data: its name, its field, the values that it takes
// and its meaning. Next: `SettingKeys.swift` and `EntryKeys.swift`, which have the rows, and
// `ValueParser.swift`, which has the kinds of values.

import Language
import Scheduling

/// The tables that contain settings for how an alarm or timer rings.
enum RingOwner { case defaults, alarm, timer }

/// The names that values of the config may refer to.
struct Known {
  let weekdays: WeekdayNames
  let zones: KnownNames
  let sounds: KnownNames
  /// The cities; nil if the table of cities cannot be read. In that case, every name is accepted.
  var cities: KnownNames?
}

/// A key of the config that sets one field of `Settings`, such as `RingSettings`.
struct SettingKey<Settings>: Sendable {
  private typealias Read = @Sendable (inout EntryReader, inout Settings, Known) -> Void
  /// The error that is reported at the table's heading if a required key is missing.
  typealias Missing = (Message, hint: Message)

  /// The kind of table in which this key is not allowed; nil if the key is allowed in all kinds.
  private let excludedOwner: RingOwner?
  private let read: Read

  /// Makes a key whose values depend on known names. The key is required if `missing` is not nil.
  /// `meaning` is the description in the schema, and the first sentences of the key's paragraph in
  /// the manual page. It is in English, because the schema is one file for all languages.
  init<Value>(
    _ name: String, _ field: any WritableKeyPath<Settings, Value> & Sendable,
    _ parser: @escaping @Sendable (Known) -> ValueParser<Value>,
    unless excludedOwner: RingOwner? = nil, orElse missing: Missing? = nil, _ meaning: String
  ) {
    self.excludedOwner = excludedOwner
    read = { fields, settings, known in
      if let value = fields.value(name, parser(known), orElse: missing, means: meaning) {
        settings[keyPath: field] = value
      }
    }
  }

  init<Value>(
    _ name: String, _ field: any WritableKeyPath<Settings, Value> & Sendable,
    _ parser: @autoclosure @escaping @Sendable () -> ValueParser<Value>,
    unless excludedOwner: RingOwner? = nil, orElse missing: Missing? = nil, _ meaning: String
  ) {
    self.init(name, field, { _ in parser() }, unless: excludedOwner, orElse: missing, meaning)
  }

  /// Makes a key whose field is nil if the key is missing.
  init<Value>(
    _ name: String, _ field: any WritableKeyPath<Settings, Value?> & Sendable,
    _ parser: @escaping @Sendable (Known) -> ValueParser<Value>, orElse missing: Missing? = nil,
    _ meaning: String
  ) {
    excludedOwner = nil
    read = { fields, settings, known in
      settings[keyPath: field] = fields.value(
        name, parser(known), orElse: missing, means: meaning)
    }
  }

  init<Value>(
    _ name: String, _ field: any WritableKeyPath<Settings, Value?> & Sendable,
    _ parser: @autoclosure @escaping @Sendable () -> ValueParser<Value>,
    orElse missing: Missing? = nil, _ meaning: String
  ) {
    self.init(name, field, { _ in parser() }, orElse: missing, meaning)
  }

  func read(
    _ fields: inout EntryReader, into settings: inout Settings, of owner: RingOwner?,
    _ known: Known
  ) {
    if excludedOwner == nil || excludedOwner != owner { read(&fields, &settings, known) }
  }
}

extension EntryReader {
  /// Returns `base`, changed by the keys of a table.
  mutating func settings<Settings>(
    _ keys: [SettingKey<Settings>], of owner: RingOwner? = nil, over base: Settings,
    _ known: Known
  ) -> Settings {
    var settings = base
    for key in keys { key.read(&self, into: &settings, of: owner, known) }
    return settings
  }

  mutating func ringSettings(
    of owner: RingOwner, over base: RingSettings, _ known: Known
  ) -> RingSettings {
    let ring = settings(RingSettings.keys, of: owner, over: base, known)
    warnOfNoVolume(ring.volume)
    return ring
  }
}
