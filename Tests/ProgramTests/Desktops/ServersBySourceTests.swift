// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests notification servers that cannot run in a test. A stand-in behaves as the source code of
// each server says. Neither a careless click nor the server itself may end, hide or lose an alarm.
// `DesktopServersTests.swift` tests servers that can run.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ServersBySourceTests {
  /// A notification server, and what it does by itself. `hasCross` says whether its notifications
  /// have a button to close them.
  struct Server: CustomStringConvertible, Sendable {
    let name: String
    var hasCross = true
    /// After how many seconds the server may remove the notification of a ringing alarm; nil if it
    /// never does.
    var keeps: Double?

    var description: String { name }
  }

  static let servers = [
    Server(name: "fnott", hasCross: false),
    Server(name: "cosmic"),
    Server(name: "swaync"),
    Server(name: "quickshell", keeps: 60),
    Server(name: "noctalia", keeps: 2),
    Server(name: "elementary", keeps: 2),
    Server(name: "phosh", hasCross: false),
  ]

  /// Returns a desk with a stand-in for the server `name`, on which the alarms "work" and "train"
  /// are ringing.
  private func twoRinging(on name: String) throws -> Desk {
    let desk = try Desk()
    _ = try desk.lab.startUnrulyServer(["--like", name])
    try desk.startAgent()
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#),
      Desk.alarm("train", at: due, #"label = "Train""#))
    for title in ["Work", "Train"] { _ = try desk.waitForNotification(title) }
    return desk
  }

  /// Waits until both alarms are shown, and expects that both are ringing.
  private func expectBoth(on desk: Desk, _ location: SourceLocation = #_sourceLocation) throws {
    try desk.wait("both to be seen") { try desk.lab.visibleOnUnrulyServer() == 2 }
    let ringing = Set(try desk.status().ringing.map(\.id))
    #expect(ringing == ["work", "train"], sourceLocation: location)
  }

  @Test(arguments: servers)
  func `only a click on Stop ends an alarm, and no ringing alarm is hidden`(
    server: Server
  ) throws {
    let desk = try twoRinging(on: server.name)
    try expectBoth(on: desk)

    // A careless click beside the buttons only silences the alarm.
    let clicked = Lab.now
    try desk.lab.tellUnrulyServer("Click", "string:Work")
    _ = try desk.lab.busWatch.waitForNotification(since: clicked) {
      $0.title == "Work" && $0.body.contains("quiet until ")
    }
    try expectBoth(on: desk)

    // If no one clicks, the server may remove the notification after a while. The agent must then
    // show it again.
    if let keeps = server.keeps {
      desk.wait(until: Lab.now + keeps + 1)
      try expectBoth(on: desk)
    }

    if server.hasCross {
      let crossed = Lab.now
      try desk.lab.tellUnrulyServer("Cross", "string:Train")
      _ = try desk.waitForNotification("Train", since: crossed)
      try expectBoth(on: desk)
    }
    for id in try desk.status().ringing.map(\.id) {
      let title = id == "work" ? "Work" : "Train"
      try desk.lab.tellUnrulyServer("Press", "string:\(title)", "string:stop")
      try desk.waitForStatus("\(id) to be over") { $0.state(id) == "over" }
    }
    try desk.lab.recorder.waitForSilence()
    try desk.wait("nothing to be seen") { try desk.lab.visibleOnUnrulyServer() == 0 }
  }

  @Test func `Phosh also opens the program whose button is pressed, which silences nothing`() throws
  {
    let desk = try twoRinging(on: "phosh")
    let pressed = Lab.now
    try desk.lab.tellUnrulyServer("Press", "string:Work", "string:stop")
    try desk.lab.busWatch.waitForMessage("Activate", since: pressed) { $0.member == "Activate" }
    desk.wait(until: pressed + 1.5)
    let quiet = { desk.lab.busWatch.notifications(since: pressed).map(\.body) }
    #expect(try desk.status().ringing.map(\.id) == ["train"])
    #expect(!quiet().contains { $0.contains("quiet until") })

    // A click on Belfry's icon without a press silences what rings.
    #expect(try desk.belfry("activate").status == 0)
    try desk.wait("Train to be quiet") { quiet().contains { $0.contains("quiet until") } }
  }
}
