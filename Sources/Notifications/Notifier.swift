// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the notifications that the program wants on the screen, even if the server restarts, and
// reports what the user does with them. Also finds out which server is running, and whether it is
// listening. Never waits for a server, and works without one. Next: NotificationThread.swift, which
// shows the notifications.

import Bus
import Scheduling
import System

/// Posts, updates and withdraws notifications, each under an id that the caller chooses.
@MainActor public final class Notifier {
  /// What the user or the server did with a notification.
  public enum Event: Sendable, Hashable {
    /// The user pressed a button, or clicked on the notification itself (`default`). Most servers
    /// then close the notification without another event, so post it again or withdraw it.
    case action(String)
    /// The notification is gone, but not because of `withdraw` or the end of the server.
    case closed(CloseReason)
  }

  /// The reasons for closing a notification, with their numbers in the Desktop Notifications
  /// Specification.
  public enum CloseReason: Int32, Sendable {
    /// The notification's time on the screen was over.
    case expired = 1
    /// The user closed the notification.
    case dismissed
    /// Another program asked the server to close the notification.
    case withdrawn
    /// Any other reason.
    case undefined
  }

  /// A notification server, as it describes itself. ServerManners.swift knows how it differs from
  /// others.
  public struct Server: Sendable, Hashable {
    public var name: String
    public var version: String
    public var capabilities: Set<String>

    public init(name: String, version: String, capabilities: Set<String>) {
      (self.name, self.version, self.capabilities) = (name, version, capabilities)
    }

    public var hasActions: Bool { capabilities.contains("actions") }
    public var hasMarkup: Bool { capabilities.contains("body-markup") }
  }

  /// Called on the main loop with the id of a notification, and what was done with it.
  public var onEvent: ((String, Event) -> Void)?

  /// The boot clock's reading when a button was last pressed; nil if none was.
  public private(set) var lastPress: Duration?

  /// The running server; nil until it has answered. A server that is started on demand appears at
  /// the first post.
  public var server: Server? { notificationServer.server }

  /// The revision with which each id was last posted.
  private var posted: [String: Int] = [:]
  private var revision = 0
  private let notificationServer: NotificationServer
  private let thread: Confined<NotificationThread>

  /// `applicationName` is shown by servers; `desktopEntry` is the name of the desktop file without
  /// its suffix. `memory` is a file in which the notifications on the screen are listed. If this
  /// process is killed, its notifications stay on the screen, with buttons that do nothing. The
  /// next process finds them in the file and replaces or closes them.
  public init(
    on bus: Bus, applicationName: String, desktopEntry: String, memory: String? = nil
  ) {
    notificationServer = NotificationServer(on: bus)
    thread = Confined(
      on: NotificationLoop.shared,
      NotificationThread(
        applicationName: applicationName, desktopEntry: desktopEntry,
        memory: NotificationMemory(path: memory), server: notificationServer))
    thread.perform { [weak self, confined = thread] thread, _ in
      thread.start(as: confined) { id, revision, event in self?.handle(event, on: id, revision) }
    }
    notificationServer.onEvent = { [weak thread] event, instance in
      thread?.perform { thread, disk in thread.hear(event, from: instance, on: disk) }
    }
  }

  deinit { thread.perform { thread, _ in thread.end() } }

  /// Shows `notice`, replacing the notification with the same `id`, if there is one. The
  /// notification stays wanted until it is withdrawn or reported as closed: if the server restarts,
  /// it is posted again. If it was answered or closed before this call, it is shown again, but at
  /// most once a second.
  public func post(_ notice: NotificationContent, as id: String) {
    revision += 1
    posted[id] = revision
    perform(.want(notice, id: id, revision: revision))
  }

  /// Shows the notifications of rings again, because the server may have removed them without
  /// reporting it. Call this after the machine has slept.
  public func showAgain() { perform(.showAgain) }

  /// Removes the notification from the screen. No events are reported for it any more.
  public func withdraw(_ id: String) {
    guard posted.removeValue(forKey: id) != nil else { return }
    perform(.withdraw(id: id))
  }

  /// Withdraws all notifications at the end of the program. Blocks for at most `limit`, and returns
  /// whether the server has closed all of them by then.
  @discardableResult
  public func shutdown(within limit: Duration) -> Bool {
    posted.removeAll()
    thread.perform { thread, _ in thread.withdrawAll() }
    return NotificationLoop.shared.finish(within: limit)
  }

  private func perform(_ event: Board.Event) {
    thread.perform { thread, _ in thread.handle(event) }
  }

  private func handle(_ event: Event, on id: String, _ revision: Int) {
    if case .action = event { lastPress = Clock.now().boot }
    guard let current = posted[id] else { return }
    switch event {
    case .action: break
    case .closed:
      // If an older revision was closed, ignore the event: the current revision was posted since
      // then, and is shown in any case.
      guard revision == current else { return }
      posted[id] = nil
    }
    onEvent?(id, event)
  }
}

/// The server behind `org.freedesktop.Notifications`. It is asked for its name when it appears, and
/// when it has not answered a call: the answer shows that the server works again. The main loop
/// does not wait for the answer. If the server is absent, slow or hung, only its notifications come
/// late: the agent goes on.
@MainActor final class NotificationServer {
  /// After this long without an answer, a question to the server counts as lost. The question is
  /// repeated if there is still something to post.
  private static let longestWait = Duration.seconds(30)
  nonisolated static let silence = "the notification server does not answer; it is waited for"

  /// The running server; nil if there is none, or it has not answered yet.
  private(set) var server: Notifier.Server?
  /// Called with each event of the server. `instance` identifies the server's process, even among
  /// the servers of other sessions; nil if no server is running.
  var onEvent: ((Board.Event, _ instance: String?) -> Void)?

  private let bus: Bus
  private var presence: Bus.Subscription?
  private var screen: Bus.Subscription?
  private var instance: String?
  /// The number of the question whose answer is awaited. Answers to earlier questions are ignored.
  private var question: Int?
  private var questions = 0
  private var complaints: Set<String> = []

  init(on bus: Bus) {
    self.bus = bus
    presence = bus.watch(Bus.Peer.notifications.name) { [weak self] owner in
      if let owner { self?.appeared(owner) } else { self?.vanished() }
    }
  }

  private func appeared(_ owner: String) {
    instance = "\(bus.id) \(owner)"
    question = nil
    ask()
  }

  private func vanished() {
    (server, instance, screen) = (nil, nil, nil)
    complaints = []
    onEvent?(.gone, nil)
  }

  /// Asks the server for its name. If no server is running, the bus starts one if it can.
  func ask() {
    guard question == nil else { return }
    questions += 1
    question = questions
    ask("GetServerInformation", "ssss") { [weak self] answer in
      guard let self else { return }
      if server != nil { return listening() }
      let words = answer.map { $0.string ?? "" }
      ask("GetCapabilities", "as") { [weak self] answer in
        self?.server = Notifier.Server(
          name: words.first ?? "", version: words.count > 2 ? words[2] : "",
          capabilities: Set(answer.first?.strings ?? []))
        self?.listening()
      }
    }
  }

  /// Calls a method of the server. Then calls `done` with the answer, unless that answer is no
  /// longer awaited; see `question`.
  private func ask(
    _ member: String, _ types: String, _ done: @escaping ([Variant]) -> Void
  ) {
    let number = question
    bus.ask(.notifications, member, gives: types, starting: true, timeout: Self.longestWait) {
      [weak self] answer in
      guard let self, number == question else { return }
      switch answer {
      case .success(let reply): done(reply.values)
      case .failure(let error): failed(error)
      }
    }
  }

  private func failed(_ error: BusError) {
    question = nil
    complain(
      error.name == BusError.noReply ? Self.silence : "no notification server: \(error)")
    onEvent?(error.name == BusError.unknownService ? .absent : .failed, instance)
  }

  private func listening() {
    question = nil
    if let server { onEvent?(.listening(server), instance) }
    if server?.manners.hasOneBanner == true, screen == nil { watchScreen() }
  }

  /// Reports when the screen is locked or blank, and when it is on again. GNOME Shell lights it for
  /// each notification that is posted or updated. When the screen is locked, blanked or used again,
  /// it removes the banners of notifications, so those of rings are then shown again.
  private func watchScreen() {
    let shield = Bus.Peer.gnomeScreenShield
    let report = { [weak self] (event: Board.Event) -> Void in
      if let self { onEvent?(event, instance) }
    }
    screen = bus.listen(to: shield, "ActiveChanged", carries: "b") { values in
      if let isLocked = values.first?.boolean { report(.locked(isLocked)) }
      report(.showAgain)
    }
    bus.ask(shield, "GetActive", gives: "b", timeout: .seconds(2)) { answer in
      if let isLocked = answer.value?.boolean { report(.locked(isLocked)) }
    }
  }

  /// Logs a problem, but only once for each server.
  func complain(_ text: String) {
    if complaints.insert(text).inserted { Log.warning(text) }
  }
}
