// SPDX-License-Identifier: GPL-3.0-or-later
//
// An agent that is gone when something is to ring: systemd's user manager starts it. The manager is
// the real one.

import Foundation
import Lab
import Testing

@Suite(
  .realServers, .enabled(if: Lab.canRunUserManager, "systemd cannot run as a user manager here"))
struct DeadManTests {
  private let desk: Desk

  init() throws { desk = try Desk(Lab(.notifications, .sound, .userManager)) }

  /// The timers that wait for an agent that may be gone, and when each elapses.
  private func switches() throws -> [String] {
    let answer = try desk.lab.run(
      "systemctl", "--user", "list-timers", "--no-legend", "--no-pager", "belfry-ring-*")
    #expect(answer.status == 0, "\(answer.errors)")
    return answer.output.split(separator: "\n").map(String.init)
  }

  private func waitForSwitches(_ matches: ([String]) -> Bool) throws {
    try Lab.wait(for: "the switch", seen: "\(try switches())") { matches(try switches()) }
  }

  @Test func `killed before a ring, the agent is started 20 s after it was due, and rings`() throws
  {
    let due = Second.ahead(6)
    try desk.save(Desk.alarm("train", at: due, #"label = "Train""#))
    let agent = try desk.startAgent()
    try waitForSwitches { $0.count == 1 }
    try desk.crash(agent)

    let ring = try desk.waitForNotification("Train", since: due.epoch, within: 2 * patience)
    #expect(ring.time > due.epoch + 19)
    #expect(try desk.status().ringing.map(\.id) == ["train"])
    #expect(try desk.lab.recorder.waitForSound(after: due.epoch) > due.epoch + 19)
    try desk.belfry("stop")
  }

  @Test func `one switch at a time, for the next ring, and none once the agent is told to leave`()
    throws
  {
    let (first, second) = (Second.ahead(3600), Second.ahead(7200))
    try desk.save(Desk.alarm("first", at: first), Desk.alarm("second", at: second))
    let agent = try desk.startAgent()
    try waitForSwitches { $0.count == 1 }
    try desk.save(Desk.alarm("second", at: second))
    let elapses = Second(epoch: second.epoch + 20)
    try waitForSwitches { $0.count == 1 && $0[0].contains("\(elapses.date) \(elapses.time)") }
    agent.terminate()
    try agent.waitForExit()
    try waitForSwitches(\.isEmpty)
  }
}
