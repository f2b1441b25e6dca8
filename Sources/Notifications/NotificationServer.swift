// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a notification server is there, what it is, and whether it listens. It posts nothing; for
// the notifications' thread alone. Next: NotificationThread.swift, which posts.

import CGLib
import Scheduling
import System

/// The server behind `org.freedesktop.Notifications`. Before anything is posted it is asked who it
/// is, without waiting for the answer: so one that is absent, slow or hung costs nothing, and one
/// that wakes up again makes itself known by answering.
///
/// It is for its thread alone, which makes it sendable.
nonisolated final class NotificationServer: @unchecked Sendable {
  /// What may be wrong, and is said once for each server.
  enum Trouble { case bus, absent, silent, refusing, unnumbered }

  /// After which silence the log calls the server slow.
  private static let patience = Duration.seconds(2)
  /// After which a question counts as lost and is asked again, if there is still something to post.
  private static let longestWait = Duration.seconds(30)
  private static let name = "org.freedesktop.Notifications"
  static let silence = "the notification server does not answer; it is waited for"

  /// Which process it is, unlike any other of this or another session; nil while there is none.
  private(set) var instance: String?
  var onEvent: ((Board.Event) -> Void)?
  private var connection: OpaquePointer?
  private var nameWatch: guint = 0
  private var server: Notifier.Server?
  /// The question that is being waited for; an answer to an older one is ignored.
  private var question: Int?
  private var questions = 0
  private var slowness: Delayed?
  private var retry: Delayed?
  private var complaints: Set<Trouble> = []

  /// Connects to the session bus and watches for the server (`g_bus_watch_name_on_connection`).
  func connect() {
    var error: UnsafeMutablePointer<GError>?
    connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error)
    guard let connection else {
      return complain(.bus, "no session bus: \(words(consuming: error))")
    }
    // The bus's end is told to whoever owns the connection; GDBus would end the process.
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

  /// Asks the server who it is, which starts one where the bus knows how to.
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

  /// Says what is wrong, once for each server.
  func complain(_ trouble: Trouble, _ text: String) {
    if complaints.insert(trouble).inserted { Log.warning(text) }
  }
}
