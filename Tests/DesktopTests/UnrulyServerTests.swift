// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notifications on a server that behaves as badly as it is told to, and on none.

import Foundation
import Lab
import Notifications
import Testing

extension NotifierTests {
  /// Runs `work` with notification-server.py in the place of dunst.
  private func withServer(
    _ options: String..., work: (Notifier) throws -> Void
  ) throws {
    let server = try lab.startUnrulyServer(options)
    let notifier = notifier()
    defer {
      notifier.shutdown(within: .seconds(5))
      server.kill()
      _ = try? server.waitForExit()  // Killed, it ends.
    }
    try work(notifier)
  }

  private func stopDunst() throws {
    if lab.notificationServer.isRunning { try lab.stopNotificationServer() }
  }

  @Test func `without buttons the body says what to do instead`() throws {
    try withServer("--no-actions", "--no-markup") { notifier in
      notifier.post(ringing, as: "ring")
      let posted = try shown(1)[0]
      #expect(posted.body == "07:30: belfry stop")
      #expect(posted.actions.isEmpty)
      var notice = ringing
      notice.bodyWithoutActions = nil
      notifier.post(notice, as: "ring")
      #expect(try shown(2)[1].body == "07:30 & <late>")
      #expect(notifier.server?.name == "unruly")
      #expect(notifier.server?.hasActions == false)
    }
  }

  @Test func `where the server reads markup the body is escaped, and the title is not`() throws {
    try withServer { notifier in
      var notice = ringing
      notice.title = "<Work>"
      notifier.post(notice, as: "ring")
      let posted = try shown(1)[0]
      #expect(posted.title == "<Work>")
      #expect(posted.body == "07:30 &amp; &lt;late&gt;")
    }
  }

  @Test func `a button is reported once, though the server closes the notification`() throws {
    try withServer { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try lab.tellUnrulyServer("Press", "uint32:1", "string:stop")
      #expect(wait { lab.busWatch.signals("NotificationClosed", since: start).count == 1 })
      #expect(wait { !reports.events.isEmpty })
      wait(within: .milliseconds(200)) { reports.events.count > 1 }
      #expect(reports.events == [#"ring action("stop")"#])
    }
  }

  @Test(arguments: [(1, "expired"), (2, "dismissed"), (3, "withdrawn"), (4, "undefined")])
  func `every reason of closing is reported`(_ reason: Int, _ name: String) throws {
    try withServer { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try lab.tellUnrulyServer("Close", "uint32:1", "uint32:\(reason)")
      #expect(
        wait { reports.events == ["ring closed(Notifications.Notifier.CloseReason.\(name))"] })
    }
  }

  @Test func `a server that closes at once is not asked more often than every second`() throws {
    try withServer("--close-at-once", "4") { notifier in
      notifier.onEvent = { [ringing] id, _ in notifier.post(ringing, as: id) }
      notifier.post(ringing, as: "ring")
      let posted = try shown(3)
      #expect(posted[1].time - posted[0].time > 0.95)
      #expect(posted[2].time - posted[1].time > 0.95)
      #expect(posted[2].time - posted[0].time < 3)
      notifier.onEvent = nil
    }
  }

  @Test func `a server that puts it away each time is asked less and less often`() throws {
    try withServer("--close-at-once", "1") { notifier in
      notifier.onEvent = { [ringing] id, _ in notifier.post(ringing, as: id) }
      notifier.post(ringing, as: "ring")
      let posted = try shown(3)
      #expect(posted[1].time - posted[0].time > 1.95)
      #expect(posted[2].time - posted[1].time > 3.95)
      notifier.onEvent = nil
    }
  }

  @Test func `a close of the posting that was replaced is no answer to the new one`() throws {
    try withServer("--close-replaced", "2") { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      notifier.post(ringing, as: "ring")
      let posted = try shown(3)
      #expect(posted.map(\.replaces) == [0, 1, 1])
      #expect(reports.events == [])
    }
  }

  @Test func `a close that comes late after a button is no answer to the next posting`() throws {
    try withServer("--keep", "--close-late", "2") { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try lab.tellUnrulyServer("Press", "uint32:1", "string:default")
      #expect(wait { reports.events == [#"ring action("default")"#] })
      notifier.post(ringing, as: "ring")
      #expect(try shown(2)[1].replaces == 0)
      wait(within: .milliseconds(200)) { reports.events.count > 1 }
      #expect(reports.events == [#"ring action("default")"#])
      try lab.tellUnrulyServer("Press", "uint32:2", "string:stop")
      #expect(wait { reports.events.last == #"ring action("stop")"# })
    }
  }

  @Test func `a button pressed again counts again, and after withdrawing no more`() throws {
    try withServer("--keep") { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try lab.tellUnrulyServer("Press", "uint32:1", "string:stop")
      try lab.tellUnrulyServer("Press", "uint32:1", "string:stop")
      #expect(wait { reports.events.count == 2 })
      notifier.withdraw("ring")
      try lab.tellUnrulyServer("Press", "uint32:1", "string:stop")
      try lab.tellUnrulyServer("Press", "uint32:1", "string:unknown")
      wait(within: .milliseconds(200)) { reports.events.count > 2 }
      #expect(reports.events.count == 2)
    }
  }

  @Test func `a server that gives no number is asked once`() throws {
    try withServer("--zero") { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      expectNoMore(than: 1)
    }
  }

  @Test func `a server that refuses is asked again later`() throws {
    try withServer("--refuse") { notifier in
      notifier.post(ringing, as: "ring")
      #expect(wait { lab.busWatch.calls("Notify", since: start).count == 3 })
      let calls = lab.busWatch.calls("Notify", since: start)
      // The first time it may have been too soon.
      #expect(calls[1].time - calls[0].time > 0.95)
      #expect(calls[2].time - calls[1].time > 4.9)
      #expect(reports.events == [])
    }
  }

  @Test func `where an update is refused, what is shown keeps its buttons, and it is tried again`()
    throws
  {
    try withServer("--refuse-same", "1") { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      notifier.post(ringing, as: "ring")
      #expect(wait { lab.busWatch.calls("Notify", since: start).count == 2 })
      try lab.tellUnrulyServer("Press", "uint32:1", "string:default")
      #expect(wait { reports.events == [#"ring action("default")"#] })
      notifier.post(ringing, as: "ring")
      #expect(try shown(2)[1].time - start < 4)
      try lab.tellUnrulyServer("Press", "uint32:2", "string:stop")
      #expect(wait { reports.events.last == #"ring action("stop")"# })
    }
  }

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
        (String(repeating: "출근", count: 13), "07:30\n"),
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
        notice.bodyWithoutActions = "Alarm\nTo answer: belfry stop"
        notice.actions = [NotificationContent.Action(key: "stop", label: "Stop")]
        notifier.post(notice, as: "ring")
        let posted = try lab.busWatch.waitForNotification(since: begun)
        // COSMIC draws the first line alone.
        let lineBreak = name == "cosmic-notifications" ? " · " : "\n"
        #expect(posted.body == "Alarm\(lineBreak)To answer: belfry stop")
        #expect(posted.actions.map(\.key) == ["stop"])
      }
    }
  }

  @Test func `what was left on another server is left alone, and so is what makes no sense`() throws
  {
    let memory = lab.home.appendingPathComponent("notifications")
    for text in [":1.1 another\n1 ring\n", "\u{0}\n\n1 ring\n", "", "1 ring"] {
      let begun = Lab.now
      try text.write(to: memory, atomically: true, encoding: .utf8)
      let server = try lab.startUnrulyServer([])
      let notifier = notifier(memory: memory.path)
      notifier.post(ringing, as: "ring")
      #expect(try lab.busWatch.waitForNotification(since: begun).replaces == 0)
      let isKept = wait {
        FileManager.default.contents(atPath: memory.path)?.suffix(7) == Data("1 ring\n".utf8)
      }
      #expect(isKept)
      notifier.shutdown(within: .seconds(5))
      server.kill()
      try server.waitForExit()
    }
  }

  @Test func `a slow server gets the newest only`() throws {
    try withServer("--delay", "0.3") { notifier in
      var notice = ringing
      for number in 0..<10 {
        notice.title = "\(number)"
        notifier.post(notice, as: "ring")
        wait(within: .milliseconds(10)) { false }
      }
      let newest = try shown(2)[1]
      #expect(newest.title == "9")
      expectNoMore(than: 2)
    }
  }

  @Test func `an absent server is waited for`() throws {
    try stopDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring")
    notifier.post(ringing, as: "gone")
    wait(within: .milliseconds(200)) { false }
    #expect(notifier.server == nil)
    notifier.withdraw("gone")
    try startDunst()
    _ = try shown(1)
    expectNoMore(than: 1)
    notifier.shutdown(within: .seconds(5))
  }

  /// Ends a server that the bus has started.
  private func quit() throws {
    let before = Lab.now
    try lab.tellUnrulyServer("Quit")
    try lab.busWatch.waitForMessage("the end of the server", since: before) {
      $0.member == "NameOwnerChanged"
        && $0.body.first == .string("org.freedesktop.Notifications") && $0.body.last == .string("")
    }
  }

  /// Runs `work` with a server that the bus starts by `command`.
  private func activating(_ command: String, work: () throws -> Void) throws {
    let service = lab.activationFolder.appendingPathComponent("notifications.service")
    let text = "[D-BUS Service]\nName=org.freedesktop.Notifications\nExec=\(command)\n"
    try text.write(to: service, atomically: true, encoding: .utf8)
    try reloadServices()
    defer {
      // What fails here shows in the next test, which finds a server.
      try? FileManager.default.removeItem(at: service)
      try? reloadServices()
    }
    try work()
  }

  private func reloadServices() throws {
    try lab.run(
      "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.ReloadConfig")
  }

  @Test func `a server that the bus can start is started, and started again`() throws {
    try stopDunst()
    try activating("/usr/bin/python3 \(Lab.unrulyServer)") {
      let notifier = notifier()
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try quit()
      _ = try shown(2)
      notifier.shutdown(within: .seconds(5))
    }
    try quit()
  }

  @Test func `a server that does not start is not started for every post`() throws {
    try stopDunst()
    try activating("/bin/false") {
      let notifier = notifier()
      for _ in 0..<20 {
        notifier.post(ringing, as: "ring")
        wait(within: .milliseconds(20)) { false }
      }
      #expect(lab.busWatch.calls("GetServerInformation", since: start).count == 1)
      notifier.shutdown(within: .seconds(5))
    }
  }
}
