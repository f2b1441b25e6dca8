// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notifications on servers that are known to do something otherwise: played under their names.

import Foundation
import Lab
import Notifications
import Testing

extension NotifierTests {
  @Test func `what expires by hand is closed by hand, where it never expires by itself`() throws {
    try withServer("--name", "Notification Daemon") { notifier in
      notifier.post(ringing, as: "ring")
      var passing = ringing
      passing.isPersistent = false
      notifier.post(passing, as: "passing")
      _ = try shown(2)
      for number in 1...2 { try lab.tellUnrulyServer("Close", "uint32:\(number)", "uint32:1") }
      #expect(wait { reports.events.count == 2 })
      #expect(
        reports.events == [
          "ring closed(Notifications.Notifier.CloseReason.dismissed)",
          "passing closed(Notifications.Notifier.CloseReason.expired)",
        ])
    }
  }

  @Test func `where the body's action would be a button, it is left out, and what is cut off too`()
    throws
  {
    try withServer("--name", "lxqt-notificationd") { notifier in
      for (keys, drawn) in [
        (["default", "snooze:300", "snooze:600", "stop"], ["snooze:300", "stop"]),
        (["default", "pause", "add", "cancel"], ["pause", "add", "cancel"]),
      ] {
        let begun = Lab.now
        var notice = ringing
        notice.actions = keys.map { NotificationContent.Action(key: $0, label: $0) }
        notifier.post(notice, as: "ring")
        let posted = try lab.busWatch.waitForNotification(since: begun)
        #expect(posted.actions.map(\.key) == drawn)
      }
    }
  }

  @Test func `where only three buttons are shown, the last one is among them`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      var notice = ringing
      let keys = ["default", "snooze:300", "snooze:600", "snooze:1800", "stop"]
      notice.actions = keys.map { NotificationContent.Action(key: $0, label: $0) }
      notifier.post(notice, as: "ring")
      let posted = try shown(1)[0]
      #expect(posted.actions.map(\.key) == ["default", "snooze:300", "snooze:600", "stop"])
    }
  }

  /// One of several that count down.
  private func quiet(_ number: Int) -> NotificationContent {
    var notice = NotificationContent(
      title: "Tea \(number)", body: "2 min left", icon: "alarm-symbolic")
    notice.steadyBody = "ends at 07:3\(number)"
    notice.urgency = .low
    notice.actions = [NotificationContent.Action(key: "pause", label: "Pause")]
    return notice
  }

  @Test func `where a change in place costs the buttons, it is closed and posted anew`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      notifier.post(quiet(1), as: "quiet")
      _ = try shown(1)
      // Nothing of this is shown there.
      var notice = quiet(1)
      (notice.body, notice.value) = ("1 min left", 50)
      notifier.post(notice, as: "quiet")
      notice.steadyBody = "ends at 07:40"
      notifier.post(notice, as: "quiet")
      let posted = try shown(2)
      #expect(posted.map(\.replaces) == [0, 0])
      #expect(posted.map(\.body) == ["ends at 07:31", "ends at 07:40"])
      // The first is to be noticed.
      #expect(posted.map { $0.hints["urgency"] } == [.integer(1), .integer(0)])
      #expect(lab.busWatch.calls("CloseNotification", since: start).count == 1)
    }
  }

  @Test func `where three are kept, what rings is one of them, and others wait for room`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      for number in 1...4 { notifier.post(quiet(number), as: "quiet\(number)") }
      #expect(try shown(3).map(\.title) == ["Tea 1", "Tea 2", "Tea 3"])
      expectNoMore(than: 3)
      var notice = ringing
      notice.isRinging = true
      notifier.post(notice, as: "ring")
      #expect(try shown(4)[3].hints["resident"] == .bool(true))
      let beside = try shown(6)[4...]
      #expect(beside.map(\.title) == ["Tea 1", "Tea 2"])
      #expect(beside.allSatisfy { $0.hints["urgency"] == .integer(0) })
      notifier.withdraw("ring")
      #expect(try shown(7)[6].title == "Tea 3")
    }
  }

  @Test func `what waits for room takes no place from what is shown, however often it changes`()
    throws
  {
    try withServer("--name", "gnome-shell") { notifier in
      for number in 1...4 { notifier.post(quiet(number), as: "quiet\(number)") }
      _ = try shown(3)
      for left in 1...3 {
        for number in 1...4 {
          var notice = quiet(number)
          notice.body = "\(left) s left"
          notifier.post(notice, as: "quiet\(number)")
        }
      }
      expectNoMore(than: 3)
    }
  }

  /// One of several timers; the last one of them ends first.
  private func timer(_ number: Int) -> NotificationContent {
    var notice = quiet(number)
    notice.gathering = NotificationContent.Gathering(
      title: "Timers", label: "T\(number)", more: "More…", order: Int64(-number))
    return notice
  }

  @Test func `where not all have a place, a timer stands in one with the alarms that are quiet`()
    throws
  {
    try withServer("--name", "gnome-shell") { notifier in
      var missed = quiet(9)
      (missed.title, missed.steadyBody, missed.urgency) = ("Missed alarm", nil, .normal)
      notifier.post(missed, as: "missed")
      for (id, order) in [("snoozed", Int64(5)), ("upcoming", 7)] {
        var alarm = quiet(1)
        (alarm.title, alarm.body, alarm.steadyBody) = ("Alarm \(order)", "\(id).", nil)
        alarm.gathering = NotificationContent.Gathering(
          title: "Alarms", label: id, more: "More…", order: order)
        notifier.post(alarm, as: id)
      }
      notifier.post(timer(2), as: "timer2")
      let one = try lab.busWatch.waitForNotification(since: start) { $0.body.contains("Tea 2") }
      #expect(one.title == "Timers, Alarms")
      #expect(one.body == "Tea 2: ends at 07:32\nAlarm 5: snoozed.\nAlarm 7: upcoming.")
      #expect(one.actions.map(\.key) == ["default", "timer2", "snoozed", "upcoming"])
      #expect(wait { (try? lab.visibleOnUnrulyServer()) == 2 })
    }
  }

  @Test func `where not all timers have a place, one stands for them, and asks which is meant`()
    throws
  {
    try withServer("--name", "gnome-shell") { notifier in
      for number in 1...3 { notifier.post(timer(number), as: "timer\(number)") }
      #expect(try shown(3).map(\.title) == ["Tea 1", "Tea 2", "Tea 3"])
      for number in 4...5 { notifier.post(timer(number), as: "timer\(number)") }
      let five = try lab.busWatch.waitForNotification(since: start) { $0.body.contains("Tea 5") }
      #expect(five.title == "Timers")
      #expect(
        five.body
          == (1...5).reversed().map { "Tea \($0): ends at 07:3\($0)" }.joined(separator: "\n"))
      #expect(five.actions.map(\.key) == ["default", "timer5", "timer4", "gathered"])
      #expect(five.actions.map(\.label) == ["Timers", "T5", "T4", "More…"])
      #expect(wait { (try? lab.visibleOnUnrulyServer()) == 1 })

      // The click that brings buttons, those of the others, and one of them.
      func press(_ key: String, on posted: PostedNotification, _ next: String) throws
        -> PostedNotification
      {
        let before = Lab.now
        try lab.tellUnrulyServer("Press", "uint32:\(posted.id ?? 0)", "string:\(key)")
        return try lab.busWatch.waitForNotification(since: before) {
          $0.title == next && $0.hints["urgency"] == .integer(2)
        }
      }
      let asking = try press("default", on: five, "Timers")
      let others = try press("gathered", on: asking, "Timers")
      #expect(others.actions.map(\.key) == ["default", "timer3", "timer2", "gathered"])
      let chosen = try press("timer3", on: others, "Tea 3")
      #expect(chosen.actions.map(\.label) == ["Tea 3", "Pause"])
      #expect(reports.events == [])
      try lab.tellUnrulyServer("Press", "uint32:\(chosen.id ?? 0)", "string:pause")
      #expect(wait { reports.events == [#"timer3 action("pause")"#] })

      notifier.post(timer(3), as: "timer3")
      // Each has its own again as soon as there is room.
      let fewer = Lab.now
      for number in 4...5 { notifier.withdraw("timer\(number)") }
      for number in 1...3 {
        _ = try lab.busWatch.waitForNotification(since: fewer) { $0.title == "Tea \(number)" }
      }
      #expect(wait { (try? lab.visibleOnUnrulyServer()) == 3 })
    }
  }

  @Test func `one that stands for several is closed by hand for all of them`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      for number in 1...4 { notifier.post(timer(number), as: "timer\(number)") }
      let all = try lab.busWatch.waitForNotification(since: start) { $0.title == "Timers" }
      try lab.tellUnrulyServer("Close", "uint32:\(all.id ?? 0)", "uint32:2")
      #expect(wait { reports.events.count == 4 })
      #expect(
        Set(reports.events)
          == Set((1...4).map { "timer\($0) closed(Notifications.Notifier.CloseReason.dismissed)" }))
    }
  }

  @Test func `a countdown is not shown once more where it is over in a moment`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      notifier.post(quiet(1), as: "quiet")
      _ = try shown(1)
      var notice = ringing
      notice.isRinging = true
      notifier.post(notice, as: "ring")
      _ = try shown(2)
      notifier.withdraw("quiet")
      // Until after it would have come back.
      expectNoMore(than: 2, for: .milliseconds(1500))
    }
  }

  @Test func `where a title is cut, the body has all of it`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      for (title, body) in [
        ("Work", "07:30"), (String(repeating: "word ", count: 8) + "end", "07:30\n"),
        (String(repeating: "출근", count: 15), "07:30\n"),
        // The line has room for these.
        (String(repeating: "출근", count: 14), "07:30"),
        (String(repeating: "till ", count: 14), "07:30"),
        (String(repeating: "0", count: 38), "07:30"),
        (String(repeating: "M", count: 24), "07:30\n"),
      ] {
        let begun = Lab.now
        var notice = ringing
        (notice.title, notice.body) = (title, "07:30")
        notifier.post(notice, as: "ring")
        let posted = try lab.busWatch.waitForNotification(since: begun)
        #expect(posted.body == (body.hasSuffix("\n") ? body + title : body))
      }
    }
  }

  @Test func `where a click is all that reaches a quiet one, it brings its buttons`() throws {
    try withServer("--name", "gnome-shell") { notifier in
      notifier.post(quiet(1), as: "quiet")
      #expect(try shown(1)[0].actions.map(\.key) == ["default", "pause"])
      try lab.tellUnrulyServer("Press", "uint32:1", "string:default")
      #expect(try shown(2)[1].hints["urgency"] == .integer(2))
      #expect(reports.events == [])
      try lab.tellUnrulyServer("Press", "uint32:2", "string:pause")
      #expect(wait { reports.events == [#"quiet action("pause")"#] })
    }
  }

  @Test func `what rings and is closed in one go with others was not answered`() throws {
    try withServer { notifier in
      var notice = ringing
      notice.isRinging = true
      notifier.post(notice, as: "ring")
      notifier.post(quiet(1), as: "quiet")
      _ = try shown(2)
      let reason = "Notifications.Notifier.CloseReason"
      try lab.tellUnrulyServer("CloseAll", "uint32:2")
      #expect(wait { reports.events.count == 2 })
      #expect(
        Set(reports.events) == [
          "ring closed(\(reason).undefined)", "quiet closed(\(reason).dismissed)",
        ])
    }
  }

  @Test func `where a bar would be shown in place of the text, there is none`() throws {
    for (name, value) in [("Xfce Notify Daemon", nil), ("dunst", BusValue.integer(30))] {
      let begun = Lab.now
      try withServer("--name", name) { notifier in
        var notice = ringing
        notice.value = 30
        notifier.post(notice, as: "ring")
        let posted = try lab.busWatch.waitForNotification(since: begun)
        #expect(posted.hints["value"] == value)
      }
    }
  }

  @Test func `where buttons are there and nobody sees them, the text says how to answer`() throws {
    for name in ["mako", "dunst", "fnott", "cosmic-notifications"] {
      let begun = Lab.now
      try withServer("--name", name) { notifier in
        var notice = ringing
        notice.bodyWithoutActions = "Alarm.\nTo answer: “belfry stop”."
        notice.actions = [NotificationContent.Action(key: "stop", label: "Stop")]
        notifier.post(notice, as: "ring")
        let posted = try lab.busWatch.waitForNotification(since: begun)
        // COSMIC draws the first line alone.
        let lineBreak = name == "cosmic-notifications" ? " " : "\n"
        #expect(posted.body == "Alarm.\(lineBreak)To answer: “belfry stop”.")
        #expect(posted.actions.map(\.key) == ["stop"])
      }
    }
  }
}
