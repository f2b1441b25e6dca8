// SPDX-License-Identifier: GPL-3.0-or-later
//
// One notification on the board: what is wanted, what the server has, and how soon it may be shown
// again. It calls nobody. Next: NotificationBoard.swift, which brings the two together.

import CGLib
import Scheduling
import System

/// What is wanted under an id, and what the server has.
nonisolated struct BoardEntry {
  /// Nil: nothing.
  var wanted: NotificationContent?
  var revision = 0
  /// The revision by which it came to be wanted: unlike the last one, it stays what it is.
  var turn = 0
  /// Whether the server is still to be told.
  var isDue = true
  /// Whether the server has room for it beside what is more urgent.
  var hasPlace = true
  var shown: Notification?
  /// What of `wanted` the server was told last.
  var rendition: NotificationContent?
  /// What the server calls it, 0 for nothing. Without `shown` it is one that nobody listens to any
  /// more, to be replaced or closed.
  var number: Int32 = 0
  /// An earlier process left it: it may be wanted in a moment.
  var isInherited = false
  /// A button was pressed: that was the verdict, and the server may close it at any moment.
  var isAnswered = false
  /// The user has clicked on it to see its buttons.
  var isOpened = false
  /// One notification stands for it and others.
  var isGathered = false
  /// How many are passed over on the buttons of the one that stands for others.
  var firstGathered = 0
  /// It is to be shown anew, though nothing in it has changed.
  var mustReturn = false
  /// Set while signals may still come that the server sent before it replaced the former one.
  var barrier: Worker.Delayed?
  /// What becomes of it after a while as it is.
  var later: Worker.Delayed?
  /// What tells it from others of the same text that are shown.
  var twin = 0
  /// When it was last shown, on the monotonic clock in microseconds.
  var shownAt: gint64?
  /// How much later it may be shown anew.
  var pause = BoardEntry.pause
  /// Whether the server refused it the last time.
  var isRefused = false

  /// How often one id is shown anew at most: a server that closes at once must not make us spin.
  static let pause = Duration.seconds(1)
  /// How seldom at least, where the server puts it away each time. What rings is never gone for long.
  private var longestPause: Duration { isRinging ? .seconds(2) : .seconds(32) }

  var isRinging: Bool { wanted?.isRinging == true }

  /// What comes before others where not all have a place: what rings, what the user has opened, and
  /// last what only counts down.
  var rank: (Int, Int) {
    let kind = isRinging ? 0 : isOpened ? 1 : wanted?.steadyBody == nil ? 2 : 3
    return (kind, turn)
  }

  /// Has it shown anew, though nothing in it has changed.
  mutating func showAnew() {
    mustReturn = true
    isDue = true
  }

  /// It was taken from the screen, and is to come back, though not at once: by then it may not be
  /// wanted any more, as the countdown of what rings now.
  mutating func putAway(at time: gint64) {
    (shown, number, isDue, shownAt) = (nil, 0, true, time)
  }

  /// Whether `rendition` is something else than what is shown. A banner that passes by itself may
  /// pass.
  func isOutdated(by rendition: NotificationContent) -> Bool {
    guard var shown = self.rendition else { return true }
    if shown.urgency == .normal, rendition.urgency == .low { shown.urgency = .low }
    return shown != rendition
  }

  /// How long it must not be shown anew, or nil.
  var rest: Duration? {
    guard let shownAt else { return nil }
    let rest = pause - .microseconds(g_get_monotonic_time() - shownAt)
    return rest > .zero ? rest : nil
  }

  /// What the pause becomes when the server puts it away: twice as long where it did so soon.
  func pause(after reason: Notifier.CloseReason) -> Duration {
    guard reason == .expired, let shownAt,
      .microseconds(g_get_monotonic_time() - shownAt) < longestPause
    else { return Self.pause }
    return min(pause * 2, longestPause)
  }
}

// MARK: - One for several

nonisolated extension BoardEntry {
  /// The id of the notification that stands for several; as a button's key, for those further on.
  static let gathering = "gathered"

  private static let (mostButtons, longestLabel) = (3, 20)

  fileprivate typealias Member = (
    id: String, notice: NotificationContent, gathering: NotificationContent.Gathering
  )

  /// What is told of `members`, and a button for each, from the one of that number on.
  fileprivate static func notice(of members: [Member], from first: Int) -> NotificationContent {
    let (one, start) = (members[0], first % members.count)
    let lines = members.map { "\($0.notice.title): \($0.notice.steadyBody ?? $0.notice.body)" }
    var all = NotificationContent(
      title: one.gathering.title, body: lines.joined(separator: "\n"), icon: one.notice.icon)
    // As theirs, nothing in it counts.
    all.steadyBody = all.body
    (all.urgency, all.category) = (one.notice.urgency, one.notice.category)
    all.isPersistent = one.notice.isPersistent
    let buttons = (members[start...] + members[..<start]).map {
      NotificationContent.Action(
        key: $0.id, label: NotificationContent.line($0.gathering.label, atMost: longestLabel))
    }
    all.actions =
      buttons.count > mostButtons
      ? buttons.prefix(mostButtons - 1)
        + [NotificationContent.Action(key: gathering, label: one.gathering.more)] : buttons
    return all
  }

  /// The next ones get the buttons.
  mutating func turnPage() { firstGathered += Self.mostButtons - 1 }
}

nonisolated extension [String: BoardEntry] {
  /// Has one stand for all that can be gathered, where not everything has a place of its own.
  mutating func gather(for places: Int) {
    let all = BoardEntry.gathering
    let wanted = filter { $0.value.wanted != nil && $0.key != all }
    let members: [BoardEntry.Member] = wanted.compactMap { id, entry in
      entry.wanted.flatMap { notice in notice.gathering.map { (id, notice, $0) } }
    }.sorted { ($0.gathering.order, $0.id) < ($1.gathering.order, $1.id) }
    let isNeeded = members.count > 1 && wanted.count > places
    for member in members { self[member.id]?.isGathered = isNeeded }
    guard isNeeded else {
      self[all]?.wanted = nil
      self[all]?.isOpened = false
      self[all]?.firstGathered = 0
      return
    }
    var entry = self[all] ?? BoardEntry()
    let notice = BoardEntry.notice(of: members, from: entry.firstGathered)
    guard entry.wanted != notice else { return }
    (entry.wanted, entry.isDue, entry.isInherited) = (notice, true, false)
    self[all] = entry
  }
}
