// SPDX-License-Identifier: GPL-3.0-or-later
//
// Edits while an agent runs: it goes by them at once, an alarm that is over rings again, and other
// programs make them over the bus.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct EditingLiveTests {
  private func text(_ desk: Desk) throws -> String {
    try String(contentsOf: desk.config, encoding: .utf8)
  }

  /// Ends the agent with all on the disk that it knows.
  private func end(_ agent: Program) throws {
    agent.terminate()
    try agent.waitForExit()
  }

  @Test func `alarms of a group are switched, skipped and removed together`() throws {
    let desk = try Desk(Lab(.bus))
    for line in ["6:00 --id run", "7:30 --id work --group school", "7:45 --id bus --group school"] {
      try desk.belfry("add \(line) --days daily")
    }
    #expect(
      try text(desk).contains("id = \"work\"\ntime = 07:30\ndays = \"daily\"\ngroup = \"school\""))
    #expect(try desk.belfry("disable --group school").status == 0)
    #expect(try text(desk).components(separatedBy: "enabled = false").count == 3)
    #expect(try desk.belfry("enable --group school").status == 0)
    try desk.startAgent()
    let skipped = try desk.belfry("skip --group school").output.split(separator: "\n")
    #expect(skipped.map { $0.prefix(8) } == ["work wil", "bus will"])
    let alarms = try desk.belfry("list --json").output
    #expect(alarms.components(separatedBy: "\"group\": \"school\"").count == 3)
    #expect(alarms.components(separatedBy: "\"skipped\": true").count == 3)
    // One that is off has nothing to skip, and keeps none of the others.
    #expect(try desk.belfry("disable work").status == 0)
    let rest = try desk.belfry("skip --group school")
    #expect(rest.status == 0 && rest.output.hasPrefix("bus will") && rest.errors == "")
    try desk.expectFailure(
      "skip --group scool", "no alarm is in the group \"scool\": did you mean \"school\"?")
    for line in ["disable", "disable work --group school", "remove", "skip"] {
      #expect(try desk.belfry(line).status == 64, "\(line)")
    }
    #expect(try desk.belfry("edit work --group \"\"").status == 0)
    #expect(try desk.belfry("remove --group school").output == "removed bus\n")
    #expect(try desk.belfry("list --json").output.contains("\"work\""))
  }

  @Test func `what the agent is to do for another config than its own is refused`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.belfry("add 7:30 --id work --group school --days daily")
    let other = desk.lab.home.appendingPathComponent("other.toml").path
    try desk.belfry("add 7:30 --id work --group school --days daily --config \(other)")
    try desk.startAgent()
    for line in ["skip --group school", "skip work", "status", "timer 5m"] {
      let done = try desk.belfry("\(line) --config \(other)")
      #expect(done.status == 1 && done.output == "", "\(line)")
      #expect(
        done.errors == """
          belfry: the agent reads \(desk.config.path), and not \(other)
          fix: belfryd --replace --config \(other)

          """, "\(line)")
    }
    #expect(try !desk.belfry("list --json").output.contains("skipped"))
    #expect(try desk.belfry("skip --group school --config \(desk.config.path)").status == 0)
  }

  @Test func `the agent goes by an edit at once`() throws {
    let desk = try Desk(Lab(.bus))
    // As people keep their dotfiles.
    let kept = desk.lab.home.appendingPathComponent("dotfiles.toml")
    try Data().write(to: kept)
    try FileManager.default.createSymbolicLink(at: desk.config, withDestinationURL: kept)
    try desk.startAgent()
    try desk.belfry("add 7:30 --days daily --label Work")
    var written = Lab.now
    try desk.waitForStatus("the alarm that was added") { $0.state("work") == "scheduled" }
    #expect(Lab.now - written < 1)
    try desk.belfry("disable work")
    written = Lab.now
    try desk.waitForStatus("the alarm that was disabled") { $0.state("work") == "off" }
    #expect(Lab.now - written < 1)
    try desk.belfry("remove work")
    try desk.waitForStatus("no alarm") { $0.alarms.isEmpty }
  }

  @Test func `the next command knows what the last one edited`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    for i in 0..<10 {
      try desk.belfry("add 7:30 --days daily --id a\(i)")
      let skipped = try desk.belfry("skip a\(i)")
      #expect(skipped.status == 0, "\(skipped.errors)")
      try desk.belfry("disable a\(i)")
      #expect(try desk.status().state("a\(i)") == "off")
    }
  }

  @Test func `an alarm that was edited or disabled while it rings stops`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("one", at: due), Desk.alarm("two", at: due))
    try desk.startAgent()
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("disable one")
    try desk.belfry("edit two --time 0:00 --days daily")
    try desk.waitForStatus("nothing to ring") { $0.ringing.isEmpty }
    try desk.lab.recorder.waitForSilence()
    #expect(try desk.status().missed.isEmpty)
  }

  @Test func `an alarm that rang once rings again when it is enabled, agent or no agent`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(2)
    try desk.saveText(
      Desk.defaults + "[[alarm]]\nid = \"nap\"\ntime = \(due.time)\n"
        + "[[alarm]]\nid = \"tea\"\ntime = \(due.time)\n")
    let agent = try desk.startAgent()
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("stop")
    try desk.waitForStatus("both to be over") { $0.alarms.allSatisfy { $0.state == "over" } }
    // With an agent.
    #expect(try desk.belfry("enable nap").output.hasPrefix("enabled nap, rings in 23 h 59 min\n"))
    try desk.waitForStatus("nap to be armed") { $0.state("nap") == "scheduled" }
    #expect(try desk.status().state("tea") == "over")
    try end(agent)
    // Without one: what is not about when it rings counts, too.
    #expect(try desk.belfry("edit tea --volume 50").output.hasPrefix("tea\nrings in 23 h 59 min\n"))
    #expect(try desk.belfry("next --count 2").output.contains("tea"))
    try desk.startAgent()
    try desk.waitForStatus("both to be armed") { $0.alarms.allSatisfy { $0.state == "scheduled" } }
  }

  @Test func `one that rings once and is skipped is off until it is enabled`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.startAgent()
    let time = Second.ahead(3600).time
    for acts in [["enable tea"], ["edit tea --label Tea"], ["disable tea", "enable tea"]] {
      try desk.belfry("add \(time) --id tea")
      #expect(try desk.belfry("skip tea").output.hasPrefix("tea will not ring "))
      for act in acts { #expect(try desk.belfry(act).status == 0) }
      try desk.wait("it to be armed by \(acts)") {
        try desk.belfry("status").output.contains("next  ")
      }
      try desk.belfry("skip tea")
      #expect(try desk.belfry("remove --done").output == "removed tea\n")
    }
  }

  @Test func `an alarm takes over nothing of one that had its name`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(2)
    let once = "[[alarm]]\ntime = \(due.time)\n"
    let name = due.shown.filter { $0 != ":" }
    try desk.saveText(Desk.defaults + once)
    let agent = try desk.startAgent()
    try desk.waitForStatus("it to ring") { !$0.ringing.isEmpty }
    try desk.belfry("stop")
    try desk.waitForStatus("it to be over") { $0.alarms.allSatisfy { $0.state == "over" } }
    try end(agent)
    // One that comes after it in the file would be called as it was, and be over.
    #expect(try desk.belfry("add \(due.time)").output.hasPrefix("\(name)-2\nrings in "))
    try desk.saveText(Desk.defaults + once + once)
    let refused = try desk.belfry("remove --done")
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.errors
        == "belfry: \(name)-2 would be called \(name) then, and be taken for it: "
        + "first give it an id of its own, as in belfry edit \(name)-2 --id \(name)-2\n")
    #expect(try desk.belfry("edit \(name)-2 --id \(name)-2").status == 0)
    #expect(try desk.belfry("remove --done").output == "removed \(name)\n")
    #expect(try desk.belfry("list").output.contains("in 23 h 59 min"))
    // One that is removed while no agent sees it, and added again, is new.
    try desk.saveText(Desk.defaults)
    #expect(try desk.belfry("add \(due.time)").output.hasPrefix("\(name)-2\nrings in 23 h 59 min"))
  }

  /// Sets up an agent where one alarm rings, one is snoozed and one skipped, none with an id.
  private func startThree(_ desk: Desk) throws {
    let due = Second.ahead(3)
    let after = Second(epoch: due.epoch + 3600)
    try desk.saveText(
      Desk.defaults
        + [("Nap", due), ("Work", Second(epoch: due.epoch + 1)), ("Far", after)].map {
          "[[alarm]]\nlabel = \"\($0)\"\ndays = \"daily\"\ntime = \($1.time)\n"
        }.joined())
    try desk.startAgent()
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("snooze nap 10m")
    try desk.belfry("skip far")
  }

  @Test(arguments: [true, false])
  func `an alarm that is renamed takes along that it rings, is snoozed or skipped`(
    hasAgent: Bool
  ) throws {
    let desk = try Desk(Lab(.bus))
    try startThree(desk)
    let until = try #require(desk.status().alarms.first { $0.id == "nap" }?.until)
    if !hasAgent { try end(desk.agent) }
    #expect(
      try desk.belfry(["edit", "work", "--label", "Work early"]).output
        == "work-early\nrings in 23 h 59 min\n")
    #expect(
      try desk.belfry(["edit", "nap", "--label", "Power nap", "--volume", "50"]).output
        .hasPrefix("power-nap\nrings in 9 min "))
    #expect(try desk.belfry("edit far --id later").output == "later\nskipped\n")
    if !hasAgent { try desk.startAgent() }
    let status = try desk.waitForStatus("the new names") { $0.state("later") != nil }
    #expect(status.state("work-early") == "ringing")
    #expect(status.alarms.first { $0.id == "power-nap" }?.until == until)
    #expect(try desk.belfry("list").output.contains("skipped"))
    let history = try desk.belfry("history --json").output
    #expect(!history.contains("removed") && !history.contains("stopped"))
  }

  @Test(arguments: ["by the command", "over the bus"])
  func `the last alarm is silent at once when it is removed, and forgotten`(way: String) throws {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3)
    let alarm = "[[alarm]]\nlabel = \"Work\"\ndays = \"daily\"\ntime = \(due.time)\n"
    try desk.saveText(Desk.defaults + alarm)
    try desk.startAgent()
    try desk.waitForStatus("it to ring") { !$0.ringing.isEmpty }
    try desk.belfry("skip work")
    if way == "by the command" {
      #expect(try desk.belfry("remove work").output == "removed work\n")
    } else {
      #expect(try call(desk, "RemoveAlarms", "['work']") == "(['work'],)\n")
    }
    #expect(try desk.status().ringing.isEmpty)
    // By an editor it might be a mistake.
    #expect(
      try desk.belfry(["add", due.shown, "--days", "daily", "--label", "Work"]).output
        .hasPrefix("work\nrings in 23 h"))
    #expect(try desk.belfry("list").output.contains("skipped") == false)
  }

  // MARK: - Over the bus

  private func call(_ desk: Desk, _ member: String, _ arguments: String...) throws -> String {
    let program = try desk.lab.start(
      "gdbus",
      arguments: [
        "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
        "--method", "org.belfry.Belfry1.\(member)",
      ] + arguments)
    try program.waitForExit()
    return program.output + program.errors
  }

  @Test func `other programs edit the config over the bus`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("# mine\n")
    try desk.startAgent()
    #expect(
      try call(
        desk, "AddAlarm",
        "{'time': <'7:30 am'>, 'days': <['mon', 'tue']>, 'label': <'Work'>, 'volume': <int64 50>, "
          + "'wake': <false>, 'except': <['2026-12-25', '2026-12-28..2027-01-02']>}")
        == "('work',)\n")
    #expect(
      try text(desk)
        == "# mine\n\n[[alarm]]\ntime = 07:30\ndays = [\"mon\", \"tue\"]\nlabel = \"Work\"\n"
        + "except = [2026-12-25, \"2026-12-28..2027-01-02\"]\nvolume = 50\nwake = false\n")
    // The reply comes once the agent goes by it.
    #expect(try desk.status().state("work") == "scheduled")
    #expect(
      try call(
        desk, "EditAlarm", "work",
        "{'label': <'Gym'>, 'unset': <['wake', 'except', 'volume']>, 'date': <'2099-12-24'>}")
        == "('gym',)\n")
    #expect(
      try text(desk) == "# mine\n\n[[alarm]]\ntime = 07:30\ndate = 2099-12-24\nlabel = \"Gym\"\n")
    #expect(try call(desk, "SetEnabled", "['gym']", "false") == "(['gym'],)\n")
    #expect(try desk.status().state("gym") == "off")
    #expect(try call(desk, "RemoveAlarms", "['gym']") == "(['gym'],)\n")
    #expect(try text(desk) == "# mine\n")
  }

  @Test func `wrong edits over the bus get a named error and change nothing`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n")
    try desk.startAgent()
    let long = String(repeating: "x", count: 50_000)
    for (member, arguments, error) in [
      ("AddAlarm", ["{}"], "InvalidArgument: this alarm has no time"),
      ("AddAlarm", ["{'time': <'25:00'>}"], "InvalidArgument: time must be a time of day"),
      (
        "AddAlarm", ["{'time': <int64 730>}"],
        "InvalidArgument: time must be a time of day, not 730"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'tiem': <''>}"],
        "InvalidArgument: an alarm has no key \"tiem\""
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'volume': <byte 5>}"],
        "InvalidArgument: volume has a value of a type"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'volume': <5.0>}"],
        "InvalidArgument: volume has a value of a type"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'label': <['a', 'b']>}"],
        "InvalidArgument: label must be text"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'volume': <int64 -9223372036854775808>}"],
        "InvalidArgument: volume must be"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'id': <'work'>}"],
        "InvalidArgument: an alarm is called \"work\" already"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'id': <'\(long)'>}"],
        "InvalidArgument: id is longer than 100 characters"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'date': <'2020-01-01'>}"],
        "InvalidArgument: it would never ring"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'unset': <['label']>}"],
        "InvalidArgument: an alarm has no key \"unset\""
      ),
      ("EditAlarm", ["nope", "{'label': <'x'>}"], "NotFound: no alarm is called \"nope\""),
      ("EditAlarm", ["work", "{}"], "InvalidArgument: there is nothing to change"),
      ("EditAlarm", ["work", "{'unset': <['time']>}"], "InvalidArgument: an alarm needs its time"),
      (
        "EditAlarm", ["work", "{'unset': <'sound'>}"],
        "InvalidArgument: an alarm has no key \"unset\""
      ),
      (
        "EditAlarm", ["work", "{'label': <'x'>, 'unset': <['label']>}"],
        "InvalidArgument: a key is there twice"
      ),
      // What runs a program or opens a file is the user's to set.
      (
        "AddAlarm", ["{'time': <'7:30'>, 'on_ring': <['touch', 'x']>}"],
        "InvalidArgument: the bus cannot set on_ring: use belfry edit, or write it into the config"
      ),
      ("EditAlarm", ["work", "{'on_stop': <'x'>}"], "InvalidArgument: the bus cannot set on_stop"),
      (
        "EditAlarm", ["work", "{'unset': <['on_before']>}"],
        "InvalidArgument: the bus cannot set on_before"
      ),
      (
        "EditAlarm", ["work", "{'device': <\"tee:null,'|touch FILE',raw\">}"],
        "InvalidArgument: the bus cannot set device"
      ),
      (
        "EditAlarm", ["work", "{'sound': <['Harp', '~/x.ogg']>}"],
        "InvalidArgument: the bus cannot set sound to \"~/x.ogg\", a path: use the command belfry"
      ),
      (
        "AddAlarm", ["{'time': <'7:30'>, 'except': <['2026-12-25', 'h.ics']>}"],
        "InvalidArgument: the bus cannot set except to \"h.ics\", a path"
      ),
      (
        "StartTimer", ["{'duration': <int64 60>, 'sound': <'/etc/passwd'>, 'key': <'x'>}"],
        "InvalidArgument: the bus cannot set sound to \"/etc/passwd\", a path"
      ),
      ("RemoveAlarms", ["[]"], "InvalidArgument: no alarm is named"),
      ("RemoveAlarms", ["['work', 'nope']"], "NotFound: no alarm is called \"nope\""),
      (
        "SetEnabled", ["['Work']", "true"],
        "NotFound: no alarm is called \"Work\": did you mean \"work\"?"
      ),
    ] {
      let program = try desk.lab.start(
        "gdbus",
        arguments: [
          "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
          "--method", "org.belfry.Belfry1.\(member)",
        ] + arguments)
      try program.waitForExit()
      let answer = program.output + program.errors
      #expect(answer.contains("org.belfry.Error.\(error)"), "\(member) \(arguments): \(answer)")
    }
    #expect(try text(desk) == "[[alarm]]\ntime = 07:30\nlabel = \"Work\"\n")
    try desk.saveText("[[alarm]\n")
    let answer = try call(desk, "AddAlarm", "{'time': <'7:30'>}")
    #expect(answer.contains("org.belfry.Error.NotEdited: \(desk.config.path):1:1: error: "))
    #expect(try text(desk) == "[[alarm]\n")
  }
}
