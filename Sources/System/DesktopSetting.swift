// SPDX-License-Identifier: GPL-3.0-or-later
//
// A setting of the desktop's own, as GNOME and its relatives keep them (`GSettings`). It is only
// read, and nobody waits for a bus: dconf answers from a file that it has mapped.

import CGLib

public nonisolated final class DesktopSetting: Sendable {
  // Nothing changes it any more; it is asked from any thread.
  private nonisolated(unsafe) let settings: UnsafeMutablePointer<GSettings>
  private let key: String

  /// `path` is for a schema that has none of its own. Nil where there is no such setting: it is
  /// looked up first, for of a schema that is not installed, or a key that it does not have,
  /// GSettings would end the process (`g_settings_schema_source_lookup`).
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

  /// What it is now.
  public var value: Variant? {
    guard let value = g_settings_get_value(settings, key) else { return nil }
    defer { g_variant_unref(value) }
    return Variant(value)
  }
}
