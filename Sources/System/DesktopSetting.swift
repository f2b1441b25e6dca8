// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads a setting of GNOME or a related desktop (`GSettings`), and never writes one. No call waits
// for a bus, because dconf reads the settings from a memory-mapped file.

import CGLib

public final class DesktopSetting: Sendable {
  // The object is never changed after `init`, so any thread may read it.
  private nonisolated(unsafe) let settings: UnsafeMutablePointer<GSettings>
  private let key: String

  /// Finds a setting by its schema and key; nil if there is no such setting. `path` is needed for a
  /// schema without a fixed path. The schema and the key are looked up first
  /// (`g_settings_schema_source_lookup`), because GSettings would end the process if it were asked
  /// for a schema that is not installed or a key that does not exist.
  public init?(_ schema: String, _ key: String, at path: String? = nil) {
    guard let source = g_settings_schema_source_get_default(),
      let found = g_settings_schema_source_lookup(source, schema, 1)
    else { return nil }
    defer { g_settings_schema_unref(found) }
    guard g_settings_schema_has_key(found, key) != 0,
      let settings = g_settings_new_full(found, nil, path)
    else { return nil }
    (self.settings, self.key) = (settings, key)
  }

  deinit { g_object_unref(settings) }

  public var value: Variant? {
    guard let value = g_settings_get_value(settings, key) else { return nil }
    defer { g_variant_unref(value) }
    return Variant(value)
  }
}
