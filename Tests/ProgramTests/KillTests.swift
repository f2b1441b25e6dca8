// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kills the real agent two hundred times at random moments, while it is starting, ringing, saving
// or carrying out a command. `AgentLifeTests.swift` tests single crashes and also checks sound and
// notifications. `StateFolderTests.swift` tests a damaged state folder.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServersFirst) struct KillTests {
  static let kills = 200

  @Test
  func `after kills at random moments, no ring is lost, and no stop or snooze is undone`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let agent = try desk.startAgent()
    // One alarm becomes due in each second of this test. No alarm stops ringing by itself.
    let first = Second.ahead(2)
    let due = (0..<300).map { Second(epoch: first.epoch + Double($0)) }
    try desk.saveText(
      Desk.defaults + "ring_for = \"forever\"\n"
        + due.enumerated().map { Desk.alarm("a\($0)", at: $1) }.joined())
    // From now on, no ring can be lost, however long the machine stands still.
    try desk.wait("the last alarm in the state") { desk.state.contains("a\(due.count - 1)") }
    try desk.crash(agent)

    var chance = Chance(seed: Chance.firstSeed)
    var ledger = Ledger()
    for kill in 1...Self.kills {
      // The test checks the rings of every third agent before it kills that agent. It always checks
      // the last agent, so that no ring is left unchecked.
      if kill.isMultiple(of: 3) || kill == Self.kills {
        try desk.lab.settleBus()
        let agent = try desk.startAgent()
        let asked = Lab.now
        ledger.compare(try desk.status(), due: due.count { $0.epoch < asked - 0.5 }, kill)
        try answer(on: desk, agent, within: max(0.1, 3 * (Lab.now - asked)), &chance, &ledger)
        #expect(!agent.errors.contains("state.toml"), "\(agent.errors)")
      } else {
        let agent = try desk.lab.start("belfryd")
        desk.wait(until: Lab.now + .random(in: 0...0.15, using: &chance))
        try desk.crash(agent)
        #expect(!agent.errors.contains("state.toml"), "\(agent.errors)")
      }
    }
    #expect(ledger.stopped.count + ledger.snoozed.count > 10)
  }

  /// Stops or snoozes a ringing alarm by a command, and kills the agent at a random moment within
  /// the next `pace` seconds. `pace` should be a few times as long as a command takes on this
  /// machine.
  private func answer(
    on desk: Desk, _ agent: Program, within pace: Double, _ chance: inout Chance,
    _ ledger: inout Ledger
  ) throws {
    // Sort the ids, because a set has another order in each run, and the same seed must choose the
    // same alarm.
    guard let id = ledger.unanswered.sorted().randomElement(using: &chance) else {
      return try desk.crash(agent)
    }
    let isStop = chance.oneIn(2)
    let command = try desk.lab.start(
      "belfry", arguments: isStop ? ["stop", id] : ["snooze", id, "1h"])
    desk.wait(until: Lab.now + .random(in: 0...pace, using: &chance))
    try desk.crash(agent)
    let isAnswered = try command.waitForExit(within: 30) == .status(0)
    ledger.note(id, isStop ? .stopped : .snoozed, isAnswered: isAnswered)
  }
}

/// The expected states of the alarms, according to the commands that succeeded.
private struct Ledger {
  enum Answer { case stopped, snoozed }

  private(set) var stopped: Set<String> = []
  private(set) var snoozed: Set<String> = []
  private(set) var unanswered: Set<String> = []
  /// The answers to a ring that were sent to an agent that was killed before it replied. The next
  /// status shows whether they took effect.
  private var doubtful: [String: Answer] = [:]

  mutating func note(_ id: String, _ answer: Answer, isAnswered: Bool) {
    guard isAnswered else {
      doubtful[id] = answer
      return
    }
    unanswered.remove(id)
    if answer == .stopped { stopped.insert(id) } else { snoozed.insert(id) }
  }

  /// Compares the expected state of every alarm that was due with its state in the agent's status.
  mutating func compare(_ status: Status, due: Int, _ kill: Int) {
    #expect(status.missed.isEmpty, "kill \(kill)")
    for id in (0..<due).map({ "a\($0)" }) {
      let state = status.state(id)
      switch (doubtful.removeValue(forKey: id), state) {
      case (.stopped, "over"): note(id, .stopped, isAnswered: true)
      case (.snoozed, "snoozed"): note(id, .snoozed, isAnswered: true)
      default: break
      }
      let expected =
        stopped.contains(id) ? "over" : snoozed.contains(id) ? "snoozed" : "ringing"
      if expected == "ringing" { unanswered.insert(id) }
      #expect(state == expected, "\(id) after kill \(kill)")
    }
  }
}
