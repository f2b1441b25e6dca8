// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shared notification, which stands for several if a server has no room for each: its text, its
// buttons, and what an answer to it means for the notifications that it stands for. Next:
// Board.swift, which posts it.

import Language
import Scheduling
import System

extension Board {
  /// The id of the shared notification that stands for several others. This is also the key of its
  /// button that leads on to the next notifications.
  static let gathering = "gathered"

  private static let (mostButtons, longestLabel) = (3, 20)

  private typealias Member = (
    id: String, notice: NotificationContent, gathering: NotificationContent.Gathering
  )

  /// If the server has places for fewer notifications than are wanted, makes one shared
  /// notification for all that can be gathered.
  mutating func gather(for places: Int) {
    let wanted = entries.filter { $0.value.wanted != nil && $0.key != Self.gathering }
    let members: [Member] = wanted.compactMap { id, entry in
      entry.wanted.flatMap { notice in notice.gathering.map { (id, notice, $0) } }
    }.sorted { ($0.gathering.order, $0.id) < ($1.gathering.order, $1.id) }
    let isNeeded = members.count > 1 && wanted.count > places
    for (id, entry) in entries {
      entries[id]?.isGathered = isNeeded && entry.wanted?.gathering != nil
    }
    var entry = entries[Self.gathering] ?? BoardEntry()
    if isNeeded {
      entry.wanted = Self.notice(of: members, from: entry.firstGathered)
    } else {
      (entry.wanted, entry.openUntil, entry.firstGathered) = (nil, nil, 0)
    }
    if isNeeded || entries[Self.gathering] != nil { entries[Self.gathering] = entry }
  }

  /// Returns the shared notification that stands for the notifications `members`. It has buttons
  /// for the members, beginning with the member at the index `first`. If there are more members
  /// than buttons, the last button leads on to the next members.
  private static func notice(of members: [Member], from first: Int) -> NotificationContent {
    let (one, start) = (members[0], first % members.count)
    let lines = members.map { "\($0.notice.title): \($0.notice.steadyBody ?? $0.notice.body)" }
    var titles: [String] = []
    for member in members where !titles.contains(member.gathering.title) {
      titles.append(member.gathering.title)
    }
    var all = NotificationContent(
      title: titles.joined(separator: ", "), body: lines.joined(separator: "\n"),
      icon: one.notice.icon)
    // The body has no countdown, because it consists of the members' texts without countdowns.
    all.steadyBody = all.body
    (all.urgency, all.category) = (one.notice.urgency, one.notice.category)
    all.isPersistent = one.notice.isPersistent
    all.isShownLocked = members.allSatisfy(\.notice.isShownLocked)
    let buttons = (members[start...] + members[..<start]).map {
      NotificationContent.Action(
        key: $0.id, label: NotificationContent.line($0.gathering.label, atMost: longestLabel))
    }
    all.actions =
      buttons.count > mostButtons
      ? buttons.prefix(mostButtons - 1)
        + [NotificationContent.Action(key: gathering, label: tr("More…"))] : buttons
    return all
  }

  /// Handles a press of the shared notification's button `key`. If `key` is the id of a
  /// notification, that notification is shown with its own buttons. If `key` is `gathering`, the
  /// shared notification shows buttons for the next notifications.
  mutating func choose(_ key: String, _ now: Instant) {
    guard var all = entries[Self.gathering] else { return }
    all.state = .orphaned(number: all.number, until: now)
    if key == Self.gathering {
      all.firstGathered += Self.mostButtons - 1
      all.openUntil = now + Self.openTime
    } else {
      (all.openUntil, all.firstGathered) = (nil, 0)
      entries[key]?.openUntil = now + Self.openTime
    }
    entries[Self.gathering] = all
  }

  /// After the shared notification was closed, treats each notification that it stood for as closed
  /// too.
  mutating func closeGathered(_ reason: Notifier.CloseReason) -> [Act] {
    var acts: [Act] = []
    for (id, entry) in entries.sorted(by: { $0.key < $1.key })
    where entry.isGathered && entry.wanted != nil && entry.openUntil == nil {
      entries[id]?.wanted = nil
      acts.append(.report(.closed(reason), id: id, revision: entry.revision))
    }
    return acts
  }
}
