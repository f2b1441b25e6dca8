// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests wrong calls of the agent's methods by other programs on the D-Bus session bus. The agent
// refuses each wrong call with a named error and changes nothing. `Tests/Lab/bus-caller.py` calls
// every method with values that the method does not expect.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct BusInputTests {
  private static let caller = Lab.repository.appendingPathComponent("Tests/Lab/bus-caller.py").path

  @Test func `a wrong call of any method of the agent returns a named error and changes nothing`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3600)
    try desk.save(
      Desk.alarm("work", at: due), Desk.alarm("tea", at: due, "enabled = false"),
      Desk.alarm("nap", at: due, #"label = "\u001b[31m""#))
    let agent = try desk.startAgent()
    let before = try desk.status()
    let caller = try desk.lab.start("/usr/bin/python3", arguments: [Self.caller])
    #expect(try caller.waitForExit() == .status(0), "\(caller.errors)")

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
    // The D-Bus library refuses calls with wrong types. Other wrong calls must get errors from the
    // agent.
    #expect(lines.contains { $0[3] == "org.belfry.Error.NotFound" })
    #expect(lines.contains { $0[3] == "org.belfry.Error.InvalidArgument" })
    let after = try desk.status()
    #expect(after.alarms.map(\.id) == before.alarms.map(\.id))
    #expect(after.alarms.map(\.state) == before.alarms.map(\.state))
    #expect(after.ringing.isEmpty && after.missed.isEmpty)
    #expect(after.agent.pid == agent.pid)
  }

  private static let long = String(repeating: "x", count: 50_000)

  /// The wrong calls in `BusMistakes.txt`, each with the error that the agent must return.
  private static let mistakes: [(method: String, arguments: [String], error: String)] = {
    let rest = table("BusMistakes.txt").split(separator: "\n").filter { !$0.hasPrefix("#") }
    return stride(from: 0, to: rest.count - 1, by: 2).map { index in
      let parts = rest[index].components(separatedBy: " | ")
        .map { $0.replacing("LONG", with: long).replacing("EMPTY", with: "") }
      return (parts[0], Array(parts.dropFirst()), rest[index + 1].dropFirst(4).description)
    }
  }()

  @Test func `a call with wrong arguments returns the matching error and changes nothing`() throws {
    let desk = try Desk(Lab(.bus))
    let config = """
      [[alarm]]
      label = "Work"
      id = "work"
      time = 07:30

      [[alarm]]
      id = "train"
      time = 05:15
      date = 2020-12-24

      [[timer]]
      name = "tea"
      duration = "4m"

      [[clock]]
      city = "Berlin"

      """
    try desk.saveText(config)
    try desk.startAgent()
    for line in ["timer 1m", "timer 2m"] { try desk.belfry(line) }
    #expect(Self.mistakes.count > 40)
    for (method, arguments, error) in Self.mistakes {
      let answer = try desk.call(method, arguments)
      let told = "\(method) \(arguments): \(answer)".prefix(300)
      #expect(answer.contains("org.belfry.Error.\(error)"), "\(told)")
    }
    #expect(try desk.text == config)
    #expect(try desk.timers().count == 2)
    try desk.saveText("[[alarm]\n")
    let refused = try desk.call("AddAlarm", "{'time': <'7:30'>}")
    #expect(refused.contains("org.belfry.Error.NotEdited: \(desk.config.path):1:9: error: "))
    #expect(try desk.text == "[[alarm]\n")
  }

  @Test func `other programs can start timers and edit the world clock over D-Bus`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("")
    try desk.startAgent()
    #expect(try desk.call("Timers") == "(@aa{sv} [],)\n")
    #expect(try desk.call("StartTimer", "{'duration':<int64 60>,'label':<'!'>}") == "('1m',)\n")
    let only = try desk.call("Timer", "")
    #expect(only.hasPrefix("({'id': <'1m'>, 'label': <'!'>, 'length': <int64 60>, 'left': "))
    _ = try desk.call("StartTimer", "{'duration':<int64 60>}")
    #expect(try desk.call("Timers").components(separatedBy: "'id': <'").count == 3)
    #expect(try desk.call("Agent").hasPrefix("({'version': <'"))
    #expect(try desk.call("AddClock", "서울", "") == "('Seoul',)\n")
    #expect(try desk.call("AddClock", "Europe/Berlin", "Office") == "('Europe/Berlin',)\n")
    #expect(try desk.call("MoveClock", "Office", "1") == "('Europe/Berlin',)\n")
    let text = try desk.text
    #expect(text.hasSuffix("label = \"Office\"\n\n[[clock]]\ncity = \"Seoul\"\n"))
    #expect(try desk.call("RemoveClock", "seoul") == "(['Seoul'],)\n")
    let found = try desk.call("SearchCities", "ㅅㅇ", "2")
    #expect(found.hasPrefix("([{'city': <'Seoul'>, 'name': <'Seoul'>, 'korean': <'서울'>, "))
  }
}
