// SPDX-License-Identifier: GPL-3.0-or-later
//
// `Desk` runs Belfry in a `Lab`, a private desktop for one test. It writes the config, starts
// agents, runs commands, and waits for their effects. Whether the effects are right, each test
// judges itself. Next: `RingingTests.swift`.

import Foundation
import Lab
import Testing

final class Desk {
  static let busName = "org.belfry.Belfry"

  let lab: Lab
  let config: URL
  /// All agents that `startAgent` has started, including those that have ended.
  private(set) var agents: [Program] = []
  private var burdens: [Burden] = []
  /// The signals by which the test ends agents. Any other signal that ends an agent is a crash.
  var endingSignals: Set<Int32> = [SIGKILL]

  /// Makes a desk in a Lab with a notification server and a sound card.
  convenience init() throws { try self.init(Lab(.notifications, .sound)) }

  init(_ lab: Lab) throws {
    Second.stayInOneDay()
    self.lab = lab
    config = self.lab.home.appendingPathComponent(".config/belfry/config.toml")
    try makeTone("low", hertz: 400)
    try makeTone("high", hertz: 1000)
    try FileManager.default.createDirectory(
      at: config.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  /// Checks every agent at the end of a test. If one crashed or is not at rest, the test fails.
  deinit {
    for (agent, before) in zip(agents, burdens) where agent.isRunning {
      do { try expectRest(of: agent, since: before) } catch {
        Issue.record("belfryd at the end: \(error); it said: \(agent.errors)")
      }
    }
    for agent in agents where !agent.isRunning {
      // The agent has ended, so `waitForExit` returns its exit status at once.
      if case .signal(let signal)? = try? agent.waitForExit(), !endingSignals.contains(signal) {
        Issue.record("belfryd was ended by signal \(signal): \(agent.errors)")
      }
    }
  }

  // MARK: - The config

  /// The section `[defaults]` of the config in most tests: rings begin at full volume, and the
  /// agent shows no notice before a ring.
  static let defaults = """
    [defaults]
    sound = "~/low.wav"
    volume = 100
    fade_in = "0s"
    upcoming = "0s"
    snooze = ["3s", "10m"]

    """

  /// Returns the config lines of an alarm that rings once, at `second`. `settings` are further
  /// lines of the alarm.
  static func alarm(_ id: String, at second: Second, _ settings: String...) -> String {
    let lines = [
      "[[alarm]]", #"id = "\#(id)""#, "date = \(second.date)", "time = \(second.time)",
    ]
    return (lines + settings).joined(separator: "\n") + "\n"
  }

  /// Saves a config of `defaults` and `alarms`. The new file replaces the old one by renaming, as
  /// in most editors.
  func save(_ alarms: String...) throws { try saveText(Self.defaults + alarms.joined()) }

  var text: String {
    get throws { String(decoding: try Data(contentsOf: config), as: UTF8.self) }
  }

  func saveText(_ text: String) throws {
    try text.write(to: config, atomically: true, encoding: .utf8)
  }

  /// Makes a sound file with one second of a sine wave, which can be repeated without a gap.
  private func makeTone(_ name: String, hertz: Int) throws {
    try lab.run(
      "sox", "-n", "-r48k", "-c2", "-b16", "\(name).wav", "synth", "1", "sine", "\(hertz)", "gain",
      "-6")
  }

  /// Returns the lines that programs have written to a file in the home folder so far.
  func lines(_ name: String) -> [String] { lab.text(name).split(separator: "\n").map(String.init) }

  /// The text of the agent's state file, and of its copy of the last valid settings.
  var state: String { lab.text(".local/state/belfry/state.toml") }
  var settings: String { lab.text(".local/state/belfry/settings.toml") }

  /// Decodes the JSON output of a command. A key such as `snoozed_until` becomes `snoozedUntil`.
  func decoded<Value: Decodable>(_ line: String, as type: Value.Type = Value.self) throws -> Value {
    let (status, output, errors) = try belfry(line)
    guard status == 0 else { throw LabError.failed("belfry \(line)", reason: errors) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(output.utf8))
  }

  // MARK: - The programs

  /// Starts `belfryd`, and waits until it has its bus name and has read its config.
  @discardableResult
  func startAgent(
    _ arguments: String..., program: String = "belfryd", environment: [String: String] = [:]
  ) throws -> Program {
    let before = Lab.now
    let agent = try lab.start(program, arguments: arguments, environment: environment)
    agents.append(agent)
    do {
      let named = try waitForOwner(since: before)
      try lab.busWatch.waitForMessage("the config to be read", since: before) {
        $0.member == "Changed" && $0.sender == named
      }
      burdens.append(Burden(of: agent.pid))
    } catch {
      burdens.append(Burden(of: agent.pid))
      Issue.record("belfryd: \(agent.errors)")
      throw error
    }
    return agent
  }

  /// Waits until a program has taken the agent's bus name after `time`, and returns the unique bus
  /// name of that program.
  @discardableResult
  func waitForOwner(since time: Epoch) throws -> String {
    let message = try lab.busWatch.waitForMessage("an agent", since: time) {
      Self.isOwnerChange($0) && $0.body.last?.string != ""
    }
    return try #require(message.body.last?.string)
  }

  static func isOwnerChange(_ message: BusMessage) -> Bool {
    message.member == "NameOwnerChanged" && message.body.first?.string == busName
  }

  /// The agent that was started last.
  var agent: Program {
    guard let agent = agents.last else { preconditionFailure("no agent was started") }
    return agent
  }

  /// Kills the agent without letting it save anything, as in a crash or a power cut.
  func crash(_ agent: Program) throws {
    agent.kill()
    try agent.waitForExit()
  }

  /// Runs `belfry` with the words of `line` as its arguments.
  @discardableResult
  func belfry(
    _ line: String, environment: [String: String] = ["TZ": "UTC"]
  ) throws -> (status: Int32, output: String, errors: String) {
    try belfry(line.split(separator: " ").map(String.init), environment: environment)
  }

  /// Runs `belfry` with arguments that may contain spaces.
  @discardableResult
  func belfry(
    _ arguments: [String], environment: [String: String] = ["TZ": "UTC"]
  ) throws -> (status: Int32, output: String, errors: String) {
    let program = try lab.start("belfry", arguments: arguments, environment: environment)
    let exit = try program.waitForExit()
    guard case .status(let status) = exit else {
      throw LabError.failed("belfry \(arguments)", reason: "\(exit). \(program.errors)")
    }
    return (status, program.output, program.errors)
  }

  /// Starts an agent, and waits until its alarm "work" is seen and heard. Returns the alarm's
  /// notification. `settings` are further config lines of the alarm.
  func startRinging(_ settings: String...) throws -> PostedNotification {
    let lines = ([#"label = "Work""#] + settings).joined(separator: "\n")
    try startAgent()
    try save(Self.alarm("work", at: .ahead(3), lines))
    let posted = try waitForNotification("Work")
    try lab.recorder.waitForSound(after: posted.time - 1)
    return posted
  }

  // MARK: - Status and notifications

  func status() throws -> Status { try decoded("status --json") }

  /// Waits until the agent's status satisfies `matches`. Asks for the status again whenever the
  /// agent signals a change.
  @discardableResult
  func waitForStatus(
    _ awaited: String, within seconds: Double = patience, where matches: (Status) -> Bool
  ) throws -> Status {
    let deadline = Lab.now + seconds
    while true {
      let asked = Lab.now
      let status = try status()
      if matches(status) { return status }
      do {
        try lab.busWatch.waitForMessage(awaited, since: asked, within: deadline - asked) {
          $0.member == "Changed"
        }
      } catch {
        throw LabError.deadline(awaited, seconds: seconds, seen: "\(status)")
      }
    }
  }

  func waitForNotification(
    _ title: String, since time: Epoch = 0, within seconds: Double = patience
  ) throws -> PostedNotification {
    try lab.busWatch.waitForNotification(since: time, within: seconds) { $0.title == title }
  }

  /// Waits until the server has closed `notification`, and returns the reason as a number of the
  /// notification protocol, such as 3 if the agent asked for it.
  func waitForClosing(of notification: PostedNotification) throws -> Int64? {
    try lab.busWatch.waitForMessage("\(notification.title) closed", since: notification.time) {
      $0.member == "NotificationClosed"
        && $0.body.first?.integer == notification.id.map(Int64.init)
    }.body.last?.integer
  }

  /// Waits until the agent has stored the id that the server gave `notification`. If the agent is
  /// killed earlier, the next agent cannot replace or close the notification.
  func waitForNote(of notification: PostedNotification) throws {
    let notes = lab.folder.appendingPathComponent("run/belfry/notifications")
    try wait("a note of \(notification.title)") {
      // The file does not exist at first.
      let text = (try? String(contentsOf: notes, encoding: .utf8)) ?? ""
      return text.contains("\n\(notification.id ?? 0) ")
    }
  }

  /// Starts a notification server that answers at once and draws nothing, for a Lab without dunst.
  func startNotificationServer() throws {
    let script = Lab.repository.appendingPathComponent("Tests/Lab/notification-server.py").path
    try lab.start("/usr/bin/python3", arguments: [script]).waitForOutput("ready")
  }

  func shownNotifications() throws -> Int { try lab.shownNotifications() }

  /// Waits until `count` notifications are on the screen, however long the server takes to draw
  /// them.
  func waitForShown(_ count: Int) throws {
    try Lab.wait(
      for: "\(count) notifications",
      seen: "\(try shownNotifications()), server is running: \(lab.notificationServer.isRunning)"
    ) { try shownNotifications() == count }
  }

  /// Waits until a condition is true, by checking it repeatedly. Use this if nothing announces the
  /// change.
  func wait(_ awaited: String, until condition: () throws -> Bool) throws {
    try Lab.wait(for: awaited, until: condition)
  }

  /// Returns the ids of the processes that `agent` started and that still exist, including zombies,
  /// but not its sound process and its wake process.
  func children(of agent: Program) throws -> [String] {
    try processes(of: agent).filter {
      !["belfry-sound", "belfry-wake"].contains(words($0).first.map(String.init) ?? "")
    }
  }

  /// Returns the id of the agent's sound process; nil if there is none.
  func soundProcess(of agent: Program) throws -> Int32? {
    // A process that only checks whether a sound can be played gets no file to keep volumes in.
    try processes(of: agent).first {
      let words = words($0)
      return words.first == "belfry-sound" && !(words.dropFirst().first ?? "").isEmpty
    }.flatMap { Int32($0) }
  }

  /// Returns the list of files that are mapped into the memory of `process`.
  /// (`String(contentsOfFile:)` would read only the first 4096 bytes of this file.)
  func maps(_ process: Int32) throws -> String {
    let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps"))
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
  }

  /// Returns the name with which the process was started, and its arguments.
  private func words(_ id: String) -> [Substring] {
    let line = (try? String(contentsOfFile: "/proc/\(id)/cmdline", encoding: .utf8)) ?? ""
    return line.split(separator: "\0", omittingEmptySubsequences: false)
  }

  private func processes(of agent: Program) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.pid)/task").flatMap {
      // The thread may have ended since the list of threads was read.
      ((try? String(contentsOfFile: "/proc/\(agent.pid)/task/\($0)/children", encoding: .utf8))
        ?? "")
        .split(separator: " ").map(String.init)
    }
  }

  func wait(until moment: Epoch) {
    Thread.sleep(until: Date(timeIntervalSince1970: moment))
  }
}
