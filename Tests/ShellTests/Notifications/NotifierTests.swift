// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests notifications with dunst, a real notification server. Next: UnrulyServerTests.swift.

import Bus
import Foundation
import Lab
import Notifications
import System
import Testing

@Suite(.serialized, .realServersFirst) struct NotifierTests {
  /// The events that a notifier has reported.
  final class Reports {
    var events: [String] = []
  }

  let lab: Lab
  let start = Lab.now
  let reports = Reports()

  let bus: Bus

  init() throws {
    lab = try Lab.shared()
    bus = try Bus()
  }

  func notifier(memory: String? = nil) -> Notifier {
    let notifier = Notifier(
      on: bus, applicationName: "Belfry", desktopEntry: "org.belfry.Belfry", memory: memory)
    notifier.onEvent = { [reports] id, event in reports.events.append("\(id) \(event)") }
    return notifier
  }

  let ringing: NotificationContent = {
    var notice = NotificationContent(title: "Work", body: "07:30 & <late>", icon: "alarm-symbolic")
    notice.bodyWithoutActions = "07:30: belfry stop"
    notice.urgency = .critical
    notice.isPersistent = true
    notice.category = "alarm"
    notice.actions = [
      NotificationContent.Action(key: "default", label: "Hush"),
      NotificationContent.Action(key: "stop", label: "Stop"),
    ]
    return notice
  }()

  /// Waits until the server has given numbers to `count` notifications since the test began.
  /// Returns all notifications that were posted since then.
  func shown(_ count: Int) throws -> [PostedNotification] {
    let isThere = wait {
      lab.busWatch.notifications(since: start).filter { $0.id != nil }.count >= count
    }
    try #require(isThere, "\(lab.busWatch.notifications(since: start).count) posted")
    return lab.busWatch.notifications(since: start)
  }

  func expectNoMore(than count: Int, for time: Duration = .milliseconds(300)) {
    wait(within: time) { lab.busWatch.notifications(since: start).count > count }
    #expect(lab.busWatch.notifications(since: start).count == count)
  }

  // MARK: - dunst

  func startDunst() throws {
    if !lab.notificationServer.isRunning { try lab.startNotificationServer() }
  }

  @Test func `a notification is posted with all its parts`() throws {
    try startDunst()
    let notifier = notifier()
    var notice = ringing
    notice.bodyWithoutActions = nil
    notifier.post(notice, as: "ring:work")
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
    #expect(posted.hints["transient"] == nil)
    #expect(posted.hints["value"] == nil)
    #expect(wait { notifier.server?.name == "dunst" })
    #expect(notifier.server?.hasActions == true)
    notifier.shutdown(within: .seconds(5))
  }

  @Test func `a quiet notification with a progress bar is updated in place, and withdrawn`() throws
  {
    try startDunst()
    let notifier = notifier()
    var notice = NotificationContent(title: "Tea", body: "4:00", icon: "")
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

  @Test func `the end of the program does not wait for a hung server`() throws {
    try startDunst()
    let notifier = notifier()
    notifier.post(ringing, as: "ring")
    _ = try shown(1)
    lab.notificationServer.suspend()
    defer { lab.notificationServer.resume() }
    let begin = ContinuousClock.now
    #expect(!notifier.shutdown(within: .milliseconds(200)))
    #expect(ContinuousClock.now - begin < .seconds(1))
  }

  @Test func `a label of ten thousand characters is shown`() throws {
    try startDunst()
    let notifier = notifier()
    var notice = ringing
    let label = String(repeating: "<b>&\u{202E}שלום 👨‍👩‍👧‍👦\u{1B}[31m\n", count: 500)
    notice.title = label
    notice.body = label
    notice.bodyWithoutActions = nil
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
}
