// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's own life: killed at the worst moments and started again, started late, started twice,
// told to go, left without a bus. Nothing due is lost, and nothing answered comes back. Next:
// `ConfigSavingTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AgentLifeTests {
  /// Waits until an answer is on the disk: the agent tells of a change only then.
  private func waitForRecord(of answer: Epoch, on desk: Desk) throws {
    try desk.lab.busWatch.waitForMessage("the answer's record", since: answer) {
      $0.member == "Changed"
    }
  }

  @Test func `with too few open files it says so; with as few as it asks for, it rings`() throws {
    let desk = try Desk()
    let refused = try desk.lab.run("prlimit", "--nofile=32:32", "belfryd")
    #expect(refused.status == 1)
    #expect(refused.errors == "belfryd: it may open 32 files, and needs 96: ulimit -n 1024\n")
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    // The hard limit is room enough.
    let started = Lab.now
    let agent = try desk.lab.start("prlimit", arguments: ["--nofile=32:96", "belfryd"])
    try desk.waitForOwner(since: started)
    _ = try desk.waitForNotification(due.shown)
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.belfry("stop")
    #expect(agent.isRunning)
  }

  @Test func `killed while it rings, it rings on; killed after Stop, it stays stopped`() throws {
    let desk = try Desk()
    let recorder = desk.lab.recorder
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let first = try desk.startAgent()
    try recorder.waitForSound(after: due.epoch - 1)
    try desk.waitForNote(of: try desk.waitForNotification("Work"))
    try desk.crash(first)
    try recorder.waitForSilence()

    let restarted = Lab.now
    let second = try desk.startAgent()
    try recorder.waitForSound(after: restarted)
    let again = try desk.waitForNotification("Work", since: restarted)
    #expect(again.text == "Alarm, \(due.shown).")
    // The one of the agent that was killed is replaced, not joined.
    #expect(try desk.shownNotifications() == 1)

    #expect(try desk.belfry("stop work").output == "stopped work\n")
    try desk.crash(second)
    let stopped = Lab.now
    try desk.startAgent()
    #expect(try desk.status().state("work") == "over")
    #expect(recorder.isSilent(from: stopped + 0.2, to: Lab.now))
  }

  @Test func `killed while it is snoozed, it rings at the snoozed second`() throws {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#, #"snooze = "10s""#))
    let first = try desk.startAgent()
    let posted = try desk.waitForNotification("Work")
    let pressed = try desk.lab.press("snooze:10", on: posted).time
    try waitForRecord(of: pressed, on: desk)
    try desk.crash(first)
    try desk.startAgent()
    #expect(try desk.status().state("work") == "snoozed")
    #expect(
      isOnSecond(try desk.lab.recorder.waitForSound(after: pressed + 1), pressed + 10))
  }

  @Test func `started while the config has a mistake, it rings what that said before`() throws {
    let desk = try Desk()
    let due = Second.ahead(6)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#), Desk.alarm("tea", at: due, "volume = 30"))
    let first = try desk.startAgent()
    // It is remembered a moment after it is in force.
    let settings = desk.lab.home.appendingPathComponent(".local/state/belfry/settings.toml")
    try Lab.wait(for: "the settings") {
      FileManager.default.fileExists(atPath: settings.path)
    }
    try desk.crash(first)
    let saved = try String(contentsOf: desk.config, encoding: .utf8)

    // One that is not TOML, and one with a mistake in one alarm.
    try desk.saveText(saved + "[[alarm]\n")
    var restarted = Lab.now
    let second = try desk.startAgent()
    let problem = try desk.waitForNotification("There is an error in your alarm settings")
    #expect(problem.body.hasSuffix("\nYour previous alarms still apply."), "\(problem.body)")
    #expect(try desk.status().alarms.map(\.id) == ["work", "tea"])
    try desk.crash(second)
    try desk.saveText(saved.replacingOccurrences(of: "volume = 30", with: "volume = 300"))
    restarted = Lab.now
    try desk.startAgent()
    _ = try desk.waitForNotification("There is an error in your alarm settings", since: restarted)
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    #expect(try Set(desk.status().ringing.map(\.id)) == ["work", "tea"])

    // Another config has other alarms, and one that is gone has none.
    let other = desk.lab.home.appendingPathComponent("other.toml")
    try "[[alarm]\n".write(to: other, atomically: true, encoding: .utf8)
    restarted = Lab.now
    _ = try desk.lab.start("belfryd", arguments: ["--replace", "--config", other.path])
    let none = try desk.waitForNotification(
      "There is an error in your alarm settings", since: restarted)
    #expect(none.body.hasSuffix("\nNo alarm will ring until it is fixed."), "\(none.body)")
  }

  @Test func `started late, it rings what is not too late, and tells the rest until that is read`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#),
      Desk.alarm("tea", at: due, #"label = "Tea""#, #"late = "0s""#))
    let early = try desk.startAgent()
    early.terminate()
    try early.waitForExit()
    desk.wait(until: due.epoch + 5.2)

    var restarted = Lab.now
    let late = try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: restarted)
    _ = try desk.waitForNotification("Work", since: restarted)
    let missed = try desk.waitForNotification("Missed alarm", since: restarted)
    #expect(missed.body == "Tea, \(due.shown): Belfry was not running.")
    #expect(missed.buttons == ["acknowledge: OK"])
    #expect(missed.timeout == 0)
    let status = try desk.status()
    #expect(status.ringing.map(\.id) == ["work"])
    #expect(status.missed.map(\.id) == ["tea"] && status.missed.map(\.reason) == ["off"])
    #expect(try desk.belfry("stop").output == "stopped work\n")
    try desk.crash(late)

    // Nobody has read it yet.
    restarted = Lab.now
    let unread = try desk.startAgent()
    let again = try desk.waitForNotification("Missed alarm", since: restarted)
    #expect(again.body == missed.body)
    let pressed = try desk.lab.press("acknowledge", on: again).time
    try waitForRecord(of: pressed, on: desk)
    try desk.crash(unread)

    restarted = Lab.now
    try desk.startAgent()
    #expect(try desk.status().missed.isEmpty)
    #expect(desk.lab.busWatch.notifications(since: restarted).isEmpty)
  }

  @Test func `what was missed is read when its notification is closed by hand`() throws {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.save(
      Desk.alarm(
        "tea", at: due, #"label = "Tea""#, #"ring_for = "1s""#, #"unanswered = "miss""#))
    let agent = try desk.startAgent()
    let missed = try desk.waitForNotification("Missed alarm")
    // The missed one is closed only where no other lies above it.
    #expect(try desk.waitForClosing(of: try desk.waitForNotification("Tea")) == 3)
    let closed = try desk.lab.closeByHand(missed).time
    try waitForRecord(of: closed, on: desk)
    try desk.crash(agent)
    try desk.startAgent()
    #expect(try desk.status().missed.isEmpty)
  }

  @Test func `a second agent leaves, unless it is to take over`() throws {
    let desk = try Desk(Lab(.bus))
    let first = try desk.startAgent()
    let second = try desk.lab.start("belfryd")
    #expect(try second.waitForExit() == .status(0))
    #expect(second.errors.contains("belfryd runs already in this session"))
    #expect(try desk.status().agent.pid == first.pid)

    let third = try desk.startAgent("--replace")
    #expect(try first.waitForExit() == .status(0))
    #expect(try desk.status().agent.pid == third.pid)
  }

  @Test func `told to go, it goes, and takes its sound and its notifications along`() throws {
    let desk = try Desk()
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let agent = try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    let posted = try desk.waitForNotification("Work")
    let told = Lab.now
    agent.terminate()
    #expect(try agent.waitForExit() == .status(0))
    #expect(try desk.waitForClosing(of: posted) == 3)
    #expect(try desk.lab.recorder.waitForSilence(after: told) < told + 1)
    // It was not answered.
    try desk.startAgent()
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  @Test func `nobody takes its name away, and it rings on`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    // Allow replacement, replace, do not queue; the answer 3 is that the name has an owner.
    let answer = try desk.lab.run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.RequestName", "string:\(Desk.busName)", "uint32:7")
    #expect(answer.output.split(whereSeparator: \.isWhitespace) == ["uint32", "3"])
    let status = try desk.status()
    #expect(status.agent.pid == agent.pid && status.ringing.map(\.id) == ["work"])
  }

  @Test func `an agent that hangs is replaced all the same`() throws {
    let desk = try Desk(Lab(.bus))
    let first = try desk.startAgent()
    first.suspend()
    let second = try desk.startAgent("--replace")
    #expect(try first.waitForExit() == .signal(SIGKILL))
    #expect(try desk.status().agent.pid == second.pid)
  }

  @Test func `a program that is no agent and has its name is not ended`() throws {
    let desk = try Desk(Lab(.bus))
    let script = """
      from gi.repository import Gio, GLib
      Gio.bus_own_name(Gio.BusType.SESSION, "\(Desk.busName)", 0, None, None, None)
      GLib.MainLoop().run()
      """
    let started = Lab.now
    let other = try desk.lab.start("/usr/bin/python3", arguments: ["-c", script])
    try desk.waitForOwner(since: started)
    let agent = try desk.lab.start("belfryd", arguments: ["--replace"])
    #expect(try agent.waitForExit() == .status(1))
    #expect(
      agent.errors.contains("process \(other.pid), python3, has \(Desk.busName) and is no belfryd"))
    #expect(other.isRunning)
  }

  /// Status 1, so that the unit starts it again: `UserManagerTests.swift`.
  @Test func `the end of the session's bus is a failure`() throws {
    let desk = try Desk(Lab(.bus))
    let agent = try desk.startAgent()
    let answer = try desk.lab.run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.GetConnectionUnixProcessID", "string:org.freedesktop.DBus"
    ).output.trimmingCharacters(in: .newlines)
    let bus = try #require(answer.split(separator: " ").last.flatMap { Int32($0) })
    kill(bus, SIGTERM)
    #expect(try agent.waitForExit() == .status(1))
    try agent.waitForErrors("the session bus is gone")
  }

  @Test func `without a session bus it says so`() throws {
    let lab = try Lab()
    for program in ["belfryd", "belfry"] {
      let (status, output, errors) = try lab.run(program)
      #expect(status == 1)
      #expect(output == "")
      #expect(errors.hasPrefix("\(program): no session bus: "))
      #expect(errors.hasSuffix("in a desktop session, or under dbus-run-session\n"))
    }
  }

  @Test func `without standard streams it rings, and writes to nothing else`() throws {
    let desk = try Desk(Lab(.bus, .sound))
    let due = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: due))
    let agent = try desk.startAgent("-c", "exec belfryd <&- >&- 2>&-", program: "sh")
    for number in 0...2 {
      let file = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(agent.pid)/fd/\(number)")
      #expect(file == "/dev/null")
    }
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    try desk.belfry("stop")
  }

  @Test func `a wrong option is misuse`() throws {
    let lab = try Lab()
    for (arguments, complaint) in [
      (["--nonsense"], "there is no option --nonsense"), (["--config"], "--config needs a file"),
      (["--config="], "--config needs a file"), (["file"], "there is no option file"),
    ] {
      let program = try lab.start("belfryd", arguments: arguments)
      #expect(try program.waitForExit() == .status(64))
      #expect(program.errors.hasPrefix("belfryd: \(complaint)\nusage: belfryd "))
    }
    let bytes = try lab.run("bash", "-c", "belfryd --config $'a\\xff'; echo $?")
    #expect(bytes.errors.hasPrefix("belfryd: what you typed is not all UTF-8\nusage: belfryd "))
    #expect(bytes.output == "64\n")
    #expect(try lab.run("belfryd", "--version").output.hasPrefix("belfryd "))
    #expect(try lab.run("belfryd", "--help").output.hasPrefix("usage: belfryd "))
  }
}
