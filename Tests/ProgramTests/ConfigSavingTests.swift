// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests a config that is still being written when the agent starts, and a config that is saved with
// errors. `FileWatchTests.swift` tests that the agent notices every kind of save, and
// `SharedFileRaceTests.swift` tests what happens if the file is saved during an edit by a command.

import Foundation
import Lab
import Testing

@Suite(.realServersFirst) struct ConfigSavingTests {
  @Test func `an agent that starts while the config is being written reads it when it is complete`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let text = Desk.defaults + Desk.alarm("work", at: .ahead(3600))
    let writer = try desk.lab.start(
      "sh",
      arguments: [
        "-c",
        """
        mkfifo go; exec >.config/belfry/config.toml; echo open >&2; read -r _ <go; printf %s "$1"
        """,
        "sh", text,
      ])
    try writer.waitForErrors("open")
    try desk.startAgent()
    let before = try desk.status()
    #expect(before.alarms.isEmpty && before.agent.problems.isEmpty)
    try desk.lab.run("sh", "-c", "echo >go")
    try desk.waitForStatus("the alarm") { $0.state("work") == "scheduled" }
  }

  @Test func `an agent that could not watch the config at first sees its changes later`() throws {
    let desk = try Desk(Lab(.bus))
    let own = ["--user", "--map-root-user"]
    let trial = try desk.lab.start("unshare", arguments: own + ["true"])
    if try trial.waitForExit() != .status(0) { try leaveOut("the limit of inotify queues") }
    // In a user namespace of the agent's own, the limit of inotify queues is 0 until `go` opens.
    let script = """
      limit=/proc/sys/user/max_inotify_instances
      mkfifo go; ( (read -r _ <go; echo 100 >$limit) & ); echo 0 >$limit; exec belfryd
      """
    let agent = try desk.startAgent(own[0], own[1], "sh", "-c", script, program: "unshare")
    try agent.waitForErrors("there is no ")
    try desk.save(Desk.alarm("work", at: .ahead(3600)))
    #expect(try desk.status().alarms.isEmpty)
    try desk.lab.run("sh", "-c", "echo >go")
    try desk.waitForStatus("the alarm, after half a minute") { $0.state("work") == "scheduled" }
    let saved = Lab.now
    try desk.save(Desk.alarm("tea", at: .ahead(3600)))
    try desk.waitForStatus("the other alarm") { $0.state("tea") == "scheduled" }
    #expect(Lab.now - saved < 15)
  }

  @Test
  func `an error in the config is reported until it is fixed, and the previous alarms still ring`()
    throws
  {
    let desk = try Desk()
    try desk.startAgent()
    let due = Second.ahead(3)
    let good = Desk.alarm("work", at: due, #"label = "Work""#)
    try desk.save(good)
    try desk.waitForStatus("the alarm") { $0.state("work") == "scheduled" }
    try desk.saveText("[[alarm]]\ntime = 07:30\nlabel = \"Wor\n")
    let problem = try desk.waitForNotification("There is an error in your alarm settings")
    #expect(
      problem.body == """
        config.toml:3:13: this line is not valid TOML.
        write label = "Wor".
        Your previous alarms still apply.
        """)
    #expect(problem.buttons == ["open-config: Open config"])
    #expect(problem.timeout == 0)
    #expect(try desk.status().agent.problems.count == 1)

    // The alarm from the config before the error still rings.
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 2), due.epoch))
    _ = try desk.waitForNotification("Work")
    try desk.save(good)
    #expect(try desk.waitForClosing(of: problem) == 3)
    #expect(try desk.status().agent.problems.isEmpty)
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  @Test func `errors in some alarms are reported, and the other alarms ring`() throws {
    let desk = try Desk()
    let due = Second.ahead(3)
    try desk.saveText(
      "[[alarm]]\nlabel = \"Bad\"\ntime = 07:30\ndays = [\"mondy\"]\n\n"
        + Desk.defaults + Desk.alarm("work", at: due, #"label = "Work""#)
        + Desk.alarm("tea", at: due, #"label = "Tea""#, "volume = 101"))
    try desk.startAgent()
    let problem = try desk.waitForNotification("There is an error in your alarm settings")
    #expect(
      problem.body == """
        config.toml:4:9: no weekday is called "mondy".
        did you mean "monday"?
        1 more; to see them: “belfry config check”.
        Settings with errors do not apply.
        """)
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    #expect(isOnSecond(try desk.lab.recorder.waitForSound(after: due.epoch - 2), due.epoch))
    #expect(try desk.status().alarms.map(\.id) == ["work"])
  }

  @Test func `on a full disk, a command names the config and leaves it unchanged`() throws {
    let desk = try Desk(Lab(.bus))
    try desk.saveText("# mine\n")
    // This limit acts like a disk that accepts no byte, not even from root.
    let answer = try desk.lab.run("bash", "-c", "ulimit -f 0; exec belfry add 7:30")
    let config = desk.lab.home.appendingPathComponent(".config/belfry/config.toml")
    #expect(answer.status == 1 && answer.output.isEmpty)
    #expect(
      answer.errors == """
        belfry: write \(config.path): File too large
        hint: free some disk space; the config is unchanged

        """)
    #expect(try String(contentsOf: config, encoding: .utf8) == "# mine\n")
  }
}
