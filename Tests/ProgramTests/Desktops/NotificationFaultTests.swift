// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that alarms ring even if the notification server misbehaves. Each test checks what a person
// would notice: every alarm is heard on time, its notification appears as soon as possible, and no
// old notification remains. `SessionFaultTests.swift` tests faults of the disk and the bus, and
// `DesktopServersTests.swift` tests real servers.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct NotificationFaultTests {
  /// A way in which the notification server misbehaves. `options` are the options that make the
  /// stand-in server do so; nil if the test does it with a real server.
  enum Fault: String, CaseIterable {
    case absent, stopped, refusing, numberless, slow, expiring, withdrawing, losing, withoutButtons

    var options: [String]? {
      switch self {
      case .absent, .stopped: nil
      case .refusing: ["--refuse"]
      case .numberless: ["--zero"]
      case .slow: ["--delay", "3"]
      case .expiring: ["--close-at-once", "1"]
      case .withdrawing: ["--close-at-once", "3"]
      case .losing: ["--close-at-once", "4"]
      case .withoutButtons: ["--no-actions"]
      }
    }
  }

  /// Settings with which an alarm rings for two seconds, so that each alarm is heard separately.
  private static let short = "ring_for = \"2s\"\nunanswered = \"miss\""

  /// Returns how late, in seconds, the alarms due at `dues` were heard.
  private func lateness(of dues: [Second], on desk: Desk) throws -> [Double] {
    var from = 0.0
    return try dues.map { due in
      let heard = try desk.lab.recorder.waitForSound(after: max(from, due.epoch - 0.5))
      // The sound of one ring may end late, so the next ring is looked for only after a gap.
      from = try desk.lab.recorder.waitForGap(after: heard, lasting: 0.2) + 0.01
      return heard - due.epoch
    }
  }

  @Test(arguments: Fault.allCases)
  func `no alarm is late if the notification server misbehaves, and each counts as missed`(
    fault: Fault
  )
    throws
  {
    let desk = try Desk()
    if let options = fault.options { _ = try desk.lab.startUnrulyServer(options) }
    if fault == .absent { try desk.lab.stopNotificationServer() }
    try desk.startAgent()
    if fault == .stopped {
      try desk.waitForStatus("the server to have answered") { $0.agent.notifications != "" }
      desk.lab.notificationServer.suspend()
    }
    let first = Second.ahead(3)
    let dues = (0..<3).map { Second(epoch: first.epoch + 4 * Double($0)) }
    try desk.saveText(
      Desk.defaults
        + dues.enumerated().map { Desk.alarm("a\($0)", at: $1, Self.short) }.joined())
    for late in try lateness(of: dues, on: desk) { #expect(isOnSecond(late, 0)) }
    try desk.waitForStatus("all to be missed") { $0.missed.count == 3 && $0.ringing.isEmpty }
    switch fault {
    case .stopped:
      // The first ring's notification was sent to the suspended server, which shows it when it
      // continues. After that, it must get only the one notification that still applies, and no
      // other must remain.
      // This command is answered when everything before it is saved, and the rings are withdrawn.
      try desk.belfry("stopwatch start")
      let resumed = Lab.now
      desk.lab.notificationServer.resume()
      let posted = try desk.waitForNotification("3 missed alarms", since: resumed)
      try desk.waitForShown(1)
      let titles = desk.lab.busWatch.notifications(since: resumed).map(\.title)
      #expect(titles == [first.time, posted.title])
    case .absent:
      try desk.lab.startNotificationServer()
      _ = try desk.waitForNotification("3 missed alarms")
      try desk.waitForShown(1)
    case .withoutButtons:
      let posted = desk.lab.busWatch.notifications()
      #expect(posted.flatMap(\.actions) == [])
      #expect(
        posted.first?.body
          == "Alarm.\nTo answer: “belfry stop a0” or “belfry snooze a0”.")
    case .withdrawing, .losing:
      // The agent posts a notification that the server removes at once again and again. Acknowledge
      // the missed alarms, so that there is nothing left to show.
      try desk.belfry("ack")
    default: break
    }
  }

  @Test
  func `if another agent takes over during a ring, one notification is shown, and its Stop works`()
    throws
  {
    let desk = try Desk()
    _ = try desk.startRinging()
    let first = desk.agent
    let replaced = Lab.now
    try desk.startAgent("--replace")
    #expect(try first.waitForExit() == .status(0))
    _ = try desk.waitForNotification("Work", since: replaced)
    // The first agent, when it ends, may close the notification that the new agent has taken over.
    // The new agent shows it again a second later.
    desk.wait(until: Lab.now + 2)
    try desk.waitForShown(1)
    let last = try #require(desk.lab.busWatch.notifications(since: replaced).last)
    try desk.lab.press("stop", on: last)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
    try desk.waitForShown(0)
  }

  @Test
  func `in do-not-disturb mode, an alarm rings on its second, and is shown after this mode ends`()
    throws
  {
    let desk = try Desk()
    try desk.lab.pauseDunst(true)
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    let posted = try desk.waitForNotification("Work")
    #expect(try desk.shownNotifications() == 0)
    try desk.lab.pauseDunst(false)
    try desk.waitForShown(1)
    try desk.lab.press("stop", on: posted)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
  }

  @Test func `a button that the notification does not have does nothing`() throws {
    let desk = try Desk()
    _ = try desk.lab.startUnrulyServer(["--keep"])
    _ = try desk.startRinging(#"snooze = "7s""#)
    let pressed = Lab.now
    for key in ["snooze:5", "skip", "snooze:99999999999999999999", ""] {
      try desk.lab.tellUnrulyServer("Press", "string:Work", "string:\(key)")
    }
    // If the alarm is still heard a second later, these buttons did not stop it.
    try desk.lab.recorder.waitForSound(after: pressed + 1)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
    try desk.lab.tellUnrulyServer("Press", "string:Work", "string:snooze:7")
    try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
  }
}
