// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests a ringing alarm on every real notification server that a Lab can run. The tests press its
// buttons and close it, as a user does, and let the server or the agent crash.
// `AnsweringTests.swift` has more tests for dunst. `NotificationFaultTests.swift` tests servers
// that misbehave.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct DesktopServersTests {
  typealias Kind = Lab.NotificationServerKind
  static let kinds = Kind.allCases.filter(\.isInstalled)

  /// Tests nothing: it only makes `Tests/run` report each server that is not installed.
  @Test(arguments: Kind.allCases)
  func `each notification server is installed, or is named as left out`(kind: Kind) throws {
    guard kind.isInstalled else { try leaveOut("\(kind): it is not installed") }
  }

  /// Returns the sound server that most users of a desktop have. ALSA reaches PipeWire in two ways,
  /// each of which is tested on at least one desktop.
  private static func sound(of kind: Kind) -> Lab.Part {
    switch kind {
    case .plasma: .pipeWire(.plugin)
    case .mate, .lxqt: .pipeWire(.pulse)
    case .dunst, .mako, .xfce: .sound
    }
  }

  /// Returns a desk with the notification server `kind`, on which the alarm "work" is ringing.
  private func ringingDesk(
    _ kind: Kind, label: String = "Work", _ settings: String = ""
  ) throws -> (desk: Desk, posted: PostedNotification) {
    let desk = try Desk(Lab(.notificationsBy(kind), Self.sound(of: kind)))
    try desk.startAgent()
    try desk.saveText(
      settings + Desk.defaults
        + Desk.alarm("work", at: Second.ahead(2), "label = '\(label)'", #"snooze = ["5m", "10m"]"#))
    let posted = try desk.waitForNotification(label)
    try desk.lab.recorder.waitForSound(after: posted.time - 1)
    try desk.waitForShown(1)
    return (desk, posted)
  }

  private func expectOver(_ desk: Desk) throws {
    try desk.waitForStatus("it to be over") { $0.ringing.isEmpty && $0.state("work") == "over" }
    try desk.lab.recorder.waitForSilence()
    try desk.waitForShown(0)
  }

  @Test(arguments: kinds)
  func `an alarm is shown with its exact label, and its buttons snooze and stop it`(
    kind: Kind
  ) throws {
    let label = #"<b>Tom</b> & "Jerry" &lt;i&gt;"#
    let (desk, posted) = try ringingDesk(kind, label: label)
    #expect(posted.hints["urgency"] == .integer(2) && posted.timeout == 0)
    #expect(posted.hints["category"] == .string("alarm"))
    #expect(posted.hints["suppress-sound"] == .bool(true))
    #expect(posted.hints["desktop-entry"] == .string("org.belfry.Belfry"))
    // LXQt draws a button for the action "default", too, and has room for only two buttons of this
    // length. So the agent offers fewer buttons there.
    #expect(
      posted.buttons
        == (kind == .lxqt
          ? ["snooze:300: Snooze 5 min", "stop: Stop"]
          : [
            "default: Quiet for 1 min", "snooze:300: Snooze 5 min", "snooze:600: Snooze 10 min",
            "stop: Stop",
          ]))
    // Some servers close the notification after a click on a button. This must not turn the snooze
    // into a stop.
    let snooze = kind == .lxqt ? "snooze:300" : "snooze:600"
    let pressed = try desk.lab.press(snooze, on: posted).time
    try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
    try desk.lab.recorder.waitForSilence(after: pressed)
    let quiet = try desk.lab.busWatch.waitForNotification(since: pressed) {
      $0.title == label && $0.body.hasPrefix("Snoozed until ")
    }
    #expect(quiet.hints["urgency"] == .integer(0))
    try desk.waitForShown(1)
    try desk.lab.press("stop", on: quiet)
    try expectOver(desk)
  }

  @Test(arguments: kinds)
  func `a click on a notification's body silences an alarm, and closing it snoozes if set so`(
    kind: Kind
  ) throws {
    let (desk, posted) = try ringingDesk(kind, "[agent]\non_close = \"snooze\"\n\n")
    guard kind != .lxqt else {
      // LXQt's server ignores a click on the body, so this test only closes the notification there.
      try desk.lab.clickBody()
      try desk.lab.closeByHand(posted)
      try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
      return
    }
    // Xfce shows the action "default" as a button; other servers perform it on a click on the body.
    let pressed = try desk.lab.press("default", on: posted).time
    try desk.lab.recorder.waitForSilence(after: pressed)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
    let again = try desk.waitForNotification("Work", since: pressed)
    #expect(again.body.contains(", quiet until "))
    try desk.waitForShown(1)
    let closed = try desk.lab.closeByHand(again).time
    try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
    let quiet = try desk.lab.busWatch.waitForNotification(since: closed) {
      $0.body.hasPrefix("Snoozed until ")
    }
    // If the user closes the notification of a snoozed alarm, the alarm stays snoozed.
    try desk.waitForShown(1)
    try desk.lab.closeByHand(quiet)
    try desk.waitForShown(0)
    #expect(try desk.status().state("work") == "snoozed")
  }

  @Test(arguments: kinds.filter { [.mate, .lxqt, .plasma].contains($0) })
  func `the close button ends a ring, hides a countdown and acknowledges a missed alarm`(
    kind: Kind
  ) throws {
    let (desk, posted) = try ringingDesk(kind)
    try desk.lab.closeByHand(posted)
    try expectOver(desk)

    try desk.belfry("timer 90m --label Tea")
    let countdown = try desk.waitForNotification("Tea")
    try desk.waitForShown(1)
    try desk.lab.closeByHand(countdown)
    try desk.waitForShown(0)

    let short = "ring_for = \"3s\"\nunanswered = \"miss\""
    try desk.save(Desk.alarm("train", at: Second.ahead(2), #"label = "Train""#, short))
    _ = try desk.waitForClosing(of: desk.waitForNotification("Train"))
    let missed = try desk.waitForNotification("Missed alarm")
    try desk.waitForShown(1)
    let closed = try desk.lab.closeByHand(missed).time
    try desk.waitForStatus("it to be acknowledged") { $0.missed.isEmpty }
    try desk.waitForShown(0)
    // None of these notifications may come back.
    desk.wait(until: closed + 3)
    #expect(desk.lab.busWatch.notifications(since: closed).map(\.title) == [])
  }

  @Test(arguments: kinds)
  func `if the server crashes and restarts, the alarm goes on ringing and is shown again`(
    kind: Kind
  )
    throws
  {
    let (desk, _) = try ringingDesk(kind)
    let server = desk.lab.notificationServer
    server.kill()
    try server.waitForExit()
    let died = Lab.now
    try desk.lab.recorder.waitForSound(after: died + 0.2)
    try desk.lab.startNotificationServer()
    let again = try desk.waitForNotification("Work", since: died)
    #expect(again.replaces == 0)
    try desk.waitForShown(1)
    try desk.lab.press("stop", on: again)
    try expectOver(desk)
  }

  @Test(arguments: kinds)
  func `the next agent takes over or removes the notification that a killed agent left`(kind: Kind)
    throws
  {
    let (desk, first) = try ringingDesk(kind)
    try desk.waitForNote(of: first)
    try desk.crash(desk.agent)
    #expect(try desk.shownNotifications() == 1)
    let restarted = Lab.now
    try desk.startAgent()
    let second = try desk.waitForNotification("Work", since: restarted)
    #expect(second.replaces == 0)
    try desk.waitForShown(1)

    // Remove the alarm from the config while no agent is running. The next agent must close the
    // notification.
    try desk.waitForNote(of: second)
    try desk.crash(desk.agent)
    try desk.saveText("")
    try desk.startAgent()
    try desk.waitForShown(0)

    // An agent that is asked to quit leaves no notification on the screen.
    try desk.save(Desk.alarm("tea", at: Second.ahead(1), #"label = "Tea""#))
    let tea = try desk.waitForNotification("Tea")
    try desk.waitForShown(1)
    try desk.lab.press("stop", on: tea)
    try desk.waitForShown(0)
  }
}
