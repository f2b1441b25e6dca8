// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a user does to a ringing alarm, on every real notification server that a Lab can run: each
// draws, numbers, closes and dies in its own way. dunst has more in `AnsweringTests.swift`; servers
// that misbehave are in `NotificationFaultTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct DesktopServersTests {
  typealias Kind = Lab.NotificationServerKind
  static let kinds = Kind.allCases.filter(\.isInstalled)

  /// So that it is said of each that nothing is known here.
  @Test(arguments: Kind.allCases)
  func `this server is there to be tried`(kind: Kind) throws {
    guard kind.isInstalled else { try leaveOut("\(kind): it is not installed") }
  }

  /// What most users of that desktop have, and are heard by, in both ways.
  private static func sound(of kind: Kind) -> Lab.Part {
    switch kind {
    case .plasma: .pipeWire(.plugin)
    case .mate, .lxqt: .pipeWire(.pulse)
    case .dunst, .mako, .xfce: .sound
    }
  }

  /// A desk with that server, on which the alarm "work" rings.
  private func ringingDesk(
    _ kind: Kind, label: String = "Work", _ settings: String = ""
  ) throws -> (desk: Desk, posted: PostedNotification) {
    let desk = try Desk(Lab(.notificationsBy(kind), Self.sound(of: kind)))
    try desk.saveText(
      settings + Desk.defaults
        + Desk.alarm("work", at: Second.ahead(2), "label = '\(label)'", #"snooze = ["5m", "10m"]"#))
    try desk.startAgent()
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
  func `it is shown as it was written, snoozed by its button, and stopped by that of the snooze`(
    kind: Kind
  ) throws {
    let label = #"<b>Tom</b> & "Jerry" &lt;i&gt;"#
    let (desk, posted) = try ringingDesk(kind, label: label)
    #expect(posted.hints["urgency"] == .integer(2) && posted.timeout == 0)
    #expect(posted.hints["category"] == .string("alarm"))
    #expect(posted.hints["suppress-sound"] == .bool(true))
    #expect(posted.hints["desktop-entry"] == .string("org.belfry.Belfry"))
    // LXQt's counts the body's action as a button, and has room for two of that length.
    #expect(
      posted.buttons
        == (kind == .lxqt
          ? ["snooze:300: Snooze 5 min", "stop: Stop"]
          : [
            "default: Quiet for 1 min", "snooze:300: Snooze 5 min", "snooze:600: Snooze 10 min",
            "stop: Stop",
          ]))
    // A server that closes after an action does not turn the snooze into a stop.
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
  func `a click on its body silences it and ends nothing; closed by hand, it is snoozed as told`(
    kind: Kind
  ) throws {
    let (desk, posted) = try ringingDesk(kind, "[agent]\non_close = \"snooze\"\n\n")
    guard kind != .lxqt else {
      // Nothing is there to be clicked on but buttons.
      try desk.lab.clickBody()
      try desk.lab.closeByHand(posted)
      try desk.waitForStatus("it to be snoozed") { $0.state("work") == "snoozed" }
      return
    }
    // Xfce's shows this action as a button.
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
    // Closed by hand, the notice of a snooze is gone, and the snooze is not.
    try desk.waitForShown(1)
    try desk.lab.closeByHand(quiet)
    try desk.waitForShown(0)
    #expect(try desk.status().state("work") == "snoozed")
  }

  @Test(arguments: kinds.filter { [.mate, .lxqt, .plasma].contains($0) })
  func `where there is an x, it ends the alarm, and takes the missed ones and countdowns away`(
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

    let short = "ring_for = \"1s\"\nunanswered = \"miss\""
    try desk.save(Desk.alarm("train", at: Second.ahead(2), #"label = "Train""#, short))
    let missed = try desk.waitForNotification("Missed alarm")
    try desk.waitForShown(1)
    let closed = try desk.lab.closeByHand(missed).time
    try desk.waitForStatus("it to be acknowledged") { $0.missed.isEmpty }
    try desk.waitForShown(0)
    // Nothing comes back.
    desk.wait(until: closed + 3)
    #expect(desk.lab.busWatch.notifications(since: closed).map(\.title) == [])
  }

  @Test(arguments: kinds)
  func `where the server crashes and comes back, it rings on and is seen again`(kind: Kind) throws {
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
  func `what a killed agent left on the screen is taken over, or taken away`(kind: Kind) throws {
    let (desk, first) = try ringingDesk(kind)
    try desk.waitForNote(of: first)
    try desk.crash(desk.agent)
    #expect(try desk.shownNotifications() == 1)
    let restarted = Lab.now
    try desk.startAgent()
    let second = try desk.waitForNotification("Work", since: restarted)
    #expect(second.replaces == first.id)
    try desk.waitForShown(1)

    // And where there is nothing to show any more.
    try desk.crash(desk.agent)
    try desk.saveText("")
    try desk.startAgent()
    try desk.waitForShown(0)

    // Of what is on the screen now, nothing is left by an agent that is told to go.
    try desk.save(Desk.alarm("tea", at: Second.ahead(1), #"label = "Tea""#))
    let tea = try desk.waitForNotification("Tea")
    try desk.waitForShown(1)
    try desk.lab.press("stop", on: tea)
    try desk.waitForShown(0)
  }
}
