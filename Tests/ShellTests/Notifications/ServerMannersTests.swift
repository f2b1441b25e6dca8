// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how notifications are adapted to servers that deviate from the standard: parts that are
// left out or added, and one notification that stands for several. `DesktopServersTests.swift` and
// `GnomeShellTests.swift` test the real servers. Next: BoardTests.swift.

import Scheduling
import Testing

@testable import Notifications

private nonisolated func server(_ name: String) -> Notifier.Server {
  Notifier.Server(name: name, version: "43.9", capabilities: ["actions"])
}

private nonisolated func actions(_ keys: [String]) -> [NotificationContent.Action] {
  keys.map { NotificationContent.Action(key: $0, label: $0) }
}

@Suite nonisolated struct RenditionTests {
  private func shown(
    _ name: String, _ circumstances: Notifier.Server.Circumstances = .init(),
    _ change: (inout NotificationContent) -> Void
  ) -> NotificationContent {
    var notice = NotificationContent(title: "Work", body: "07:30", icon: "")
    change(&notice)
    return server(name).rendition(of: notice, circumstances)
  }

  @Test(arguments: [
    // Three snooze lengths and Stop would need four buttons, but GNOME has room for only three.
    (
      "gnome-shell", ["default", "snooze:300", "snooze:600", "snooze:1800", "stop"],
      ["default", "snooze:300", "snooze:600", "stop"]
    ),
    // LXQt would show the action `default` as a button, and cut off the long labels of buttons.
    (
      "lxqt-notificationd", ["default", "snooze:300", "snooze:600", "stop"], ["snooze:300", "stop"]
    ),
    ("lxqt-notificationd", ["default", "pause", "add", "cancel"], ["pause", "add", "cancel"]),
    // Without the action `default` for a click on the body, such a click would open Belfry.
    ("gnome-shell", ["pause"], ["default", "pause"]),
    ("plain", ["pause"], ["pause"]),
    // Budgie leaves out the button after the action `default`.
    (
      "Budgie Notification Server", ["default", "snooze:300", "stop"],
      ["snooze:300", "stop", "default"]
    ),
  ])
  func `a notification has as many buttons as there is room for, always including the last`(
    name: String, keys: [String], drawn: [String]
  ) {
    let notice = shown(name) {
      $0.isRinging = true
      $0.actions = actions(keys)
    }
    #expect(notice.actions.map(\.key) == drawn)
  }

  @Test func `a title that the server cuts is repeated in the body`() {
    for (title, isCut) in [
      ("Work", false), (String(repeating: "word ", count: 8) + "end", true),
      (String(repeating: "출근", count: 9), true), (String(repeating: "출근", count: 8), false),
      (String(repeating: "0", count: 33), true), (String(repeating: "0", count: 32), false),
    ] {
      let body = shown("gnome-shell") { $0.title = title }.body
      #expect(body == (isCut ? "07:30\n\(title)" : "07:30"))
    }
  }

  @Test func `a server that shows a progress bar instead of the text gets no bar`() {
    for (name, value) in [("Xfce Notify Daemon", nil), ("dunst", 30)] {
      #expect(shown(name) { $0.value = 30 }.value == value)
    }
  }

  @Test func `on a server that does not show buttons, the text says how to answer`() {
    // COSMIC draws only the first line of the body, so the text is one line there.
    for (name, body) in [
      ("mako", "Alarm.\nTo answer: …"), ("dunst", "Alarm.\nTo answer: …"),
      ("fnott", "Alarm.\nTo answer: …"), ("cosmic-notifications", "Alarm. To answer: …"),
      ("plain", "07:30"),
    ] {
      #expect(shown(name) { $0.bodyWithoutActions = "Alarm.\nTo answer: …" }.body == body)
    }
  }

  @Test func `if a change removes the buttons, the server gets a text that does not change`() {
    #expect(shown("gnome-shell") { $0.steadyBody = "ends at 07:40" }.body == "ends at 07:40")
    #expect(shown("plain") { $0.steadyBody = "ends at 07:40" }.body == "07:30")
  }

  @Test func `a quiet notification appears once, and shows buttons after a click`() {
    for (circumstances, urgency) in [
      (.init(isNew: true), .normal), (.init(), .low), (.init(isOpened: true), .critical),
      (.init(isNew: true, isBesideRing: true), .low),
    ] as [(Notifier.Server.Circumstances, NotificationContent.Urgency)] {
      let notice = shown("gnome-shell", circumstances) {
        ($0.urgency, $0.actions) = (.low, actions(["pause"]))
      }
      #expect(notice.urgency == urgency)
    }
  }

  @Test func `a lasting notification that is reported as expired was closed by hand`() {
    for (isPersistent, meaning) in [(true, Notifier.CloseReason.dismissed), (false, .expired)] {
      var notice = NotificationContent(title: "Work", body: "", icon: "")
      notice.isPersistent = isPersistent
      #expect(server("Notification Daemon").meaning(of: .expired, on: notice) == meaning)
    }
  }
}

@Suite nonisolated struct GatheringTests {
  /// A notification board with a simulated GNOME Shell 43, which keeps only three notifications.
  private struct Desk {
    var board = Board()
    var now = Instant(seconds: 1000)
    var last: UInt32 = 0
    var screen: [String: NotificationContent] = [:]
    var reports: [String] = []

    /// Applies an event two seconds after the last one, and carries out all acts of the board.
    mutating func apply(_ event: Board.Event) {
      now = now + .seconds(2)
      var acts = board.apply(event, at: now)
      while !acts.isEmpty {
        switch acts.removeFirst() {
        case .ask: acts += board.apply(.listening(server("gnome-shell")), at: now)
        case .close(let id, _): screen[id] = nil
        case .nudge: break
        case .report(let event, let id, _): reports.append("\(id) \(event)")
        case .post(let post):
          if post.replaces == 0 { last += 1 }
          screen[post.id] = post.content
          let number = post.replaces == 0 ? last : post.replaces
          acts += board.apply(.posted(.shown(number: number)), at: now)
        }
        if acts.isEmpty { acts = board.apply(.tick, at: now) }
      }
    }

    mutating func want(
      _ id: String, _ title: String, _ body: String, _ group: String?, order: Int64
    ) {
      var notice = NotificationContent(title: title, body: body, icon: "")
      (notice.urgency, notice.actions) = (group == nil ? .normal : .low, actions(["pause"]))
      if let group {
        notice.gathering = NotificationContent.Gathering(
          title: group, label: id, order: order)
      }
      revision += 1
      apply(.want(notice, id: id, revision: revision))
    }

    private var revision = 0
  }

  /// Returns a board with this many timers. The timer with the highest number ends first.
  private func desk(timers: Int) -> Desk {
    var desk = Desk()
    for number in 1...timers {
      desk.want("T\(number)", "Tea \(number)", "left", "Timers", order: Int64(-number))
    }
    return desk
  }

  @Test func `a timer has a banner at first, even if an earlier process had one under its id`() {
    var desk = Desk()
    desk.apply(.inherited(["T1": 72]))
    desk.want("T1", "Tea", "left", "Timers", order: 1)
    #expect(desk.screen["T1"]?.urgency == .normal)
    // An update changes the notification in the list, without another banner.
    desk.want("T1", "Tea", "paused", "Timers", order: 1)
    #expect(desk.screen["T1"]?.urgency == .low)
  }

  @Test
  func `without room for all timers, one notification stands for several and offers a choice`() {
    var desk = desk(timers: 3)
    #expect(desk.screen.keys.sorted() == ["T1", "T2", "T3"])
    for number in 4...5 {
      desk.want("T\(number)", "Tea \(number)", "left", "Timers", order: Int64(-number))
    }
    #expect(desk.screen.count == 1)
    let all = desk.screen[Board.gathering]
    #expect(all?.title == "Timers" && all?.body.hasPrefix("Tea 5: left\nTea 4: left\n") == true)
    #expect(all?.actions.map(\.key) == ["default", "T5", "T4", "gathered"])
    #expect(all?.actions.last?.label == "More…")

    // The user clicks to see the buttons, presses the button for further timers, and chooses one
    // timer.
    desk.apply(.action("default", id: Board.gathering))
    #expect(desk.screen[Board.gathering]?.urgency == .critical)
    desk.apply(.action(Board.gathering, id: Board.gathering))
    #expect(
      desk.screen[Board.gathering]?.actions.map(\.key) == ["default", "T3", "T2", "gathered"])
    desk.apply(.action("T3", id: Board.gathering))
    #expect(desk.screen["T3"]?.urgency == .critical)
    #expect(desk.screen["T3"]?.actions.map(\.key) == ["default", "pause"])
    #expect(desk.reports == [])
    desk.apply(.action("pause", id: "T3"))
    #expect(desk.reports == [#"T3 action("pause")"#])

    // Each timer has its own notification again as soon as there is room.
    for id in ["T5", "T4"] { desk.apply(.withdraw(id: id)) }
    desk.want("T3", "Tea 3", "left", "Timers", order: -3)
    #expect(desk.screen.keys.sorted() == ["T1", "T2", "T3"])
  }

  @Test func `one notification stands for timers and quiet alarms, but not for missed alarms`() {
    var desk = Desk()
    desk.want("missed", "Missed alarm", "Work", nil, order: 0)
    desk.want("snoozed", "Work", "snoozed.", "Alarms", order: 5)
    desk.want("soon", "Gym", "upcoming.", "Alarms", order: 7)
    desk.want("tea", "Tea", "2 min left", "Timers", order: 2)
    #expect(desk.screen.keys.sorted() == ["gathered", "missed"])
    let one = desk.screen[Board.gathering]
    #expect(one?.title == "Timers, Alarms")
    #expect(one?.body == "Tea: 2 min left\nWork: snoozed.\nGym: upcoming.")
    #expect(one?.actions.map(\.key) == ["default", "tea", "snoozed", "soon"])
  }

  @Test func `closing a notification that stands for several closes all of them`() {
    var desk = desk(timers: 4)
    desk.apply(.closed(.dismissed, id: Board.gathering))
    #expect(
      desk.reports == (1...4).map { "T\($0) closed(Notifications.Notifier.CloseReason.dismissed)" })
  }
}
