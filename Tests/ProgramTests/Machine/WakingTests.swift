// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what the agent reports about waking a suspended machine, with and without the permission
// for it. `SuspendTests.swift` tests real sleep.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct WakingTests {
  @Test
  func `the agent reports whether it can wake the machine, in its log and in its status`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("")
    let agent = try desk.startAgent()
    let told = try desk.status().agent
    let complaint = "a suspended machine will not be woken: "
    #expect(agent.errors.components(separatedBy: complaint).count == (told.wake ? 1 : 2))
    #expect(told.wake == (told.wakeProblem == nil))
    #expect((told.wakeProblem == "not-permitted") == !Self.hasTheRight)
  }

  @Test(.enabled(if: hasTheRight, "only who has the right can give it up"))
  func `without the right to wake the machine, the agent names the command that grants it`() throws
  {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("")
    let started = Lab.now
    let agent = try desk.lab.start(
      "setpriv", arguments: ["--bounding-set=-wake_alarm", "belfryd"])
    try desk.waitForOwner(since: started)
    let program = Lab.programs.appendingPathComponent("belfry-wake").path
    #expect(
      try desk.status().agent.wakeFix == "sudo setcap cap_wake_alarm=ep \(program)")
    #expect(agent.isRunning)
  }

  /// Whether this process has the capability `CAP_WAKE_ALARM` (number 35). The agent that it starts
  /// then has it, too.
  private static let hasTheRight: Bool = {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    return mask.map { $0 >> 35 & 1 == 1 } ?? false
  }()
}
