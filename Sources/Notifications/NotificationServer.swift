// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether a notification server is there, which one it is, and whether it is listening.
// For the notifications' thread only. Posting is left to NotificationThread.swift; read that next.

import CGLib
import Scheduling
import System

/// The server behind `org.freedesktop.Notifications`. Before each post it is asked who it is,
/// without waiting for the answer. So a server that is absent, slow or hung costs nothing, and one
/// that recovers makes that known by its answer.
///
/// Only one thread uses it, so it may be sendable.
nonisolated final class NotificationServer: @unchecked Sendable {
  /// Problems that are logged once for each server.
  enum Trouble { case bus, absent, silent, refusing, unnumbered }

  /// After this long without an answer, the log calls the server slow.
  private static let patience = Duration.seconds(2)
  /// After this long, a question counts as lost. It is repeated if there is still something to
  /// post.
  private static let longestWait = Duration.seconds(30)
  private static let name = "org.freedesktop.Notifications"
  static let silence = "the notification server does not answer; it is waited for"

  /// Identifies the server process among all of this and other sessions; nil if none is running.
  private(set) var instance: String?
  var onEvent: ((Board.Event) -> Void)?
  private var connection: OpaquePointer?
  private var nameWatch: guint = 0
  private var server: Notifier.Server?
  /// The question whose answer is awaited. Answers to earlier questions are ignored.
  private var question: Int?
  private var questions = 0
  private var slowness: Source?
  private var retry: Source?
  private var complaints: Set<Trouble> = []

  /// Connects to the session bus and watches for the server (`g_bus_watch_name_on_connection`).
  func connect() {
    var error: UnsafeMutablePointer<GError>?
    connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error)
    guard let connection else {
      return complain(.bus, "no session bus: \(words(consuming: error))")
    }
    // Otherwise GDBus would end the process with the bus. The connection's owner is informed
    // instead.
    g_dbus_connection_set_exit_on_close(connection, 0)
    nameWatch = g_bus_watch_name_on_connection(
      connection, Self.name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { connection, _, owner, context in
        let bus = String(cString: g_dbus_connection_get_guid(connection))
        CContext<NotificationServer>.value(of: context).appeared(
          "\(bus) \(String(cString: owner!))")
      },
      { _, _, context in CContext<NotificationServer>.value(of: context).vanished() },
      CContext.retained(self), releaseContext)
  }

  func disconnect() {
    onEvent = nil
    if nameWatch != 0 { g_bus_unwatch_name(nameWatch) }
    if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
    (nameWatch, connection, instance) = (0, nil, nil)
    (question, slowness, retry) = (nil, nil, nil)
  }

  private func appeared(_ instance: String) {
    self.instance = instance
    (question, retry) = (nil, nil)
    ask()
  }

  private func vanished() {
    (server, instance) = (nil, nil)
    complaints = []
    onEvent?(.gone)
  }

  // MARK: - Is anybody listening?

  /// Asks the server who it is. If none is running, the bus starts one if it knows how to.
  func ask() {
    guard question == nil, let connection else { return }
    questions += 1
    question = questions
    slowness = NotificationLoop.after(Self.patience) { [weak self] in
      self?.complain(.silent, Self.silence)
    }
    let context = CContext<Question>.retained((self, questions))
    g_dbus_connection_call(
      connection, Self.name, "/org/freedesktop/Notifications", Self.name, "GetServerInformation",
      nil, nil, G_DBUS_CALL_FLAGS_NONE, gint(Self.longestWait.wholeSeconds * 1000), nil,
      { source, result, context in
        let question = CContext<Question>.take(context)
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, &error)
        question.server.take(answer, error, to: question.number)
        if let answer { g_variant_unref(answer) }
      }, context)
  }

  private typealias Question = (server: NotificationServer, number: Int)

  private func take(
    _ answer: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?, to number: Int
  ) {
    let isAbsent =
      g_error_matches(
        error, g_dbus_error_quark(), gint(G_DBUS_ERROR_SERVICE_UNKNOWN.rawValue)) != 0
    let isSilent =
      g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_TIMED_OUT.rawValue)) != 0
    let reason = error.map { words(consuming: $0) }
    guard number == question else { return }
    (question, slowness, retry) = (nil, nil, nil)
    guard let answer else {
      if !isSilent { complain(.absent, "no notification server: \(reason ?? "no reason given")") }
      onEvent?(isAbsent ? .absent : .failed)
      return
    }
    guard DescriptorReserve.isAnyLeft else {
      retry = NotificationLoop.after(.seconds(1)) { [weak self] in self?.ask() }
      return
    }
    let server = server ?? describe(answer)
    self.server = server
    onEvent?(.listening(server))
  }

  private func describe(_ answer: OpaquePointer) -> Notifier.Server {
    let texts = (0..<min(3, g_variant_n_children(answer))).map { index in
      let child = g_variant_get_child_value(answer, index)
      defer { g_variant_unref(child) }
      let isText = g_variant_classify(child) == G_VARIANT_CLASS_STRING
      return isText ? String(cString: g_variant_get_string(child, nil)) : ""
    }
    func text(_ index: Int) -> String { texts.indices.contains(index) ? texts[index] : "" }
    return Notifier.Server(
      name: text(0), version: text(2), capabilities: Notification.capabilities())
  }

  /// Logs a problem, once for each server.
  func complain(_ trouble: Trouble, _ text: String) {
    if complaints.insert(trouble).inserted { Log.warning(text) }
  }
}
