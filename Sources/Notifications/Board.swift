// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides which calls to make to a notification server so that it shows the wanted notifications,
// and which of the user's answers count. `Board` is a plain value without a bus, a thread or a
// clock. NotificationThread.swift carries out the decisions; read it next.
//
// | `Link`    | the server       | what happens                                  | next      |
// | --------- | ---------------- | --------------------------------------------- | --------- |
// | silent    | is not known to  | it has appeared and answered, or answered the | listening |
// |           | answer           | question that a waiting post led to           |           |
// | listening | has answered     | a notification is to be posted                | posting   |
// |           |                  | it did not answer a call, or is gone          | silent    |
// | posting   | was given a post | it has shown or refused the post              | listening |
// |           |                  | it did not answer                             | silent    |
//
// BoardEntry.swift has the same table for one notification.

import Scheduling

/// The wanted notifications, and the notifications that the server shows.
///
/// The board sends one call after another until the server shows the wanted notifications. If a
/// server does not answer a call, the board first asks it until it answers a question, because a
/// server that hangs would show every post of that time when it goes on.
struct Board {
  enum Event {
    case want(NotificationContent, id: String, revision: Int)
    case withdraw(id: String)
    /// The notifications of rings must be shown again, because the server may have removed them
    /// without reporting it.
    case showAgain
    /// Whether the screen is locked or blank, on a server whose posts light it.
    case locked(Bool)
    /// The notifications that an earlier process left on the screen: maps the id of each to the
    /// server's number for it.
    case inherited([String: UInt32])
    /// The server has just answered, so it is listening.
    case listening(Notifier.Server)
    /// The server has exited, so its notifications are gone too.
    case gone
    /// The server is running or could be started, but did not answer.
    case failed
    /// No server is running, and the bus could not start one.
    case absent
    case posted(PostResult)
    case action(String, id: String)
    case closed(Notifier.CloseReason, id: String)
    /// The time in `deadline` has been reached.
    case tick
  }

  enum Act: Hashable {
    /// Ask the server for its name, which starts a server that the bus can start. If an answer is
    /// awaited already, this does nothing.
    case ask
    case post(Post)
    /// Close the notification with `number`, and ignore its signals from then on.
    case close(id: String, number: UInt32)
    case report(Notifier.Event, id: String, revision: Int)
    /// Make the server look whether a notification is waiting to be shown.
    case nudge(title: String)
  }

  struct Post: Hashable {
    var id: String
    var revision: Int
    var content: NotificationContent
    /// Distinguishes notifications with the same text: 0 for the first, 1 for the next.
    var copy: Int
    /// The server's number of the notification to replace; 0 for a new notification.
    var replaces: UInt32
  }

  enum PostResult: Hashable {
    /// The server shows the notification under this number.
    case shown(number: UInt32)
    /// The server returned the number 0, which the standard forbids.
    case unnumbered
    case refused(String)
    /// The server did not answer this call.
    case unanswered
  }

  /// The state of the conversation with the server.
  enum Link: Hashable {
    /// The server has answered, so the board may post.
    case listening
    case posting(Post)
    /// The server is not known to answer. If there is something to post, the board asks the server
    /// after a while, counted from `since`: a server that the bus starts on demand does not come
    /// back by itself. If `since` is nil, the board waits for the next answer, wanted notification
    /// or server. A server that has appeared is asked at once.
    case silent(since: Instant?)
  }

  /// Records that the user closed the notification of a ring. If other notifications are closed in
  /// the same moment, the user may have cleared the whole list.
  struct Dismissal: Hashable {
    var id: String
    var revision: Int
    var time: Instant
  }

  /// The running server; nil if none is known.
  var server: Notifier.Server?
  var entries: [String: BoardEntry] = [:]
  var link = Link.silent(since: nil)
  /// How many times the server has failed since it last showed a notification.
  var failures = 0
  /// Whether the next call waits until the events that arrived during the last post are processed.
  private var isPostHeld = false
  var dismissals: [Dismissal] = []
  /// The ids of the notifications that the user has just acted on, each with the time.
  var touched: [String: Instant] = [:]
  /// The id of the notification that was posted last, updates aside.
  var latest: String?
  var isLocked = false
  var nudge = BannerNudge()
  private var time = Instant.distantPast

  /// How long a notification of an earlier process may stay on the screen without being wanted
  /// again. After that, it is closed.
  static let inheritance = Duration.seconds(2)
  /// How long a notification shows its buttons after the user has opened it by a click.
  static let openTime = Duration.seconds(30)
  /// Notifications closed within this time of each other count as closed by one action.
  static let atOnce = Duration.milliseconds(50)

  /// Maps the id of each of our notifications on the server to the server's number.
  var numbers: [String: UInt32] { entries.mapValues(\.number).filter { $0.value != 0 } }

  /// Processes `event` and returns the acts to carry out, in their order. A post is always the last
  /// act. After a post, `posted` must be the next event.
  mutating func apply(_ event: Event, at now: Instant) -> [Act] {
    time = now
    let acts = handle(event, now) + settleDismissals(now)
    for (id, entry) in entries where entry.openUntil.map({ $0 <= now }) ?? false {
      entries[id]?.openUntil = nil
    }
    // Events such as `want` and `withdraw` may have arrived during the last post. They come first,
    // so all further calls wait for the `tick` that follows them.
    if case .posted = event { isPostHeld = true }
    if case .tick = event { isPostHeld = false }
    switch link {
    case .posting: return acts
    case .silent(let since):
      var next = self
      guard let since, since + retryDelay <= now, !next.bringTogether(now).isEmpty else {
        return acts
      }
      link = .silent(since: nil)
      return acts + [.ask]
    case .listening: return isPostHeld ? acts : acts + bringTogether(now)
    }
  }

  /// When the next `tick` is due; nil if none is needed. After a post, the tick is due as soon as
  /// all events and server signals that have already arrived are processed. In all other cases, the
  /// tick is due later than the last event, so that ticks do not follow one another without a
  /// pause.
  var deadline: Instant? {
    if isPostHeld { return time }
    if !isServerSilent, entries.values.contains(where: { $0.shown?.isSettled == false }) {
      return time
    }
    var first =
      dismissals.map { $0.time + Self.atOnce }.filter { $0 > time }.min() ?? .distantFuture
    if case .silent(let since?) = link, since + retryDelay > time {
      first = min(first, since + retryDelay)
    }
    for entry in entries.values { first = min(first, entry.deadline(after: time)) }
    if let next = nextNudge(after: time) { first = min(first, next) }
    return first == .distantFuture ? nil : first
  }

  private var isAnyRinging: Bool { entries.values.contains(where: \.isRinging) }

  var isServerSilent: Bool { if case .silent = link { true } else { false } }

  /// How long to wait before the board asks a failed server again. Each time may start the
  /// server's program, so the wait is doubled with each failure.
  private var retryDelay: Duration {
    let first = isAnyRinging ? BoardEntry.ringBackOff : BoardEntry.refusedBackOff
    return min(first * (1 << min(max(0, failures - 1), 5)), Self.longestRetryDelay)
  }

  static let longestRetryDelay = Duration.minutes(1)
}

// MARK: - What is wanted and what is shown

extension Board {
  /// Decides which calls to make to the server now. Notifications of rings come first, then the
  /// others in the order in which they were posted.
  private mutating func bringTogether(_ now: Instant) -> [Act] {
    let server = server ?? Notifier.Server(name: "", version: "", capabilities: [])
    if server.manners.mostNotifications < .max { gather(for: server.manners.mostNotifications) }
    let places = places(on: server)
    var acts = closeUnwanted(now) + makeRoom(places, on: server, now)
    if server.manners.showsOnlyLatest { bringRingBack(now) }
    var next: (id: String, entry: BoardEntry)?
    for (id, entry) in entries where next.map({ entry.order < $0.entry.order }) ?? true {
      if entry.earliest <= now, isDue(entry, now), places?.contains(id) != false {
        next = (id, entry)
      }
    }
    guard let (id, entry) = next, let content = rendition(of: entry, on: server) else {
      return acts + nudgeBanner(now)
    }
    if mustCloseFirst(entry, for: content, on: server, now) { acts += close(id, now) }
    let post = Post(
      id: id, revision: entry.revision, content: content, copy: copy(of: content, id),
      replaces: entries[id]?.number ?? 0)
    link = .posting(post)
    return acts + [.post(post)]
  }

  func isDue(_ entry: BoardEntry, _ now: Instant) -> Bool {
    if entry.wanted == nil { return false }
    switch entry.state {
    case .absent, .orphaned: return true
    case .finished(let revision, _): return revision != entry.revision
    case .shown(let shown):
      if let again = shown.again, again <= now { return true }
      guard let server, server.manners.update != .quiet || !server.manners.showsCountdowns else {
        return shown.post.revision != entry.revision
      }
      let isHeld = isLocked || shown.bannerUntil.map { $0 > now } ?? false
      return rendition(of: entry, on: server)
        .map { shown.isOutdated(by: $0, countdownIsHeld: isHeld) } ?? false
    }
  }

  /// Returns the ids of the notifications that the server has room for; nil if it has room for all.
  private func places(on server: Notifier.Server) -> Set<String>? {
    let most = server.manners.mostNotifications
    guard most < .max else { return nil }
    let alone = entries.filter {
      $0.value.wanted != nil && (!$0.value.isGathered || $0.value.openUntil != nil)
    }
    return Set(alone.sorted { $0.value.rank < $1.value.rank }.prefix(most).map(\.key))
  }

  /// Closes notifications that are no longer wanted. If a notification was shown just now, its
  /// entry is kept for a while, so that a new post with the same id is not shown too soon.
  private mutating func closeUnwanted(_ now: Instant) -> [Act] {
    var acts: [Act] = []
    let unwanted = entries.filter { $0.value.wanted == nil }
    for (id, entry) in unwanted.sorted(by: { $0.key < $1.key }) {
      if case .orphaned(_, let until) = entry.state, until > now { continue }
      acts += close(id, now)
      entries[id]?.state = .absent
      if entry.earliest <= now { entries[id] = nil }
    }
    return acts
  }

  /// Shows the notification of a ring again if another one has taken its place on the screen or has
  /// left that place empty. Waits a moment, because more may change.
  private mutating func bringRingBack(_ now: Instant) {
    let rings = entries.filter { $0.value.isRinging && $0.value.shown != nil }
    guard latest.map({ rings[$0] == nil }) ?? true,
      let id = rings.min(by: { $0.value.order < $1.value.order })?.key,
      case .shown(var shown) = entries[id]?.state
    else { return }
    shown.again = min(shown.again ?? .distantFuture, now + BoardEntry.shortestBackOff)
    entries[id]?.state = .shown(shown)
  }

  /// Makes room on a server that keeps only a few of our notifications and shows one at a time.
  /// Closes the less urgent ones. Otherwise, the server itself would drop the oldest one, which may
  /// be more urgent. A ring would also have to wait until the others have been shown.
  private mutating func makeRoom(
    _ places: Set<String>?, on server: Notifier.Server, _ now: Instant
  ) -> [Act] {
    guard let places else { return [] }
    var acts: [Act] = []
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.wanted != nil {
      let isInTheWay =
        isAnyRinging && entry.shown.map { $0.post.content.urgency != .low } ?? false
        && rendition(of: entry, on: server)?.urgency == .low
      guard isInTheWay || !places.contains(id) else { continue }
      acts += close(id, now)
      // Setting `shownAt` delays showing the closed notification again. By then, it may not be
      // wanted any more: for example, a countdown ends when its ring begins.
      if entry.shown != nil { entries[id]?.shownAt = now }
    }
    return acts
  }

  /// Returns whether to close the notification on the screen and post its successor `content` as a
  /// new one. After the user has pressed a button, a server may close the notification late; if the
  /// successor had replaced it by then, the server would close the successor. An orphaned
  /// notification may be closed already: Plasma removes a closed one 50 ms later, even if it has
  /// been replaced by then. If the server may have hidden the notification, as during a silence, a
  /// quiet update would not bring it back. GNOME Shell decides by the urgency of the notification
  /// on the screen whether an update gets a banner, so a notification with another urgency is a new
  /// one.
  private func mustCloseFirst(
    _ entry: BoardEntry, for content: NotificationContent, on server: Notifier.Server,
    _ now: Instant
  ) -> Bool {
    switch (entry.state, server.manners.update) {
    case (.orphaned, _), (_, .spoiled), (.finished, .quiet): true
    case (_, .shown): entry.urgencyShown != content.urgency
    case (.shown(let shown), .quiet):
      shown.again.map { $0 <= now } ?? false
        || shown.post.content.isSilenced && entry.wanted?.isSilenced != true
    case (.absent, .quiet): false
    }
  }

  private mutating func close(_ id: String, _ now: Instant) -> [Act] {
    guard let entry = entries[id], entry.number != 0 else { return [] }
    nudge.closed = now
    if case .finished(let revision, _) = entry.state {
      entries[id]?.state = .finished(revision: revision, number: 0)
    } else {
      entries[id]?.state = .absent
    }
    return [.close(id: id, number: entry.number)]
  }

  /// Returns the form in which the server should show `entry` now; nil if `entry` is not wanted.
  private func rendition(of entry: BoardEntry, on server: Notifier.Server) -> NotificationContent? {
    guard let wanted = entry.wanted else { return nil }
    return server.rendition(
      of: wanted,
      Notifier.Server.Circumstances(
        isNew: entry.shownAt == .distantPast, isOpened: entry.openUntil != nil,
        isBesideRing: !entry.isRinging && isAnyRinging, isLocked: isLocked))
  }

  /// Returns a number that no other notification with the same text has. dunst treats two
  /// notifications with the same text as one and closes the first, so one of two alarms would
  /// disappear.
  private func copy(of rendition: NotificationContent, _ id: String) -> Int {
    var taken: Set<Int> = []
    for case (let other, .shown(let shown)) in entries.lazy.map({ ($0, $1.state) })
    where other != id && shown.post.content.title == rendition.title
      && shown.post.content.body == rendition.body
    {
      taken.insert(shown.post.copy)
    }
    return (0...taken.count).first { !taken.contains($0) } ?? 0
  }
}
