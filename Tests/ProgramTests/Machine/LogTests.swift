// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that nothing is delayed if no program reads the agent's log. `Log.swift` in System writes
// the log. `Tests/Lab/deaf-log.py` starts the agent with a log that no one reads.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct LogTests {
  private static let script = Lab.repository.appendingPathComponent("Tests/Lab/deaf-log.py").path

  /// Starts an agent whose log no one reads, and waits until the agent has its bus name.
  private func startAgent(_ log: String, on desk: Desk) throws -> Program {
    let started = Lab.now
    var words = ["/usr/bin/python3", Self.script, log, "belfryd"]
    if log == "journal" { words = try #require(SessionFaultTests.apart) + words }
    let agent = try desk.lab.start(words[0], arguments: Array(words.dropFirst()))
    try desk.waitForOwner(since: started)
    return agent
  }

  @Test(arguments: ["pipe", "terminal", "journal"])
  func `a log that nobody reads delays no ring, no command and no exit of the agent`(log: String)
    throws
  {
    guard log != "journal" || SessionFaultTests.apart != nil else { return }
    let desk = try Desk()
    let agent = try startAgent(log, on: desk)
    // The output of these hooks goes to the log. It is longer than any buffer between the agent and
    // the reader of the log.
    let hooks = #"on_ring = ["sh", "-c", "seq -f '%080g' 90"]"#
    let due = Second.ahead(4)
    try desk.saveText(
      Desk.defaults + hooks + "\n"
        + (0..<9).map { Desk.alarm("a\($0)", at: Second(epoch: due.epoch + 3)) }.joined()
        + Desk.alarm("work", at: due, #"label = "Work""#))
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    try desk.waitForStatus("all to ring") { $0.ringing.count == 10 }
    var asked = Lab.now
    #expect(try desk.belfry("stop").status == 0)
    let answered = Lab.now
    #expect(try desk.lab.recorder.waitForSilence(after: answered) < answered + 1)
    // If the log blocked the agent, `belfry stop` would not return at all.
    #expect(Lab.now - asked < 20)
    #expect(try desk.belfry("history --json").output.contains(#""work""#))
    asked = Lab.now
    let pid = try desk.status().agent.pid
    kill(pid, SIGTERM)
    #expect(try agent.waitForExit() == .status(0))
    #expect(Lab.now - asked < 20)
  }
}
