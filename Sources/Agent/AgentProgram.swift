// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program `belfryd`: reads its arguments, claims its state and then its name on the bus, if
// necessary from an agent that it replaces, and ends. `StateClaim.swift` claims the state, and
// `Agent.swift` does the work in between.

import Bus
import Files
import Language
import Presentation
import System

public nonisolated struct AgentOptions: Equatable, Sendable {
  /// The path of the config; nil for the default path.
  public var config: String?
  /// Takes over from an agent that is already running.
  public var replace = false
  /// Asks the session bus to start the agent, then exits. If the bus cannot start the agent, this
  /// process becomes the agent.
  public var start = false
  /// Only checks whether an alarm would be heard.
  public var check = false

  public nonisolated enum Parsed: Equatable, Sendable {
    case run(AgentOptions)
    case print(String)
    case misuse(String)
  }

  public static var usage: String {
    tr(
      """
      usage: belfryd [--config FILE] [--replace]
             belfryd --start
             belfryd --check [--config FILE]
             belfryd --version | --help

        --config FILE  read this config instead of ~/.config/belfry/config.toml
        --replace      take over from an agent that is already running
        --start        ask the session bus to start the agent, then exit
        --check        check whether an alarm would be heard, print JSON, then exit
        --version      print the version
        --help         print this help

      The agent of the alarm clock Belfry. It stays in the foreground and logs to standard error or
      the journal. See belfry --help for the commands that use the agent.
      """)
  }

  public static func parse(_ arguments: some Sequence<String>) -> Parsed {
    var options = AgentOptions()
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--replace": options.replace = true
      case "--start": options.start = true
      case "--check": options.check = true
      case "--version": return .print("belfryd \(Release.version)")
      case "--help", "-h": return .print(usage)
      case "--config":
        guard let file = rest.popFirst() else { return .misuse(tr("--config needs a file")) }
        options.config = file
      case let joined where joined.hasPrefix("--config="):
        options.config = String(joined.dropFirst("--config=".count))
      default: return .misuse(tr("there is no option \(argument)"))
      }
    }
    if options.config == "" { return .misuse(tr("--config needs a file")) }
    // The bus starts the installed agent, and does not pass the options of this process to it.
    if options.start, options.config != nil || options.replace || options.check {
      return .misuse(tr("--start takes no other option"))
    }
    if options.check, options.replace { return .misuse(tr("--check does not take --replace")) }
    return .run(options)
  }
}

public final class AgentProgram {
  /// The answer of `StartServiceByName` if the name already has an owner
  /// (`DBUS_START_REPLY_ALREADY_RUNNING`).
  private static let alreadyRunning: UInt32 = 2
  /// How long an agent may take to end. It waits for the sound, the notification server and the
  /// disk, together for about four seconds at most.
  static let endingPatience = Duration.seconds(5)
  /// A crash within this time after the start may come from the stored state.
  private static let startTime = Duration.seconds(60)

  private let options: AgentOptions
  private let bus: Bus
  private let agent: Agent
  private let locations: Locations
  private var claim: StateClaim?
  private var state = StateClaim.Outcome.unlocked(isHung: false)
  private var status: Int32 = 0
  private var isServing = false
  private var isLeaving = false
  private var patience: Source?
  private var starting: Source?
  /// The agent that was asked to leave.
  private var asked: OtherProcess?

  private init(_ options: AgentOptions, on bus: Bus) {
    (self.options, self.bus) = (options, bus)
    let locations = Locations(config: options.config)
    self.locations = locations
    agent = Agent(locations, Disk.here { locations.icons(on: $0) }, on: bus)
  }

  public static func main() -> Never {
    Environment.prepare()
    let locations = Locations()
    System.Locale.adopt(catalogues: Disk.here { locations.catalogues(on: $0) })
    let options = Environment.arguments.map { AgentOptions.parse($0) }
    switch options ?? .misuse(tr("the command line is not valid UTF-8")) {
    case .run(let options):
      Environment.exit(options.check ? CheckProgram.run(options) : run(options))
    case .print(let text):
      print(text)
      Environment.exit(0)
    case .misuse(let message):
      StandardError.write("belfryd: \(message)\n\(AgentOptions.usage)\n")
      Environment.exit(64)
    }
  }

  /// Runs the agent until a signal, the end of the session bus or another agent ends it. Returns
  /// the exit status.
  private static func run(_ options: AgentOptions) -> Int32 {
    do throws(BusError) {
      let bus = try Bus()
      if options.start {
        handOverDisplay(on: bus)
        if isStarted(by: bus) { return 0 }
      }
      let program = AgentProgram(options, on: bus)
      // The callbacks of the bus and of signals only have weak references to the program.
      defer { withExtendedLifetime(program) {} }
      return try program.serve()
    } catch {
      StandardError.write(
        "belfryd: "
          + tr(
            """
            no session bus: \(error)
            run it in a desktop session
            """) + "\n")
      return 1
    }
  }

  private func serve() throws(BusError) -> Int32 {
    try BusService.serve(agent)
    try LauncherService.serve(agent)
    try SearchService.serve(agent)
    // The end of the bus counts as a failure, so that systemd starts the agent again: something may
    // be ringing.
    bus.onClosed = { [weak self] in self?.leave("the session bus is gone", status: 1) }
    let signals = MainLoop.onQuit { [weak self] in self?.leave("asked to leave by a signal") }
    claim = StateClaim(
      locations, bus: try Bus.sessionAddress.get(), replace: options.replace
    ) { [weak self] in self?.claimed($0) }
    MainLoop.run()
    withExtendedLifetime(signals) {}
    if isServing { agent.stop() }
    return status
  }

  private static func handOverDisplay(on bus: Bus) {
    let lines = SessionVariables.handOver(on: bus)
    guard let path = Locations().display else { return }
    Disk.here { disk in
      // Without the file, an agent that is already running asks the user manager alone.
      try? DurableFile.replace(path, with: Array(lines.joined(separator: "\n").utf8), on: disk)
    }
  }

  /// Asks the bus to start the agent. Returns true if the bus has started it. Returns false if the
  /// bus could not, or if the bus name has an owner already; `giveWay` checks whether that is an
  /// agent.
  private static func isStarted(by bus: Bus) -> Bool {
    do throws(BusError) {
      let answer = try bus.call(
        .daemon, "StartServiceByName", [.string(BusInterface.name), .uint32(0)],
        gives: "u", timeout: .seconds(30))
      return answer.first?.uint32 != alreadyRunning
    } catch {
      Log.info("the session bus does not start the agent, so this process is the agent: \(error)")
      return false
    }
  }

  private func claimed(_ state: StateClaim.Outcome) {
    claim = nil
    if case .refused(let reason, let status) = state { return leave(reason, status: status) }
    self.state = state
    bus.own(BusInterface.name) { [weak self] in self?.owns($0) }
  }

  private func owns(_ name: Bus.Ownership) {
    switch name {
    case .acquired where !isServing: begin()
    case .acquired: Log.info("\(BusInterface.name) belongs to this agent again")
    case .lost where isServing:
      guard !isLeaving else { return }
      Log.warning(
        """
        \(BusInterface.name) is lost; the agent keeps running, and takes the name back once it is \
        free
        """
      )
    case .lost:
      // Another agent may have just ended. The bus frees its name a moment later, so wait for that.
      patience = MainLoop.after(.milliseconds(300)) { [weak self] in
        guard let self else { return }
        if options.replace { endOwner() } else { giveWay() }
      }
    }
  }

  /// Ends this agent if another agent has the bus name: an agent of another state folder, or of a
  /// version that did not lock its state. If the name's owner is not an agent, this agent starts
  /// without the name, because its alarms must ring. Does nothing if the name has no owner any
  /// more: the bus is then about to give the name to this agent.
  ///
  /// The owner's process decides, because any program can answer like an agent. An agent that is
  /// ending does not answer. So if the name's owner is an agent that does not answer, this asks
  /// once more after `endingPatience`.
  private func giveWay(isAgain: Bool = false) {
    bus.askProcess(of: BusInterface.name) { [weak self] process in
      // If the owner has ended by now, there is no process.
      guard let self, !isServing, let process else { return }
      guard process.isAgent else { return found(anAgent: false) }
      bus.ask(BusInterface.peer, "Agent", gives: "a{sv}", timeout: .seconds(2)) {
        [weak self] answer in
        guard let self, !isServing else { return }
        if isAgain || answer.value != nil { return found(anAgent: true) }
        patience = MainLoop.after(Self.endingPatience) { [weak self] in
          self?.giveWay(isAgain: true)
        }
      }
    }
  }

  /// Ends or starts this agent, now that it is known whether the owner of the name is an agent.
  private func found(anAgent isAgent: Bool) {
    guard !isServing else { return }
    if isAgent {
      return leave("belfryd is already running on this bus; belfryd --replace takes over")
    }
    Log.error(
      "a program that is not an agent has \(BusInterface.name): alarms ring, but commands and "
        + "other programs cannot reach this agent until that program ends")
    begin()
  }

  private func begin() {
    (isServing, patience) = (true, nil)
    do throws(SystemError) {
      try agent.start(with: state)
      starting = MainLoop.after(Self.startTime) { AgentFile.hasStarted() }
    } catch {
      Log.error("the agent ends, because it cannot set a timer: \(error)")
      status = 1
      MainLoop.quit()
    }
  }

  /// Ends the program with `status`. Only the first call counts: a second signal or the end of the
  /// bus may follow before the main loop ends. With status 0, systemd does not start the agent
  /// again.
  private func leave(_ reason: String, status: Int32 = 0) {
    guard !isLeaving else { return }
    (isLeaving, self.status) = (true, status)
    Log.info(reason)
    MainLoop.quit()
  }
}

// MARK: - Replacing an agent

/// `--replace` ends the agent that has the bus name, so that the name becomes free. This is done by
/// a signal instead of a call over the bus: a sandboxed program may call the agent, but must not
/// end it.
extension AgentProgram {
  private func endOwner() {
    bus.askProcess(of: BusInterface.name) { [weak self] process in process.map { self?.end($0) } }
  }

  private func end(_ process: OtherProcess) {
    // The old agent may have left before the bus answered. The name then belongs to this process.
    guard !isServing, Int64(process.number) != Environment.processID else { return }
    let name = process.name ?? "?"
    guard process.isAgent else {
      return leave(
        "process \(process.number), \(name), has \(BusInterface.name) but is not belfryd", status: 1
      )
    }
    let isHung = asked == process
    asked = process
    Log.info(
      "process \(process.number), the old agent, is \(isHung ? "killed" : "asked to leave")")
    do throws(SystemError) { try process.end(atOnce: isHung) } catch {
      return leave(
        "process \(process.number), the old agent, cannot be ended: \(error)", status: 1)
    }
    // If the old agent has not left by then, it is killed.
    patience = MainLoop.after(Self.endingPatience) { [weak self] in self?.endOwner() }
  }
}
