// SPDX-License-Identifier: GPL-3.0-or-later
//
// The notifier's end of the line to the notification server, on a thread of its own: a server that
// hangs holds a call for 25 s. It knows what is wanted and what is shown, and brings the two
// together whenever a server is there to listen. Next: Notification.swift, one that is shown.

import CGLib
import CNotify
import Scheduling

/// Talks to `org.freedesktop.Notifications`. Before anything is posted the server is asked who it
/// is, without waiting for the answer: so one that is absent, slow or hung costs nothing, and one
/// that wakes up again makes itself known by answering.
///
/// All but the first part is for its thread alone, which makes it sendable.
nonisolated final class NotificationServer: @unchecked Sendable {
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
    /// What the server calls it, 0 for nothing. It may outlive `shown`, to be replaced.
    var number: Int32 = 0
    /// A button was pressed: that was the verdict, and the server may close it at any moment.
    var isAnswered = false
    /// Set while signals may still come that the server sent before it replaced the former one.
    var barrier: Worker.Delayed?
    /// What tells it from others of the same text that are shown: see `twin`.
    var twin = 0
    /// When it was last shown, on the monotonic clock in microseconds.
    var shownAt: gint64?
  }

  private enum Trouble { case bus, absent, silent, refusing, unnumbered }

  /// libnotify keeps one proxy for the process, whose signals arrive where it was made: so all
  /// notifiers of the process share the thread.
  private static let thread = Worker(name: "notifications")

  /// How often one id is shown anew at most: a server that closes at once must not make us spin.
  private static let pause = Duration.seconds(1)
  /// When to try again with a server that refused, or to start one that ended.
  private static let retryDelay = Duration.seconds(5)
  /// After which silence the log calls the server slow.
  private static let patience = Duration.seconds(2)

  private let applicationName: String
  private let desktopEntry: String
  private var onEvent: OnEvent?
  private var onServerChange: OnServerChange?
  private var connection: OpaquePointer?
  private var nameWatch: guint = 0
  private var entries: [String: Entry] = [:]
  private var server: Notifier.Server?
  /// The question that is being waited for; an answer to an older one is ignored.
  private var question: Int?
  private var questions = 0
  private var slowness: Worker.Delayed?
  private var retry: (at: gint64, source: Worker.Delayed)?
  private var complaints: Set<Trouble> = []

  init(applicationName: String, desktopEntry: String) {
    (self.applicationName, self.desktopEntry) = (applicationName, desktopEntry)
  }

  // MARK: - From the main loop

  func start(onEvent: @escaping OnEvent, onServerChange: @escaping OnServerChange) {
    Self.thread.perform { [self] in
      (self.onEvent, self.onServerChange) = (onEvent, onServerChange)
      connect()
    }
  }

  func post(_ notice: Notice, as id: String, _ revision: Int) {
    Self.thread.perform { [self] in
      entries[id, default: Entry()].wanted = notice
      entries[id]?.revision = revision
      entries[id]?.isDue = true
      ask()
    }
  }

  func withdraw(_ id: String) {
    Self.thread.perform { [self] in
      entries[id]?.wanted = nil
      entries[id]?.isDue = true
      if entries[id]?.shown != nil { ask() }
    }
  }

  /// Blocks for at most `limit`.
  func withdrawAll(within limit: Duration) -> Bool {
    Self.thread.perform { [self] in
      let shown = entries.values.compactMap(\.shown)
      entries.removeAll()
      for notification in shown { notification.close() }
    }
    return Self.thread.finish(within: limit)
  }

  func stop() {
    Self.thread.perform { [self] in
      if nameWatch != 0 { g_bus_unwatch_name(nameWatch) }
      if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
      (nameWatch, connection, onEvent, onServerChange) = (0, nil, nil, nil)
      (question, slowness, retry) = (nil, nil, nil)
      entries.removeAll()
    }
  }

  // MARK: - The server comes and goes

  private static let name = "org.freedesktop.Notifications"

  private func connect() {
    notify_init(applicationName)
    var error: UnsafeMutablePointer<GError>?
    connection = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error)
    guard let connection else {
      return complain(.bus, "no session bus: \(words(consuming: error))")
    }
    // The bus's end is told to whoever owns the connection; GDBus would end the process.
    g_dbus_connection_set_exit_on_close(connection, 0)
    nameWatch = g_bus_watch_name_on_connection(
      connection, Self.name, G_BUS_NAME_WATCHER_FLAGS_NONE,
      { _, _, _, context in NotificationServer.from(context).appeared() },
      { _, _, context in NotificationServer.from(context).vanished() },
      Unmanaged.passRetained(self).toOpaque(),
      { Unmanaged<NotificationServer>.fromOpaque($0!).release() })
  }

  private static func from(_ context: gpointer?) -> NotificationServer {
    Unmanaged<NotificationServer>.fromOpaque(context!).takeUnretainedValue()
  }

  private func appeared() {
    forgetShown()
    question = nil
    ask()
  }

  private func vanished() {
    forgetShown()
    change(to: nil)
    // One that is started on demand does not come back by itself.
    if question == nil { tryAgain() }
  }

  /// What the former server showed is gone with it.
  private func forgetShown() {
    server = nil
    complaints = []
    for id in Array(entries.keys) {
      entries[id]?.shown = nil
      entries[id]?.number = 0
      entries[id]?.isAnswered = false
      entries[id]?.isDue = true
    }
  }

  private func change(to server: Notifier.Server?) {
    self.server = server
    Worker.onMain { [onServerChange] in onServerChange?(server) }
  }

  private func tryAgain() {
    if entries.values.contains(where: { $0.wanted != nil && $0.isDue }) { ask(in: Self.retryDelay) }
  }

  // MARK: - Is anybody listening?

  /// Asks the server who it is, which starts one where the bus knows how to. The answer may take
  /// as long as it likes.
  private func ask() {
    guard question == nil, let connection else { return }
    questions += 1
    question = questions
    slowness = Self.thread.after(Self.patience) { [weak self] in
      self?.complain(.silent, "the notification server does not answer; it is waited for")
    }
    let context = Unmanaged.passRetained(Question(server: self, number: questions)).toOpaque()
    g_dbus_connection_call(
      connection, Self.name, "/org/freedesktop/Notifications", Self.name, "GetServerInformation",
      nil, nil, G_DBUS_CALL_FLAGS_NONE, gint.max, nil,
      { source, result, context in
        let question = Unmanaged<Question>.fromOpaque(context!).takeRetainedValue()
        var error: UnsafeMutablePointer<GError>?
        let answer = g_dbus_connection_call_finish(OpaquePointer(source), result, &error)
        question.server.take(answer, error, to: question.number)
        if let answer { g_variant_unref(answer) }
      }, context)
  }

  /// Asks after `delay`, unless it is asked sooner anyway.
  private func ask(in delay: Duration) {
    let time = g_get_monotonic_time() + gint64(delay.wholeMicroseconds)
    if let retry, retry.at <= time { return }
    let source = Self.thread.after(delay) { [weak self] in
      self?.retry = nil
      self?.ask()
    }
    retry = (time, source)
  }

  private final class Question {
    let server: NotificationServer
    let number: Int
    init(server: NotificationServer, number: Int) { (self.server, self.number) = (server, number) }
  }

  private func take(
    _ answer: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?, to number: Int
  ) {
    let isAbsent =
      g_error_matches(
        error, g_dbus_error_quark(), gint(G_DBUS_ERROR_SERVICE_UNKNOWN.rawValue)) != 0
    let reason = error.map { words(consuming: $0) }
    guard number == question else { return }
    (question, slowness, retry) = (nil, nil, nil)
    guard let answer else {
      complain(.absent, "no notification server: \(reason ?? "")")
      if !isAbsent { tryAgain() }
      return
    }
    if server == nil { change(to: describe(answer)) }
    update()
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
      name: text(0), vendor: text(1), version: text(2), capabilities: Notification.capabilities())
  }

  /// Says what is wrong, once for each server.
  private func complain(_ trouble: Trouble, _ text: String) {
    if complaints.insert(trouble).inserted { Log.warning(text) }
  }

  // MARK: - What is wanted and what is shown

  /// Tells the server all that is due, in the order of the posts.
  private func update() {
    for (id, entry) in entries.sorted(by: { $0.value.revision < $1.value.revision }) {
      if entry.wanted == nil { remove(id) } else if entry.isDue { show(id) }
    }
  }

  private func remove(_ id: String) {
    guard let entry = entries[id] else { return }
    entry.shown?.close()
    entries[id]?.shown = nil
    // Kept for a while, so that one that is posted again at once is not shown too soon.
    if rest(of: entry) == nil { entries[id] = nil }
  }

  private func show(_ id: String) {
    guard var entry = entries[id], let notice = entry.wanted, let server else { return }
    let isNew = entry.shown == nil || entry.isAnswered
    if isNew, let rest = rest(of: entry) {
      ask(in: rest)
      return
    }
    // A server that closes what was answered may do it late: not what is shown next.
    if entry.isAnswered {
      entry.shown?.close()
      entry.number = 0
    }
    let replaced = entry.number
    entry.shown = nil
    entry.twin = twin(of: notice, id)
    entries[id] = entry
    let notification = Notification(
      notice, id: id, twin: entry.twin, desktopEntry: desktopEntry, for: server,
      replacing: replaced,
      onAction: { [weak self] key in self?.act(key, on: id) },
      onClosed: { [weak self] reason in self?.close(id, reason) })
    switch notification.show() {
    case .shown(let number):
      entry.shown = notification
      entry.number = number
      entry.isDue = false
      entry.isAnswered = false
      entry.shownAt = g_get_monotonic_time()
      entry.barrier = number == replaced ? barrier(for: id) : nil
    case .unnumbered:
      // Shown or not: nobody knows, and showing it again and again would be worse.
      complain(
        .unnumbered, "the notification server gives no numbers: its answers cannot be followed")
      entry.isDue = false
    case .refused(let reason):
      complain(.refusing, "the notification server refused: \(reason)")
      ask(in: Self.retryDelay)
    }
    entries[id] = entry
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
    Self.thread.after(.zero) { [weak self] in self?.entries[id]?.barrier = nil }
  }

  /// How long `entry` must not be shown anew, or nil.
  private func rest(of entry: Entry) -> Duration? {
    guard let shownAt = entry.shownAt else { return nil }
    let rest = Self.pause - .microseconds(g_get_monotonic_time() - shownAt)
    return rest > .zero ? rest : nil
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
    if entry.isAnswered { return }
    if entry.barrier != nil {
      // It was the former one, and this one came too late to replace it, or just in time.
      entries[id]?.isDue = true
      ask()
    } else {
      entries[id]?.number = 0
      entries[id]?.wanted = nil
      report(.closed(reason), of: id, entry)
    }
  }

  private func report(_ event: Notifier.Event, of id: String, _ entry: Entry) {
    Worker.onMain { [onEvent, revision = entry.revision] in onEvent?(id, revision, event) }
  }
}
