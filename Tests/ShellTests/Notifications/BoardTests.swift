// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the notification board event by event: the user's answers, the habits of servers, and the
// waiting times. Next: BoardJudge.swift, which tests the board with random events.

import Lab
import Scheduling
import Testing

@testable import Notifications

@Suite nonisolated struct BoardTests {
  /// One step of a test: the milliseconds since the step before, an event, and the acts that must
  /// follow, as text.
  typealias Step = (Int64, Board.Event, [String])

  private static func text(_ act: Board.Act) -> String {
    switch act {
    case .ask: "ask"
    case .post(let post): "post \(post.id) \(post.revision) for \(post.replaces)"
    case .close(_, let number): "close \(number)"
    case .nudge: "nudge"
    case .report(.action(let key), let id, _): "\(id): \(key)"
    case .report(.closed(let reason), let id, _): "\(id): \(reason)"
    }
  }

  private static func server(_ name: String, _ version: String = "43.9") -> Notifier.Server {
    Notifier.Server(name: name, version: version, capabilities: ["actions"])
  }

  private static func notice(_ title: String = "Tea", rings: Bool = false) -> NotificationContent {
    var notice = NotificationContent(title: title, body: "07:30", icon: "")
    notice.isRinging = rings
    notice.isPersistent = true
    notice.urgency = rings ? .critical : .low
    notice.actions = [NotificationContent.Action(key: "stop", label: "Stop")]
    return notice
  }

  private static func want(_ id: String, _ revision: Int) -> Board.Event {
    .want(notice(id, rings: id.hasPrefix("ring")), id: id, revision: revision)
  }

  /// Applies the events of `steps` to a board, and compares its acts with those in `steps`. The
  /// simulated server answers each act `ask` with `listening`, and each post with `shown`.
  private func expect(
    _ steps: [Step], by server: Notifier.Server = BoardTests.server("plain"),
    _ location: SourceLocation = #_sourceLocation
  ) {
    var (board, now, last) = (Board(), Instant(seconds: 1000), UInt32(0))
    for (pause, event, acts) in steps {
      let time = now + .milliseconds(pause)
      var did: [Board.Act] = []
      func apply(_ event: Board.Event) {
        let acts = board.apply(event, at: now)
        did += acts
        for act in acts where act == .ask { apply(.listening(server)) }
        if case .post(let post) = acts.last {
          if post.replaces == 0 { last += 1 }
          apply(.posted(.shown(number: post.replaces == 0 ? last : post.replaces)))
        }
      }
      while let deadline = board.deadline, deadline <= time, pause > 0 {
        now = deadline
        apply(.tick)
      }
      now = time
      // After a post, the board waits for a tick, before which only signals of the server arrive.
      if case .closed = event {} else if board.deadline == now { apply(.tick) }
      apply(event)
      // `BannerTests.swift` tests nudges.
      let said = did.filter { $0 != .ask }.map(Self.text).filter { $0 != "nudge" }
      #expect(said == acts, "\(event)", sourceLocation: location)
    }
  }

  // MARK: - Answers

  /// Cases in which a ring and a countdown are on the screen. Each case has a description and
  /// steps. The steps list the events that the board must report.
  static let verdicts: [(String, [Step])] = [
    ("it expires", [(0, .closed(.expired, id: "ring"), ["ring: expired"])]),
    ("somebody closes it", [(0, .closed(.withdrawn, id: "ring"), ["ring: withdrawn"])]),
    (
      "a button, and its close",
      [(0, .action("stop", id: "ring"), ["ring: stop"]), (9, .closed(.dismissed, id: "ring"), [])]
    ),
    (
      "a button twice",
      [
        (0, .action("stop", id: "ring"), ["ring: stop"]),
        (0, .action("stop", id: "ring"), ["ring: stop"]),
      ]
    ),
    (
      "a close by hand, and nothing else",
      [(0, .closed(.dismissed, id: "ring"), []), (51, .tick, ["ring: dismissed"])]
    ),
    (
      "a close by hand, and another in the same go",
      [
        (0, .closed(.dismissed, id: "ring"), []),
        (49, .closed(.dismissed, id: "tea"), ["ring: undefined", "tea: dismissed"]),
      ]
    ),
    (
      "a close by hand, and another later",
      [
        (0, .closed(.dismissed, id: "ring"), []),
        (60, .closed(.dismissed, id: "tea"), ["ring: dismissed", "tea: dismissed"]),
      ]
    ),
    (
      "another first, in the same go",
      [
        (0, .closed(.dismissed, id: "tea"), ["tea: dismissed"]),
        (9, .closed(.dismissed, id: "ring"), ["ring: undefined"]),
      ]
    ),
    (
      "another is told meanwhile",
      [
        (0, .closed(.dismissed, id: "ring"), []), (9, want("tea", 3), ["post tea 3 for 2"]),
        (51, .tick, ["ring: dismissed"]),
      ]
    ),
    (
      "withdrawn before it is closed",
      [(0, .withdraw(id: "ring"), ["close 1"]), (0, .closed(.dismissed, id: "ring"), [])]
    ),
    (
      "wanted anew before the close has been judged",
      [
        (0, .closed(.dismissed, id: "ring"), []), (9, want("ring", 3), []),
        (1000, .tick, ["post ring 3 for 0"]),
      ]
    ),
    (
      "the former one is closed, just before it was replaced",
      [
        (0, want("ring", 3), ["post ring 3 for 1"]), (0, .closed(.dismissed, id: "ring"), []),
        (1001, .tick, ["close 1", "post ring 3 for 0"]),
      ]
    ),
    (
      "it is closed, long after it was replaced",
      [
        (0, want("ring", 3), ["post ring 3 for 1"]),
        (9, .closed(.expired, id: "ring"), ["ring: expired"]),
      ]
    ),
    (
      "answered, it is closed before it is shown anew",
      [
        (2000, .action("stop", id: "ring"), ["ring: stop"]),
        (0, want("ring", 3), ["close 1", "post ring 3 for 0"]),
      ]
    ),
  ]

  @Test(arguments: verdicts.indices)
  func `only the first answer to a notification is reported`(row: Int) {
    let (_, steps) = Self.verdicts[row]
    expect(
      [
        (0, Self.want("ring", 1), ["post ring 1 for 0"]),
        (0, Self.want("tea", 2), ["post tea 2 for 0"]),
      ] + steps)
  }

  // MARK: - Waiting

  /// Each case has the id of a notification, the reason with which the server closes it after every
  /// post, and the waits before the next posts in milliseconds.
  @Test(
    arguments: [
      ("tea", Notifier.CloseReason.expired, [2000, 4000, 8000, 16_000, 32_000, 32_000]),
      ("tea", .undefined, [1000, 1000, 1000]), ("ring", .expired, [2000, 2000, 2000]),
    ] as [(String, Notifier.CloseReason, [Int64])])
  func `a removed notification comes back less and less often, a ring after two seconds`(
    id: String, reason: Notifier.CloseReason, pauses: [Int64]
  ) {
    var steps: [Step] = [(0, Self.want(id, 1), ["post \(id) 1 for 0"])]
    for (index, pause) in pauses.enumerated() {
      steps += [
        (0, .closed(reason, id: id), ["\(id): \(reason)"]), (0, Self.want(id, index + 2), []),
        (pause - 1, .tick, []), (1, .tick, ["post \(id) \(index + 2) for 0"]),
      ]
    }
    expect(steps)
  }

  @Test(arguments: [("tea", [1000, 5000, 5000]), ("ring", [1000, 2000, 2000])])
  func `a refused notification is posted again after one second, then five, or two for a ring`(
    id: String, pauses: [Int64]
  ) {
    var (board, now) = (Board(), Instant(seconds: 1000))
    #expect(board.apply(Self.want(id, 1), at: now) == [.ask])
    #expect(board.apply(.listening(Self.server("plain")), at: now).count == 1)
    for pause in pauses {
      #expect(board.apply(.posted(.refused("")), at: now) == [])
      #expect(board.apply(.tick, at: now) == [])
      now = now + .milliseconds(pause)
      #expect(board.deadline == now)
      #expect(board.apply(.tick, at: now).map(Self.text) == ["post \(id) 1 for 0"])
    }
  }

  @Test func `a ring asks a failed server again after two seconds, although others wait longer`() {
    var (board, now) = (Board(), Instant(seconds: 1000))
    #expect(board.apply(Self.want("tea", 1), at: now) == [.ask])
    #expect(board.apply(.failed, at: now) == [])
    #expect(board.deadline == now + .seconds(5))
    now = now + .seconds(1)
    #expect(board.apply(Self.want("ring", 2), at: now) == [])
    #expect(board.deadline == now + .seconds(1))
    #expect(board.apply(.tick, at: now + .seconds(1)) == [.ask])
    #expect(board.apply(.absent, at: now + .seconds(1)) == [])
    #expect(board.deadline == nil)
    #expect(board.apply(Self.want("tea", 3), at: now + .seconds(1)) == [.ask])
  }

  @Test func `a server that fails each time is asked ever less often, and at once if it appears`() {
    var (board, now) = (Board(), Instant(seconds: 1000))
    _ = board.apply(Self.want("ring", 1), at: now)
    for delay in [2, 4, 8, 16, 32, 60, 60] {
      #expect(board.apply(.failed, at: now) == [])
      #expect(board.deadline == now + .seconds(delay))
      now = now + .seconds(delay)
      #expect(board.apply(.tick, at: now) == [.ask])
    }
    _ = board.apply(.failed, at: now)
    // Another ring begins.
    #expect(board.apply(Self.want("ring 2", 2), at: now + .seconds(2)) == [.ask])
    _ = board.apply(.failed, at: now)
    #expect(board.apply(.listening(Self.server("plain")), at: now).count == 1)
    _ = board.apply(.posted(.shown(number: 1)), at: now)
    // The server that has shown a notification vanishes.
    _ = board.apply(.gone, at: now)
    #expect(board.apply(.tick, at: now + .milliseconds(1999)) == [])
    #expect(board.apply(.tick, at: now + .seconds(2)) == [.ask])
  }

  // MARK: - Habits of servers

  @Test func `on a server that keeps three notifications, others make room for a ring`() {
    let gnome = Self.server("gnome-shell")
    let click = Board.Event.action("default", id: "a")
    expect(
      [
        (0, Self.want("a", 1), ["post a 1 for 0"]), (0, Self.want("b", 2), ["post b 2 for 0"]),
        (0, Self.want("c", 3), ["post c 3 for 0"]), (0, Self.want("d", 4), []),
        // An update without a visible change is not posted: GNOME Shell would show the notification
        // again.
        (2000, Self.want("a", 5), []),
        (0, Self.want("ring", 6), ["close 1", "close 2", "close 3", "post ring 6 for 0"]),
        (999, .tick, []), (1, .tick, ["post b 2 for 0", "post a 5 for 0"]),
        (2000, .withdraw(id: "ring"), ["close 4", "post c 3 for 0"]),
        // After a click on the notification, its buttons are shown for half a minute.
        (2000, click, ["close 6", "post a 5 for 0"]), (29_999, .tick, []),
        (1, .tick, ["close 8", "post a 5 for 0"]),
      ], by: gnome)
  }

  @Test(arguments: [("quickshell", 60_000), ("gnome-shell", 60_000)] as [(String, Int64)])
  func `on a server that hides rings without a report, a ring is closed and posted again`(
    name: String, hides: Int64
  ) {
    expect(
      [
        (0, Self.want("ring", 1), ["post ring 1 for 0"]),
        (hides - 1, .tick, []), (1, .tick, ["close 1", "post ring 1 for 0"]),
        (0, .showAgain, ["close 2", "post ring 1 for 0"]),
      ], by: Self.server(name))
  }

  @Test func `an update in place does not delay the moment at which Plasma shows a ring again`() {
    expect(
      [
        (0, Self.want("ring", 1), ["post ring 1 for 0"]),
        (30_000, Self.want("ring", 2), ["post ring 2 for 1"]),
        (29_999, .tick, []), (1, .tick, ["close 1", "post ring 2 for 0"]),
      ], by: Self.server("Plasma", "6.7"))
  }

  @Test func `in Phosh, a ring is shown again a second after another notification was or left`() {
    expect(
      [
        (0, Self.want("ring", 1), ["post ring 1 for 0"]),
        (5000, Self.want("tea", 2), ["post tea 2 for 0"]),
        (999, .tick, []), (1, .tick, ["close 1", "post ring 1 for 0"]),
        // The ring is on the screen again, so other changes do not matter.
        (5000, Self.want("tea", 3), ["post tea 3 for 2"]), (5000, .tick, []),
        (5000, .withdraw(id: "tea"), ["close 2"]), (5000, .tick, []),
        // Of two rings, the one that came last is on the screen.
        (0, Self.want("ring2", 4), ["post ring2 4 for 0"]), (5000, .tick, []),
        (0, .action("stop", id: "ring2"), ["ring2: stop"]),
        (0, .withdraw(id: "ring2"), ["close 4"]),
        (1000, .tick, ["close 3", "post ring 1 for 0"]), (5000, .tick, []),
      ], by: Self.server("Phosh Notify Daemon"))
  }

  @Test func `a ring that goes on after a silence is shown as a new notification`() {
    var silenced = Self.notice("ring", rings: true)
    silenced.isSilenced = true
    let silence = Board.Event.want(silenced, id: "ring", revision: 1)
    let (post, after) = (["post ring 1 for 0"], ["close 1", "post ring 2 for 0"])
    expect([(0, silence, post), (9, Self.want("ring", 2), after)])
  }

  @Test func `a notification of an earlier process is closed for its successor, or after 2 s`() {
    expect([
      (0, .inherited(["ring": 71, "tea": 72]), []), (1999, .tick, []),
      (0, Self.want("ring", 1), ["close 71", "post ring 1 for 0"]), (1, .tick, ["close 72"]),
    ])
  }

  @Test func `a server is asked before the first post, and then only if it has not answered`() {
    var board = Board()
    let now = Instant(seconds: 1000)
    func apply(_ event: Board.Event) -> [String] { board.apply(event, at: now).map(Self.text) }
    #expect(apply(Self.want("ring", 1)) == ["ask"])
    #expect(apply(.listening(Self.server("plain"))) == ["post ring 1 for 0"])
    #expect(apply(.posted(.shown(number: 1))) == [])
    #expect(apply(.tick) == [] && board.deadline == nil)
    #expect(apply(Self.want("tea", 2)) == ["post tea 2 for 0"])
    #expect(apply(.posted(.shown(number: 2))) == [])
    #expect(apply(.withdraw(id: "tea")) == [])
    #expect(apply(.tick) == ["close 2"])
    // The server did not answer the call that closes the notification.
    #expect(apply(.failed) == [])
    #expect(apply(Self.want("ring", 3)) == [])
    #expect(board.apply(.tick, at: now + .seconds(2)) == [.ask])
  }

  @Test func `a server that hangs in a post gets no other call until it answers`() {
    var board = Board()
    let now = Instant(seconds: 1000)
    let plain = Self.server("plain")
    func apply(_ event: Board.Event) -> [String] { board.apply(event, at: now).map(Self.text) }
    _ = [apply(Self.want("tea", 1)), apply(Self.want("eggs", 2))]
    #expect(apply(.listening(plain)) == ["post tea 1 for 0"])
    #expect(apply(.posted(.unanswered)) == ["ask"])
    #expect(apply(.tick) == [])
    #expect(apply(.listening(plain)) == ["post tea 1 for 0"])
    #expect(apply(.posted(.shown(number: 4))) == [])
    #expect(board.deadline == now)
    #expect(apply(.tick) == ["post eggs 2 for 0"])
    #expect(apply(.posted(.unnumbered)) == [])
    #expect(apply(.gone) == [])
    #expect(board.numbers == [:])
    #expect(board.deadline != nil)
  }

  @Test func `a notification withdrawn during another post is not posted, and a ring comes first`()
  {
    var board = Board()
    let now = Instant(seconds: 1000)
    func apply(_ event: Board.Event) -> [String] { board.apply(event, at: now).map(Self.text) }
    for (number, id) in ["tea", "eggs", "pizza"].enumerated() {
      _ = apply(Self.want(id, number + 1))
    }
    #expect(apply(.listening(Self.server("plain"))) == ["post tea 1 for 0"])
    #expect(apply(.posted(.shown(number: 1))) == [])
    #expect(apply(.withdraw(id: "tea")) == [])
    #expect(apply(.withdraw(id: "pizza")) == [])
    #expect(apply(.tick) == ["close 1", "post eggs 2 for 0"])
    #expect(apply(.posted(.shown(number: 2))) == [])
    #expect(apply(.tick) == [])
    #expect(apply(Self.want("ring", 4)) == ["post ring 4 for 0"])
  }

  @Test func `without a server, a notification that was withdrawn leaves nothing behind`() {
    var board = Board()
    let now = Instant(seconds: 1000)
    for round in 0..<100 {
      _ = board.apply(Self.want("timer \(round)", round), at: now)
      _ = board.apply(.absent, at: now)
      _ = board.apply(.withdraw(id: "timer \(round)"), at: now)
    }
    #expect(board.entries.isEmpty)
  }
}
