// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's log: GLib's structured log, which goes to journald if that is listening, otherwise to
// standard error. The reader of the log may be slow or hang. So a separate thread writes, and the
// program does not wait for it.

import CGLib
import CProcess
import Glibc

/// The levels: `debug` for someone who investigates a problem (shown with
/// `G_MESSAGES_DEBUG=belfry`), `info` for what happened, `warning` for what the user should fix,
/// `error` if an alarm is in danger.
public enum Log {
  public static func debug(_ message: String) { write(message, G_LOG_LEVEL_DEBUG) }
  public static func info(_ message: String) { write(message, G_LOG_LEVEL_MESSAGE) }
  public static func warning(_ message: String) { write(message, G_LOG_LEVEL_WARNING) }
  public static func error(_ message: String) { write(message, G_LOG_LEVEL_CRITICAL) }

  private static let domain = "belfry"
  /// How many bytes of a line are written at most. The rest of the line is lost.
  private static let longest = 4000

  /// The thread that writes the lines. It is made when the program logs its first line. From then
  /// on, the thread also writes the messages of GLib and other libraries, and the program waits a
  /// moment before it ends, until the last lines are written.
  private static let worker: Worker = {
    g_log_set_writer_func(
      { level, fields, count, _ in
        // A fatal message ends the process as soon as it is written, so it cannot wait for the
        // thread.
        let isFatal = level.rawValue & G_LOG_FLAG_FATAL.rawValue != 0
        if isFatal { return g_log_writer_default(level, fields, count, nil) }
        let fields = UnsafeBufferPointer(start: fields, count: Int(count))
        write(text(of: "MESSAGE", fields) ?? "", level, text(of: "GLIB_DOMAIN", fields) ?? domain)
        return G_LOG_WRITER_HANDLED
      }, nil, nil)
    // If the log's thread still waits for the reader, end the process at once.
    // Otherwise `exit` would wait for the lock that this thread holds on the standard streams;
    // since glibc 2.41, it waits forever.
    on_exit({ status, _ in if !Log.finish() { belfry_leave(status) } }, nil)
    return Worker(name: "log")
  }()

  private static func text(of key: String, _ fields: UnsafeBufferPointer<GLogField>) -> String? {
    guard let field = fields.first(where: { String(cString: $0.key) == key }), field.length < 0
    else { return nil }
    return field.value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }

  /// Waits at the end of the program until all lines are written, at most half a second. Returns
  /// whether all lines are written. `on_exit` calls this.
  @discardableResult
  public static func finish() -> Bool { worker.finish(within: .milliseconds(500)) }

  private static func write(
    _ message: String, _ level: GLogLevelFlags, _ domain: String = domain
  ) {
    guard g_log_writer_default_would_drop(level, domain) == 0 else { return }
    let line = String(decoding: message.utf8.prefix(longest), as: UTF8.self)
    worker.perform { _ in put(line, level, domain) }
  }

  /// Writes a line to the log. Blocks while the journal, or the program that reads standard error,
  /// does not read (`g_log_writer_default`).
  private static func put(_ message: String, _ level: GLogLevelFlags, _ domain: String) {
    let words = ["MESSAGE", message, "PRIORITY", priority(of: level), "GLIB_DOMAIN", domain]
    let texts = words.map { strdup($0) }
    defer { for text in texts { free(text) } }
    let fields = stride(from: 0, to: texts.count, by: 2).map {
      GLogField(key: texts[$0], value: texts[$0 + 1], length: -1)
    }
    g_log_writer_default(level, fields, gsize(fields.count), nil)
  }

  /// The syslog(3) number of a level, mapped as GLib maps it.
  private static func priority(of level: GLogLevelFlags) -> String {
    switch level {
    case G_LOG_LEVEL_CRITICAL, G_LOG_LEVEL_WARNING: "4"
    case G_LOG_LEVEL_MESSAGE: "5"
    case G_LOG_LEVEL_INFO: "6"
    default: "7"
    }
  }
}
