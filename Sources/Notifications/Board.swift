// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides what a notification server is told, so that what it shows becomes what is wanted, and
// which answers of the user's count. A value: it has no bus, no thread and no clock. Next:
// NotificationThread.swift, which does what it says.

import Scheduling

/// What is wanted on the screen and what the server shows there.
///
/// A server may hang, so it is asked first whether it listens; then it is told one thing after
/// another until the two agree.
nonisolated struct Board {
  enum Event {
    case want(NotificationContent, id: String, revision: Int)
    case withdraw(id: String)
    /// What rings may have been put away without a word.
    case showAgain
    /// An earlier process left these, by their ids.
    case inherited([String: UInt32])
    /// The server has just answered.
    case listening(Notifier.Server)
    /// It has ended, and what it showed with it.
    case gone
    /// It is there, or could be started, and failed to answer.
    case failed
    /// Nobody is there, and nobody could be started.
    case absent
    /// What became of the last post.
    case posted(Outcome)
    case action(String, id: String)
    case closed(Notifier.CloseReason, id: String)
    /// The deadline is over.
    case tick
  }

  enum Act: Hashable {
    /// Ask the server whether it listens.
    case ask
    case post(Post)
    /// Close what the server shows under `number`, and listen to it no more.
    case close(id: String, number: UInt32)
    case report(Notifier.Event, id: String, revision: Int)
  }

  struct Post: Hashable {
    var id: String
    var revision: Int
    var content: NotificationContent
    /// Which one it is of several with the same text, from 0.
    var copy: Int
    /// The server's number for what it takes the place of, or 0.
    var replaces: UInt32
  }

  enum Outcome: Hashable {
    /// The server has it under this number.
    case shown(number: UInt32)
    /// The server said 0, which it must not.
    case unnumbered
    case refused(String)
    /// It stopped listening in the middle, and is asked again before anything else.
    case unanswered
  }

  /// Who waits for whom.
  enum Link: Hashable {
    case idle
    /// The server, to say that it listens.
    case asked
    /// It has said so.
    case listening
    case posting(Post)
    /// It is asked again after a while: one that is started on demand does not come back by itself.
    case failed(since: Instant)
    /// It is asked with the next post, or makes itself known.
    case absent
  }

  /// What rings was closed by hand, and others may follow in the same go.
  struct Dismissal: Hashable {
    var id: String
    var revision: Int
    var time: Instant
  }

  /// The server that is there, as far as it is known.
  var server: Notifier.Server?
  var entries: [String: BoardEntry] = [:]
  var link = Link.idle
  var dismissals: [Dismissal] = []
  /// What the user has just done something to, and when.
  var touched: [String: Instant] = [:]
  /// That of the last event.
  private var time = Instant.distantPast

  /// How long what an earlier process left may wait to be wanted again.
  static let inheritance = Duration.seconds(2)
  /// For how long what was opened shows its buttons.
  static let openTime = Duration.seconds(30)
  /// What a server closes in so short a time was closed in one go.
  static let atOnce = Duration.milliseconds(50)

  /// What the server has of ours, by the ids.
  var numbers: [String: UInt32] { entries.mapValues(\.number).filter { $0.value != 0 } }

  /// Takes `event` in, and returns what is to be done about it, in that order. A post is always the
  /// last; `posted` is to follow it before anything else.
  mutating func apply(_ event: Event, at now: Instant) -> [Act] {
    time = now
    var acts = take(event, now) + settleDismissals(now)
    for (id, entry) in entries where entry.openUntil.map({ $0 <= now }) ?? false {
      entries[id]?.openUntil = nil
    }
    if case .failed(let since) = link, since + retryDelay <= now { link = .idle }
    guard link == .listening || link == .idle else { return acts }
    var next = self
    let nextActs = next.bringTogether(now)
    if link == .idle {
      if !nextActs.isEmpty {
        link = .asked
        acts.append(.ask)
      }
      return acts
    }
    // What was wanted or withdrawn during a post is taken in before the next one.
    if case .posted = event, case .posting = next.link { return acts }
    self = next
    return acts + nextActs
  }

  /// When the next `tick` is due: later than the last event; or as soon as all signals have been
  /// taken in that the server has sent so far, and all that is wanted.
  var deadline: Instant? {
    if link == .listening { return time }
    if entries.values.contains(where: { $0.shown?.isSettled == false }) { return time }
    var first =
      dismissals.map { $0.time + Self.atOnce }.filter { $0 > time }.min() ?? .distantFuture
    if case .failed(let since) = link, since + retryDelay > time {
      first = min(first, since + retryDelay)
    }
    for entry in entries.values { first = min(first, entry.deadline(after: time)) }
    return first == .distantFuture ? nil : first
  }

  private var isAnyRinging: Bool { entries.values.contains(where: \.isRinging) }

  private var retryDelay: Duration {
    isAnyRinging ? BoardEntry.ringBackOff : BoardEntry.refusedBackOff
  }
}

// MARK: - What is wanted and what is shown

nonisolated extension Board {
  /// What the server is to be told now: what rings first, then the others in the order of the
  /// posts.
  private mutating func bringTogether(_ now: Instant) -> [Act] {
    let server = server ?? Notifier.Server(name: "", version: "", capabilities: [])
    if server.most < .max { gather(for: server.most) }
    let places = places(on: server)
    var acts = closeUnwanted(now) + makeRoom(places, on: server, now)
    link = .idle
    var next: (id: String, entry: BoardEntry)?
    for (id, entry) in entries where next.map({ entry.order < $0.entry.order }) ?? true {
      if entry.earliest <= now, isDue(entry, now), places?.contains(id) != false {
        next = (id, entry)
      }
    }
    guard let (id, entry) = next, let content = rendition(of: entry, on: server) else {
      return acts
    }
    if mustCloseFirst(entry, on: server, now) { acts += close(id) }
    let post = Post(
      id: id, revision: entry.revision, content: content, copy: copy(of: content, id),
      replaces: entries[id]?.number ?? 0)
    link = .posting(post)
    return acts + [.post(post)]
  }

  /// Whether the server is to be told of `entry`.
  func isDue(_ entry: BoardEntry, _ now: Instant) -> Bool {
    if entry.wanted == nil { return false }
    switch entry.state {
    case .absent, .orphaned: return true
    case .finished(let revision, _): return revision != entry.revision
    case .shown(let shown):
      if let again = shown.again, again <= now { return true }
      guard let server, !server.manners.updatesInPlace else {
        return shown.revision != entry.revision
      }
      return rendition(of: entry, on: server).map(shown.isOutdated) ?? false
    }
  }

  /// What the server has room for; nil: for all.
  private func places(on server: Notifier.Server) -> Set<String>? {
    guard server.most < .max else { return nil }
    let alone = entries.filter {
      $0.value.wanted != nil && (!$0.value.isGathered || $0.value.openUntil != nil)
    }
    return Set(alone.sorted { $0.value.rank < $1.value.rank }.prefix(server.most).map(\.key))
  }

  /// Closes what nobody wants. What was shown just now is remembered for a while, so that it is not
  /// shown too soon where it is posted again at once.
  private mutating func closeUnwanted(_ now: Instant) -> [Act] {
    var acts: [Act] = []
    let unwanted = entries.filter { $0.value.wanted == nil }
    for (id, entry) in unwanted.sorted(by: { $0.key < $1.key }) {
      if case .orphaned(_, let until) = entry.state, until > now { continue }
      acts += close(id)
      entries[id]?.state = .absent
      entries[id]?.backOff = BoardEntry.shortestBackOff
      if entry.earliest <= now { entries[id] = nil }
    }
    return acts
  }

  /// Where the server keeps only so many of ours, and shows but one at a time: what is less urgent
  /// gives way before it is made to, and before something that rings would have to stand behind it.
  private mutating func makeRoom(
    _ places: Set<String>?, on server: Notifier.Server, _ now: Instant
  ) -> [Act] {
    guard let places else { return [] }
    var acts: [Act] = []
    for (id, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.wanted != nil {
      let isInTheWay =
        isAnyRinging && entry.shown.map { $0.content.urgency != .low } ?? false
        && rendition(of: entry, on: server)?.urgency == .low
      guard isInTheWay || !places.contains(id) else { continue }
      acts += close(id)
      // It comes back, though not at once: by then it may not be wanted any more, as the countdown
      // of what rings now.
      if entry.shown != nil { entries[id]?.shownAt = now }
    }
    return acts
  }

  /// A server that closes what was answered may do it late: not what is shown next. And what a
  /// killed process left would stand before the new one, with buttons that nobody answers.
  private func mustCloseFirst(
    _ entry: BoardEntry, on server: Notifier.Server, _ now: Instant
  ) -> Bool {
    switch entry.state {
    case .finished: true
    case .shown(let shown) where shown.again.map { $0 <= now } ?? false: true
    default: !server.manners.updatesInPlace
    }
  }

  private mutating func close(_ id: String) -> [Act] {
    guard let entry = entries[id], entry.number != 0 else { return [] }
    if case .finished(let revision, _) = entry.state {
      entries[id]?.state = .finished(revision: revision, number: 0)
    } else {
      entries[id]?.state = .absent
    }
    return [.close(id: id, number: entry.number)]
  }

  /// What the server is to show of `entry` now.
  private func rendition(of entry: BoardEntry, on server: Notifier.Server) -> NotificationContent? {
    guard let wanted = entry.wanted else { return nil }
    return server.rendition(
      of: wanted,
      Notifier.Server.Circumstances(
        isNew: entry.shownAt == .distantPast && entry.number == 0,
        isOpened: entry.openUntil != nil, isBesideRing: !entry.isRinging && isAnyRinging))
  }

  /// A number that no other notification of the same text has. dunst takes two of the same text for
  /// one, and closes the first: one of two alarms would be gone.
  private func copy(of rendition: NotificationContent, _ id: String) -> Int {
    var taken: Set<Int> = []
    for case (let other, .shown(let shown)) in entries.lazy.map({ ($0, $1.state) })
    where other != id && shown.content.title == rendition.title
      && shown.content.body == rendition.body
    {
      taken.insert(shown.copy)
    }
    return (0...taken.count).first { !taken.contains($0) } ?? 0
  }
}
