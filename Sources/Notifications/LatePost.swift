// SPDX-License-Identifier: GPL-3.0-or-later
//
// Closes a notification whose number came too late. If a server hangs for longer than libnotify
// waits, it still shows the notification when it goes on, but libnotify drops the number. Nothing
// else could ever close that notification, and its buttons would do nothing. Next:
// NotificationThread.swift, which posts.

import CGLib
import Glibc
import Synchronization
import System

/// The last `Notify` call of libnotify, as seen on its connection to the session bus.
final class LatePost: Sendable {
  private struct Call {
    /// The number that identifies the call on the connection.
    var serial: UInt32 = 0
    /// The server's number of the notification; nil until the server answers.
    var number: UInt32?
    /// After libnotify has given the call up: the number of the notification that it replaces,
    /// which the board knows; 0 if it replaces none.
    var replaced: UInt32?

    /// The number of the notification if no one else has learned it.
    var lost: UInt32? { replaced == nil || number == replaced ? nil : number }
  }

  static let shared = LatePost()

  private let call = Mutex(Call())

  /// libnotify uses the shared connection to the session bus. It stays as long as the process.
  private init() {
    guard let connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return }
    g_dbus_connection_add_filter(
      connection,
      { _, message, incoming, context in
        if let message { CContext<LatePost>.value(of: context).look(at: message, incoming != 0) }
        return message
      }, CContext.retained(self), releaseContext)
    g_object_unref(UnsafeMutableRawPointer(connection))
  }

  /// Closes the notification of the last call as soon as the server has given its number, unless
  /// this is the number of the notification that it was to replace. Call this when libnotify no
  /// longer waits for the answer.
  func giveUp(replacing number: UInt32) {
    let lost = call.withLock { call in
      call.replaced = number
      return call.lost
    }
    if let lost { close(lost) }
  }

  /// Notes the serial of a `Notify` call and the number in its answer. Runs on GDBus's thread.
  private func look(at message: OpaquePointer, _ isIncoming: Bool) {
    switch g_dbus_message_get_message_type(message) {
    case G_DBUS_MESSAGE_TYPE_METHOD_CALL where !isIncoming:
      guard let member = g_dbus_message_get_member(message), strcmp(member, "Notify") == 0 else {
        return
      }
      call.withLock { $0 = Call(serial: g_dbus_message_get_serial(message)) }
    case G_DBUS_MESSAGE_TYPE_METHOD_RETURN where isIncoming:
      let serial = g_dbus_message_get_reply_serial(message)
      let lost = call.withLock { call -> UInt32? in
        guard call.serial == serial, let number = Self.number(in: message) else { return nil }
        call.number = number
        return call.lost
      }
      if let lost { close(lost) }
    default: break
    }
  }

  private static func number(in message: OpaquePointer) -> UInt32? {
    guard let body = g_dbus_message_get_body(message),
      String(cString: g_variant_get_type_string(body)) == "(u)"
    else { return nil }
    return Variant.children(of: body).first?.uint32
  }

  private func close(_ number: UInt32) {
    NotificationLoop.shared.perform { _ in Notification.close(number) }
  }
}
