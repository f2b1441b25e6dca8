// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notifications on a real dunst, and on a server that behaves as badly as it is told to.

import Desktop
import Foundation
import Lab
import Testing

@Suite(.serialized) struct NotifierTests {
  /// What a notifier reported.
  final class Reports {
    var events: [String] = []
    var servers: [Notifier.Server?] = []
  }

  let lab: Lab
  let start = Lab.now
  let reports = Reports()

  init() throws { lab = try Lab.shared() }

  private func notifier() -> Notifier {
    let notifier = Notifier(applicationName: "Belfry", desktopEntry: "org.belfry.Belfry")
    notifier.onEvent = { [reports] id, event in reports.events.append("\(id) \(event)") }
    notifier.onServerChange = { [reports] in reports.servers.append($0) }
    return notifier
  }

  private let ringing: Notice = {
    var notice = Notice(title: "Work", body: "07:30 & <late>", icon: "alarm-symbolic")
    notice.bodyWithoutActions = "07:30: belfry stop"
    notice.urgency = .critical
    notice.isPersistent = true
    notice.category = "alarm"
    notice.actions = [
      Notice.Action(key: "default", label: "Hush"), Notice.Action(key: "stop", label: "Stop"),
    ]
    return notice
  }()

  /// Waits until the server has numbered `count` notifications since the test began.
  private func shown(_ count: Int) throws -> [PostedNotification] {
    let isThere = wait {
      lab.busWatch.notifications(since: start).filter { $0.id != nil }.count >= count
    }
    try #require(isThere, "\(lab.busWatch.notifications(since: start).count) posted")
    return lab.busWatch.notifications(since: start)
  }

  private func expectNoMore(than count: Int, for time: Duration = .milliseconds(300)) {
    wait(within: time) { lab.busWatch.notifications(since: start).count > count }
    #expect(lab.busWatch.notifications(since: start).count == count)
  }

  // MARK: - dunst

  private func startDunst() throws {
    if !lab.notificationServer.isRunning { try lab.startNotificationServer() }
  }

  @Test func `a notice is posted with all that it says`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring:work")
    let posted = try shown(1)[0]
    #expect(posted.application == "Belfry")
    #expect(posted.title == "Work")
    #expect(posted.body == "07:30 & <late>")
    #expect(posted.icon == "alarm-symbolic")
    #expect(posted.timeout == 0)
    #expect(posted.actions.map(\.key) == ["default", "stop"])
    #expect(posted.actions.map(\.label) == ["Hush", "Stop"])
    #expect(posted.hints["urgency"] == .integer(2))
    #expect(posted.hints["category"] == .string("alarm"))
    #expect(posted.hints["desktop-entry"] == .string("org.belfry.Belfry"))
    #expect(posted.hints["suppress-sound"] == .bool(true))
    #expect(posted.hints["x-dunst-stack-tag"] == .string("ring:work"))
    #expect(posted.hints["transient"] == nil)
    #expect(posted.hints["value"] == nil)
    #expect(wait { notifier.server?.name == "dunst" })
    #expect(notifier.server?.hasActions == true)
    notifier.shutdown(within: .seconds(5))
  }

  @Test func `a quiet notice with a bar is updated in place, and withdrawn`() throws {
    try startDunst()
    let notifier = notifier()
    var notice = Notice(title: "Tea", body: "4:00", icon: "")
    notice.urgency = .low
    notice.isTransient = true
    notice.value = 0
    notifier.post(notice, as: "timer")
    let first = try shown(1)[0]
    notice.body = "3:59"
    notice.value = 1
    notifier.post(notice, as: "timer")
    let second = try shown(2)[1]
    #expect(second.replaces == first.id)
    #expect(second.id == first.id)
    #expect(second.body == "3:59")
    #expect(second.timeout == -1)
    #expect(second.hints["urgency"] == .integer(0))
    #expect(second.hints["transient"] == .bool(true))
    #expect(second.hints["value"] == .integer(1))
    notifier.withdraw("timer")
    #expect(wait { !lab.busWatch.signals("NotificationClosed", since: start).isEmpty })
    #expect(
      lab.busWatch.calls("CloseNotification", since: start).map(\.body)
        == [[.integer(Int64(first.id ?? 0))]])
    wait(within: .milliseconds(100)) { !reports.events.isEmpty }
    #expect(reports.events == [])
  }

  @Test func `several stand beside each other, of the same text too`() throws {
    try startDunst()
    let notifier = notifier()
    for number in 0..<20 { notifier.post(ringing, as: "ring:\(number)") }
    let posted = try shown(20)
    #expect(Set(posted.map(\.id)).count == 20)
    #expect(
      posted.map { $0.hints["x-dunst-stack-tag"]?.string } == (0..<20).map { "ring:\($0)" })
    wait(within: .milliseconds(100)) { !reports.events.isEmpty }
    #expect(lab.busWatch.signals("NotificationClosed", since: start).isEmpty)
    #expect(reports.events == [])
    #expect(notifier.shutdown(within: .seconds(5)))
    #expect(wait { lab.busWatch.signals("NotificationClosed", since: start).count == 20 })
  }

  @Test func `a button is reported`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring")
    try lab.press("stop", on: shown(1)[0])
    #expect(wait { reports.events == [#"ring action("stop")"#] })
    notifier.withdraw("ring")
    #expect(wait { !lab.busWatch.signals("NotificationClosed", since: start).isEmpty })
    wait(within: .milliseconds(100)) { reports.events.count > 1 }
    #expect(reports.events.count == 1)
  }

  @Test func `a notification closed by hand is reported, and shown again when asked`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring")
    try lab.closeByHand(shown(1)[0])
    #expect(wait { reports.events == ["ring closed(Desktop.Notifier.CloseReason.dismissed)"] })
    notifier.post(ringing, as: "ring")
    #expect(try shown(2)[1].replaces == 0)
    notifier.shutdown(within: .seconds(5))
  }

  @Test func `a server that comes back gets everything again`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring:1")
    notifier.post(ringing, as: "ring:2")
    notifier.post(ringing, as: "gone")
    _ = try shown(3)
    notifier.withdraw("gone")
    try lab.restartNotificationServer()
    let posted = try shown(5)
    #expect(
      posted[3...].map { $0.hints["x-dunst-stack-tag"] } == [.string("ring:1"), .string("ring:2")])
    #expect(posted[3...].allSatisfy { $0.replaces == 0 })
    expectNoMore(than: 5)
    #expect(reports.events == [])
    #expect(reports.servers.map { $0?.name } == ["dunst", nil, "dunst"])
    notifier.shutdown(within: .seconds(5))
  }

  @Test func `a hung server blocks nothing, and shows the newest when it goes on`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "before")
    _ = try shown(1)
    lab.notificationServer.suspend()
    defer { lab.notificationServer.resume() }
    var notice = ringing
    var longest = Duration.zero
    for number in 0..<20 {
      notice.title = "\(number)"
      let begin = ContinuousClock.now
      notifier.post(notice, as: "ring")
      MainLoop.iterate(mayBlock: false)
      longest = max(longest, ContinuousClock.now - begin)
    }
    #expect(longest < .milliseconds(50))
    wait(within: .milliseconds(200)) { false }
    lab.notificationServer.resume()
    #expect(try shown(2)[1].title == "19")
    expectNoMore(than: 2)
    #expect(notifier.shutdown(within: .seconds(5)))
  }

  @Test func `the end of the program does not wait for a hung server`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring")
    _ = try shown(1)
    lab.notificationServer.suspend()
    defer { lab.notificationServer.resume() }
    let begin = ContinuousClock.now
    #expect(!notifier.shutdown(within: .milliseconds(200)))
    #expect(ContinuousClock.now - begin < .milliseconds(400))
  }

  @Test func `a label of ten thousand characters is shown`() throws {
    try startDunst()
    let notifier = notifier()
    var notice = ringing
    let label = String(repeating: "<b>&\u{202E}שלום 👨‍👩‍👧‍👦\u{1B}[31m\n", count: 500)
    notice.title = label
    notice.body = label
    notice.actions[1].label = label
    notifier.post(notice, as: "ring")
    let posted = try shown(1)[0]
    #expect(posted.title.count == 200 && posted.title.hasPrefix("<b>&שלום 👨‍👩‍👧‍👦[31m <b>"))
    #expect(posted.title.hasSuffix("…"))
    #expect(posted.body.hasPrefix("<b>&שלום 👨‍👩‍👧‍👦[31m\n<b>"))
    #expect(posted.actions[1].label.count == 60)
    try lab.closeByHand(posted)
    notifier.shutdown(within: .seconds(5))
  }

  // MARK: - An unruly server

  /// Runs `work` with notification-server.py in the place of dunst.
  private func withServer(
    _ options: String..., work: (Notifier) throws -> Void
  ) throws {
    try stopDunst()
    let server = try startServer(options)
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

  private static let script =
    Lab.repository.appendingPathComponent("Tests/Lab/notification-server.py").path

  private func startServer(_ options: [String] = []) throws -> Program {
    let server = try lab.start("python3", arguments: [Self.script] + options)
    try server.waitForOutput("ready", within: 10)
    return server
  }

  /// Plays a person's part.
  private func tell(_ member: String, _ arguments: String...) throws {
    let call = [
      "--session", "--print-reply", "--dest=org.freedesktop.Notifications",
      "/org/freedesktop/Notifications", "org.belfry.Test.\(member)",
    ]
    let sent = try lab.start("dbus-send", arguments: call + arguments)
    try #require(try sent.waitForExit() == .status(0), "\(sent.errors)")
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
      try tell("Press", "uint32:1", "string:stop")
      #expect(lab.busWatch.signals("NotificationClosed", since: start).count == 1)
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
      try tell("Close", "uint32:1", "uint32:\(reason)")
      #expect(wait { reports.events == ["ring closed(Desktop.Notifier.CloseReason.\(name))"] })
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
      try tell("Press", "uint32:1", "string:default")
      #expect(wait { reports.events == [#"ring action("default")"#] })
      notifier.post(ringing, as: "ring")
      #expect(try shown(2)[1].replaces == 0)
      wait(within: .milliseconds(200)) { reports.events.count > 1 }
      #expect(reports.events == [#"ring action("default")"#])
      try tell("Press", "uint32:2", "string:stop")
      #expect(wait { reports.events.last == #"ring action("stop")"# })
    }
  }

  @Test func `a button pressed again counts again, and after withdrawing no more`() throws {
    try withServer("--keep") { notifier in
      notifier.post(ringing, as: "ring")
      _ = try shown(1)
      try tell("Press", "uint32:1", "string:stop")
      try tell("Press", "uint32:1", "string:stop")
      #expect(wait { reports.events.count == 2 })
      notifier.withdraw("ring")
      try tell("Press", "uint32:1", "string:stop")
      try tell("Press", "uint32:1", "string:unknown")
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
      #expect(wait { lab.busWatch.calls("Notify", since: start).count == 2 })
      let calls = lab.busWatch.calls("Notify", since: start)
      #expect(calls[1].time - calls[0].time > 4.9)
      #expect(reports.events == [])
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
      let titles = try shown(2).map(\.title)
      #expect(titles == ["0", "9"])
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

  @Test func `a server that the bus can start is started, and started again`() throws {
    try stopDunst()
    let service = lab.activationFolder.appendingPathComponent("notifications.service")
    try """
    [D-BUS Service]
    Name=org.freedesktop.Notifications
    Exec=/usr/bin/python3 \(Self.script)
    """.write(to: service, atomically: true, encoding: .utf8)
    try lab.run(
      "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.ReloadConfig")
    let notifier = notifier()
    notifier.post(ringing, as: "ring")
    _ = try shown(1)
    try tell("Quit")
    _ = try shown(2)
    notifier.shutdown(within: .seconds(5))
    try FileManager.default.removeItem(at: service)
    try lab.run(
      "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.ReloadConfig")
    try tell("Quit")
  }
}
