// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wanted on the screen and what is shown there, on a thread of its own: a server that hangs
// holds a call for 25 s. Whenever a server listens, the two are brought together. Next:
// NotificationServer.swift, which finds that out, and Notification.swift, one that is shown.

import CGLib
import CNotify
import Scheduling

/// Shows, updates and removes notifications, and reports the first word on each. All but the first
/// part is for its thread alone, which makes it sendable.
nonisolated final class NotificationBoard: @unchecked Sendable {
  typealias OnEvent = @MainActor (String, _ revision: Int, Notifier.Event) -> Void
  typealias OnServerChange = @MainActor (Notifier.Server?) -> Void

  /// What is wanted under an id, and what the server has.
  private struct Entry {
    /// Nil: nothing.
    var wanted: Notice?
    var revision = 0
    /// Whether the server is still to be told.
    var isDue = true
    var shown: Notification?
    /// What the server calls it, 0 for nothing. Without `shown` it is one that nobody listens to any
    /// more, to be replaced or closed.
    var number: Int32 = 0
    /// An earlier process left it: it may be wanted in a moment.
    var isInherited = false
    /// A button was pressed: that was the verdict, and the server may close it at any moment.
    var isAnswered = false
    /// Set while signals may still come that the server sent before it replaced the former one.
    var barrier: Worker.Delayed?
    /// What tells it from others of the same text that are shown: see `twin`.
    var twin = 0
    /// When it was last shown, on the monotonic clock in microseconds.
    var shownAt: gint64?
    /// How much later it may be shown anew.
    var pause = NotificationBoard.pause
  }

  /// How often one id is shown anew at most: a server that closes at once must not make us spin.
  private static let pause = Duration.seconds(1)
  /// How seldom at least, where the server puts it away each time: GNOME Shell keeps three of one
  /// program, and what is shown anew pushes out another.
  private static let longestPause = Duration.seconds(32)
  /// How long what an earlier process left may wait to be wanted again.
  private static let heirsTime = Duration.seconds(2)
  /// When to try again with a server that refused, or to start one that ended.
  private static let retryDelay = Duration.seconds(5)

  private let applicationName: String
  private let desktopEntry: String
  private let thread = NotificationServer.thread
  private let server = NotificationServer()
  private let memory: NotificationMemory
  private var inheritance: Worker.Delayed?
  private var hasRecalled = false
  /// What is posted in a moment, until a server has said that it listens.
  private var coming: Notice?
  private var listening: Notifier.Server?
  private var entries: [String: Entry] = [:]
  private var onEvent: OnEvent?
  private var onServerChange: OnServerChange?

  init(applicationName: String, desktopEntry: String, memory: NotificationMemory) {
    (self.applicationName, self.desktopEntry) = (applicationName, desktopEntry)
    self.memory = memory
  }

  // MARK: - From the main loop

  func start(onEvent: @escaping OnEvent, onServerChange: @escaping OnServerChange) {
    thread.perform { [self] in
      (self.onEvent, self.onServerChange) = (onEvent, onServerChange)
      // Without libnotify it is as if no server ever came.
      guard notify_init(applicationName) != 0 else {
        return Log.warning("no notifications: \(Library.notify.trouble ?? "libnotify refuses")")
      }
      server.onNews = { [weak self] in self?.take($0) }
      server.connect()
    }
  }

  func prepare(_ notice: Notice) {
    thread.perform { [self] in
      coming = notice
      server.askAhead()
    }
  }

  func post(_ notice: Notice, as id: String, _ revision: Int) {
    thread.perform { [self] in
      entries[id, default: Entry()].wanted = notice
      entries[id]?.revision = revision
      entries[id]?.isDue = true
      entries[id]?.isInherited = false
      if let listening = server.standingBy { update(on: listening) } else { server.ask() }
    }
  }

  func withdraw(_ id: String) {
    thread.perform { [self] in
      entries[id]?.wanted = nil
      entries[id]?.isDue = true
      if let entry = entries[id], entry.number != 0 { server.ask() }
    }
  }

  /// Blocks for at most `limit`.
  func withdrawAll(within limit: Duration) -> Bool {
    thread.perform { [self] in
      let shown = entries.values.map(\.number).filter { $0 != 0 }
      entries.removeAll()
      // Not forgotten in the file: that may be another's by now, which takes this one's place.
      for number in shown { Notification.close(number) }
    }
    return thread.finish(within: limit)
  }

  func stop() {
    thread.perform { [self] in
      server.disconnect()
      (onEvent, onServerChange) = (nil, nil)
      entries.removeAll()
    }
  }

  // MARK: - What the server says

  private func take(_ news: NotificationServer.News) {
    switch news {
    case .listening(let server):
      recall()
      change(to: server)
      update(on: server)
      rehearse(for: server)
      return
    case .numbered(let number, let id):
      guard entries[id]?.number ?? 0 == 0 else { return }
      entries[id, default: Entry()].number = number
      self.server.ask()
      return
    case .gone:
      change(to: nil)
      forgetShown()
    case .failed: break
    }
    // One that is started on demand does not come back by itself.
    if entries.values.contains(where: { $0.wanted != nil && $0.isDue }) {
      server.ask(in: Self.retryDelay)
    }
  }

  private func change(to server: Notifier.Server?) {
    guard server != listening else { return }
    listening = server
    Worker.onMain { [onServerChange] in onServerChange?(server) }
  }

  private func forgetShown() {
    for id in Array(entries.keys) {
      entries[id]?.shown = nil
      entries[id]?.number = 0
      entries[id]?.isAnswered = false
      entries[id]?.isDue = true
      entries[id]?.pause = Self.pause
    }
    remember()
  }

  // MARK: - What an earlier process left

  /// Finds out, once, what this very server still shows of a process that was killed.
  private func recall() {
    guard !hasRecalled, let instance = server.instance else { return }
    hasRecalled = true
    for (id, number) in memory.numbers(of: instance) where entries[id]?.number ?? 0 == 0 {
      entries[id, default: Entry(isInherited: true)].number = number
    }
    guard entries.values.contains(where: \.isInherited) else { return }
    inheritance = thread.after(Self.heirsTime) { [weak self] in self?.endInheritance() }
  }

  private func endInheritance() {
    inheritance = nil
    for id in Array(entries.keys) { entries[id]?.isInherited = false }
    server.ask()
  }

  private func remember() {
    guard let instance = server.instance, hasRecalled else { return }
    memory.keep(entries.mapValues(\.number).filter { $0.value != 0 }, of: instance)
  }

  // MARK: - What is wanted and what is shown

  /// Tells the server all that is due, in the order of the posts.
  private func update(on server: Notifier.Server) {
    for (id, entry) in entries.sorted(by: { $0.value.revision < $1.value.revision }) {
      if entry.wanted == nil {
        if !entry.isInherited { remove(id) }
      } else if entry.isDue, !show(id, on: server) {
        // It hung meanwhile: each of the others would wait as long, to no end.
        break
      }
    }
    remember()
  }

  /// Makes what is to come, and shows it to nobody: done for the first time, or the first time in
  /// hours, all of it takes a millisecond more.
  private func rehearse(for server: Notifier.Server) {
    guard let notice = coming.take() else { return }
    _ = Notification(
      notice, twin: 0, desktopEntry: desktopEntry, for: server, replacing: 0,
      onAction: { _ in }, onClosed: { _ in })
  }

  private func remove(_ id: String) {
    guard let entry = entries[id] else { return }
    if entry.number != 0 { Notification.close(entry.number) }
    entries[id]?.shown = nil
    entries[id]?.number = 0
    entries[id]?.pause = Self.pause
    // Kept for a while, so that one that is posted again at once is not shown too soon.
    if rest(of: entry) == nil { entries[id] = nil }
  }

  /// Returns false where the server does not listen any more.
  private func show(_ id: String, on listening: Notifier.Server) -> Bool {
    guard var entry = entries[id], let notice = entry.wanted else { return true }
    let isNew = entry.shown == nil || entry.isAnswered
    if isNew, let rest = rest(of: entry) {
      server.ask(in: rest)
      return true
    }
    // A server that closes what was answered may do it late: not what is shown next.
    if entry.isAnswered {
      if entry.shown != nil { Notification.close(entry.number) }
      entry.number = 0
    }
    let replaced = entry.number
    entry.shown = nil
    entry.twin = twin(of: notice, id)
    entries[id] = entry
    let notification = Notification(
      notice, twin: entry.twin, desktopEntry: desktopEntry, for: listening, replacing: replaced,
      onAction: { [weak self] key in self?.act(key, on: id) },
      onClosed: { [weak self] reason in self?.close(id, reason) })
    let outcome = notification.show()
    switch outcome {
    case .shown(let number):
      entry.shown = notification
      entry.number = number
      entry.isDue = false
      entry.isAnswered = false
      entry.shownAt = g_get_monotonic_time()
      entry.barrier = number == replaced ? barrier(for: id) : nil
    case .unnumbered:
      // Shown or not: nobody knows, and showing it again and again would be worse.
      server.complain(
        .unnumbered, "the notification server gives no numbers: its answers cannot be followed")
      entry.isDue = false
    case .refused(let reason):
      server.distrust()
      server.complain(.refusing, "the notification server refused: \(reason)")
      server.ask(in: Self.retryDelay)
    case .unanswered:
      server.distrust()
      server.complain(.silent, NotificationServer.silence)
      server.expectNumber(for: id)
      server.ask()
    }
    entries[id] = entry
    return outcome != .unanswered
  }

  /// A number that no other notification of the same text has. dunst takes two of the same text for
  /// one, and closes the first: one of two alarms would be gone.
  private func twin(of notice: Notice, _ id: String) -> Int {
    let taken = entries.filter { other, entry in
      other != id && entry.shown != nil && entry.wanted?.title == notice.title
        && entry.wanted?.body == notice.body
    }
    let numbers = Set(taken.values.map(\.twin))
    return (0...numbers.count).first { !numbers.contains($0) } ?? 0
  }

  /// The signals that the server sent before it answered our call wait on the thread's loop by now,
  /// in order: when this runs, they have been seen.
  private func barrier(for id: String) -> Worker.Delayed {
    thread.after(.zero) { [weak self] in self?.entries[id]?.barrier = nil }
  }

  /// How long `entry` must not be shown anew, or nil.
  private func rest(of entry: Entry) -> Duration? {
    guard let shownAt = entry.shownAt else { return nil }
    let rest = entry.pause - .microseconds(g_get_monotonic_time() - shownAt)
    return rest > .zero ? rest : nil
  }

  /// What the pause becomes when the server puts `entry` away: twice as long where it did so soon.
  private func pause(after reason: Notifier.CloseReason, of entry: Entry) -> Duration {
    guard reason == .expired, let shownAt = entry.shownAt,
      .microseconds(g_get_monotonic_time() - shownAt) < Self.longestPause
    else { return Self.pause }
    return min(entry.pause * 2, Self.longestPause)
  }

  // MARK: - What the user did

  private func act(_ key: String, on id: String) {
    guard let entry = entries[id], entry.wanted != nil else { return }
    entries[id]?.isAnswered = true
    report(.action(key), of: id, entry)
  }

  private func close(_ id: String, _ reason: Notifier.CloseReason) {
    guard let entry = entries[id], entry.wanted != nil else { return }
    entries[id]?.shown = nil
    if entry.isAnswered {
      entries[id]?.number = 0
      return
    }
    if entry.isDue || entry.barrier != nil {
      // It was the former one; the new one is still to come, or came too late to replace it.
      entries[id]?.isDue = true
      server.ask()
    } else {
      entries[id]?.number = 0
      entries[id]?.wanted = nil
      entries[id]?.pause = pause(after: reason, of: entry)
      remember()
      report(.closed(reason), of: id, entry)
    }
  }

  private func report(_ event: Notifier.Event, of id: String, _ entry: Entry) {
    Worker.onMain { [onEvent, revision = entry.revision] in onEvent?(id, revision, event) }
  }
}
