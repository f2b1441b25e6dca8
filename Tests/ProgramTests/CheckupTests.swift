// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's own look ahead, at its start, where an alarm is set for the hours to come. The moments
// of the later looks are tested in virtual time, in `OutcomeTests.swift` of the core.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct CheckupTests {
  private static let title = "Work"

  private func desk(device: String) throws -> (desk: Desk, due: Second) {
    let desk = try Desk()
    let due = Second.ahead(3600)
    try save(desk, due, device)
    return (desk, due)
  }

  private func save(_ desk: Desk, _ due: Second, _ device: String) throws {
    try desk.saveText(
      "[agent]\ndevice = \"\(device)\"\n" + Desk.defaults
        + Desk.alarm("work", at: due, #"label = "Work""#))
  }

  @Test func `an alarm that would not be heard is told, until it would be`() throws {
    let (desk, due) = try desk(device: "nowhere")
    try desk.startAgent()
    let told = try desk.waitForNotification(Self.title)
    #expect(
      told.body == """
        Would not be heard at \(due.shown). device: nothing plays: nowhere cannot be opened: \
        No such file or directory.
        To fix it: set device in [agent] of the config to one that aplay -L lists.
        More: “belfry doctor”.
        """)
    #expect(told.hints["urgency"] == .integer(2))
    #expect(told.buttons == ["check-again: Check again"])

    let pressed = try desk.lab.press("check-again", on: told).time
    let again = try desk.waitForNotification(Self.title, since: pressed)
    let mended = Lab.now
    try save(desk, due, "default")
    try desk.lab.busWatch.waitForMessage("the config to be read", since: mended) {
      $0.member == "Changed"
    }
    let start = Lab.now
    try desk.lab.press("check-again", on: again)
    desk.wait(until: start + 4)
    #expect(desk.lab.busWatch.notifications(since: start).isEmpty)
    #expect(try desk.shownNotifications() == 0)
  }

  @Test func `what is found is told, however long it is`() throws {
    let device = String(repeating: "nowhere", count: 1000)
    let (desk, _) = try desk(device: device)
    try desk.startAgent()
    let answer = try desk.lab.run(
      "gdbus", "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
      "--method", "org.belfry.Belfry1.Check")
    #expect(answer.output.contains("\(device) cannot be opened"), "\(answer)")
  }

  @Test func `where it would be heard nothing is told, and nothing stays behind`() throws {
    let (desk, _) = try desk(device: "default")
    let agent = try desk.startAgent()
    let answer = try desk.lab.run(
      "gdbus", "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
      "--method", "org.belfry.Belfry1.Check")
    #expect(answer.output.contains("'check': <'device'>, 'state': <'ok'>"))
    #expect(desk.lab.busWatch.notifications().isEmpty)
    let maps = try desk.maps(agent.pid)
    #expect(!maps.contains("libpulse"), "a look ahead is not to fill the agent's memory")
    try desk.wait("nobody to be left") { try desk.children(of: agent).isEmpty }
  }

  @Test func `while something rings the device is left to it`() throws {
    let (desk, _) = try desk(device: "default")
    let due = Second.ahead(3)
    try desk.save(
      Desk.alarm("now", at: due), Desk.alarm("next", at: Second(epoch: due.epoch + 1800)))
    let agent = try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    while Lab.now < due.epoch + 1 {
      #expect(try desk.children(of: agent).isEmpty)
      desk.wait(until: Lab.now + 0.02)
    }
  }

  @Test func `it says by itself what it looks at`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let done = try desk.lab.run("belfryd", "--check")
    #expect(done.status == 0)
    let lines = done.output.split(separator: "\n")
    #expect(
      lines.first
        == #"{"check":"device","state":"ok","message":"default played a second of silence"}"#)
    #expect(lines.count == 3)
  }
}
