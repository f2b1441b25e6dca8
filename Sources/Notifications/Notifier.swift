// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keeps the notifications that the program wants on the screen, even if the server restarts, and
// reports what the user does with them. Never waits for a server, and works without one. Next:
// NotificationThread.swift, which shows the notifications.

import Bus
import Scheduling

/// Posts, updates and withdraws notifications, each under an id that the caller chooses.
public final class Notifier {
  /// What the user or the server did with a notification.
  public nonisolated enum Event: Sendable, Hashable {
    /// The user pressed a button, or clicked on the notification itself (`default`). Most servers
    /// then close the notification without another event, so post it again or withdraw it.
    case action(String)
    /// The notification is gone, but not because of `withdraw` or the end of the server.
    case closed(CloseReason)
  }

  /// The reasons for closing, from the Desktop Notifications Specification.
  public nonisolated enum CloseReason: Sendable, Hashable {
    /// The notification's time on the screen was over (1).
    case expired
    /// The user closed the notification (2).
    case dismissed
    /// Another program asked the server to close the notification (3).
    case withdrawn
    /// Any other reason (4).
    case undefined
  }

  /// A notification server, as it describes itself. ServerManners.swift knows how it differs from
  /// others.
  public nonisolated struct Server: Sendable, Hashable {
    public var name: String
    public var version: String
    public var capabilities: Set<String>

    public init(name: String, version: String, capabilities: Set<String>) {
      (self.name, self.version, self.capabilities) = (name, version, capabilities)
    }

    public var hasActions: Bool { capabilities.contains("actions") }
    public var hasMarkup: Bool { capabilities.contains("body-markup") }
  }

  public var onEvent: ((String, Event) -> Void)?

  /// The running server; nil until it has answered. A server that is started on demand appears at
  /// the first post.
  public var server: Server? { notificationServer.server }

  /// The revision with which each id was last posted.
  private var posted: [String: Int] = [:]
  private var revision = 0
  private let notificationServer: NotificationServer
  private let thread: NotificationThread

  /// `applicationName` is shown by servers; `desktopEntry` is the name of the desktop file without
  /// its suffix. `memory` is a file in which the notifications on the screen are listed. If this
  /// process is killed, its notifications stay on the screen with dead buttons. The next process
  /// finds them in the file and replaces or closes them.
  public init(
    on bus: Bus, applicationName: String, desktopEntry: String, memory: String? = nil
  ) {
    notificationServer = NotificationServer(on: bus)
    thread = NotificationThread(
      applicationName: applicationName, desktopEntry: desktopEntry,
      memory: NotificationMemory(path: memory), server: notificationServer)
    thread.start { [weak self] id, revision, event in self?.take(event, on: id, revision) }
    notificationServer.onEvent = { [weak thread] event, instance in
      thread?.hear(event, from: instance)
    }
  }

  deinit { thread.stop() }

  /// Shows `notice`, replacing the notification with the same `id`, if there is one. The
  /// notification stays wanted until it is withdrawn or reported as closed: if the server restarts,
  /// it is posted again. If it was answered or closed before this call, it is shown again, but at
  /// most once a second.
  public func post(_ notice: NotificationContent, as id: String) {
    revision += 1
    posted[id] = revision
    thread.perform(.want(notice, id: id, revision: revision))
  }

  /// Shows the notifications of rings again, because the server may have removed them without
  /// reporting it. Call this after the screen was locked, blanked or unlocked.
  public func showAgain() { thread.perform(.showAgain) }

  /// Removes the notification from the screen. No events are reported for it any more.
  public func withdraw(_ id: String) {
    guard posted.removeValue(forKey: id) != nil else { return }
    thread.perform(.withdraw(id: id))
  }

  /// Withdraws all notifications at the end of the program. Blocks for at most `limit`, and returns
  /// whether the server has closed all of them by then.
  @discardableResult
  public func shutdown(within limit: Duration) -> Bool {
    posted.removeAll()
    return thread.withdrawAll(within: limit)
  }

  private func take(_ event: Event, on id: String, _ revision: Int) {
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
