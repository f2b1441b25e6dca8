// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wanted on the screen and what is shown there, on a thread of its own: a server that hangs
// holds a call for 25 s. Whenever a server listens, the two are brought together. Next:
// NotificationServer.swift, which finds that out, and Notification.swift, one that is shown.

import CGLib
import CNotify
import Scheduling
import System

/// Shows, updates and removes notifications, and reports the first word on each. All but the first
/// part is for its thread alone, which makes it sendable.
nonisolated final class NotificationBoard: @unchecked Sendable {
  typealias OnEvent = @MainActor (String, _ revision: Int, Notifier.Event) -> Void
  typealias OnServerChange = @MainActor (Notifier.Server?) -> Void

  /// How long what an earlier process left may wait to be wanted again.
  private static let heirsTime = Duration.seconds(2)
  /// When to try again with a server that refused twice, or to start one that ended. Once may be
  /// because it was too soon: Plasma takes the same text again after a second.
  private static let retryDelay = Duration.seconds(5)
  /// For how long what was opened shows its buttons.
  private static let openFor = Duration.seconds(30)
  /// What a server closes in so short a time was closed in one go.
  private static let atOnce = Duration.milliseconds(50)

  private let applicationName: String
  private let desktopEntry: String
  private let thread = NotificationServer.thread
  private let server = NotificationServer()
  private let memory: NotificationMemory
  private var inheritance: Worker.Delayed?
  private var hasRecalled = false
  /// What is posted in a moment, until a server has said that it listens.
  private var coming: NotificationContent?
  private var listening: Notifier.Server?
  private var entries: [String: BoardEntry] = [:]
  /// When the user last did something to each, on the monotonic clock in microseconds.
  private var touches: [String: gint64] = [:]
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

  func prepare(_ notice: NotificationContent) {
    thread.perform { [self] in
      coming = notice
      server.askAhead()
    }
  }

  func post(_ notice: NotificationContent, as id: String, _ revision: Int) {
    thread.perform { [self] in
      if entries[id]?.wanted == nil { entries[id, default: BoardEntry()].turn = revision }
      entries[id]?.wanted = notice
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
      if let entry = entries[id], entry.number != 0 || entry.isGathered { server.ask() }
    }
  }

  func showAgain() {
    thread.perform { [self] in
      let rings = entries.filter { $0.value.isRinging }.keys
      for id in rings { entries[id]?.showAnew() }
      if !rings.isEmpty { server.ask() }
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
      entries[id, default: BoardEntry()].number = number
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
      entries[id]?.hasPlace = true
      entries[id]?.pause = BoardEntry.pause
    }
    // The next one may have room for each.
    entries[BoardEntry.gathering] = nil
    remember()
  }

  // MARK: - What an earlier process left

  /// Finds out, once, what this very server still shows of a process that was killed.
  private func recall() {
    guard !hasRecalled, let instance = server.instance else { return }
    hasRecalled = true
    for (id, number) in memory.numbers(of: instance) where entries[id]?.number ?? 0 == 0 {
      entries[id, default: BoardEntry(isInherited: true)].number = number
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

  /// Tells the server all that is due: what rings, then the others in the order of the posts.
  private func update(on server: Notifier.Server) {
    makeRoom(on: server)
    let order = entries.sorted {
      ($0.value.isRinging ? 0 : 1, $0.value.revision) < (
        $1.value.isRinging ? 0 : 1, $1.value.revision
      )
    }
    for (id, entry) in order {
      if entry.wanted == nil {
        if !entry.isInherited { remove(id) }
      } else if entry.isDue, entry.hasPlace, !show(id, on: server) {
        // It hung meanwhile: each of the others would wait as long, to no end.
        break
      }
    }
    remember()
  }

  /// Where the server keeps only so many of ours, or shows but one at a time: what is less urgent gives
  /// way before it is made to, and before something that rings would have to stand behind it.
  private func makeRoom(on server: Notifier.Server) {
    guard server.most < .max else { return }
    entries.gather(for: server.most)
    let wanted = entries.filter { $0.value.wanted != nil }
    let alone = wanted.filter { !$0.value.isGathered || $0.value.isOpened }
    // One moment for all, so that they come back in their order.
    let now = g_get_monotonic_time()
    let places = Set(alone.sorted { $0.value.rank < $1.value.rank }.prefix(server.most).map(\.key))
    for (id, entry) in entries where entry.wanted == nil && !entry.isInherited { remove(id) }
    for (id, entry) in wanted {
      let hasPlace = places.contains(id)
      entries[id]?.hasPlace = hasPlace
      guard entry.shown != nil, let rendition = rendition(of: id, on: server) else { continue }
      let isInTheWay = rendition.urgency == .low && entry.rendition?.urgency != .low
      if !hasPlace || isInTheWay && isAnyRinging {
        Notification.close(entry.number)
        entries[id]?.putAway(at: now)
      } else if entry.isOutdated(by: rendition) {
        entries[id]?.isDue = true
      }
    }
  }

  private var isAnyRinging: Bool { entries.values.contains(where: \.isRinging) }

  /// What the server is to show as `id` now.
  private func rendition(of id: String, on server: Notifier.Server) -> NotificationContent? {
    guard let entry = entries[id], let wanted = entry.wanted else { return nil }
    return server.rendition(
      of: wanted,
      Notifier.Server.Circumstances(
        isNew: entry.shownAt == nil && entry.number == 0, isOpened: entry.isOpened,
        isBesideRing: !entry.isRinging && isAnyRinging))
  }

  /// Makes what is to come, and shows it to nobody: done for the first time, or the first time in
  /// hours, all of it takes a millisecond more.
  private func rehearse(for server: Notifier.Server) {
    guard let notice = coming.take() else { return }
    _ = Notification(
      server.rendition(of: notice, Notifier.Server.Circumstances(isNew: true)), twin: 0,
      desktopEntry: desktopEntry, for: server, replacing: 0,
      onAction: { _ in }, onClosed: { _ in })
  }

  private func remove(_ id: String) {
    guard let entry = entries[id] else { return }
    if entry.number != 0 { Notification.close(entry.number) }
    entries[id]?.shown = nil
    entries[id]?.number = 0
    entries[id]?.pause = BoardEntry.pause
    // Kept for a while, so that one that is posted again at once is not shown too soon.
    if entry.rest == nil {
      entries[id] = nil
      touches[id] = nil
    }
  }

  /// Returns false where the server does not listen any more.
  private func show(_ id: String, on listening: Notifier.Server) -> Bool {
    guard var entry = entries[id], let notice = entry.wanted,
      let rendition = rendition(of: id, on: listening)
    else { return true }
    let isNew = entry.shown == nil || entry.isAnswered
    if !isNew, !listening.manners.updatesInPlace, !entry.mustReturn,
      !entry.isOutdated(by: rendition)
    {
      entries[id]?.isDue = false
      return true
    }
    if isNew, let rest = entry.rest {
      server.ask(in: rest)
      return true
    }
    // A server that closes what was answered may do it late: not what is shown next. And what a killed
    // process left would stand before the new one, with buttons that nobody answers.
    if entry.isAnswered || entry.mustReturn || !listening.manners.updatesInPlace {
      if entry.number != 0 { Notification.close(entry.number) }
      entry.shown = nil
      entry.number = 0
      entry.isAnswered = false
    }
    let replaced = entry.number
    entry.twin = twin(of: notice, id)
    entries[id] = entry
    let notification = Notification(
      rendition, twin: entry.twin, desktopEntry: desktopEntry, for: listening, replacing: replaced,
      onAction: { [weak self] key in self?.act(key, on: id) },
      onClosed: { [weak self] reason in self?.close(id, reason) })
    let outcome = notification.show()
    switch outcome {
    case .shown(let number):
      entry.shown = notification
      entry.number = number
      entry.isDue = false
      entry.isRefused = false
      entry.shownAt = g_get_monotonic_time()
      entry.rendition = rendition
      entry.mustReturn = false
      entry.later = later(for: id, entry, on: listening)
      entry.barrier = number == replaced ? barrier(for: id) : nil
    case .unnumbered:
      // Shown or not: nobody knows, and showing it again and again would be worse.
      server.complain(
        .unnumbered, "the notification server gives no numbers: its answers cannot be followed")
      entry.isDue = false
    case .refused(let reason):
      server.distrust()
      server.complain(.refusing, "the notification server refused: \(reason)")
      // What it shows so far stays, with its buttons.
      server.ask(in: entry.isRefused ? Self.retryDelay : BoardEntry.pause)
      entry.isRefused = true
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
  private func twin(of notice: NotificationContent, _ id: String) -> Int {
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

  /// What is done to it after a while, where nothing else is.
  private func later(
    for id: String, _ entry: BoardEntry, on server: Notifier.Server
  ) -> Worker.Delayed? {
    if entry.isRinging, let interval = server.manners.hides {
      return thread.after(interval) { [weak self] in self?.showAgain(id) }
    }
    guard entry.isOpened, entry.rendition?.urgency == .critical else { return nil }
    return thread.after(Self.openFor) { [weak self] in
      self?.entries[id]?.isOpened = false
      self?.showAgain(id)
    }
  }

  private func showAgain(_ id: String) {
    entries[id]?.showAnew()
    server.ask()
  }

  // MARK: - What the user did

  private func act(_ key: String, on id: String) {
    guard let entry = entries[id], let wanted = entry.wanted else { return }
    touches[id] = g_get_monotonic_time()
    entries[id]?.isAnswered = true
    let isOurs =
      key == NotificationContent.Action.click && !wanted.actions.contains { $0.key == key }
    if isOurs { return open(id, wanted) }
    if id == BoardEntry.gathering { return choose(key) }
    entries[id]?.isOpened = false
    report(.action(key), of: id, entry.revision)
  }

  /// It was clicked on a server that shows no buttons otherwise. What rings is left as it is: with the
  /// list of notifications open, GNOME Shell 43 shows no banner anew, and none after that.
  private func open(_ id: String, _ wanted: NotificationContent) {
    if wanted.actions.isEmpty {
      // It has said what it had to say. The server may keep it, or not.
      entries[id]?.wanted = nil
      if let entry = entries[id] { report(.closed(.dismissed), of: id, entry.revision) }
    } else {
      entries[id]?.isOpened = true
      entries[id]?.isDue = true
    }
    server.ask()
  }

  /// One of several was chosen, whose buttons are shown now, or those further on.
  private func choose(_ key: String) {
    let all = BoardEntry.gathering
    entries[all]?.isDue = true
    if key == all {
      entries[all]?.turnPage()
    } else {
      entries[all]?.isOpened = false
      entries[all]?.firstGathered = 0
      entries[key]?.isOpened = true
      entries[key]?.isDue = true
    }
    server.ask()
  }

  private func close(_ id: String, _ said: Notifier.CloseReason) {
    guard let entry = entries[id], let notice = entry.wanted else { return }
    let now = g_get_monotonic_time()
    let reason = listening?.meaning(of: said, on: notice) ?? said
    if reason == .dismissed { touches[id] = now }
    entries[id]?.shown = nil
    if entry.isAnswered {
      entries[id]?.number = 0
      return
    }
    if entry.isDue || entry.barrier != nil {
      // It was the former one; the new one is still to come, or came too late to replace it.
      entries[id]?.isDue = true
      return server.ask()
    }
    entries[id]?.number = 0
    entries[id]?.wanted = nil
    entries[id]?.pause = entry.pause(after: reason)
    remember()
    // There may be room now for what had to give way.
    if entries.values.contains(where: { !$0.hasPlace }) { server.ask() }
    if id == BoardEntry.gathering { return closeGathered(reason) }
    let isAlone = entries.values.allSatisfy { $0.number == 0 }
    guard reason == .dismissed, entry.isRinging, !isAlone else {
      return report(.closed(reason), of: id, entry.revision)
    }
    // A server may close all of ours where one was clicked; and whoever clears a list of many has not
    // said that the alarm is to end.
    entries[id]?.later = thread.after(Self.atOnce) { [weak self, revision = entry.revision] in
      guard let self else { return }
      let limit = gint64(Self.atOnce.wholeMicroseconds)
      let isTogether = touches.contains { $0 != id && abs($1 - now) < limit }
      report(.closed(isTogether ? .undefined : .dismissed), of: id, revision)
    }
  }

  /// What became of the one that stood for them became of all.
  private func closeGathered(_ reason: Notifier.CloseReason) {
    for (id, entry) in entries where entry.isGathered && entry.wanted != nil && !entry.isOpened {
      entries[id]?.wanted = nil
      report(.closed(reason), of: id, entry.revision)
    }
  }

  private func report(_ event: Notifier.Event, of id: String, _ revision: Int) {
    Worker.onMain { [onEvent] in onEvent?(id, revision, event) }
  }
}
