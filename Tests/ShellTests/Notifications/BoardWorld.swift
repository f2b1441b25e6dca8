// SPDX-License-Identifier: GPL-3.0-or-later
//
// A simulated desktop for the notification board: a server with the habits of a real one, a user,
// and a program that wants notifications. Events are random, and each act of the board is checked
// at once. Next: ServerHabits.swift, BoardJudge.swift.

import Lab
import Scheduling
import TestData

@testable import Notifications

nonisolated struct BoardWorld {
  struct Broken: Error { var text: String }

  /// A signal that the server has sent and that the board has not received yet.
  enum Signal {
    case closed(UInt32, Notifier.CloseReason)
    case action(UInt32, String)
  }

  struct OnScreen {
    var number: UInt32
    var id: String
    var content: NotificationContent
  }

  var acts = 0
  var chance: Chance
  var board = Board()
  var now = Instant(microseconds: 1_000_000_000)
  var habits: Habits
  var health = Health.well
  var hangsInPosts = true
  /// When the server last began to work; the distant past if it has worked since the beginning.
  var wellSince = Instant.distantPast
  var screen: [OnScreen] = []
  var lastNumber: UInt32 = 0
  var signals: [Signal] = []
  /// The calls that a hung server has received and not read yet: posts, and numbers to close.
  enum Unread {
    case post(Board.Post)
    case close(UInt32)
  }

  var isAsked = false
  /// Whether the last call was not answered. The board has learned about that.
  var isSilent = false
  var unread: [Unread] = []
  /// The ids of the notifications whose signals reach the board, each with the number that the
  /// server gave it.
  var listeners: [String: UInt32] = [:]
  /// The notifications that the program wants, each with the time when it was first wanted.
  var wanted: [String: (content: NotificationContent, revision: Int, since: Instant)] = [:]
  var revision = 0
  /// The numbers of notifications that the user has answered.
  var answered: Set<UInt32> = []
  let isTold: Bool
  var tale: [String] = []

  /// Makes a simulated desktop whose random events follow from `seed`. If `isTold` is true, it
  /// records its events as text, which takes longer than everything else.
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

  // MARK: - Events

  mutating func step() throws(Broken) {
    let kind = chance.number(0...11)
    // The program may want or withdraw a notification while the board is still posting others.
    // Before any other event, let the board finish its posts.
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

  mutating func goOn() throws(Broken) {
    while let deadline = board.deadline, deadline <= now {
      try deliver()
      try apply(.tick)
    }
  }

  mutating func want() throws(Broken) {
    let id = chance.pick(["ring 1", "ring 2", "tea", "eggs", "news", "late", "soon"])
    revision += 1
    let content = content(of: id)
    let since = wanted[id].map(\.since) ?? now
    wanted[id] = (content, revision, since)
    try apply(.want(content, id: id, revision: revision))
  }

  mutating func content(of id: String) -> NotificationContent {
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
        title: "Timers", label: id, order: chance.number(1...9))
    }
    if content.isRinging {
      content.actions.append(NotificationContent.Action(key: "default", label: "Hush"))
    }
    return content
  }

  /// Lets the user press a button, or close one notification or all of them, or lets the server
  /// close a notification.
  mutating func beTouched() throws(Broken) {
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

  mutating func change(_ new: Health) throws(Broken) {
    let old = health
    if new == old { return }
    (health, wellSince) = (new, now)
    if isTold { tale.append("\(new)") }
    if new == .absent, old != .absent {
      (screen, signals, listeners, unread) = ([], [], [:], [])
      habits.closesAtOnce?.times += 1
      isAsked = false
      return try apply(.gone)
    }
    if old == .hung { read() }
    try deliver()
    // Every server that appears is asked whether it is listening.
    if old == .absent { isAsked = true }
    try answer()
  }

  var server: Notifier.Server {
    Notifier.Server(
      name: habits.name, version: habits.version, capabilities: ["actions"])
  }

  mutating func inherit() throws(Broken) {
    var left: [String: UInt32] = [:]
    for id in ["ring 1", "tea"] {
      lastNumber += 1
      left[id] = lastNumber
      screen.append(OnScreen(number: lastNumber, id: id, content: content(of: id)))
    }
    try apply(.inherited(left))
  }

  /// Lets `time` pass, with a tick at each deadline of the board.
  mutating func pass(_ time: Duration) throws(Broken) {
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
    // A call to a hung server may have taken longer.
    now = max(now, end)
    try answer()
    try goOn()
    try expectRings()
  }

  // MARK: - The server

  mutating func answer() throws(Broken) {
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

  /// Carries out the calls that arrived while the server hung. `LatePost` closes a notification
  /// whose number no one else has learned.
  mutating func read() {
    for call in unread {
      switch call {
      case .post(let post):
        let number = show(post)
        if number != post.replaces { screen.removeAll { $0.number == number } }
      case .close(let number): screen.removeAll { $0.number == number }
      }
    }
    unread = []
  }

  mutating func show(_ post: Board.Post) -> UInt32 {
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

  mutating func close(_ number: UInt32, _ reason: Notifier.CloseReason) {
    screen.removeAll { $0.number == number }
    signals.append(.closed(number, reason))
  }

  mutating func deliver() throws(Broken) {
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
}
