// SPDX-License-Identifier: GPL-3.0-or-later
//
// Carries out the board's decisions on the only thread that uses libnotify, and remembers in a file
// which notifications a server shows. This thread is needed for two reasons: a server that hangs
// can hold up a call for 25 s, and libnotify's signals arrive in the main context in which
// libnotify was first used. Next: Board.swift, which decides; Notifier.swift, which finds out
// whether a server is listening; Notification.swift, which represents a notification on the screen.

import CGLib
import CNotify
import Scheduling
import System

/// Shows, updates and removes notifications, and reports the first event of each notification.
/// `Notifier` reaches it only through `Confined`, so everything runs on libnotify's thread.
final class NotificationThread {
  typealias OnEvent = @MainActor (String, _ revision: Int, Notifier.Event) -> Void

  private let applicationName: String
  private let desktopEntry: String
  private let server: NotificationServer
  /// Identifies the server's process; nil if none is running.
  private var instance: String?
  private let memory: NotificationMemory
  private var hasRecalled = false
  private var board = Board()
  /// The notifications on the screen, by their ids, each listening to the server's signals.
  private var listeners: [String: Notification] = [:]
  private var events: [Board.Event] = []
  private var isActing = false
  /// Whether the server did not answer the last call. Until it answers a question, nothing is
  /// posted, because it might show the post much later.
  private var isSilent = false
  private var timer: Source?
  private var onEvent: OnEvent?
  /// Calls this object when a delay has passed.
  private weak var confined: Confined<NotificationThread>?

  init(
    applicationName: String, desktopEntry: String, memory: NotificationMemory,
    server: NotificationServer
  ) {
    (self.applicationName, self.desktopEntry) = (applicationName, desktopEntry)
    (self.memory, self.server) = (memory, server)
  }

  func start(as confined: Confined<NotificationThread>, onEvent: @escaping OnEvent) {
    (self.confined, self.onEvent) = (confined, onEvent)
    // `notify_init` fails only if the name is empty.
    notify_init(applicationName)
    _ = LatePost.shared
  }

  /// Handles an event of the server. `instance` identifies the server's process.
  func hear(_ event: Board.Event, from instance: String?, on disk: Disk) {
    guard onEvent != nil else { return }
    self.instance = instance
    switch event {
    case .listening:
      isSilent = false
      recall(on: disk)
    case .gone: listeners = [:]
    default: break
    }
    handle(event)
  }

  /// Closes all notifications at the end of the program.
  func withdrawAll() {
    let shown = board.numbers.values
    // Leave the file of numbers as it is: it may already belong to another process that replaces
    // this one.
    end()
    for number in shown { Notification.close(number) }
  }

  func end() {
    (onEvent, timer, instance) = (nil, nil, nil)
    (board, listeners) = (Board(), [:])
  }

  func handle(_ event: Board.Event) {
    events.append(event)
    if isActing { return }
    isActing = true
    while !events.isEmpty {
      for act in board.apply(events.removeFirst(), at: Self.now) { carryOut(act) }
    }
    isActing = false
    // Set a new timer after each event, so that `finishBatch` runs once, after everything that is
    // now waiting on this thread's loop: signals that the server sent before it answered the last
    // call, and other events of the same moment. `finishBatch` examines all entries, so running it
    // for each event would take time.
    timer = confined?.after(.zero) { thread, disk in thread.finishBatch(on: disk) }
  }

  /// Called when all events so far are processed. Stores the numbers of the notifications. Then
  /// gives the board a `tick`: at once if the board's deadline has come, otherwise at the deadline.
  private func finishBatch(on disk: Disk) {
    remember(on: disk)
    guard let deadline = board.deadline else {
      timer = nil
      return
    }
    let delay = deadline - Self.now
    if delay <= .zero { return handle(.tick) }
    timer = confined?.after(delay) { thread, _ in thread.handle(.tick) }
  }

  private func carryOut(_ act: Board.Act) {
    switch act {
    case .ask: Worker.onMain { [server] in server.ask() }
    case .post(let post): self.post(post)
    case .close(let id, let number):
      listeners[id] = nil
      if !Notification.close(number) { becameSilent() }
    case .nudge(let title): if !Notification.flash(title) { becameSilent() }
    case .report(let event, let id, let revision):
      Worker.onMain { [onEvent] in onEvent?(id, revision, event) }
    }
  }

  private func becameSilent() {
    isSilent = true
    handle(.failed)
  }

  private func post(_ post: Board.Post) {
    guard let server = board.server else { return }
    let id = post.id
    let notification = Notification(post, desktopEntry: desktopEntry, for: server) {
      [weak self] event in
      switch event {
      case .action(let key): self?.handle(.action(key, id: id))
      case .closed(let reason):
        self?.listeners[id] = nil
        self?.handle(.closed(reason, id: id))
      }
    }
    let outcome = isSilent ? .unanswered : notification.show()
    switch outcome {
    case .shown: listeners[id] = notification
    case .unnumbered:
      complain("the notification server gives no numbers: its answers cannot be followed")
    case .refused(let reason): complain("the notification server refused: \(reason)")
    case .unanswered:
      complain(NotificationServer.silence)
      if !isSilent { LatePost.shared.giveUp(replacing: post.replaces) }
      isSilent = true
    }
    handle(.posted(outcome))
  }

  private func complain(_ text: String) {
    Worker.onMain { [server] in server.complain(text) }
  }

  /// Finds out, only once, which notifications of a killed process this server still shows.
  private func recall(on disk: Disk) {
    guard !hasRecalled, let instance else { return }
    hasRecalled = true
    handle(.inherited(memory.numbers(of: instance, on: disk)))
  }

  private func remember(on disk: Disk) {
    guard let instance, hasRecalled else { return }
    memory.keep(board.numbers, of: instance, on: disk)
  }

  private static var now: Instant { Instant(microseconds: Int64(g_get_monotonic_time())) }
}

/// Runs closures on libnotify's thread, one after another. libnotify has one proxy of the server
/// for the whole process, so all notifiers share the thread.
final class NotificationLoop: SerialQueue {
  static let shared = NotificationLoop()

  // Any thread may use a GMainContext.
  private nonisolated(unsafe) let context = g_main_context_new()!

  private init() {
    Worker.once("libnotify") { [self] _ in
      g_main_context_push_thread_default(context)
      while true { g_main_context_iteration(context, 1) }
    }
  }

  func perform(_ work: @escaping @Sendable (Disk) -> Void) {
    g_main_context_invoke_full(
      context, G_PRIORITY_DEFAULT,
      { work in
        Disk.here(CContext<@Sendable (Disk) -> Void>.value(of: work))
        return 0
      }, CContext<@Sendable (Disk) -> Void>.retained(work), releaseContext)
  }

  func after(_ delay: Duration, _ work: @escaping @Sendable (Disk) -> Void) -> Source {
    Source(after: delay, on: context) { Disk.here(work) }
  }

  /// Waits at most `limit` until all work that was given earlier is done, and returns whether it is
  /// done. Use this only at the end of the program, because it blocks.
  func finish(within limit: Duration) -> Bool {
    Worker.wait(within: limit) { done in perform { _ in done() } }
  }
}

/// The numbers of the notifications on the screen, by their ids, in a small file. A killed process
/// leaves notifications with dead buttons, and only the server's numbers lead back to them. They
/// are valid only for the server process that gave them, so the file also identifies that process.
/// Losing the file costs no more than a stale notification.
///
/// The tags by which dunst and mako replace a notification were rejected. With a tag and a number
/// in one call, every mako up to 1.11 crashes (emersion/mako#653), and no other server knows tags.
final class NotificationMemory {
  private let path: String?
  private var kept: (numbers: [String: UInt32], server: String)?

  /// Keep the file in `XDG_RUNTIME_DIR` if possible: that folder is removed when the session ends,
  /// and the server exits then too. If `path` is nil, nothing is stored.
  init(path: String?) { self.path = path }

  /// Returns the stored numbers that `server` gave; empty if the file is about another server
  /// process.
  func numbers(of server: String, on disk: Disk) -> [String: UInt32] {
    // A missing or unreadable file means that nothing is known.
    guard let path, let bytes = try? DurableFile.read(path, limit: 1 << 20, on: disk)
    else { return [:] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let first = lines.first, first == server else { return [:] }
    var numbers: [String: UInt32] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let number = UInt32(parts[0]), number != 0 else { continue }
      numbers[String(parts[1])] = number
    }
    return numbers
  }

  /// Stores `numbers` in place of the numbers stored before.
  func keep(_ numbers: [String: UInt32], of server: String, on disk: Disk) {
    guard let path, kept?.numbers != numbers || kept?.server != server else { return }
    kept = (numbers, server)
    let lines = numbers.map { id, number in
      "\(number) \(String(id.map { $0.isNewline ? " " : $0 }))\n"
    }
    // If writing fails, a crash leaves a stale notification; nothing else is lost.
    let text = Array(("\(server)\n" + lines.sorted().joined()).utf8)
    try? DurableFile.replace(path, with: text, on: disk)
  }
}
