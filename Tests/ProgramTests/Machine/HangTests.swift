// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests disks that do not answer, like a network disk (NFS, sshfs) whose server is gone. Any path
// may hang, at the start of the agent or later. Alarms and timers still ring on time, the agent
// answers on the bus, and its log names the path. Next: `HangingMount.swift` in Lab.

import Foundation
import Lab
import Testing

/// A path on a disk that does not answer. Each case is named after the file that the agent looks
/// for at the path.
enum HangingPath: String, CaseIterable, CustomTestStringConvertible {
  case config, state, data, sound, calendar
  case alarmSound = "an alarm's sound"

  var testDescription: String { rawValue }

  /// Returns the folder that hangs. Without `directoryHint`, `URL` would check whether the path is
  /// a folder, and hang.
  func folder(on desk: Desk) -> URL {
    let name =
      switch self {
      case .config: ".config/belfry"
      case .state: ".local/state/belfry"
      case .data, .sound, .calendar, .alarmSound: "far"
      }
    return desk.lab.home.appending(path: name, directoryHint: .isDirectory)
  }

  /// Returns environment variables for the agent alone. A notification server with these variables
  /// would look for icons in the data folder that hangs, and would hang, too.
  func environment(on desk: Desk) -> [String: String] {
    self == .data ? ["XDG_DATA_HOME": folder(on: desk).path] : [:]
  }

  /// Config lines in the section `[defaults]` and in an alarm that make the agent use this path.
  var lines: (defaults: String, alarm: String) {
    switch self {
    case .config, .state: ("", "")
    case .data: ("", "sound = \"Carillon\"")
    case .sound: ("sound = \"~/far/low.wav\"\n", "")
    case .alarmSound: ("", "sound = \"~/far/low.wav\"")
    case .calendar: ("", "except = [\"~/far/holidays.ics\"]")
    }
  }

  /// The name by which the agent's log mentions the path.
  var name: String {
    switch self {
    case .config: "config.toml"
    case .state: ".local/state/belfry"
    case .data: "Carillon"
    case .sound, .alarmSound: "far/low.wav"
    case .calendar: "holidays.ics"
    }
  }
}

@Suite(.realServers) struct HangTests {
  /// Makes a desk whose config has two alarms, one of which uses the path. This alarm is due in
  /// about `seconds`, counted from when the servers of the desk are running.
  private func prepared(
    _ path: HangingPath, in seconds: Double = 3600
  ) throws -> (desk: Desk, due: Second) {
    if let obstacle = HangingMount.obstacle { try leaveOut(obstacle) }
    let desk = try Desk()
    let calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test", "END:VCALENDAR", ""]
    try desk.lab.write(calendar.joined(separator: "\r\n"), to: "far/holidays.ics")
    try desk.lab.run("cp", "low.wav", "far")
    let (defaults, alarm) = path.lines
    let due = Second.ahead(seconds)
    let base =
      path == .sound
      ? Desk.defaults.replacingOccurrences(of: "sound = \"~/low.wav\"\n", with: defaults)
      : Desk.defaults
    try desk.saveText(
      base + Desk.alarm("work", at: due, #"label = "Work""#, alarm)
        + Desk.alarm("tea", at: Second(epoch: due.epoch + 3), #"label = "Tea""#))
    return (desk, due)
  }

  /// Waits until the agent has saved settings that contain `text`, and a state with at least the
  /// given number of timers.
  private func waitForMemory(of text: String, timers: Int = 0, on desk: Desk) throws {
    try desk.wait("the settings and the timers in the state") {
      desk.settings.contains(text)
        && desk.state.components(separatedBy: "[[timer]]").count > timers
    }
  }

  /// Checks that both alarms are seen and heard on time. `wait` has measured since `since`.
  private func expectRings(
    _ desk: Desk, since: Epoch, at due: Second, _ wait: ProcessorWait
  ) throws {
    for (title, second) in [("Work", due.epoch), ("Tea", due.epoch + 3)] {
      let posted = try desk.waitForNotification(title, since: since)
      let late = posted.time - second
      #expect(late < 3 + wait.seconds, "\(title) was seen \(late) s late")
    }
    let heard = try desk.lab.recorder.waitForSound(after: due.epoch - 0.2)
    #expect(heard - due.epoch < 3 + wait.seconds, "heard \(heard - due.epoch) s late")
  }

  @Test(arguments: HangingPath.allCases)
  func `an agent that starts while a path hangs rings on time, and names the path in its log`(
    path: HangingPath
  ) throws {
    let (desk, due) = try prepared(path, in: 12)
    let first = try desk.startAgent(environment: path.environment(on: desk))
    let timer = due.epoch + 6
    try desk.belfry("timer until \(Second(epoch: timer).time) --label Egg")
    try waitForMemory(of: "Tea", timers: 1, on: desk)
    try desk.crash(first)

    let mount = try HangingMount(over: path.folder(on: desk), in: desk.lab)
    let (restarted, wait) = (Lab.now, ProcessorWait(desk.lab))
    let agent = try desk.lab.start("belfryd", environment: path.environment(on: desk))
    try desk.waitForOwner(since: restarted)
    #expect(Lab.now - restarted < 2 + wait.seconds, "on the bus after \(Lab.now - restarted) s")
    let status = try desk.status()
    #expect(Lab.now - restarted < 6 + wait.seconds, "it answers")
    if path != .state {
      #expect(Set(status.alarms.map(\.id)) == ["work", "tea"])
      #expect(status.timers.count == 1)
    }
    try expectRings(desk, since: restarted, at: due, wait)
    // Once the disk of the state answers, the timer in the state goes on.
    if path == .state { mount.release() }
    let egg = try desk.waitForNotification("Egg", since: due.epoch + 5)
    #expect(egg.time - timer < 3 + wait.seconds, "the timer was seen \(egg.time - timer) s late")
    #expect(agent.errors.contains(path.name), "\(agent.errors)")
    try desk.belfry("stop")
    if path != .state { mount.release() }
    agent.terminate()
    try agent.waitForExit()
  }

  @Test(arguments: HangingPath.allCases)
  func `a path that begins to hang delays no ring and no command`(path: HangingPath) throws {
    let (desk, due) = try prepared(path, in: 6)
    let agent = try desk.startAgent(environment: path.environment(on: desk))
    let wait = ProcessorWait(desk.lab)
    let mount = try HangingMount(over: path.folder(on: desk), in: desk.lab)
    try expectRings(desk, since: 0, at: due, wait)
    let asked = Lab.now
    try desk.belfry("stop")
    #expect(Lab.now - asked < 12 + wait.seconds, "stopped after \(Lab.now - asked) s")
    mount.release()
    // Once the disk answers again, a change of the config takes effect.
    try desk.saveText(
      Desk.defaults + Desk.alarm("late", at: Second.ahead(3600), #"label = "Late""#))
    try desk.waitForStatus("the edit") { $0.alarms.map(\.id) == ["late"] }
    #expect(agent.isRunning)
  }

  @Test func `a timer's sound on a disk that hangs delays no ring and no other call`() throws {
    let (desk, due) = try prepared(.data, in: 8)
    try desk.startAgent()
    let mount = try HangingMount(over: HangingPath.sound.folder(on: desk), in: desk.lab)
    // Start a timer with this sound by gdbus(1), so that gdbus waits for the disk and the test does
    // not.
    let call = try desk.lab.start(
      "gdbus",
      arguments: [
        "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
        "--method", "org.belfry.Belfry1.StartTimer",
        "{'duration': <int64 600>, 'sound': <'far/low.wav'>}",
      ])
    let (asked, wait) = (Lab.now, ProcessorWait(desk.lab))
    _ = try desk.status()
    #expect(Lab.now - asked < 3 + wait.seconds, "answered after \(Lab.now - asked) s")
    try expectRings(desk, since: 0, at: due, wait)
    _ = try call.waitForExit()
    try desk.belfry("stop")
    mount.release()
  }

  @Test func `a config on a disk that hangs is reported as an error until the disk answers`() throws
  {
    let (desk, _) = try prepared(.config)
    let first = try desk.startAgent()
    try waitForMemory(of: "Tea", on: desk)
    try desk.crash(first)
    let mount = try HangingMount(over: HangingPath.config.folder(on: desk), in: desk.lab)
    let restarted = Lab.now
    let agent = try desk.lab.start("belfryd")
    try desk.waitForOwner(since: restarted)
    let problem = try desk.waitForStatus("the problem") { !$0.agent.problems.isEmpty }
    #expect(
      problem.agent.problems == [
        "\(desk.config.path):1:1: error: cannot be read: the disk does not answer"
      ])
    #expect(problem.alarms.map(\.id) == ["work", "tea"])
    mount.release()
    try desk.waitForStatus("no problem") { $0.agent.problems.isEmpty }
    agent.terminate()
    try agent.waitForExit()
  }

  @Test func `a command that needs a file on a disk that hangs reports this and changes nothing`()
    throws
  {
    let (desk, _) = try prepared(.config)
    let before = try desk.text
    try desk.startAgent()
    let mount = try HangingMount(over: HangingPath.config.folder(on: desk), in: desk.lab)
    let edits = ["add 7:30", "edit work --label x", "remove tea", "pause today", "world add Seoul"]
    for line in edits {
      let (asked, wait) = (Lab.now, ProcessorWait(desk.lab))
      let edit = try desk.belfry(line)
      #expect(edit.status == 1 && edit.output == "", "\(line)")
      #expect(
        edit.errors
          == "belfry: \(desk.config.path): the disk does not answer; the config is unchanged\n")
      #expect(Lab.now - asked < 10 + wait.seconds, "\(line): answered after \(Lab.now - asked) s")
    }
    let added = try desk.call("AddAlarm", "{'time': <'7:30'>}")
    #expect(added.contains("org.belfry.Error.NotEdited"), "\(added)")
    mount.release()
    let state = try HangingMount(over: HangingPath.state.folder(on: desk), in: desk.lab)
    let history = try desk.belfry("history").errors
    #expect(history.hasSuffix("history.jsonl: the disk does not answer\n"), "\(history)")
    state.release()
    #expect(try desk.text == before)
    try desk.belfry("add 7:30")
    try desk.waitForStatus("the edit") { $0.alarms.count == 3 }
  }

  @Test func `a command returns to the shell although the kernel keeps its process`() throws {
    let (desk, _) = try prepared(.data)
    try desk.startAgent()
    let folder = HangingPath.data.folder(on: desk)
    let mount = try HangingMount(over: folder, in: desk.lab, .kept)
    defer { mount.release() }
    let hanging = ["XDG_DATA_HOME": folder.path]
    for (line, status) in [("timer 9m", 0), ("next", 0), ("sounds", 0), ("doctor", 0), ("nil", 64)]
    {
      let asked = Lab.now
      // `cat` ends when the last program that could write has ended or closed its output.
      let shell = try desk.lab.run(
        "bash", "-c", "belfry \(line) | cat; exit ${PIPESTATUS[0]}", environment: hanging)
      #expect(Lab.now - asked < 20, "\(line): \(Lab.now - asked) s")
      #expect(shell.status == status, "\(line): \(shell.output)\(shell.errors)")
    }
    #expect(try desk.status().timers.count == 1)
    // A signal ends a command at once. `doctor` is still waiting for the disk.
    let doctor = try desk.lab.start("belfry", arguments: ["doctor"], environment: hanging)
    desk.wait(until: Lab.now + 1)
    let asked = Lab.now
    doctor.terminate()
    #expect(try doctor.waitForExit() == .signal(SIGTERM))
    #expect(Lab.now - asked < 3)
  }

  @Test func `if only writing the state hangs, belfry doctor blames nothing else`() throws {
    let (desk, _) = try prepared(.config)
    try desk.startAgent()
    let folder = HangingPath.state.folder(on: desk)
    let mount = try HangingMount(over: folder, in: desk.lab, .writes)
    // While the agent's write to this folder hangs, any other program that looks into the folder
    // hangs, too, and cannot be killed. The doctor must answer nevertheless. It waits for its
    // checks for up to 30 seconds.
    try desk.belfry("timer 10m")
    let asked = Lab.now
    let found = try desk.diagnosis()
    #expect(Lab.now - asked < 40)
    #expect(found["state"]?.state == "warning")
    #expect(
      found["state"]?.message
        == "\(folder.path) cannot be written, so a restart loses snoozes, skips and timers: "
        + "the disk does not answer")
    #expect(found["state"]?.fix == "findmnt -T \(folder.path)")
    for name in ["bus", "agent", "device"] {
      #expect(found[name]?.state == "ok", "\(found[name] as Any)")
    }
    mount.release()
  }
}
