// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the board makes of each event: what is wanted, what the server says, and which answers of
// the user's count. It tells the server nothing: Board.swift does.

import Scheduling

nonisolated extension Board {
  mutating func take(_ event: Event, _ now: Instant) -> [Act] {
    switch event {
    case .want(let content, let id, let revision): want(content, id, revision, now)
    case .withdraw(let id):
      entries[id]?.wanted = nil
      dismissals.removeAll { $0.id == id }
    case .showAgain:
      for case (let id, .shown(var shown)) in entries.filter(\.value.isRinging).mapValues(\.state) {
        shown.again = now
        entries[id]?.state = .shown(shown)
      }
    case .inherited(let numbers):
      for (id, number) in numbers where entries[id]?.number ?? 0 == 0 {
        let state = BoardEntry.State.orphaned(number: number, until: now + Self.inheritance)
        entries[id, default: BoardEntry()].state = state
      }
    case .listening(let server):
      self.server = server
      if !isPosting { link = .listening }
    case .gone: forget(now)
    case .failed: if !isPosting { link = .failed(since: now) }
    case .absent: if !isPosting { link = .absent }
    case .posted(let outcome): posted(outcome, now)
    case .action(let key, let id): return act(key, id, now)
    case .closed(let reason, let id): return closed(reason, id, now)
    case .tick:
      for case (let id, .shown(var shown)) in entries.mapValues(\.state) where !shown.isSettled {
        shown.isSettled = true
        entries[id]?.state = .shown(shown)
      }
    }
    return []
  }

  private var isPosting: Bool {
    if case .posting = link { true } else { false }
  }

  private mutating func want(
    _ content: NotificationContent, _ id: String, _ revision: Int, _ now: Instant
  ) {
    var entry = entries[id] ?? BoardEntry()
    if entry.wanted == nil { entry.turn = revision }
    (entry.wanted, entry.revision) = (content, revision)
    if case .orphaned(let number, _) = entry.state {
      entry.state = .orphaned(number: number, until: now)
    }
    entries[id] = entry
    dismissals.removeAll { $0.id == id }
    if link == .absent { link = .idle }
  }

  private mutating func forget(_ now: Instant) {
    server = nil
    link = .failed(since: now)
    // The next one may have room for each.
    entries[Self.gathering] = nil
    for id in entries.keys {
      entries[id]?.state = .absent
      entries[id]?.backOff = BoardEntry.shortestBackOff
      entries[id]?.refusals = 0
    }
  }

  private mutating func posted(_ outcome: Outcome, _ now: Instant) {
    guard case .posting(let post) = link, var entry = entries[post.id] else { return }
    link = .listening
    switch outcome {
    case .shown(let number):
      entry.state = .shown(
        BoardEntry.Shown(
          number: number, revision: post.revision, content: post.content, copy: post.copy,
          again: entry.isRinging ? server?.manners.hides.map { now + $0 } : nil,
          isSettled: number != post.replaces))
      (entry.shownAt, entry.refusals) = (now, 0)
    case .unnumbered: entry.state = .finished(revision: post.revision, number: post.replaces)
    case .refused: (entry.refusals, entry.refusedAt) = (entry.refusals + 1, now)
    // Each of the others would wait as long, to no end.
    case .unanswered: link = .idle
    }
    entries[post.id] = entry
  }
}

// MARK: - What the user does

nonisolated extension Board {
  private mutating func act(_ key: String, _ id: String, _ now: Instant) -> [Act] {
    guard var entry = entries[id], let wanted = entry.wanted, entry.state != .absent else {
      return []
    }
    defer { entries[id] = entry }
    let reports = touch(id, now)
    let isOurs =
      key == NotificationContent.Action.click && !wanted.actions.contains { $0.key == key }
    if !isOurs, id == Self.gathering {
      choose(key, now)
      entry = entries[id] ?? entry
      return reports
    }
    guard isOurs else {
      entry.openUntil = nil
      if let shown = entry.shown {
        let revision = isDue(entry, now) ? shown.revision : entry.revision
        entry.state = .finished(revision: revision, number: shown.number)
      }
      return reports + [.report(.action(key), id: id, revision: entry.revision)]
    }
    // It was clicked on a server that shows no buttons otherwise.
    guard entry.shown != nil else { return reports }
    entry.state = .orphaned(number: entry.number, until: now)
    if !wanted.actions.isEmpty {
      entry.openUntil = now + Self.openTime
      return reports
    }
    // It has said what it had to say.
    entry.wanted = nil
    return reports + [.report(.closed(.dismissed), id: id, revision: entry.revision)]
  }

  private mutating func closed(_ said: Notifier.CloseReason, _ id: String, _ now: Instant) -> [Act]
  {
    guard var entry = entries[id] else { return [] }
    defer { entries[id] = entry }
    guard let wanted = entry.wanted else {
      let isFormer = entry.shown?.isSettled == false
      entry.state = isFormer ? .orphaned(number: entry.number, until: now) : .absent
      return []
    }
    let reason = server?.meaning(of: said, on: wanted) ?? said
    let reports = reason == .dismissed ? touch(id, now) : []
    switch entry.state {
    case .absent: return reports
    case .orphaned: entry.state = .absent
    case .finished(let revision, _): entry.state = .finished(revision: revision, number: 0)
    case .shown(let shown) where isDue(entry, now) || !shown.isSettled:
      // It was the former one; the new one is still to come, or came too late to replace it.
      entry.state = .orphaned(number: shown.number, until: now)
    case .shown:
      (entry.state, entry.wanted) = (.absent, nil)
      entry.lengthenBackOff(reason, now)
      if id == Self.gathering { return reports + closeGathered(reason) }
      return reports + verdict(reason, on: id, wanted, entry.revision, now)
    }
    return reports
  }

  /// A server may close all of ours where one was clicked; and whoever clears a list of many has
  /// not said that the alarm is to end.
  private mutating func verdict(
    _ reason: Notifier.CloseReason, on id: String, _ content: NotificationContent, _ revision: Int,
    _ now: Instant
  ) -> [Act] {
    guard reason == .dismissed, content.isRinging else {
      return [.report(.closed(reason), id: id, revision: revision)]
    }
    if touched.contains(where: { $0.key != id && now - $0.value < Self.atOnce }) {
      return [.report(.closed(.undefined), id: id, revision: revision)]
    }
    guard entries.contains(where: { $0.key != id && $0.value.number != 0 }) else {
      return [.report(.closed(.dismissed), id: id, revision: revision)]
    }
    dismissals.append(Dismissal(id: id, revision: revision, time: now))
    return []
  }

  /// The user has done something to `id`: what rings and was closed just before was closed with it.
  private mutating func touch(_ id: String, _ now: Instant) -> [Act] {
    touched = touched.filter { now - $0.value < Self.atOnce }
    touched[id] = now
    let together = dismissals.filter { $0.id != id && now - $0.time < Self.atOnce }
    dismissals.removeAll { together.contains($0) }
    return together.map { .report(.closed(.undefined), id: $0.id, revision: $0.revision) }
  }

  /// Reports what was closed by itself.
  mutating func settleDismissals(_ now: Instant) -> [Act] {
    let settled = dismissals.filter { $0.time + Self.atOnce <= now }
    dismissals.removeAll { settled.contains($0) }
    return settled.map { .report(.closed(.dismissed), id: $0.id, revision: $0.revision) }
  }
}
