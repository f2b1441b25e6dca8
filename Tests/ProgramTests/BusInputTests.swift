// SPDX-License-Identifier: GPL-3.0-or-later
//
// Other programs on the bus, careless or hostile: what they send is refused by a named error and
// changes nothing. What is sent is `Tests/Lab/bus-caller.py`'s.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct BusInputTests {
  private static let caller = Lab.repository.appendingPathComponent("Tests/Lab/bus-caller.py").path

  private func call(_ arguments: String..., on desk: Desk) throws -> Program {
    try desk.lab.start("/usr/bin/python3", arguments: [Self.caller] + arguments)
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

  /// `BELFRY_CALLS` of each method, `BELFRY_SEED` to repeat what it did.
  @Test func `called by chance, every method answers within a second, and no alarm is late`() throws
  {
    let asked: Int? = Chance.asked("BELFRY_CALLS")
    let (count, seed) = (asked ?? 10, Chance.firstSeed)
    let desk = try Desk()
    // From time to time one that rings for a second; of so few that what is measured is the call.
    let (start, spacing) = (Second.ahead(5), max(3, Double(count) / 400))
    let dues = (0..<min(200, 10 + count / 5)).map {
      Second(epoch: start.epoch + (Double($0) * spacing).rounded())
    }
    let settings = """
      [agent]
      countdown = false

      """
    try desk.saveText(
      settings + Desk.defaults + "ring_for = \"1s\"\nunanswered = \"miss\"\n"
        + dues.enumerated().map { Desk.alarm("due-\($0)", at: $1) }.joined()
        + "[[alarm]]\nid = \"work\"\ntime = 07:30\ndays = \"daily\"\n"
        + "[[timer]]\nname = \"tea\"\nduration = \"2s\"\n")
    let agent = try desk.startAgent()
    // A timer that runs brings the symbol in the panel, which has methods too.
    try desk.belfry("timer 50m --label t1")
    let caller = try call("chance", "\(seed)", "\(count)", on: desk)
    let patience = 120 + Double(count) / 2
    #expect(try caller.waitForExit(within: patience) == .status(0), "\(caller.errors)")
    print("seed \(seed): \(caller.output)")
    let lines = caller.output.split(separator: "\n")
    // Beside other tests only what hangs is late.
    let limit = asked == nil ? 5000 : 1000
    let late = lines.filter { $0.hasPrefix("late ") }
      .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    #expect(late.allSatisfy { $0 <= limit }, "seed \(seed): \(caller.output)")
    for line in lines where line.hasPrefix("answer ") {
      let known = /answer \d+ (done|org\.(belfry|freedesktop\.DBus)\.Error\.[A-Z]\w+)/
      #expect(line.wholeMatch(of: known) != nil, "seed \(seed): \(line)")
    }
    #expect(agent.isRunning, "seed \(seed): \(agent.errors.suffix(2000))")
    let end = Lab.now - 3
    struct Ring: Decodable {
      var id: String
      var late: Double?
    }
    let told = try desk.belfry("history --json --count 10000").output
    let rings = try JSONDecoder().decode([Ring].self, from: Data(told.utf8))
    for (number, due) in dues.enumerated() where due.epoch < end {
      let ring = rings.first { $0.id == "due-\(number)" }
      #expect(
        ring?.late.map { $0 < 1 } == true, "seed \(seed): \(due.time): \(ring as Any)")
    }
  }

  /// A letter of 30,000 marks took a second to compare with a thousand ids.
  @Test func `an id that is longer than any is not looked at to its end`() throws {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3600)
    try desk.save((0..<1000).map { Desk.alarm("a\($0)", at: due) }.joined())
    let agent = try desk.startAgent()
    let id = "a" + String(repeating: "\u{301}", count: 30_000)
    try desk.belfry("skip a1")
    let before = Burden(of: agent.pid).processorTime
    for method in ["skip", "stop", "snooze"] {
      let (status, _, errors) = try desk.belfry("\(method) \(id)")
      #expect(status == 1 && errors.contains("no alarm"), "\(errors)")
    }
    // Hundredths of a second; it was ten times as many for each.
    let taken = Burden(of: agent.pid).processorTime - before
    #expect(taken < 100, "\(taken)")
  }
}
