// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that the agent checks sound and notifications when it starts, if an alarm is due in the
// next hours. `ForesightTests.swift` in SchedulingTests tests, with a simulated clock, when such
// checks are made.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct CheckupTests {
  private func save(_ desk: Desk, _ due: Second, _ device: String) throws {
    try desk.saveText(
      "[agent]\ndevice = \"\(device)\"\n" + Desk.defaults
        + Desk.alarm("work", at: due, #"label = "Work""#))
  }

  @Test func `an alarm that would not be heard is reported until the sound device is fixed`() throws
  {
    let desk = try Desk()
    let due = Second.ahead(3600)
    try save(desk, due, "nowhere")
    try desk.startAgent()
    let told = try desk.waitForNotification("Work")
    #expect(
      told.body == """
        It would not be heard at \(due.shown). device: nothing plays: nowhere cannot be opened: \
        No such file or directory.
        To fix it: set "device" in [agent] of the config to one that aplay -L lists.
        More: “belfry doctor”.
        """)
    #expect(told.hints["urgency"] == .integer(2))
    #expect(told.buttons == ["check-again: Check again"])

    let pressed = try desk.lab.press("check-again", on: told).time
    let again = try desk.waitForNotification("Work", since: pressed)
    let fixed = Lab.now
    try save(desk, due, "default")
    try desk.lab.busWatch.waitForMessage("the config to be read", since: fixed) {
      $0.member == "Changed"
    }
    let start = Lab.now
    try desk.lab.press("check-again", on: again)
    desk.wait(until: start + 4)
    try desk.waitForShown(0)
    #expect(desk.lab.busWatch.notifications(since: start).isEmpty)
  }

  @Test func `the warning is withdrawn when the sound server appears`() throws {
    let desk = try Desk()
    try desk.lab.killSound()
    try save(desk, .ahead(3600), "default")
    try desk.startAgent()
    let told = try desk.waitForNotification("Work")
    #expect(told.body.hasPrefix("It would not be heard at "), "\(told.body)")
    try desk.lab.startSound()
    #expect(try desk.waitForClosing(of: told) == 3)
  }

  @Test func `if an alarm is added before one that would not be heard, it is reported as well`()
    throws
  {
    let desk = try Desk()
    let work = Desk.alarm("work", at: .ahead(3600), #"label = "Work""#)
    let settings = "[agent]\ndevice = \"nowhere\"\n" + Desk.defaults
    try desk.saveText(settings + work)
    try desk.startAgent()
    let told = try desk.waitForNotification("Work")
    try desk.saveText(settings + work + Desk.alarm("train", at: .ahead(1800), #"label = "Train""#))
    #expect(try desk.waitForClosing(of: told) == 3)
    let body = try desk.waitForNotification("Train").body
    #expect(body.hasPrefix("It would not be heard at "), "\(body)")
  }
}
