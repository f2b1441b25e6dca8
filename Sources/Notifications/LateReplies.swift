// SPDX-License-Identifier: GPL-3.0-or-later
//
// What becomes of a notification that was posted to a server that hung: after 25 s libnotify gives
// up, and when the server goes on it shows it all the same, under a number that GDBus drops. This
// catches it, so that no stale one stays. Next: NotificationServer.swift.

import CGLib
import Synchronization
import System

/// Reads the answers to `Notify` that nobody waits for any more, as they pass
/// (`g_dbus_connection_add_filter`).
nonisolated final class LateReplies: Sendable {
  private struct Calls {
    /// The serial of the last `Notify` that was sent.
    var last: guint32 = 0
    /// Those without an answer, and what they were posted as.
    var unanswered: [guint32: String] = [:]
    var onNumber: (@Sendable (UInt32, String) -> Void)?
    var end: (@Sendable () -> Void)?
  }

  private let calls = Mutex(Calls())

  /// Calls `onNumber`, on the notifications' thread, with each number that comes late.
  func follow(
    _ connection: OpaquePointer, _ onNumber: @escaping @Sendable (UInt32, String) -> Void
  ) {
    nonisolated(unsafe) let connection = connection
    let filter = g_dbus_connection_add_filter(
      connection,
      { _, message, isIncoming, context in
        let replies = CContext<LateReplies>.value(of: context)
        replies.see(message!, isIncoming: isIncoming != 0)
        return message
      },
      CContext.retained(self), releaseContext)
    calls.withLock {
      $0.onNumber = onNumber
      $0.end = { g_dbus_connection_remove_filter(connection, filter) }
    }
  }

  func end() {
    let end = calls.withLock { calls in
      calls.onNumber = nil
      return calls.end.take()
    }
    end?()
  }

  /// The last `Notify`, posted as `id`, was given up.
  func expect(_ id: String) { calls.withLock { $0.unanswered[$0.last] = id } }

  /// On GDBus's own thread, for every message of this process.
  private func see(_ message: OpaquePointer, isIncoming: Bool) {
    switch g_dbus_message_get_message_type(message) {
    case G_DBUS_MESSAGE_TYPE_METHOD_CALL where !isIncoming:
      guard let member = g_dbus_message_get_member(message), String(cString: member) == "Notify"
      else { return }
      calls.withLock { $0.last = g_dbus_message_get_serial(message) }
    case G_DBUS_MESSAGE_TYPE_METHOD_RETURN where isIncoming:
      let serial = g_dbus_message_get_reply_serial(message)
      let late = calls.withLock { calls in
        calls.unanswered.removeValue(forKey: serial).flatMap { id in calls.onNumber.map { (id, $0) }
        }
      }
      guard let (id, onNumber) = late, let body = g_dbus_message_get_body(message),
        g_variant_n_children(body) == 1, let child = g_variant_get_child_value(body, 0)
      else { return }
      defer { g_variant_unref(child) }
      guard g_variant_classify(child) == G_VARIANT_CLASS_UINT32 else { return }
      let number = g_variant_get_uint32(child)
      NotificationServer.thread.perform { onNumber(number, id) }
    default: return
    }
  }
}
