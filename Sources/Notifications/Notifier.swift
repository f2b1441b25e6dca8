// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notifications, told what should be on the screen: it keeps them there over a server's restart,
// and reports what the user did. It never waits for a server, and nothing here depends on one being
// there. Next: NotificationThread.swift, the thread that shows them.

import Scheduling

/// Posts, updates and withdraws notifications, each under an id of the caller's.
public final class Notifier {
  /// The first word of the user, or of the server, on a notification that was posted.
  public nonisolated enum Event: Sendable, Hashable {
    /// A button was pressed, or `default`, the notification itself. Most servers then close it
    /// without another event: post or withdraw.
    case action(String)
    /// It is gone, and not because of `withdraw` or a server that ended.
    case closed(CloseReason)
  }

  /// The reasons of the Desktop Notifications Specification.
  public nonisolated enum CloseReason: Sendable, Hashable {
    /// Its time was over (1).
    case expired
    /// The user closed it (2).
    case dismissed
    /// Somebody else asked the server to close it (3).
    case withdrawn
    /// Anything else (4).
    case undefined
  }

  /// What a notification server says of itself. How it differs from others is in
  /// ServerManners.swift.
  public nonisolated struct Server: Sendable, Hashable {
    public var name: String
    public var version: String
    public var capabilities: Set<String>

    public init(name: String, version: String, capabilities: Set<String>) {
      (self.name, self.version, self.capabilities) = (name, version, capabilities)
    }

    /// Whether it shows buttons.
    public var hasActions: Bool { capabilities.contains("actions") }
    /// Whether it reads the body as markup.
    public var hasMarkup: Bool { capabilities.contains("body-markup") }
  }

  public var onEvent: ((String, Event) -> Void)?

  /// The server that is there. Nil until one has been heard of: one that is started on demand shows
  /// with the first post.
  public private(set) var server: Server?

  /// The revision that each id was last posted as.
  private var posted: [String: Int] = [:]
  private var revision = 0
  private let thread: NotificationThread

  /// `applicationName` is what servers show; `desktopEntry` is the name of the desktop file
  /// without its suffix. `memory` is a file for what would otherwise be left on the screen, with
  /// dead buttons, where the process is killed: the next one takes it over or closes it.
  public init(applicationName: String, desktopEntry: String, memory: String? = nil) {
    thread = NotificationThread(
      applicationName: applicationName, desktopEntry: desktopEntry,
      memory: NotificationMemory(path: memory))
    thread.start(
      onEvent: { [weak self] id, revision, event in self?.take(event, on: id, revision) },
      onServerChange: { [weak self] in self?.server = $0 })
  }

  deinit { thread.stop() }

  /// Shows `notice`, in the place of the one with the same `id` where there is one. It stays wanted
  /// until it is withdrawn or reported as closed: when a server comes (back) it is posted again.
  /// One that was answered or closed since is shown anew, though no more often than every second.
  public func post(_ notice: NotificationContent, as id: String) {
    revision += 1
    posted[id] = revision
    thread.perform(.want(notice, id: id, revision: revision))
  }

  /// Shows what rings once more, where a server may have put it away without a word: when the
  /// screen was locked or blank, or is back.
  public func showAgain() { thread.perform(.showAgain) }

  /// Takes the notification from the screen; nothing is reported of it any more.
  public func withdraw(_ id: String) {
    guard posted.removeValue(forKey: id) != nil else { return }
    thread.perform(.withdraw(id: id))
  }

  /// Withdraws everything, for the end of the program. It blocks, for at most `limit`; returns
  /// whether the server has closed everything by then.
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
      // Of a posting that has been replaced since, and is shown anew.
      guard revision == current else { return }
      posted[id] = nil
    }
    onEvent?(id, event)
  }
}
