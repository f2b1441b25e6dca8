// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that an alarm that was just added is not lost if the agent is killed before it has stored
// that it saw the alarm. `BELFRY_KILLS=200` kills it 200 times.

import Foundation
import Lab
import TestData
import Testing

@Suite(.realServers) struct AddedAlarmTests {
  @Test func `an alarm rings although the agent was killed right after add returned`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Desk.defaults)
    var agent = try desk.startAgent()
    let count: Int = Chance.asked("BELFRY_KILLS") ?? 5
    for number in 0..<count {
      var due = Second.ahead(2)
      func add() throws -> (status: Int32, output: String, errors: String) {
        try desk.belfry("add \(due.time) --date \(due.date) --id a\(number)")
      }
      var added = try add()
      // On a busy machine, the moment may have passed before the command reads it.
      while added.status != 0, Lab.now > due.epoch {
        due = .ahead(5)
        added = try add()
      }
      agent.kill()
      try agent.waitForExit()
      #expect(added.status == 0, "\(added.errors)")
      usleep(useconds_t(max(0, due.epoch - Lab.now + 0.5) * 1_000_000))
      agent = try desk.startAgent()
      try desk.waitForStatus("alarm \(number) to ring") { status in
        status.ringing.contains { $0.id == "a\(number)" }
      }
      try desk.belfry("stop")
    }
  }

  @Test func `an alarm that an editor added while no agent ran rings, or is missed`() throws {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(1)
    try desk.save(Desk.alarm("late", at: due), Desk.alarm("missed", at: due, #"late = "0s""#))
    usleep(11_000_000)
    try desk.startAgent()
    let status = try desk.waitForStatus("the ring") { $0.ringing.map(\.id) == ["late"] }
    #expect(status.state("missed") == "over")
  }
}
