// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limits the size of every message that arrives from a bus: calls, replies and signals. GDBus's own
// thread checks the size before any value is converted, so a long message does not hold up the main
// loop. `Bus.swift` sets a limit for each connection; `CallLimit.swift` limits the number of calls.

import CGLib
import Synchronization
import System

nonisolated final class MessageLimit: Sendable {
  private let most: Int
  /// The senders of long messages, or of too many calls, that have been logged.
  private let offenders = Mutex<Set<String>>([])
  private static let mostOffenders = 100

  private init(_ most: Int) { self.most = most }

  /// Ignores all messages on `connection` whose values take more than `most` bytes. Returns a
  /// number for `g_dbus_connection_remove_filter`.
  static func set(_ most: Int, on connection: OpaquePointer) -> guint {
    g_dbus_connection_add_filter(
      connection, filter, CContext<MessageLimit>.retained(MessageLimit(most)), releaseContext)
  }

  /// Checks one message, on GDBus's thread, and returns it or what takes its place; nil drops it.
  private static let filter: GDBusMessageFilterFunction = {
    connection, message, incoming, context in
    guard let connection, let message, incoming != 0 else { return message }
    let limit = CContext<MessageLimit>.value(of: context)
    let sender = g_dbus_message_get_sender(message).map { String(cString: $0) }
    let size = g_dbus_message_get_body(message).map { Int(g_variant_get_size($0)) } ?? 0
    if size > limit.most {
      defer {
        g_object_unref(UnsafeMutableRawPointer(message))
        // GDBus has already made a value of each element, which can take twenty times as much.
        Environment.giveBackMemory()
      }
      limit.log(
        sender,
        "sent \(size) bytes in one message: its messages of more than \(limit.most) bytes are "
          + "ignored")
      return replacement(
        for: message, on: connection, "a message of more than \(limit.most) bytes is not read")
    }
    guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL else {
      return message
    }
    if let ticket = CallLimit.shared.admit(sender ?? "") {
      ticket.attach(to: message)
      return message
    }
    defer { g_object_unref(UnsafeMutableRawPointer(message)) }
    limit.log(sender, "calls too often: some of its calls are refused")
    return replacement(for: message, on: connection, "too many calls are waiting for an answer")
  }

  private func log(_ sender: String?, _ problem: String) {
    let sender = sender ?? "the bus"
    let isFirst = offenders.withLock {
      $0.count < Self.mostOffenders && $0.insert(sender).inserted
    }
    if isFirst { Log.warning("\(sender) \(problem)") }
  }

  /// Refuses a call for the reason `text`, and drops a signal. A reply becomes an error, because a
  /// caller is waiting for it.
  private static func replacement(
    for message: OpaquePointer, on connection: OpaquePointer, _ text: String
  ) -> OpaquePointer? {
    let name = "org.freedesktop.DBus.Error.LimitsExceeded"
    switch g_dbus_message_get_message_type(message) {
    case G_DBUS_MESSAGE_TYPE_METHOD_CALL:
      let isAwaited =
        g_dbus_message_get_flags(message).rawValue
        & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED.rawValue == 0
      guard isAwaited, let refusal = g_dbus_message_new_method_error_literal(message, name, text)
      else { return nil }
      g_dbus_connection_send_message(
        connection, refusal, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, nil)
      g_object_unref(UnsafeMutableRawPointer(refusal))
      return nil
    case G_DBUS_MESSAGE_TYPE_METHOD_RETURN, G_DBUS_MESSAGE_TYPE_ERROR:
      let error = g_dbus_message_new()
      g_dbus_message_set_message_type(error, G_DBUS_MESSAGE_TYPE_ERROR)
      g_dbus_message_set_reply_serial(error, g_dbus_message_get_reply_serial(message))
      g_dbus_message_set_error_name(error, name)
      g_dbus_message_set_body(error, Variant.tuple([.string(text)]).gvariant)
      return error
    default: return nil
    }
  }
}
