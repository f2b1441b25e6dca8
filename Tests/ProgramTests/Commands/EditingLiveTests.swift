// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests edits of the config while an agent is running. The agent applies them at once, and an alarm
// that has rung rings again if it is enabled. Other programs edit the config over the bus.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct EditingLiveTests {
  /// Asks the agent to quit. It saves all of its state before it ends.
  private func end(_ agent: Program) throws {
    agent.terminate()
    try agent.waitForExit()
  }

  @Test func `each command knows what the command before it edited`() throws {
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

  @Test func `a removed alarm rings as before while an error hides an id, and remove says so`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let work = "[[alarm]]\nid = 'work'\ntime = 07:00\n"
    try desk.saveText(work + "[[alarm]]\nid = 'gym'\ntime = 08:00\n")
    try desk.startAgent()
    try desk.waitForStatus("both alarms") { $0.alarms.count == 2 }
    // The agent does not know which alarm the second block means, so it keeps `gym`.
    try desk.saveText(work + "[[alarm]]\nid = 'g m'\ntime = 08:00\n")
    try desk.waitForStatus("the error to be seen") { !$0.agent.problems.isEmpty }
    #expect(try desk.status().alarms.map(\.id).sorted() == ["gym", "work"])
    let removed = try desk.belfry("remove work")
    #expect(removed.output == "removed work\n")
    #expect(removed.errors.contains("work rings as it did before"))
    #expect(try desk.status().alarms.map(\.id).sorted() == ["gym", "work"])
    try desk.saveText("")
    try desk.waitForStatus("all to be gone") { $0.alarms.isEmpty }
  }

  @Test func `an alarm that has rung rings again when it is enabled, with or without an agent`()
    throws
  {
    let desk = try Desk(Lab(.bus, .sound))
    let agent = try desk.startAgent()
    let due = Second.ahead(2)
    try desk.saveText(
      Desk.defaults + "[[alarm]]\nid = \"nap\"\ntime = \(due.time)\n"
        + "[[alarm]]\nid = \"tea\"\ntime = \(due.time)\n")
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("stop")
    try desk.waitForStatus("both to be over") { $0.alarms.allSatisfy { $0.state == "over" } }
    // Enable an alarm while an agent is running.
    let enabled = try desk.belfry("enable nap")
    #expect(enabled.output.firstMatch(of: /^nap: .*, in 23 h 59 min\n/) != nil)
    #expect(enabled.errors == "")
    try desk.waitForStatus("nap to be armed") { $0.state("nap") == "scheduled" }
    #expect(try desk.status().state("tea") == "over")
    try end(agent)
    // Without an agent, any edit of an alarm that is over schedules its next ring, even an edit
    // that does not change its time.
    let edited = try desk.belfry("edit tea --volume 50")
    #expect(edited.output.firstMatch(of: /^tea: .*, in 23 h 59 min\n/) != nil)
    #expect(
      edited.errors
        == "belfry: the agent is not running, so no alarm will ring\nfix: belfryd --start\n")
    #expect(try desk.belfry("next --count 2").output.contains("tea"))
    try desk.startAgent()
    try desk.waitForStatus("both to be armed") { $0.alarms.allSatisfy { $0.state == "scheduled" } }
  }

  @Test func `without a session bus, a command that sets an alarm warns that it will not ring`()
    throws
  {
    let desk = try Desk(Lab())
    let warning = """
      belfry: there is no session bus, so no agent is running, and no alarm will ring
      hint: log in to a desktop session

      """
    for command in ["add 7:30", "edit 0730 --volume 50", "enable 0730"] {
      let done = try desk.belfry(command)
      #expect(done.status == 0 && done.errors == warning, "\(command)")
    }
    for command in ["disable 0730", "remove 0730", "add 7:30 --config \(desk.config.path)"] {
      #expect(try desk.belfry(command).errors == "", "\(command)")
    }
  }

  @Test func `on a session bus that hangs, an edit ends within seconds, and status fails`() throws {
    let desk = try Desk(Lab())
    let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(try desk.makeDeafSocket())"]
    let start = Lab.now
    let added = try desk.belfry("add 7:30", environment: bus)
    #expect(added.output.hasPrefix("0730: once on ") && added.errors == "")
    let status = try desk.belfry("status", environment: bus)
    #expect(status.status == 1)
    #expect(status.errors.hasPrefix("belfry: no session bus: does not answer\nhint: "))
    #expect(Lab.now - start < 15)
  }

  @Test func `a new alarm does not inherit the state of an older alarm with the same name`() throws
  {
    let desk = try Desk(Lab(.bus, .sound))
    let agent = try desk.startAgent()
    let due = Second.ahead(2)
    let once = "[[alarm]]\ntime = \(due.time)\n"
    let name = due.shown.filter { $0 != ":" }
    try desk.saveText(Desk.defaults + once)
    try desk.waitForStatus("it to ring") { !$0.ringing.isEmpty }
    try desk.belfry("stop")
    try desk.waitForStatus("it to be over") { $0.alarms.allSatisfy { $0.state == "over" } }
    try end(agent)
    // Add a second alarm for the same time. Neither alarm has an id, so both are named after their
    // time, and the second name ends in "-2". `remove --done` must refuse to remove the first
    // alarm: the second one would then get the first one's name, and would count as an alarm that
    // has rung.
    #expect(try desk.belfry("add \(due.time)").output.hasPrefix("\(name)-2: once on "))
    try desk.saveText(Desk.defaults + once + once)
    let refused = try desk.belfry("remove --done")
    #expect(refused.status == 1 && refused.output == "")
    #expect(
      refused.errors
        == "belfry: \(name)-2 would be called \(name) then, the id of another alarm\n"
        + "hint: first give it an id of its own: belfry edit \(name)-2 --id \(name)-2\n")
    #expect(try desk.belfry("edit \(name)-2 --id \(name)-2").status == 0)
    #expect(try desk.belfry("remove --done").output == "removed \(name)\n")
    #expect(try desk.belfry("list").output.contains("in 23 h 59 min"))
    // An alarm counts as new if it is removed and added again while no agent is running.
    try desk.saveText(Desk.defaults)
    let added = try desk.belfry("add \(due.time)").output
    #expect(added.hasPrefix("\(name)-2: once on ") && added.contains(", in 23 h 59 min"))
  }

  /// Starts an agent with three alarms without an id: one is ringing, one snoozed, one skipped.
  private func startThree(_ desk: Desk) throws {
    try desk.startAgent()
    let due = Second.ahead(3)
    let after = Second(epoch: due.epoch + 3600)
    try desk.saveText(
      Desk.defaults
        + [("Nap", due), ("Work", Second(epoch: due.epoch + 1)), ("Far", after)].map {
          "[[alarm]]\nlabel = \"\($0)\"\ndays = \"daily\"\ntime = \($1.time)\n"
        }.joined())
    try desk.waitForStatus("both to ring") { $0.ringing.count == 2 }
    try desk.belfry("snooze nap 10m")
    try desk.belfry("skip far")
  }

  @Test(arguments: [true, false])
  func `an alarm that gets another id starts afresh, and the reply says so`(hasAgent: Bool) throws {
    let desk = try Desk(Lab(.bus))
    try startThree(desk)
    if !hasAgent { try end(desk.agent) }
    let work = try desk.belfry(["edit", "work", "--label", "Work early"]).output
    #expect(work.hasPrefix("work-early: ") && !work.contains(", rings now"))
    let nap = try desk.belfry(["edit", "nap", "--label", "Power nap", "--volume", "50"]).output
    #expect(nap.hasPrefix("power-nap: ") && !nap.contains(", snoozed until "))
    let far = try desk.belfry("edit far --id later").output
    #expect(far.hasPrefix("later: ") && !far.contains(", skipped on "))
    if !hasAgent { try desk.startAgent() }
    let status = try desk.waitForStatus("the new names") { $0.state("later") != nil }
    #expect(status.alarms.allSatisfy { $0.state == "scheduled" } && status.ringing.isEmpty)
    #expect(try !desk.belfry("list").output.contains("skipped"))
    let history = try desk.belfry("history --json").output
    #expect(history.components(separatedBy: "removed").count == 3 && !history.contains("stopped"))
  }

  // MARK: - Over the bus

  @Test func `other programs can edit the config over the bus`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("# mine\n")
    try desk.startAgent()
    #expect(
      try desk.call(
        "AddAlarm",
        "{'time': <'7:30 am'>, 'days': <['mon', 'tue']>, 'label': <'Work'>, 'volume': <int64 50>, "
          + "'wake': <false>, 'except': <['2026-12-25', '2026-12-28..2027-01-02']>}")
        == "('work',)\n")
    #expect(
      try desk.text
        == "# mine\n\n[[alarm]]\ntime = 07:30\ndays = [\"mon\", \"tue\"]\nlabel = \"Work\"\n"
        + "except = [2026-12-25, \"2026-12-28..2027-01-02\"]\nvolume = 50\nwake = false\n")
    // The agent replies only after it has applied the edit.
    #expect(try desk.status().state("work") == "scheduled")
    #expect(
      try desk.call(
        "EditAlarm", "work",
        "{'label': <'Gym'>, 'unset': <['wake', 'except', 'volume']>, 'date': <'2099-12-24'>}")
        == "('gym',)\n")
    #expect(
      try desk.text == "# mine\n\n[[alarm]]\ntime = 07:30\ndate = 2099-12-24\nlabel = \"Gym\"\n")
    #expect(try desk.call("SetEnabled", "['gym']", "false") == "(['gym'],)\n")
    #expect(try desk.status().state("gym") == "off")
    #expect(try desk.call("RemoveAlarms", "['gym']") == "(['gym'],)\n")
    #expect(try desk.text == "# mine\n")
  }
}
