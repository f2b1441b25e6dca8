// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays random events on the simulated desktop `BoardWorld`. Checks each act of the notification
// board and, at the end, the screen. BoardTests.swift tests the decisions one by one.

import Lab
import Scheduling
import TestData
import Testing

@testable import Notifications

@Suite nonisolated struct BoardChanceTests {
  @Test func `after any random events, the server shows exactly the wanted notifications`() {
    var (acts, seed) = (0, Chance.firstSeed)
    let worlds = Chance.asked("BELFRY_WORLDS") ?? 200
    for _ in 0..<worlds {
      var world = BoardWorld(seed: seed)
      do throws(BoardWorld.Broken) { try world.play(steps: 60) } catch {
        Issue.record("BELFRY_SEED=\(seed): \(Self.tale(of: seed))")
        return
      }
      (acts, seed) = (acts + world.acts, seed + 1)
    }
    print("notification board: seeds \(Chance.firstSeed)..<\(seed), \(acts) acts")
  }

  /// Repeats the random events of `seed` and returns the events up to the failure, as text.
  private static func tale(of seed: UInt64) -> String {
    var world = BoardWorld(seed: seed, isTold: true)
    do throws(BoardWorld.Broken) { try world.play(steps: 60) } catch { return error.text }
    return ""
  }
}

nonisolated extension BoardWorld {
  mutating func apply(
    _ event: Board.Event, on number: UInt32 = 0, of touched: String? = nil
  ) throws(Broken) {
    if isTold { tale.append("\(now.microseconds / 1000) \(event)") }
    if case .listening = event { isSilent = false }
    var isClosingUnanswered = false
    for act in board.apply(event, at: now) {
      acts += 1
      if isTold { tale.append("    \(act)") }
      switch act {
      case .ask:
        isAsked = true
      case .close(let id, let number):
        listeners[id] = nil
        if health == .hung {
          unread.append(.close(number))
          now = now + .seconds(25)
          (isSilent, isClosingUnanswered) = (true, true)
        } else {
          screen.removeAll { $0.number == number }
        }
      case .post(let post): try self.post(post)
      case .nudge:
        if health == .hung {
          now = now + .seconds(25)
          (isSilent, isClosingUnanswered) = (true, true)
        }
      case .report(let said, let id, let revision):
        try judge(said, id, revision, id == touched ? number : 0)
      }
    }
    if isClosingUnanswered { try apply(.failed) }
    var again = board
    _ = again.apply(.tick, at: now)
    if !again.apply(.tick, at: now).isEmpty { throw broken("a second tick does something") }
    if health == .well || health == .refusing, isAsked, chance.oneIn(2) { try answer() }
  }

  mutating func post(_ post: Board.Post) throws(Broken) {
    if post.id != Board.gathering, wanted[post.id]?.revision != post.revision {
      throw broken("posts what is not wanted")
    }
    if isSilent { return try apply(.posted(.unanswered)) }
    switch health {
    case .absent: throw broken("told a server that does not exist")
    case .refusing, .failing: try apply(.posted(.refused("")))
    case .hung: try hang(in: post)
    case .well where hangsInPosts && chance.oneIn(40):
      (health, wellSince) = (.hung, now)
      try hang(in: post)
    case .well where habits.isNumberless:
      _ = show(post)
      try apply(.posted(.unnumbered))
    case .well:
      let number = show(post)
      listeners[post.id] = number
      try apply(.posted(.shown(number: number)))
    }
  }

  private mutating func hang(in post: Board.Post) throws(Broken) {
    unread.append(.post(post))
    now = now + .seconds(25)
    isSilent = true
    try apply(.posted(.unanswered))
  }

  mutating func judge(
    _ event: Notifier.Event, _ id: String, _ revision: Int, _ number: UInt32
  ) throws(Broken) {
    guard let one = wanted[id], one.revision == revision else {
      throw broken("reports what is not wanted")
    }
    switch event {
    case .action: if number != 0 { answered.insert(number) }
    case .closed:
      if number != 0, answered.contains(number) { throw broken("a second verdict") }
      wanted[id] = nil
    }
  }

  /// Checks that each ring is shown within two seconds if the server works and the user has not
  /// answered. After several failures of the server, this may take a minute.
  func expectRings() throws(Broken) {
    guard health == .well, !isAsked, habits.closesAtOnce == nil, !habits.isNumberless else {
      return
    }
    let longest = board.failures > 1 ? Board.longestRetryDelay : .seconds(2)
    for (id, one) in wanted where one.content.isRinging {
      let waited = now - max(one.since, wellSince)
      let isShown = screen.contains { $0.id == id }
      let isDismissed = board.dismissals.contains { $0.id == id }
      if !isShown, !isFinished(id), !isDismissed, waited > longest, !wasJustShown(id) {
        throw broken("\(id) has been waiting for \(waited)")
      }
    }
  }

  func wasJustShown(_ id: String) -> Bool {
    (board.entries[id]?.shownAt).map { now - $0 < .milliseconds(2001) } ?? false
  }

  /// Returns whether the board has nothing left to do for the notification with this id.
  func isFinished(_ id: String) -> Bool {
    guard let entry = board.entries[id], case .finished(let revision, _) = entry.state else {
      return false
    }
    return revision == entry.revision
  }

  /// Lets time pass with a server that works and no other events. Then checks that the screen has
  /// all wanted notifications and no others.
  mutating func end() throws(Broken) {
    hangsInPosts = false
    try change(.well)
    for _ in 0..<20 { try pass(.seconds(4)) }
    if habits.isNumberless { return }
    let places = wanted.filter { !isFinished($0.key) }
    for (id, one) in places {
      let isGathered = isGathered(id)
      let shown = screen.filter { $0.id == (isGathered ? Board.gathering : id) }
      if shown.count > 1 { throw broken("\(id) is shown twice") }
      if isGathered {
        let isTold = shown.contains { $0.content.body.contains("\(one.content.title): ") }
        let alone = wanted.keys.filter { !self.isGathered($0) }
        if !isTold, !shown.isEmpty || alone.count < habits.most {
          throw broken("\(id) is not told of")
        }
        continue
      }
      if let shown = shown.first {
        let isSame =
          shown.content.title == one.content.title
          && [one.content.body, one.content.steadyBody].contains(shown.content.body)
        if !isSame { throw broken("\(id) is shown as it was") }
      } else if one.content.isRinging || wanted.count <= habits.most {
        throw broken("\(id) is not shown")
      }
    }
    for one in screen where wanted[one.id] == nil {
      if one.id == Board.gathering, board.entries.keys.contains(where: isGathered) { continue }
      throw broken("\(one.id) is shown yet")
    }
  }

  func isGathered(_ id: String) -> Bool {
    guard habits.most < .max, let entry = board.entries[id] else { return false }
    return entry.isGathered && entry.wanted != nil && entry.openUntil == nil
  }

  func broken(_ text: String) -> Broken {
    Broken(text: "\(text)\n\(tale.suffix(60).joined(separator: "\n"))")
  }
}
