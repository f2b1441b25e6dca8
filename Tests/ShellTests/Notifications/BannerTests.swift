// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the banner of a ring comes back after GNOME Shell's list of notifications was open, on
// a model of the shell's message tray. `GnomeShellListTests.swift` tests the same with real shells.
// Next: BoardTests.swift.

import Scheduling
import Testing

@testable import Notifications

/// The message tray of GNOME Shell, as its js/ui/messageTray.js works: one banner, a queue of
/// notifications that wait for it, and a list that holds back banners while it is open.
private nonisolated struct MessageTray {
  struct Kept {
    var id: String?
    var content: NotificationContent
    var isAcknowledged = false
  }

  let server: Notifier.Server
  var board = Board()
  var now = Instant(seconds: 1000)
  var kept: [UInt32: Kept] = [:]
  var queue: [UInt32] = []
  var banner: UInt32?
  var bannerEnds = Instant.distantFuture
  var buttons: [String] = []
  /// Whether the notification of the banner was closed, and the banner has not been removed yet.
  var isBannerGone = false
  var isListOpen = false
  var last: UInt32 = 0
  var revision = 0
  /// The wanted notifications by their ids, as the agent wants them.
  var wanted: [String: NotificationContent] = [:]
  var posts = 0

  init(_ version: String) {
    server = Notifier.Server(name: "gnome-shell", version: version, capabilities: ["actions"])
  }

  private var keepsButtons: Bool { server.manners.update == .shown }

  // MARK: - The shell

  mutating func openList(_ isOpen: Bool) {
    isListOpen = isOpen
    updateState()
  }

  private mutating func updateState() {
    if isListOpen { return }
    guard let banner else {
      guard let next = queue.first else { return }
      queue.removeFirst()
      self.banner = next
      return show(next)
    }
    if isBannerGone || kept[banner]?.content.urgency != .critical && bannerEnds <= now {
      // After a banner that was closed, the shell does not look for the next one.
      let looksAgain = !isBannerGone
      (self.banner, isBannerGone) = (nil, false)
      if looksAgain { updateState() }
    }
  }

  private mutating func show(_ number: UInt32) {
    kept[number]?.isAcknowledged = true
    buttons = kept[number]?.content.actions.filter { $0.key != "default" }.map(\.label) ?? []
    bannerEnds = now + .seconds(4)
  }

  private mutating func request(_ number: UInt32, _ urgency: NotificationContent.Urgency) {
    if urgency == .low { return }
    if banner == number {
      if keepsButtons { show(number) }
    } else if !queue.contains(number) {
      queue.append(number)
      let kept = kept
      queue.sort { kept[$0]!.content.urgency.rawValue > kept[$1]!.content.urgency.rawValue }
    }
    updateState()
  }

  mutating func notify(_ content: NotificationContent, _ id: String?, _ replaces: UInt32)
    -> UInt32
  {
    posts += 1
    guard let old = kept[replaces] else {
      last += 1
      kept[last] = Kept(id: id, content: content)
      request(last, content.urgency)
      return last
    }
    kept[replaces] = Kept(id: id, content: content, isAcknowledged: old.isAcknowledged)
    if !keepsButtons {
      if banner == replaces { buttons = [] }
      request(replaces, content.urgency)
    } else if old.isAcknowledged {
      // The shell decides before it learns the new urgency.
      kept[replaces]?.isAcknowledged = false
      request(replaces, old.content.urgency)
    }
    return replaces
  }

  mutating func close(_ number: UInt32) {
    guard kept.removeValue(forKey: number) != nil else { return }
    queue.removeAll { $0 == number }
    if banner == number {
      isBannerGone = true
      updateState()
    }
  }

  // MARK: - The program and the user

  mutating func want(_ id: String, _ content: NotificationContent) {
    revision += 1
    wanted[id] = content
    apply(.want(content, id: id, revision: revision))
  }

  mutating func apply(_ event: Board.Event) {
    var acts = board.apply(event, at: now)
    while !acts.isEmpty {
      switch acts.removeFirst() {
      case .ask: acts += board.apply(.listening(server), at: now)
      case .close(_, let number): close(number)
      case .nudge(let title):
        var notice = NotificationContent(title: title, body: "", icon: "")
        notice.urgency = .critical
        close(notify(notice, nil, 0))
      case .post(let post):
        let number = notify(post.content, post.id, post.replaces)
        acts += board.apply(.posted(.shown(number: number)), at: now)
      case .report(.closed, let id, _):
        // The agent shows the notification of a ring again.
        if let content = wanted[id], content.isRinging {
          revision += 1
          acts += board.apply(.want(content, id: id, revision: revision), at: now)
        }
      case .report: break
      }
      if acts.isEmpty { acts = board.apply(.tick, at: now) }
    }
  }

  mutating func pass(_ time: Duration) {
    let end = now + time
    while let deadline = board.deadline, deadline <= end {
      now = max(now, deadline)
      updateState()
      apply(.tick)
    }
    now = end
    updateState()
  }

  /// Presses "Clear" in the list: closes every notification.
  mutating func clear() {
    for (number, one) in kept.sorted(by: { $0.key < $1.key }) {
      close(number)
      if let id = one.id { apply(.closed(.dismissed, id: id)) }
    }
  }

  var shown: String { banner.flatMap { isListOpen ? nil : kept[$0]?.content.title } ?? "none" }
}

@Suite nonisolated struct BannerTests {
  private static func notice(_ title: String, rings: Bool, _ labels: [String])
    -> NotificationContent
  {
    var notice = NotificationContent(title: title, body: "07:30", icon: "")
    (notice.isRinging, notice.isPersistent) = (rings, true)
    notice.urgency = rings ? .critical : .low
    notice.actions = labels.map { NotificationContent.Action(key: $0, label: $0) }
    return notice
  }

  private static let ring = notice("Work", rings: true, ["Snooze", "Stop"])

  private static func timer(_ left: String = "20 min left") -> NotificationContent {
    var notice = notice("Tea", rings: false, ["Pause"])
    (notice.body, notice.steadyBody) = (left, "Ends at 07:40")
    return notice
  }

  /// The ways in which the list of notifications may hide a banner. Each begins with an empty
  /// screen, and ends when the list is closed.
  private static let ways: [(String, @Sendable (inout MessageTray) -> Void)] = [
    (
      "the ring is silenced in the list",
      { tray in
        tray.want("work", ring)
        tray.pass(.seconds(2))
        tray.openList(true)
        var silenced = ring
        (silenced.isSilenced, silenced.body) = (true, "quiet until 07:31")
        tray.want("work", silenced)
        tray.pass(.seconds(2))
      }
    ),
    (
      "the list is open for more than a minute",
      { tray in
        tray.want("work", ring)
        tray.pass(.seconds(2))
        tray.openList(true)
        tray.pass(.seconds(65))
      }
    ),
    (
      "the list is cleared",
      { tray in
        tray.want("tea", timer())
        tray.pass(.seconds(8))
        tray.want("work", ring)
        tray.pass(.seconds(2))
        tray.openList(true)
        tray.clear()
        tray.pass(.seconds(4))
      }
    ),
    (
      "the list is open when the alarm begins to ring",
      { tray in
        tray.want("tea", timer())
        tray.pass(.seconds(1))
        tray.openList(true)
        tray.want("work", ring)
        tray.pass(.seconds(3))
      }
    ),
  ]

  @Test(arguments: ["43.9", "48.7", "51.0"], ways.indices)
  func `after the list was open, the banner of a ring is back within two seconds, and stays`(
    version: String, way: Int
  ) {
    let (name, play) = Self.ways[way]
    for hasOther in [false, true] {
      expectBanner(name, on: MessageTray(version), beside: hasOther, after: play)
    }
  }

  private func expectBanner(
    _ name: String, on tray: MessageTray, beside hasOther: Bool,
    after play: (inout MessageTray) -> Void
  ) {
    var tray = tray
    if hasOther { tray.want("gym", Self.notice("Gym", rings: true, ["Snooze", "Stop"])) }
    play(&tray)
    tray.openList(false)
    tray.pass(.seconds(2))
    for second in 2..<130 {
      #expect(
        ["Work", "Gym"].contains(tray.shown) && tray.buttons == ["Snooze", "Stop"],
        "\(name), second \(second): \(tray.shown) \(tray.buttons)")
      tray.pass(.seconds(1))
    }
  }

  @Test(arguments: ["43.9", "48.7", "51.0"])
  func `a click on a timer in the list shows its buttons once the list is closed`(version: String) {
    var tray = MessageTray(version)
    tray.want("tea", Self.timer())
    tray.pass(.seconds(1))
    tray.openList(true)
    tray.apply(.action("default", id: "tea"))
    tray.pass(.seconds(2))
    tray.openList(false)
    tray.pass(.seconds(2))
    #expect(tray.shown == "Tea" && tray.buttons == ["Pause"])
  }

  @Test(arguments: [("43.9", false), ("47.0", false), ("48.7", true), ("51.0", true)])
  func `a countdown goes on in the list where it stays in its place, but lights no locked screen`(
    version: String, goesOn: Bool
  ) {
    var tray = MessageTray(version)
    tray.want("tea", Self.timer("20 min left"))
    func body() -> String? { tray.kept.values.first { $0.id == "tea" }?.content.body }
    // The banner at the start stays as it is: an update would show it again.
    tray.pass(.seconds(5))
    var posts = tray.posts
    tray.want("tea", Self.timer("19 min left"))
    #expect(tray.posts == posts)
    tray.pass(.seconds(6))
    #expect(body() == (goesOn ? "19 min left" : "Ends at 07:40") && tray.shown == "none")
    tray.apply(.locked(true))
    posts = tray.posts
    tray.want("tea", Self.timer("18 min left"))
    #expect(tray.posts == posts)
    tray.apply(.locked(false))
    #expect(body() == (goesOn ? "18 min left" : "Ends at 07:40") && tray.shown == "none")
    let numbers = Array(tray.kept.keys)
    tray.apply(.action("Pause", id: "tea"))
    tray.want("tea", Self.timer("17 min left"))
    // The notification stays expanded in the list only if it is the same one.
    #expect((Array(tray.kept.keys) == numbers) == goesOn)
  }

  @Test func `nothing is posted behind a locked screen to bring a banner back`() {
    var tray = MessageTray("43.9")
    tray.want("work", Self.ring)
    tray.pass(.seconds(61))
    tray.apply(.locked(true))
    let posts = tray.posts
    tray.pass(.seconds(50))
    #expect(tray.posts == posts)
  }
}
