// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the parts of `belfry explain` that come from the agent or from its state file. A transcript
// tests the rest of the text.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct ExplainTests {
  /// Only a running agent knows whether it can wake the machine, so `belfry explain` asks the
  /// agent.
  @Test func `belfry explain asks the agent whether it can wake the machine`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = 07:30\n")
    try desk.startAgent()
    let words = try desk.status().agent.wake ? "yes\n" : "no, "
    #expect(try desk.belfry("explain work").output.contains("\nwakes the machine: \(words)"))
  }

  @Test func `explain and next show that an alarm already rang before the clock was set back`()
    throws
  {
    let desk = try Desk(Lab())
    // After the clock was set back, a ring that has already happened is due again. It is left out
    // if it is due within an hour, as here. If it were due later, the alarm would ring again.
    let due = Second(epoch: ((Lab.now + 1800) / 60).rounded() * 60)
    try desk.saveText("[[alarm]]\nid = \"work\"\ntime = \(due.shown)\ndays = \"daily\"\n")
    // Write the state file of an agent that handled this ring before the clock was set back.
    let now = Second(epoch: Lab.now.rounded(.down))
    let state = """
      version = 1
      entries = 1
      [[alarm]]
      id = "work"
      signature = "\(due.shown) 1234567"
      handled = \(now.date)T\(now.time)Z
      settled = [\(due.date)T\(due.time)Z]

      """
    try desk.lab.write(state, to: ".local/state/belfry/state.toml")
    let explained = try desk.belfry("explain work --count 1").output
    #expect(explained.contains("left out: it rang before the clock was set back\n"))
    let told = try desk.belfry("next --count 1").output.split(separator: "\n")
    #expect(told.count == 2)
    #expect(
      told.last?.wholeMatch(
        of: /work: not (tomorrow )?[0-9:]{5}, it rang before the clock was set back/) != nil)
  }
}
