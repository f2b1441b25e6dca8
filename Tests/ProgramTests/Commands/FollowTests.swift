// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests `belfry follow`: it prints a line for each change of the agent's status and no other lines,
// and it ends when the program that reads its output has ended.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct FollowTests {
  private static let train = """
    [agent]
    clock = "24h"

    [[alarm]]
    time = 05:15
    date = 2099-12-24
    label = "R&D <Train>"

    """

  private static let work = """
    [[alarm]]
    time = 06:00
    date = 2099-12-23
    label = "Work"

    """

  private func follow(_ desk: Desk, _ arguments: String...) throws -> Program {
    let follow = try desk.lab.start(
      "belfry", arguments: ["follow"] + arguments, environment: ["TZ": "UTC"])
    try follow.waitForOutput("\n")
    return follow
  }

  private func lines(_ program: Program) -> [String] {
    program.output.split(separator: "\n").map(String.init)
  }

  /// Waits until `follow` has printed `count` lines. If it prints one line too many, this or the
  /// next call fails.
  private func wait(for count: Int, from follow: Program) throws -> [String] {
    try Lab.wait(for: "\(count) lines", seen: follow.output) { lines(follow).count >= count }
    #expect(lines(follow).count == count)
    return lines(follow)
  }

  @Test func `belfry follow prints one line for each change, and no other lines`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.train)
    let agent = try desk.startAgent(environment: ["TZ": "UTC"])
    let follow = try follow(desk)
    var seen = try wait(for: 1, from: follow)
    // The first line has the same values as the output of `belfry status --json`.
    let status = try desk.belfry("status --json").output
    func value(_ text: String) throws -> NSObject {
      try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSObject)
    }
    #expect(try value(seen[0]) == value(status))
    // Saving a config with the same alarms is no change, although the agent reads the config again.
    let before = Lab.now
    try desk.saveText(Self.train + "# said again\n")
    try desk.lab.busWatch.waitForMessage("the config to be read", since: before) {
      $0.member == "Changed"
    }
    _ = try wait(for: 1, from: follow)
    try desk.saveText(Self.train + Self.work)
    seen = try wait(for: 2, from: follow)
    #expect(seen[1].contains(#""id":"work""#))
    #expect(try desk.belfry("skip work").status == 0)
    seen = try wait(for: 3, from: follow)
    #expect(seen[2].contains(#""skipped":true"#))
    try desk.crash(agent)
    seen = try wait(for: 4, from: follow)
    #expect(seen[3] == #"{"lost":"no agent is running: belfryd"}"#)
    try desk.startAgent(environment: ["TZ": "UTC"])
    seen = try wait(for: 5, from: follow)
    #expect(seen[4].contains(#""skipped":true"#))
    follow.terminate()
    #expect(try follow.waitForExit() == .status(0))
    #expect(follow.errors == "")
  }

  @Test func `belfry follow reports an agent that hangs as lost, and finds it when it continues`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.train)
    let agent = try desk.startAgent(environment: ["TZ": "UTC"])
    let follow = try follow(desk)
    // The agent reports a change while `follow` and its child process are suspended. When `follow`
    // continues and asks for the new status, the agent is suspended and does not answer.
    kill(-follow.pid, SIGSTOP)
    let before = Lab.now
    #expect(try desk.belfry("skip r-d-train").status == 0)
    try desk.lab.busWatch.waitForMessage("the change", since: before) { $0.member == "Changed" }
    agent.suspend()
    kill(-follow.pid, SIGCONT)
    #expect(try wait(for: 2, from: follow).last == #"{"lost":"no agent is running: belfryd"}"#)
    agent.resume()
    #expect(try wait(for: 3, from: follow).last?.contains(#""skipped":true"#) == true)
  }

  @Test func `without an agent, belfry follow says what to do, and waits for an agent`() throws {
    let desk = try Desk(Lab(.bus))
    let early = try follow(desk)
    #expect(lines(early) == [#"{"lost":"no agent is running: belfryd"}"#])
    let bar = try lines(follow(desk, "--waybar"))
    #expect(bar.first?.contains("Belfry's agent is not running: belfryd") == true)
    #expect(early.errors.hasPrefix("belfry: the agent is not running, and the bus cannot "))
    try desk.startAgent()
    #expect(try wait(for: 2, from: early).last?.hasPrefix(#"{"ringing":[]"#) == true)
  }

  @Test func `belfry follow lets the bus start the agent, and ends quietly when its reader ends`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    // `belfry follow` must notice that `head`, which reads its output, has ended, although nothing
    // changes and there is no line to print.
    let shell = try desk.lab.start(
      "bash", arguments: ["-c", "belfry follow | head -n 1; echo ${PIPESTATUS[@]}"])
    #expect(try shell.waitForExit() == .status(0))
    #expect(shell.output.hasPrefix(#"{"ringing":[]"#) && shell.output.hasSuffix("}\n0 0\n"))
    #expect(shell.errors == "")
  }
}
