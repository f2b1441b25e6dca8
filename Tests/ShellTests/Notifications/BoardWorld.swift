// SPDX-License-Identifier: GPL-3.0-or-later
//
// A desktop made of values, for the notification board: a server with the habits of some real one,
// a user and a program that wants notifications. What happens is chance, and each act of the board
// is judged as it comes. Next: ServerHabits.swift, BoardTests.swift.

import Lab
import Scheduling

@testable import Notifications

nonisolated struct BoardWorld {
  struct Broken: Error { var text: String }

  /// What a server sends, and has not arrived yet.
  private enum Signal {
    case closed(UInt32, Notifier.CloseReason)
    case action(UInt32, String)
  }

  private struct OnScreen {
    var number: UInt32
    var id: String
    var content: NotificationContent
  }

  private(set) var acts = 0
  private var chance: Chance
  private var board = Board()
  private var now = Instant(microseconds: 1_000_000_000)
  private var habits: Habits
  private var health = Health.well
  private var hangsInPosts = true
  /// Since when it is well.
  private var wellSince = Instant.distantPast
  private var screen: [OnScreen] = []
  private var lastNumber: UInt32 = 0
  private var signals: [Signal] = []
  private var isAsked = false
  /// What the thread listens to.
  private var listeners: [String: UInt32] = [:]
  /// What the program wants, and since when.
  private var wanted: [String: (content: NotificationContent, revision: Int, since: Instant)] = [:]
  private var revision = 0
  /// Numbers that the user has had the last word on.
  private var answered: Set<UInt32> = []
  private let isTold: Bool
  private var tale: [String] = []

  /// Told, it remembers what happened; which takes longer than all else.
  init(seed: UInt64, isTold: Bool = false) {
    self.isTold = isTold
    chance = Chance(seed: seed)
    habits = chance.pick(Habits.all)
    if isTold { tale.append("\(habits)") }
  }

  mutating func play(steps: Int) throws(Broken) {
    health = chance.pick([.well, .well, .absent])
    if health == .well {
      if chance.oneIn(3) { try inherit() }
      try apply(.listening(server))
    }
    for _ in 0..<steps { try step() }
    try end()
  }

  // MARK: - What happens

  private mutating func step() throws(Broken) {
    let kind = chance.number(0...11)
    // Between two posts there is time for what is wanted, and for nothing else.
    if kind > 4 { try goOn() }
    switch kind {
    case 0...3: try want()
    case 4:
      if let id = wanted.keys.sorted().randomElement(using: &chance) {
        wanted[id] = nil
        try apply(.withdraw(id: id))
      }
    case 5...6: try beTouched()
    case 7 where chance.oneIn(4): try change(chance.pick(Health.allCases))
    case 8 where chance.oneIn(3): try apply(.showAgain)
    default: try pass(chance.pick([.milliseconds(20), .seconds(1), .seconds(7), .seconds(40)]))
    }
  }

  private mutating func goOn() throws(Broken) {
    while board.link == .listening {
      try deliver()
      try apply(.tick)
    }
  }

  private mutating func want() throws(Broken) {
    let id = chance.pick(["ring 1", "ring 2", "tea", "eggs", "news", "late", "soon"])
    revision += 1
    let content = content(of: id)
    let since = wanted[id].map(\.since) ?? now
    wanted[id] = (content, revision, since)
    try apply(.want(content, id: id, revision: revision))
  }

  private mutating func content(of id: String) -> NotificationContent {
    var content = NotificationContent(
      title: chance.pick(["Work", "Tea"]), body: "\(chance.number(1...3)) min", icon: "")
    content.isRinging = id.hasPrefix("ring")
    content.urgency = content.isRinging ? .critical : chance.pick([.low, .normal])
    content.isPersistent = chance.oneIn(2)
    if chance.oneIn(2) { content.steadyBody = "ends at 07:3\(chance.number(1...3))" }
    if !chance.oneIn(4) {
      content.actions = [NotificationContent.Action(key: "stop", label: "Stop")]
    }
    if !content.isRinging, chance.oneIn(2) {
      content.gathering = NotificationContent.Gathering(
        title: "Timers", label: id, more: "More", order: chance.number(1...9))
    }
    if content.isRinging {
      content.actions.append(NotificationContent.Action(key: "default", label: "Hush"))
    }
    return content
  }

  /// The user presses something, closes one, or clears them all.
  private mutating func beTouched() throws(Broken) {
    guard health == .well || health == .refusing, !screen.isEmpty else { return }
    let one = chance.pick(screen)
    switch chance.number(0...4) {
    case 0...1:
      let key = (["default"] + one.content.actions.map(\.key)).randomElement(using: &chance)
      signals.append(.action(one.number, key ?? "default"))
      if habits.closesAnswered { close(one.number, .dismissed) }
    case 2: for each in screen { close(each.number, .dismissed) }
    case 3: close(one.number, chance.pick([.expired, .undefined, .withdrawn]))
    default: close(one.number, .dismissed)
    }
    if chance.oneIn(2) { try deliver() }
  }

  private mutating func change(_ new: Health) throws(Broken) {
    let old = health
    if new == old { return }
    (health, wellSince) = (new, now)
    if isTold { tale.append("\(new)") }
    if new == .absent, old != .absent {
      (screen, signals, listeners) = ([], [], [:])
      habits.closesAtOnce?.times += 1
      isAsked = false
      return try apply(.gone)
    }
    try deliver()
    // One that appears is asked in any case.
    if old == .absent { isAsked = true }
    try answer()
  }

  private var server: Notifier.Server {
    Notifier.Server(
      name: habits.name, version: habits.version, capabilities: ["actions"])
  }

  private mutating func inherit() throws(Broken) {
    var left: [String: UInt32] = [:]
    for id in ["ring 1", "tea"] {
      lastNumber += 1
      left[id] = lastNumber
      screen.append(OnScreen(number: lastNumber, id: id, content: content(of: id)))
    }
    try apply(.inherited(left))
  }

  /// Time passes, from deadline to deadline.
  private mutating func pass(_ time: Duration) throws(Broken) {
    let end = now + time
    if isTold { tale.append("until \(end.microseconds / 1000)") }
    var ticks = 0
    try deliver()
    if chance.oneIn(2) { try answer() }
    while let deadline = board.deadline, deadline <= end {
      ticks += 1
      if ticks > 300 { throw broken("it never rests") }
      try deliver()
      now = max(now, deadline)
      try apply(.tick)
      if chance.oneIn(2) { try answer() }
      try goOn()
      try expectRings()
    }
    now = end
    try answer()
    try goOn()
    try expectRings()
  }

  // MARK: - The server

  private mutating func answer() throws(Broken) {
    guard isAsked else { return }
    switch health {
    case .well, .refusing:
      isAsked = false
      try apply(.listening(server))
    case .failing:
      isAsked = false
      try apply(.failed)
    case .absent:
      isAsked = false
      try apply(chance.oneIn(2) ? .absent : .failed)
    case .hung: break
    }
  }

  private mutating func show(_ post: Board.Post) -> UInt32 {
    var number = post.replaces
    if let place = screen.firstIndex(where: { $0.number == number }) {
      if habits.closesReplaced { signals.append(.closed(number, .dismissed)) }
      screen[place] = OnScreen(number: number, id: post.id, content: post.content)
    } else {
      lastNumber += 1
      number = lastNumber
      screen.append(OnScreen(number: number, id: post.id, content: post.content))
    }
    answered.remove(number)
    if screen.count > habits.most { close(screen[0].number, .expired) }
    if let (times, reason) = habits.closesAtOnce, times > 0 {
      habits.closesAtOnce?.times -= 1
      close(number, reason)
    }
    return number
  }

  private mutating func close(_ number: UInt32, _ reason: Notifier.CloseReason) {
    screen.removeAll { $0.number == number }
    signals.append(.closed(number, reason))
  }

  private mutating func deliver() throws(Broken) {
    while !signals.isEmpty {
      switch signals.removeFirst() {
      case .action(let number, let key):
        for id in listeners.filter({ $0.value == number }).keys {
          try apply(.action(key, id: id), on: number, of: id)
        }
      case .closed(let number, let reason):
        for id in listeners.filter({ $0.value == number }).keys {
          listeners[id] = nil
          try apply(.closed(reason, id: id), on: number, of: id)
        }
      }
    }
  }

  // MARK: - The board's acts, and what must hold of them

  private mutating func apply(
    _ event: Board.Event, on number: UInt32 = 0, of touched: String? = nil
  ) throws(Broken) {
    if isTold { tale.append("\(now.microseconds / 1000) \(event)") }
    for act in board.apply(event, at: now) {
      acts += 1
      if isTold { tale.append("    \(act)") }
      switch act {
      case .ask:
        isAsked = true
      case .close(let id, let number):
        listeners[id] = nil
        if let place = screen.firstIndex(where: { $0.number == number }) {
          if health == .hung { throw broken("told a server that does not listen") }
          screen.remove(at: place)
        }
      case .post(let post): try self.post(post)
      case .report(let said, let id, let revision):
        try judge(said, id, revision, id == touched ? number : 0)
      }
    }
    var again = board
    _ = again.apply(.tick, at: now)
    if !again.apply(.tick, at: now).isEmpty { throw broken("a second tick does something") }
    if health == .well || health == .refusing, isAsked, chance.oneIn(2) { try answer() }
  }

  private mutating func post(_ post: Board.Post) throws(Broken) {
    if post.id != Board.gathering, wanted[post.id]?.revision != post.revision {
      throw broken("posts what is not wanted")
    }
    switch health {
    case .hung, .absent, .failing: throw broken("told a server that does not listen")
    case .refusing: try apply(.posted(.refused("")))
    case .well where hangsInPosts && chance.oneIn(40):
      (health, wellSince) = (.hung, now)
      now = now + .seconds(25)
      try apply(.posted(.unanswered))
    case .well where habits.isNumberless:
      _ = show(post)
      try apply(.posted(.unnumbered))
    case .well:
      let number = show(post)
      listeners[post.id] = number
      try apply(.posted(.shown(number: number)))
    }
  }

  private mutating func judge(
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

  /// What rings is shown within two seconds, where the server is well and the user has not
  /// answered.
  private func expectRings() throws(Broken) {
    guard health == .well, !isAsked, habits.closesAtOnce == nil, !habits.isNumberless else {
      return
    }
    for (id, one) in wanted where one.content.isRinging {
      let waited = now - max(one.since, wellSince)
      let isShown = screen.contains { $0.id == id }
      let isDismissed = board.dismissals.contains { $0.id == id }
      if !isShown, !isFinished(id), !isDismissed, waited > .seconds(2), !wasJustShown(id) {
        throw broken("\(id) has been waiting for \(waited)")
      }
    }
  }

  private func wasJustShown(_ id: String) -> Bool {
    (board.entries[id]?.shownAt).map { now - $0 < .milliseconds(2001) } ?? false
  }

  /// Whether nothing more is to be done of what is wanted under it.
  private func isFinished(_ id: String) -> Bool {
    guard let entry = board.entries[id], case .finished(let revision, _) = entry.state else {
      return false
    }
    return revision == entry.revision
  }

  /// Left alone by all others, with a server that is well, it shows what is wanted and nothing
  /// else.
  private mutating func end() throws(Broken) {
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

  private func isGathered(_ id: String) -> Bool {
    guard habits.most < .max, let entry = board.entries[id] else { return false }
    return entry.isGathered && entry.wanted != nil && entry.openUntil == nil
  }

  private func broken(_ text: String) -> Broken {
    Broken(text: "\(text)\n\(tale.suffix(60).joined(separator: "\n"))")
  }
}
