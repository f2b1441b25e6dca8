// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether the desktop's own clock has 12 or 24 hours, where the desktop is one that has a setting
// for it. It changes nothing. `Locale.swift` decides for all others: Plasma's setting is the
// locale, MATE and Xfce have none but that of a panel.

import CGLib

nonisolated enum ClockSetting {
  /// Nil where the desktop leaves it to the locale. Asked again each time, since a user may change
  /// it: dconf answers from a file that it has mapped, and nobody waits for a bus.
  static var usesTwelveHours: Bool? {
    guard let desktop, let settings, let value = g_settings_get_value(settings, desktop.key) else {
      return nil
    }
    defer { g_variant_unref(value) }
    return switch Variant(value) {
    case .string(let format): format == "12h"
    case .boolean(let hasTwentyFour): !hasTwentyFour
    default: nil
    }
  }

  private struct Setting {
    let schema: String
    let key: String
  }

  /// The setting of the desktop that `XDG_CURRENT_DESKTOP` names, which may name those that it
  /// descends from too: `Budgie:GNOME`.
  private static let desktop: Setting? = {
    let names = Environment.value("XDG_CURRENT_DESKTOP")?.split(separator: ":") ?? []
    for name in names {
      switch name {
      case "GNOME", "Unity", "Budgie", "Pantheon":
        return Setting(schema: "org.gnome.desktop.interface", key: "clock-format")
      case "X-Cinnamon", "Cinnamon":
        return Setting(schema: "org.cinnamon.desktop.interface", key: "clock-use-24h")
      default: break
      }
    }
    return nil
  }()

  /// Looked up first (`g_settings_schema_source_lookup`): of a schema that is not installed, or a
  /// key that it does not have, GSettings would end the process. Never released, so that it may be
  /// asked from any thread.
  private nonisolated(unsafe) static let settings: UnsafeMutablePointer<GSettings>? = {
    guard let desktop, let source = g_settings_schema_source_get_default(),
      let schema = g_settings_schema_source_lookup(source, desktop.schema, 1)
    else { return nil }
    defer { g_settings_schema_unref(schema) }
    guard g_settings_schema_has_key(schema, desktop.key) != 0 else { return nil }
    return g_settings_new_full(schema, nil, nil)
  }()
}
