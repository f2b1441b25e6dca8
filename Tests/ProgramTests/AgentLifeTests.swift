// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how the agent, Belfry's background program, starts and ends. The tests kill it at the worst
// moments, start it twice, ask it to quit, and start it without a session bus. It must not lose a
// ring, and an alarm that was stopped must not ring again. Next: `ConfigSavingTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct AgentLifeTests {
  @Test
  func `after a kill, the next agent goes on ringing, and a stopped alarm stays stopped`()
    throws
  {
    let desk = try Desk()
    let recorder = desk.lab.recorder
    let posted = try desk.startRinging()
    try desk.waitForNote(of: posted)
    try desk.crash(desk.agent)
    try recorder.waitForSilence()

    let restarted = Lab.now
    let second = try desk.startAgent()
    try recorder.waitForSound(after: restarted)
    let again = try desk.waitForNotification("Work", since: restarted)
    #expect(again.text == posted.text)
    // The new notification replaces the notification of the killed agent.
    #expect(try desk.shownNotifications() == 1)

    #expect(try desk.belfry("stop work").output == "stopped work\n")
    // The agent replies before its sound process has become silent.
    try recorder.waitForSilence()
    try desk.crash(second)
    let stopped = Lab.now
    try desk.startAgent()
    #expect(try desk.status().state("work") == "over")
    #expect(recorder.isSilent(from: stopped, to: Lab.now))
  }

  @Test func `an agent that is asked to quit ends its sound and closes its notifications`() throws {
    let desk = try Desk()
    let posted = try desk.startRinging()
    let told = Lab.now
    desk.agent.terminate()
    #expect(try desk.agent.waitForExit() == .status(0))
    #expect(try desk.waitForClosing(of: posted) == 3)
    #expect(try desk.lab.recorder.waitForSilence(after: told) < told + 1)
    // The alarm was not stopped, so the next agent continues the ring.
    try desk.startAgent()
    #expect(try desk.status().ringing.map(\.id) == ["work"])
  }

  @Test
  func `an agent that starts while the config has an error rings the alarms from before the error`()
    throws
  {
    let desk = try Desk()
    let due = Second.ahead(6)
    try desk.save(
      Desk.alarm("work", at: due, #"label = "Work""#), Desk.alarm("tea", at: due, "volume = 30"))
    let first = try desk.startAgent()
    // The agent saves a copy of valid settings a moment after they take effect.
    try Lab.wait(for: "the settings") { desk.settings != "" }
    try desk.crash(first)
    let saved = try desk.text

    try desk.saveText(saved + "[[alarm]\n")
    try desk.startAgent()
    let problem = try desk.waitForNotification("There is an error in your alarm settings")
    #expect(problem.body.hasSuffix("\nYour previous alarms still apply."), "\(problem.body)")
    #expect(try desk.status().alarms.map(\.id) == ["work", "tea"])
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))

    // The agent uses its saved copy of the settings only for the config file from which it was
    // made. If another config file has an error, no alarm rings.
    let other = desk.lab.home.appendingPathComponent("other.toml")
    try "[[alarm]\n".write(to: other, atomically: true, encoding: .utf8)
    let restarted = Lab.now
    _ = try desk.lab.start("belfryd", arguments: ["--replace", "--config", other.path])
    let none = try desk.waitForNotification(
      "There is an error in your alarm settings", since: restarted)
    #expect(none.body.hasSuffix("\nNo alarm will ring until it is fixed."), "\(none.body)")
  }

  @Test
  func `a second agent exits, but with --replace it ends the first one, even if that one hangs`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let first = try desk.startAgent()
    let second = try desk.lab.start("belfryd")
    #expect(try second.waitForExit() == .status(0))
    let address = try #require(desk.lab.environment["DBUS_SESSION_BUS_ADDRESS"])
    #expect(
      second.errors.contains(
        "belfryd is already running, as process \(first.pid) on the bus \(address); "))
    #expect(try desk.status().agent.pid == first.pid)

    let third = try desk.startAgent("--replace")
    #expect(try first.waitForExit() == .status(0))
    #expect(try desk.status().agent.pid == third.pid)
    third.suspend()
    let fourth = try desk.startAgent("--replace")
    #expect(try third.waitForExit() == .signal(SIGKILL))
    #expect(try desk.status().agent.pid == fourth.pid)
  }

  @Test func `a second agent takes over if the first one does not answer and ends soon`() throws {
    let desk = try Desk(Lab(.bus))
    let first = try desk.startAgent()
    first.suspend()
    let second = try desk.lab.start("belfryd")
    // By then, the second agent has waited in vain for an answer.
    desk.wait(until: Lab.now + 4)
    let killed = Lab.now
    first.signal(SIGKILL)
    try desk.waitForOwner(since: killed)
    #expect(try desk.status().agent.pid == second.pid)
  }

  @Test
  func `an agent on another bus of the user is found by every command, and can be replaced`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let due = Second.ahead(3600)
    try desk.save(Desk.alarm("work", at: due))
    let first = try desk.startAgent()
    let address = try #require(desk.lab.environment["DBUS_SESSION_BUS_ADDRESS"])
    let elsewhere = ["DBUS_SESSION_BUS_ADDRESS": try desk.lab.startAnotherBus()]
    let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""]

    let second = try desk.lab.start("belfryd", environment: elsewhere)
    #expect(try second.waitForExit() == .status(0))
    #expect(
      second.errors.contains(
        "belfryd is already running, as process \(first.pid) on the bus \(address); "))
    for place in [elsewhere, nowhere] {
      let started = try desk.belfry("timer 1h", environment: place)
      #expect(started.status == 0, "\(started.errors)")
      let checks = try desk.lab.run("belfry", "doctor", environment: place).output
      #expect(checks.contains("process \(first.pid), on the bus \(address)"), "\(checks)")
      // With an agent, there is no warning that nothing will ring.
      #expect(try desk.belfry("skip work", environment: place).errors == "")
      try desk.belfry("unskip work", environment: place)
    }
    #expect(try desk.status().timers.count == 2)

    // The third agent replaces the first one, although it is on the other bus.
    let third = try desk.lab.start(
      "belfryd", arguments: ["--replace"], environment: elsewhere)
    #expect(try first.waitForExit() == .status(0))
    try Lab.wait(for: "the third agent", seen: third.errors) {
      try desk.status().agent.pid == third.pid
    }
    #expect(try desk.status().timers.count == 2)
    third.suspend()
    let fourth = try desk.startAgent("--replace")
    #expect(try third.waitForExit() == .signal(SIGKILL))
    #expect(try desk.status().agent.pid == fourth.pid)
    // A killed agent leaves no lock.
    try desk.crash(fourth)
    let fifth = try desk.startAgent()
    #expect(try desk.status().agent.pid == fifth.pid)
  }

  @Test func `an agent whose warnings are to be fatal keeps running`() throws {
    let desk = try Desk(Lab(.bus))
    let agent = try desk.startAgent(environment: ["G_DEBUG": "fatal-warnings"])
    // A Lab has no clock that can wake the machine.
    try agent.waitForErrors("a suspended machine will not be woken")
    #expect(try desk.status().agent.pid == agent.pid)
  }

  @Test func `an alarm rings although no timer can be set`() throws {
    let desk = try Desk()
    let due = Second.ahead(8)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let calls = ["trace=timerfd_settime", "inject=timerfd_settime:error=ENOMEM"]
    let agent = try desk.lab.start(
      "strace",
      arguments: ["-D", "-f", "-o", "/dev/null"] + calls.flatMap { ["-e", $0] } + ["belfryd"])
    let posted = try desk.waitForNotification("Work")
    #expect(posted.time - due.epoch < 2)
    #expect(agent.errors.contains("a timer cannot be set"))
    agent.kill()
    try agent.waitForExit()
  }

  @Test
  func `after two crashes soon after the start, the state is set aside, and alarms ring`() throws {
    let desk = try Desk()
    let due = Second.ahead(15)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    desk.endingSignals = [SIGSEGV, SIGILL, SIGABRT, SIGTRAP, SIGKILL]
    func start(timers: Int) throws -> Program {
      let agent = try desk.startAgent()
      #expect(try desk.status().timers.count == timers)
      return agent
    }
    var agent = try start(timers: 0)
    try desk.belfry("timer 1h")
    for number in [SIGSEGV, SIGKILL, SIGILL, SIGKILL, SIGABRT] {
      // A crash that is followed by another end is not repeated.
      agent.signal(number)
      #expect(try agent.waitForExit() == .signal(number))
      agent = try start(timers: 1)
    }
    agent.signal(SIGTRAP)
    #expect(try agent.waitForExit() == .signal(SIGTRAP))
    let restarted = Lab.now
    agent = try start(timers: 0)
    let notice = try desk.waitForNotification(
      "Timers and snoozes were set aside", since: restarted)
    let folder = desk.lab.home.appending(path: ".local/state/belfry").path
    #expect(notice.body.contains("\(folder)/state.toml.crashed"))
    #expect(desk.lab.text(".local/state/belfry/state.toml.crashed").contains("[[timer]]"))
    #expect(desk.lab.text(".local/state/belfry/settings.toml.crashed").contains("work"))
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
  }

  /// Starts a program that takes the agent's bus name but is not an agent. It answers `Status` and
  /// `Agent` with an empty dictionary, and calls itself `belfryd`.
  private func startOther(_ desk: Desk) throws -> Program {
    let script = """
      from gi.repository import Gio, GLib
      open("/proc/self/comm", "w").write("belfryd")
      xml = "<node><interface name='org.belfry.Belfry1'>" + "".join(
          f"<method name='{name}'><arg type='a{{sv}}' direction='out'/></method>"
          for name in ["Status", "Agent"]) + "</interface></node>"
      def serve(bus, _name):
          bus.register_object(
              "/org/belfry/Belfry", Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0],
              lambda *call: call[-1].return_value(GLib.Variant("(a{sv})", ({},))), None, None)
      Gio.bus_own_name(Gio.BusType.SESSION, "\(Desk.busName)", 0, serve, None, None)
      GLib.MainLoop().run()
      """
    let started = Lab.now
    let other = try desk.lab.start("/usr/bin/python3", arguments: ["-c", script])
    try desk.waitForOwner(since: started)
    return other
  }

  @Test
  func `an agent with --replace does not end another program that has the agent's bus name`()
    throws
  {
    let desk = try Desk(Lab(.bus))
    let other = try startOther(desk)
    let agent = try desk.lab.start("belfryd", arguments: ["--replace"])
    #expect(try agent.waitForExit() == .status(1))
    #expect(
      agent.errors.contains(
        "process \(other.pid), belfryd, has \(Desk.busName) but is not belfryd"))
    #expect(other.isRunning)
  }

  @Test(arguments: [(false, []), (true, []), (false, ["--start"])])
  func `alarms ring while another program has the agent's bus name or asks for it`(
    isHung: Bool, arguments: [String]
  ) throws {
    let desk = try Desk()
    try desk.lab.makeActivatable(Desk.busName, as: "belfryd")
    let other = try startOther(desk)
    if isHung { kill(other.pid, SIGSTOP) }
    let due = Second.ahead(6)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#))
    let agent = try desk.lab.start("belfryd", arguments: arguments)
    #expect(isOnSecond(try desk.waitForNotification("Work").time, due.epoch))
    #expect(agent.errors.contains("a program that is not an agent has \(Desk.busName)"))
    // The agent gets the bus name as soon as the other program has ended.
    let ended = Lab.now
    other.kill()
    try desk.waitForOwner(since: ended)
    // No other program can take the bus name away from the agent. The flags 7 of `RequestName`
    // mean: allow replacement, replace the owner, do not queue. The answer 3 means that another
    // program keeps the name.
    let answer = try desk.lab.run(
      "dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
      "org.freedesktop.DBus.RequestName", "string:\(Desk.busName)", "uint32:7")
    #expect(answer.output.split(whereSeparator: \.isWhitespace) == ["uint32", "3"])
    #expect(try desk.status().ringing.map(\.id) == ["work"])
    try desk.belfry("stop work")
    agent.terminate()
    #expect(try agent.waitForExit() == .status(0))
  }

  @Test func `without a session bus, belfryd and belfry print why they cannot start`() throws {
    let lab = try Lab()
    for program in ["belfryd", "belfry"] {
      let (status, output, errors) = try lab.run(program)
      #expect(status == 1)
      #expect(output == "")
      #expect(errors.hasPrefix("\(program): no session bus: "))
      #expect(errors.hasSuffix("in a desktop session\n"))
    }
  }

  @Test func `belfryd answers a wrong option with an explanation and its usage`() throws {
    let lab = try Lab()
    for (arguments, complaint) in [
      (["--nonsense"], "there is no option --nonsense"), (["--config"], "--config needs a file"),
      (["--config="], "--config needs a file"), (["file"], "there is no option file"),
      (["--start", "--config", "/a"], "--start takes no other option"),
      (["--replace", "--start"], "--start takes no other option"),
      (["--check", "--start"], "--start takes no other option"),
      (["--check", "--replace"], "--check does not take --replace"),
    ] {
      let program = try lab.start("belfryd", arguments: arguments)
      #expect(try program.waitForExit() == .status(64))
      #expect(program.errors.hasPrefix("belfryd: \(complaint)\nusage: belfryd "))
    }
    let bytes = try lab.run("bash", "-c", "belfryd --config $'a\\xff'; echo $?")
    #expect(bytes.errors.hasPrefix("belfryd: the command line is not valid UTF-8\nusage: belfryd "))
    #expect(bytes.output == "64\n")
    #expect(try lab.run("belfryd", "--version").output.hasPrefix("belfryd "))
    #expect(try lab.run("belfryd", "--help").output.hasPrefix("usage: belfryd "))
  }
}
