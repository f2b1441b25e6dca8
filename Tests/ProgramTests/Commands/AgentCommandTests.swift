// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the commands of `belfry` that call the agent, and the exact text that they print.
// `BusInputTests.swift` tests calls over the bus with wrong arguments.

import Foundation
import Lab
import Testing

extension CommandLineTests {
  @Test func `the agent is started by the bus where it does not run, and told what to do`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.household)
    let unknown = try desk.belfry("status")
    #expect(unknown.status == 1)
    #expect(unknown.errors.hasPrefix("belfry: the agent is not running, and the bus cannot "))
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    let status = try desk.status()
    #expect(status.alarms.map(\.id) == ["night-watch", "train", "1500"])
    #expect(status.alarms.map(\.state) == ["scheduled", "over", "off"])
    try check(
      [
        ("stop", 1, "", "belfry: nothing rings\n"),
        ("snooze", 1, "", "belfry: nothing rings\n"),
        ("stop train", 1, "", "belfry: train does not ring\n"),
        ("stop nope", 1, "", "belfry: no alarm is called \"nope\"\nhint: belfry list shows them\n"),
        (
          "skip trian", 1, "",
          "belfry: no alarm is called \"trian\"\n"
            + "hint: did you mean \"train\"?\n"
        ),
        (
          "snooze Train-", 1, "",
          "belfry: no alarm is called \"Train-\"\n"
            + "hint: did you mean \"train\"?\n"
        ),
        (
          "explain trian", 1, "",
          "belfry: no alarm is called \"trian\"\n"
            + "hint: did you mean \"train\"?\n"
        ),
        ("ack", 0, "nothing was missed\n", ""),
        ("skip train", 1, "", "belfry: train has no ring to come\n"),
        ("skip 1500", 1, "", "belfry: 1500 is disabled\n"),
      ], on: desk)
    let skipped = try desk.belfry("skip night-watch")
    #expect(skipped.output.hasPrefix("night-watch will not ring "))
    #expect(try desk.belfry("list").output.contains("skipped "))
    // After the skip, the status shows the ring that follows the skipped ring.
    let next = try desk.belfry("status").output.split(separator: "\n").filter {
      $0.contains("night-watch") && ($0.hasPrefix("next ") || $0.hasPrefix("then "))
    }
    #expect(next.count == 1)
    let wanted = try desk.belfry("unskip night-watch")
    #expect(wanted.output == skipped.output.replacing(" not ", with: " "))
    #expect(try !desk.belfry("list").output.contains("skipped "))
  }
}
