// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests disks that do not answer, like a stalled NFS or sshfs. Any path may hang, at the start of
// the agent or later: alarms and timers still ring on time, the agent answers on the bus, and its
// log names the path. Next: `HangingMount.swift` in Lab.

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

  /// Returns variables for the agent alone. A notification server with these variables would look
  /// for icons in the data folder, and hang, too.
  func environment(on desk: Desk) -> [String: String] {
    self == .data ? ["XDG_DATA_HOME": folder(on: desk).path] : [:]
  }

  /// Config lines for `[defaults]` and for an alarm that make the agent use this path.
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
  /// Prepares a config with two alarms, one of which uses the path.
  private func prepared(_ path: HangingPath, at due: Second) throws -> Desk {
    if let obstacle = HangingMount.obstacle { try leaveOut(obstacle) }
    let desk = try Desk()
    let far = desk.lab.home.appendingPathComponent("far")
    try FileManager.default.createDirectory(at: far, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: desk.lab.home.appendingPathComponent("low.wav"), to: far.appendingPathComponent("low.wav")
    )
    let calendar = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:test", "END:VCALENDAR", ""]
    try calendar.joined(separator: "\r\n").write(
      to: far.appendingPathComponent("holidays.ics"), atomically: true, encoding: .utf8)
    let (defaults, alarm) = path.lines
    let base =
      path == .sound
      ? Desk.defaults.replacingOccurrences(of: "sound = \"~/low.wav\"\n", with: defaults)
      : Desk.defaults
    try desk.saveText(
      base + Desk.alarm("work", at: due, #"label = "Work""#, alarm)
        + Desk.alarm("tea", at: Second(epoch: due.epoch + 3), #"label = "Tea""#))
    return desk
  }

  /// Waits until the agent has saved the settings that are in force, which contain `text`, and the
  /// given number of timers.
  private func waitForMemory(of text: String, timers: Int = 0, on desk: Desk) throws {
    let folder = desk.lab.home.appendingPathComponent(".local/state/belfry")
    func has(_ text: String, _ count: Int, in file: String) -> Bool {
      let file = folder.appendingPathComponent(file)
      let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return written.components(separatedBy: text).count > count
    }
    try desk.wait("the settings and the timers in the state") {
      has(text, 1, in: "settings.toml") && has("[[timer]]", timers, in: "state.toml")
    }
  }

  private func expectRings(_ desk: Desk, since: Epoch, at due: Second) throws {
    for (title, second) in [("Work", due.epoch), ("Tea", due.epoch + 3)] {
      let posted = try desk.waitForNotification(title, since: since, within: 30)
      #expect(posted.time - second < 3, "\(title) was seen \(posted.time - second) s late")
    }
    let heard = try desk.lab.recorder.waitForSound(after: due.epoch - 0.2)
    #expect(heard - due.epoch < 3, "heard \(heard - due.epoch) s late")
  }

  @Test(arguments: HangingPath.allCases)
  func `an agent that starts while a path hangs rings on time, and names what it waits for`(
    path: HangingPath
  ) throws {
    let due = Second.ahead(14)
    let desk = try prepared(path, at: due)
    let first = try desk.startAgent(environment: path.environment(on: desk))
    let timer = due.epoch + 6
    try desk.belfry("timer until \(Second(epoch: timer).time) --label Egg")
    try waitForMemory(of: "Tea", timers: 1, on: desk)
    try desk.crash(first)

    let mount = try HangingMount(over: path.folder(on: desk), in: desk.lab)
    let restarted = Lab.now
    let agent = try desk.lab.start("belfryd", environment: path.environment(on: desk))
    try desk.waitForOwner(since: restarted)
    #expect(Lab.now - restarted < 2, "on the bus after \(Lab.now - restarted) s")
    let status = try desk.status()
    #expect(Lab.now - restarted < 6, "it answers")
    if path != .state {
      #expect(Set(status.alarms.map(\.id)) == ["work", "tea"])
      #expect(status.timers.count == 1)
    }
    try expectRings(desk, since: restarted, at: due)
    if path != .state {
      let egg = try desk.waitForNotification("Egg", since: due.epoch + 5, within: 30)
      #expect(egg.time - timer < 3, "the timer was seen \(egg.time - timer) s late")
    }
    #expect(agent.errors.contains(path.name), "\(agent.errors)")
    try desk.belfry("stop")
    mount.release()
    agent.terminate()
    try agent.waitForExit()
  }

  @Test(arguments: HangingPath.allCases)
  func `a path that begins to hang holds nothing up`(path: HangingPath) throws {
    let due = Second.ahead(6)
    let desk = try prepared(path, at: due)
    let agent = try desk.startAgent(environment: path.environment(on: desk))
    let mount = try HangingMount(over: path.folder(on: desk), in: desk.lab)
    try expectRings(desk, since: 0, at: due)
    let asked = Lab.now
    try desk.belfry("stop")
    #expect(Lab.now - asked < 12, "stopped after \(Lab.now - asked) s")
    mount.release()
    // When the disk answers again, an edit takes effect.
    try desk.saveText(
      Desk.defaults + Desk.alarm("late", at: Second.ahead(3600), #"label = "Late""#))
    try desk.waitForStatus("the edit") { $0.alarms.map(\.id) == ["late"] }
    #expect(agent.isRunning)
  }

  @Test func `a sound on a disk that hangs holds up no call and no ring`() throws {
    let due = Second.ahead(8)
    let desk = try prepared(.data, at: due)
    try desk.startAgent()
    let mount = try HangingMount(over: HangingPath.sound.folder(on: desk), in: desk.lab)
    // Start the timer from another program, so that only that program waits for the disk.
    let call = try desk.lab.start(
      "gdbus",
      arguments: [
        "call", "--session", "--dest", Desk.busName, "--object-path", "/org/belfry/Belfry",
        "--method", "org.belfry.Belfry1.StartTimer",
        "{'duration': <int64 600>, 'sound': <'far/low.wav'>}",
      ])
    let asked = Lab.now
    _ = try desk.status()
    #expect(Lab.now - asked < 3, "answered after \(Lab.now - asked) s")
    try expectRings(desk, since: 0, at: due)
    _ = try call.waitForExit()
    try desk.belfry("stop")
    mount.release()
  }

  @Test func `a config that hangs is an error that goes away when its disk answers`() throws {
    let due = Second.ahead(3600)
    let desk = try prepared(.config, at: due)
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

  @Test func `a command on a file that hangs says so, and changes nothing`() throws {
    let desk = try prepared(.config, at: .ahead(3600))
    let before = try desk.text
    try desk.startAgent()
    let mount = try HangingMount(over: HangingPath.config.folder(on: desk), in: desk.lab)
    let edits = ["add 7:30", "edit work --label x", "remove tea", "pause today", "world add Seoul"]
    for line in edits {
      let asked = Lab.now
      let edit = try desk.belfry(line)
      #expect(edit.status == 1 && edit.output == "", "\(line)")
      #expect(
        edit.errors
          == "belfry: \(desk.config.path): the disk does not answer; the config is unchanged\n")
      #expect(Lab.now - asked < 10, "\(line): answered after \(Lab.now - asked) s")
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

  // MARK: - At any moment

  /// One of many tries: the path that hangs, and the seed for its random moments.
  struct Trial: Sendable, CustomTestStringConvertible {
    var path: HangingPath
    var seed: UInt64

    var testDescription: String { "\(path.rawValue), seed \(seed)" }

    /// All tries. There is one try in a usual run. `BELFRY_HANGS=10` makes ten tries for each path,
    /// and `BELFRY_SEED` repeats them.
    static let all: [Trial] = {
      let seed = Chance.firstSeed
      guard let count: UInt64 = Chance.asked("BELFRY_HANGS") else {
        return [Trial(path: HangingPath.allCases[Int(seed % 6)], seed: seed)]
      }
      return HangingPath.allCases.flatMap { path in
        (0..<count).map { Trial(path: path, seed: seed + $0) }
      }
    }()
  }

  @Test(arguments: Trial.all)
  func `at whatever moment a path hangs, five alarms and two timers are on time`(trial: Trial)
    throws
  {
    var chance = Chance(seed: trial.seed)
    let first = Second.ahead(10)
    let desk = try prepared(trial.path, at: Second(epoch: first.epoch + 3600))
    let environment = trial.path.environment(on: desk)
    let dues = (0..<5).map { first.epoch + Double($0) * 4 }
    let timers = [first.epoch + 2, first.epoch + 14]
    let lines = trial.path.lines
    let base =
      trial.path == .sound
      ? Desk.defaults.replacingOccurrences(of: "sound = \"~/low.wav\"\n", with: lines.defaults)
      : Desk.defaults
    try desk.saveText(
      base + "ring_for = \"2s\"\nunanswered = \"miss\"\n"
        + dues.enumerated().map { index, due in
          Desk.alarm("a\(index)", at: Second(epoch: due), "label = \"A\(index)\"", lines.alarm)
        }.joined())
    var agent = try desk.lab.start("belfryd", environment: environment)
    try desk.waitForOwner(since: 0)
    for (index, end) in timers.enumerated() {
      try desk.belfry("timer until \(Second(epoch: end).time) --label T\(index)")
    }
    try waitForMemory(of: "A4", timers: 2, on: desk)
    // The path begins to hang at a random moment, for a random time. The agent may be killed and
    // started again while it hangs.
    desk.wait(until: Lab.now + .random(in: 0...14, using: &chance))
    let mount = try HangingMount(over: trial.path.folder(on: desk), in: desk.lab)
    let isFree = (dues + timers).allSatisfy { $0 < Lab.now - 2.5 || $0 > Lab.now + 3 }
    if isFree, trial.path != .state, Bool.random(using: &chance) {
      agent.kill()
      try agent.waitForExit()
      agent = try desk.lab.start("belfryd", environment: environment)
    }
    desk.wait(until: Lab.now + .random(in: 3...10, using: &chance))
    mount.release()
    // A run with many tries has the machine for itself, so its limit is stricter.
    let tolerance = Trial.all.count > 1 ? 1.0 : 3.0
    let rings =
      dues.enumerated().map { ("A\($0)", $1) } + timers.enumerated().map { ("T\($0)", $1) }
    for (title, due) in rings {
      let posted = try desk.lab.busWatch.waitForNotification(since: due - 0.5, within: 40) {
        $0.title == title && $0.buttons.contains { $0.hasPrefix("stop:") }
      }
      #expect(posted.time - due < tolerance, "\(title): \(posted.time - due) s late")
      print("hang \(trial.testDescription): \(title) \(posted.time - due)")
    }
    agent.terminate()
    try agent.waitForExit()
  }
}
