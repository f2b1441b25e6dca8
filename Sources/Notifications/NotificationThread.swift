// SPDX-License-Identifier: GPL-3.0-or-later
//
// Carries out what the board says, on a thread of its own: a server that hangs holds a call for 25
// s. It decides nothing. Next: Board.swift, which does; NotificationServer.swift, which finds out
// whether a server listens; Notification.swift, one that is shown.

import CGLib
import CNotify
import Scheduling
import System

/// Shows, updates and removes notifications, and reports the first word on each. All but the first
/// part is for its thread alone, which makes it sendable.
nonisolated final class NotificationThread: @unchecked Sendable {
  typealias OnEvent = @MainActor (String, _ revision: Int, Notifier.Event) -> Void
  typealias OnServerChange = @MainActor (Notifier.Server?) -> Void

  private let applicationName: String
  private let desktopEntry: String
  private let server = NotificationServer()
  private let memory: NotificationMemory
  private var hasRecalled = false
  private var board = Board()
  /// What listens to the server, by the ids.
  private var listeners: [String: Notification] = [:]
  /// What has happened while the board's acts are carried out.
  private var events: [Board.Event] = []
  private var isActing = false
  private var timer: Delayed?
  private var onEvent: OnEvent?
  private var onServerChange: OnServerChange?

  init(applicationName: String, desktopEntry: String, memory: NotificationMemory) {
    (self.applicationName, self.desktopEntry) = (applicationName, desktopEntry)
    self.memory = memory
  }

  // MARK: - From the main loop

  func start(onEvent: @escaping OnEvent, onServerChange: @escaping OnServerChange) {
    NotificationLoop.perform { [self] in
      (self.onEvent, self.onServerChange) = (onEvent, onServerChange)
      // It fails for an empty name alone.
      notify_init(applicationName)
      server.onEvent = { [weak self] in self?.hear($0) }
      server.connect()
    }
  }

  func perform(_ event: Board.Event) { NotificationLoop.perform { [self] in take(event) } }

  /// Blocks for at most `limit`.
  func withdrawAll(within limit: Duration) -> Bool {
    NotificationLoop.perform { [self] in
      let shown = board.numbers.values
      // Not forgotten in the file: that may be another's by now, which takes this one's place.
      end()
      for number in shown { Notification.close(number) }
    }
    return NotificationLoop.finish(within: limit)
  }

  func stop() { NotificationLoop.perform { [self] in end() } }

  // MARK: - On its thread

  private func end() {
    server.disconnect()
    (onEvent, onServerChange, timer) = (nil, nil, nil)
    (board, listeners) = (Board(), [:])
  }

  private func hear(_ event: Board.Event) {
    switch event {
    case .listening: recall()
    case .gone: listeners = [:]
    default: break
    }
    take(event)
  }

  private func take(_ event: Board.Event) {
    events.append(event)
    if isActing { return }
    isActing = true
    while !events.isEmpty {
      let before = board.server
      let acts = board.apply(events.removeFirst(), at: Self.now)
      if board.server != before {
        Worker.onMain { [onServerChange, server = board.server] in onServerChange?(server) }
      }
      for act in acts { carryOut(act) }
    }
    isActing = false
    // A new timer after each event, so that `settle` comes behind all that waits on the thread's
    // loop by now: the other events of the same moment, since it looks at every entry, and the
    // signals that the server sent before it answered the last call.
    timer = NotificationLoop.after(.zero) { [weak self] in self?.settle() }
  }

  /// Once all that has happened so far is taken in: keeps what is shown, and goes on or waits.
  private func settle() {
    remember()
    guard let deadline = board.deadline else {
      timer = nil
      return
    }
    let delay = deadline - Self.now
    if delay <= .zero { return take(.tick) }
    timer = NotificationLoop.after(delay) { [weak self] in self?.take(.tick) }
  }

  private func carryOut(_ act: Board.Act) {
    switch act {
    case .ask: server.ask()
    case .post(let post): self.post(post)
    case .close(let id, let number):
      listeners[id] = nil
      Notification.close(number)
    case .report(let event, let id, let revision):
      Worker.onMain { [onEvent] in onEvent?(id, revision, event) }
    }
  }

  private func post(_ post: Board.Post) {
    guard let server = board.server else { return }
    let id = post.id
    let notification = Notification(
      post, desktopEntry: desktopEntry, for: server,
      onAction: { [weak self] key in self?.take(.action(key, id: id)) },
      onClosed: { [weak self] reason in
        self?.listeners[id] = nil
        self?.take(.closed(reason, id: id))
      })
    let outcome = notification.show()
    switch outcome {
    case .shown: listeners[id] = notification
    case .unnumbered:
      self.server.complain(
        .unnumbered, "the notification server gives no numbers: its answers cannot be followed")
    case .refused(let reason):
      self.server.complain(.refusing, "the notification server refused: \(reason)")
    case .unanswered: self.server.complain(.silent, NotificationServer.silence)
    }
    take(.posted(outcome))
  }

  /// Finds out, once, what this very server still shows of a process that was killed.
  private func recall() {
    guard !hasRecalled, let instance = server.instance else { return }
    hasRecalled = true
    take(.inherited(memory.numbers(of: instance)))
  }

  private func remember() {
    guard let instance = server.instance, hasRecalled else { return }
    memory.keep(board.numbers, of: instance)
  }

  private static var now: Instant { Instant(microseconds: Int64(g_get_monotonic_time())) }
}
