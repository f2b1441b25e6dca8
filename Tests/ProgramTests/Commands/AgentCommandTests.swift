// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the command `belfry` has the agent do, to the letter; and the same over the bus with arguments
// that are wrong. Next: `HostileConfigTests.swift`.

import Foundation
import Lab
import Testing

extension CommandLineTests {
  @Test func `what rings is answered by command`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    #expect(
      try desk.belfry("status").output == "ringing  Work (work)  since \(due.toTheMinute.shown)\n")
    try check(
      [
        ("snooze work 10m", 0, "snoozed work for 10 min\n", ""),
        ("stop", 1, "", "belfry: nothing rings\n"),
        ("snooze work 2s", 0, "snoozed work for 2 s\n", ""),
      ], on: desk)
    let snoozed = Lab.now
    try desk.lab.recorder.waitForSilence(after: snoozed)
    try desk.lab.recorder.waitForSound(after: snoozed + 1)
    try check([("snooze 5m", 0, "snoozed work for 5 min\n", "")], on: desk)
    try check([("stop work", 0, "stopped work\n", "")], on: desk)
    try desk.lab.recorder.waitForSilence()
    try check([("stop work", 1, "", "belfry: work does not ring\n")], on: desk)
  }

  @Test func `the agent is started by the bus where it does not run, and told what to do`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.household)
    let unknown = try desk.belfry("status")
    #expect(unknown.status == 1)
    #expect(unknown.errors.hasPrefix("belfry: the agent does not run, and the bus does not know "))
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    let status = try desk.status()
    #expect(status.alarms.map(\.id) == ["night-watch", "train", "1500"])
    #expect(status.alarms.map(\.state) == ["scheduled", "over", "off"])
    try check(
      [
        ("stop", 1, "", "belfry: nothing rings\n"),
        ("snooze", 1, "", "belfry: nothing rings\n"),
        ("stop train", 1, "", "belfry: train does not ring\n"),
        ("stop nope", 1, "", "belfry: no alarm is called \"nope\": belfry list shows them\n"),
        ("skip trian", 1, "", "belfry: no alarm is called \"trian\": did you mean \"train\"?\n"),
        (
          "snooze Train-", 1, "", "belfry: no alarm is called \"Train-\": did you mean \"train\"?\n"
        ),
        ("explain trian", 1, "", "belfry: no alarm is called \"trian\": did you mean \"train\"?\n"),
        ("ack", 0, "nothing was missed\n", ""),
        ("skip train", 1, "", "belfry: train has no ring to come\n"),
        ("skip 1500", 1, "", "belfry: 1500 is disabled\n"),
      ], on: desk)
    let skipped = try desk.belfry("skip night-watch")
    #expect(skipped.output.hasPrefix("night-watch will not ring "))
    #expect(try desk.belfry("list").output.contains("skipped "))
    // What comes next is the one after it.
    let next = try desk.belfry("status").output.split(separator: "\n").filter {
      $0.contains("night-watch") && ($0.hasPrefix("next ") || $0.hasPrefix("then "))
    }
    #expect(next.count == 1)
    let wanted = try desk.belfry("unskip night-watch")
    #expect(wanted.output == skipped.output.replacing(" not ", with: " "))
    #expect(try !desk.belfry("list").output.contains("skipped "))
  }

  @Test func `wrong arguments on the bus get a named error`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText(Self.household)
    try desk.startAgent()
    let own = "org.belfry.Error"
    let bus = "org.freedesktop.DBus.Error"
    for (call, error) in [
      ("Stop s:nope", "\(own).NotFound"), ("Stop s:", "\(own).NotRinging"),
      ("Snooze s:train x:-1", "\(own).InvalidArgument"),
      ("Snooze s: x:9223372036854775807", "\(own).InvalidArgument"),
      ("Snooze s:train x:-9223372036854775808", "\(own).InvalidArgument"),
      ("Snooze s:train x:31622401", "\(own).InvalidArgument"),
      ("Snooze s:train x:5", "\(own).NotRinging"), ("Skip s:train", "\(own).NothingToCome"),
      ("Skip s:", "\(own).NotFound"),
      ("Skip s:\(String(repeating: "x", count: 9_000))", "\(own).NotFound"),
      ("Stop i:3", "\(bus).InvalidArgs"), ("Stop", "\(bus).InvalidArgs"),
      ("Snooze s:train", "\(bus).InvalidArgs"), ("Snooze s:train d:5", "\(bus).InvalidArgs"),
      ("Status s:x", "\(bus).InvalidArgs"), ("Nonsense", "\(bus).UnknownMethod"),
    ] {
      let arguments = call.split(separator: " ").map {
        String($0).replacing("s:", with: "string:").replacing("x:", with: "int64:")
          .replacing("i:", with: "int32:").replacing("d:", with: "double:")
      }
      let before = Lab.now
      try desk.lab.start(
        "dbus-send",
        arguments: [
          "--session", "--print-reply", "--dest=\(Desk.busName)", "/org/belfry/Belfry",
          "org.belfry.Belfry1.\(arguments[0])",
        ] + arguments.dropFirst()
      ).waitForExit()
      let answer = try desk.lab.busWatch.waitForMessage("an error", since: before) {
        $0.kind == .error
      }
      #expect(answer.errorName == error, "\(call.prefix(60))")
    }
    #expect(try desk.status().alarms.count == 3)
  }
}
