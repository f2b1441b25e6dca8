// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent says to whoever reads its log: GLib's structured log, which goes to journald where
// that listens and to standard error elsewhere.

import CGLib

/// Levels as the reader of a log needs them: `debug` for whoever hunts a fault (shown with
/// `G_MESSAGES_DEBUG=belfry`), `info` for what happened, `warning` for what the user should mend,
/// `error` for an alarm that is in danger.
public nonisolated enum Log {
  public static func debug(_ message: String) { write(message, G_LOG_LEVEL_DEBUG) }
  public static func info(_ message: String) { write(message, G_LOG_LEVEL_MESSAGE) }
  public static func warning(_ message: String) { write(message, G_LOG_LEVEL_WARNING) }
  public static func error(_ message: String) { write(message, G_LOG_LEVEL_CRITICAL) }

  private static func write(_ message: String, _ level: GLogLevelFlags) {
    let fields = g_variant_dict_new(nil)
    defer { g_variant_dict_unref(fields) }
    g_variant_dict_insert_value(fields, "MESSAGE", g_variant_new_string(message))
    g_log_variant("belfry", level, g_variant_ref_sink(g_variant_dict_end(fields)))
  }
}
