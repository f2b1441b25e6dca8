// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the board reacts to each event: posts of the program, signals of the server and answers of
// the user. This file only updates the board's state and reports answers; Board.swift decides which
// calls to make to the server.

import Scheduling

extension Board {
  mutating func handle(_ event: Event, _ now: Instant) -> [Act] {
    switch event {
    case .want(let content, let id, let revision): want(content, id, revision, now)
    case .withdraw(let id): withdraw(id, now)
    case .showAgain:
      for case (let id, .shown(var shown)) in entries.filter(\.value.isRinging).mapValues(\.state) {
        shown.again = now
        entries[id]?.state = .shown(shown)
      }
    case .locked(let isLocked): self.isLocked = isLocked
    case .inherited(let numbers):
      for (id, number) in numbers where entries[id]?.number ?? 0 == 0 {
        let state = BoardEntry.State.orphaned(number: number, until: now + Self.inheritance)
        entries[id, default: BoardEntry()].state = state
      }
    case .listening(let server):
      self.server = server
      if !isPosting { link = .listening }
    case .gone: forget(now)
    case .failed: if !isPosting { fail(now) }
    case .absent: if !isPosting { link = .silent(since: nil) }
    case .posted(let outcome): posted(outcome, now)
    case .action(let key, let id): return act(key, id, now)
    case .closed(let reason, let id): return closed(reason, id, now)
    case .tick:
      // A silent server may still send signals about what it showed before.
      if isServerSilent { break }
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
    if entry.wanted == nil {
      entry.turn = revision
      // A ring that begins waits for a failed server as short as after its first failure.
      if content.isRinging { failures = min(failures, 1) }
    }
    (entry.wanted, entry.revision) = (content, revision)
    if case .orphaned(let number, _) = entry.state {
      entry.state = .orphaned(number: number, until: now)
    }
    entries[id] = entry
    dismissals.removeAll { $0.id == id }
    if link == .silent(since: nil) { link = .silent(since: .distantPast) }
  }

  /// An entry that is not on the screen is removed at once. Without a server, nothing else would
  /// ever remove it, and the entries of all notifications so far would pile up.
  private mutating func withdraw(_ id: String, _ now: Instant) {
    dismissals.removeAll { $0.id == id }
    entries[id]?.wanted = nil
    entries[id]?.backOff = BoardEntry.shortestBackOff
    guard !isPosting, let entry = entries[id], entry.number == 0 else { return }
    if entry.earliest <= now { entries[id] = nil }
  }

  private mutating func forget(_ now: Instant) {
    (server, isLocked, nudge) = (nil, false, BannerNudge())
    fail(now)
    // The next server may have room for each notification, so drop the shared notification that
    // stands for several.
    entries[Self.gathering] = nil
    entries = entries.filter { $0.value.wanted != nil }
    for id in entries.keys {
      entries[id]?.state = .absent
      entries[id]?.backOff = BoardEntry.shortestBackOff
      entries[id]?.refusals = 0
    }
  }

  private mutating func fail(_ now: Instant) {
    failures += 1
    link = .silent(since: now)
  }

  private mutating func posted(_ outcome: PostResult, _ now: Instant) {
    guard case .posting(let post) = link, var entry = entries[post.id] else { return }
    link = .listening
    switch outcome {
    case .shown(let number):
      let isNew = number != post.replaces
      let again = entry.isRinging ? server?.manners.hides.map { now + $0 } : nil
      let isShownAgain = isNew || server?.manners.update != .quiet
      entry.state = .shown(
        BoardEntry.Shown(
          post: post, number: number, again: isShownAgain ? again : entry.shown?.again ?? again,
          isSettled: isNew,
          bannerUntil: server?.manners.update == .shown && post.content.urgency == .normal
            ? now + BoardEntry.bannerTime : nil))
      entry.urgencyShown = post.content.urgency
      (entry.shownAt, entry.refusals, failures) = (now, 0, 0)
      if isNew { latest = post.id }
    case .unnumbered: entry.state = .finished(revision: post.revision, number: post.replaces)
    case .refused: (entry.refusals, entry.refusedAt) = (entry.refusals + 1, now)
    case .unanswered:
      link = .silent(since: .distantPast)
      // The server may carry out the post later, and then report the old notification as closed.
      if case .shown(var shown) = entry.state {
        shown.isSettled = false
        entry.state = .shown(shown)
      }
    }
    entries[post.id] = entry
  }
}

// MARK: - What the user does

extension Board {
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
        let revision = isDue(entry, now) ? shown.post.revision : entry.revision
        entry.state = .finished(revision: revision, number: shown.number)
      }
      return reports + [.report(.action(key), id: id, revision: entry.revision)]
    }
    // The user has clicked on a notification to see the buttons that the server hides.
    guard entry.shown != nil else { return reports }
    entry.state = .orphaned(number: entry.number, until: now)
    if !wanted.actions.isEmpty {
      entry.openUntil = now + Self.openTime
      return reports
    }
    // The notification has no buttons, so the click only dismisses it.
    entry.wanted = nil
    return reports + [.report(.closed(.dismissed), id: id, revision: entry.revision)]
  }

  private mutating func closed(_ said: Notifier.CloseReason, _ id: String, _ now: Instant) -> [Act]
  {
    guard var entry = entries[id] else { return [] }
    defer { entries[id] = entry }
    nudge.closed = now
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
      // The signal is about the old notification. Its replacement has not been posted yet, or was
      // posted when the server had already closed the old one. `orphaned` lets the board post the
      // replacement, in the second case once more.
      entry.state = .orphaned(number: shown.number, until: now)
    case .shown:
      (entry.state, entry.wanted) = (.absent, nil)
      entry.lengthenBackOff(reason, now)
      if id == Self.gathering { return reports + closeGathered(reason) }
      return reports + verdict(reason, on: id, wanted, entry.revision, now)
    }
    return reports
  }

  /// Decides what closing a ring's notification means. A server may close all our notifications
  /// after a click on one of them, and a user who clears a long list has not asked to end the
  /// alarm.
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

  /// Records that the user has acted on `id`. Some servers close all our notifications at such a
  /// moment. So if notifications of rings were closed just before, the user did not dismiss them,
  /// and they are reported as closed for an undefined reason.
  private mutating func touch(_ id: String, _ now: Instant) -> [Act] {
    touched = touched.filter { now - $0.value < Self.atOnce }
    touched[id] = now
    let together = dismissals.filter { $0.id != id && now - $0.time < Self.atOnce }
    dismissals.removeAll { together.contains($0) }
    return together.map { .report(.closed(.undefined), id: $0.id, revision: $0.revision) }
  }

  /// Reports each dismissal that came alone, without another action of the user in the same moment.
  mutating func settleDismissals(_ now: Instant) -> [Act] {
    let settled = dismissals.filter { $0.time + Self.atOnce <= now }
    dismissals.removeAll { settled.contains($0) }
    return settled.map { .report(.closed(.dismissed), id: $0.id, revision: $0.revision) }
  }
}
