// SPDX-License-Identifier: GPL-3.0-or-later
//
// Other programs on the bus, careless or hostile: what they send is refused by a named error and
// changes nothing, and however much it is, the alarm rings. What is sent is `Tests/Lab/bus-caller.py`'s.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct BusInputTests {
  private static let caller = Lab.repository.appendingPathComponent("Tests/Lab/bus-caller.py").path

  private func call(_ arguments: String..., on desk: Desk) throws -> Program {
    try desk.lab.start("/usr/bin/python3", arguments: [Self.caller] + arguments)
  }

  /// The memory that a program occupies, in bytes.
  private func memory(of program: Program) throws -> Int {
    let pages = try String(contentsOfFile: "/proc/\(program.pid)/statm", encoding: .utf8)
      .split(separator: " ")[1]
    return try #require(Int(pages)) * sysconf(Int32(_SC_PAGESIZE))
  }

  @Test func `whatever a method is called with, it answers with a named error and changes nothing`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3600)
    try desk.save(
      Desk.alarm("work", at: due), Desk.alarm("tea", at: due, "enabled = false"),
      Desk.alarm("nap", at: due, #"label = "\u001b[31m""#))
    let agent = try desk.startAgent()
    let before = try desk.status()
    let caller = try call("table", on: desk)
    #expect(try caller.waitForExit(within: 120) == .status(0), "\(caller.errors)")

    let lines = caller.output.split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(lines.count > 200)
    for line in lines {
      try #require(line.count == 4, "\(line)")
      let known = /done|org\.(belfry|freedesktop\.DBus)\.Error\.[A-Z]\w+/
      #expect(line[3].wholeMatch(of: known) != nil, "\(line)")
      let refusals = ["InvalidArgs", "UnknownMethod", "UnknownInterface", "UnknownProperty"]
      if line[1] == "otherwise" {
        #expect(refusals.contains { line[3].hasSuffix(".\($0)") }, "\(line)")
      }
    }
    // Beside the errors of GDBus there are its own.
    #expect(lines.contains { $0[3] == "org.belfry.Error.NotFound" })
    #expect(lines.contains { $0[3] == "org.belfry.Error.InvalidArgument" })
    let after = try desk.status()
    #expect(after.alarms.map(\.id) == before.alarms.map(\.id))
    #expect(after.alarms.map(\.state) == before.alarms.map(\.state))
    #expect(after.ringing.isEmpty && after.missed.isEmpty)
    #expect(after.agent.pid == agent.pid)
  }

  @Test(arguments: ["", "Status"])
  func `flooded with calls, it rings on the second, answers others, and does not grow`(
    method: String
  ) throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(8)
    // Enough for an answer to be long.
    let others = (0..<50).map { Desk.alarm("a\($0)", at: Second(epoch: due.epoch + 3600)) }
    try desk.save(others.joined() + Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    let before = try memory(of: agent)
    let arguments = ["flood", "6", "3000"] + (method.isEmpty ? [] : [method])
    // However fast this machine was until now, the second is in the middle of the flood.
    desk.wait(until: due.epoch - 4)
    let caller = try desk.lab.start("/usr/bin/python3", arguments: [Self.caller] + arguments)
    try caller.waitForOutput("flooding")
    #expect(
      isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 1), due.epoch))
    #expect(try desk.belfry("stop work").output == "stopped work\n")
    try desk.lab.recorder.waitForSilence()
    #expect(try caller.waitForExit(within: 60) == .status(0), "\(caller.errors)")
    #expect(caller.output.contains(" org."), "\(caller.output)")
    // A ring and its sound take some too.
    let grown = try memory(of: agent) - before
    #expect(grown < 50_000_000, "\(grown) bytes more")
  }
}
