// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notification servers that no test can run, played by one that does as their sources have it: what
// a sleepy person does there, and what they do by themselves, ends no alarm, hides and loses none.
// Those that can be run are in `DesktopServersTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ServersBySourceTests {
  /// One of the server's own, and whether closing by its x means Stop where nothing is said of it.
  struct Server: CustomStringConvertible, Sendable {
    let name: String
    var hasCross = true
    var isStop = false
    /// How soon it may put away by itself what rings.
    var keeps: Double?

    var description: String { name }
  }

  static let servers = [
    Server(name: "dunst", hasCross: false),
    Server(name: "fnott", hasCross: false),
    Server(name: "cosmic"),
    Server(name: "swaync"),
    Server(name: "quickshell", keeps: 15),
    Server(name: "noctalia", keeps: 2),
    Server(name: "mate", isStop: true),
    Server(name: "elementary", keeps: 2),
  ]

  private func number(of title: String, on desk: Desk) -> String {
    "uint32:\(desk.lab.busWatch.notifications().last { $0.title == title }?.id ?? 0)"
  }

  /// Waits until both are seen, and none is over.
  private func expectBoth(on desk: Desk, _ location: SourceLocation = #_sourceLocation) throws {
    try desk.wait("both to be seen") { try desk.lab.visibleOnUnrulyServer() == 2 }
    let ringing = Set(try desk.status().ringing.map(\.id))
    #expect(ringing == ["work", "train"], sourceLocation: location)
  }

  @Test(arguments: servers)
  func `no click ends an alarm but one that was meant as Stop, and none is hidden`(
    server: Server
  ) throws {
    let desk = try Desk()
    _ = try desk.lab.startUnrulyServer(["--like", server.name])
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#),
      Desk.alarm("train", at: due, #"label = "Train""#))
    try desk.startAgent()
    for title in ["Work", "Train"] { _ = try desk.waitForNotification(title) }
    try expectBoth(on: desk)

    // A click without a thought.
    let clicked = Lab.now
    try desk.lab.tellUnrulyServer("Click", number(of: "Work", on: desk))
    let again = try desk.waitForNotification("Work", since: clicked)
    #expect(again.body.contains("quiet until "))
    try expectBoth(on: desk)

    // Nobody does anything.
    if let keeps = server.keeps {
      desk.wait(until: Lab.now + keeps + 1)
      try expectBoth(on: desk)
    }

    if server.hasCross {
      let crossed = Lab.now
      try desk.lab.tellUnrulyServer("Cross", number(of: "Train", on: desk))
      if server.isStop {
        try desk.waitForStatus("it to be over") { $0.state("train") == "over" }
      } else {
        _ = try desk.waitForNotification("Train", since: crossed)
        try expectBoth(on: desk)
      }
    }
    for id in try desk.status().ringing.map(\.id) {
      let title = id == "work" ? "Work" : "Train"
      try desk.lab.tellUnrulyServer("Press", number(of: title, on: desk), "string:stop")
      try desk.waitForStatus("\(id) to be over") { $0.state(id) == "over" }
    }
    try desk.lab.recorder.waitForSilence()
    try desk.wait("nothing to be seen") { try desk.lab.visibleOnUnrulyServer() == 0 }
  }
}
