// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of the program `belfryd`: its arguments, its name on the bus, its end. What it does in
// between is `Agent.swift`.

import Bus
import Files
import Language
import Presentation
import System

public nonisolated struct AgentOptions: Equatable, Sendable {
  public var config: String?
  /// Takes over from an agent that runs already.
  public var replace = false
  /// Has the session bus start the agent, and is it only where the bus cannot.
  public var start = false
  /// Only looks whether an alarm would be heard.
  public var check = false

  public nonisolated enum Parsed: Equatable, Sendable {
    case run(AgentOptions)
    case print(String)
    case misuse(String)
  }

  public static var usage: String {
    tr(
      """
      usage: belfryd [--config FILE] [--replace] [--start | --check] [--version] [--help]

        --config FILE  read this config instead of ~/.config/belfry/config.toml
        --replace      take over from an agent that runs already
        --start        have the session bus start the agent, and leave
        --check        look whether an alarm would be heard, print that as JSON, and leave
        --version      print the version
        --help         print this

      The agent of the alarm clock Belfry. It stays in the foreground and logs to standard error or
      the journal. See belfry --help for the commands that talk to it.
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
    return options.config == "" ? .misuse(tr("--config needs a file")) : .run(options)
  }
}

public final class AgentProgram {
  private let options: AgentOptions
  private let agent: Agent
  private var status: Int32 = 0
  private var isServing = false
  private var isLeaving = false
  private var patience: Source?
  /// Ends the agent that runs already, if this one is to replace it.
  private var succession: Succession?

  /// Of open files: what it holds at rest, a reserve for a ring (`DescriptorReserve`), and callers.
  /// GLib ends a program that has none left.
  private static let fewestFiles: UInt = 96

  public init(_ options: AgentOptions) {
    self.options = options
    let locations = Locations(config: options.config)
    agent = Agent(locations, Blocking.here { locations.icons })
  }

  /// The whole of `belfryd`: in the foreground it takes its name on the session bus, serves until
  /// it is told to go, and leaves nothing behind that must be remembered.
  public static func main() -> Never {
    Environment.prepare()
    MainLoop.runMainActor()
    Memory.shareOneHeap()
    let locations = Locations()
    System.Locale.adopt(catalogues: Blocking.here { locations.catalogues })
    let options = Environment.arguments.map { AgentOptions.parse($0) }
    switch options ?? .misuse(tr("what you typed is not all UTF-8")) {
    case .run(let options):
      let files = Environment.allowOpenFiles(fewestFiles)
      guard files >= fewestFiles else {
        StandardError.write(
          "belfryd: "
            + tr("it may open \(files) files, and needs \(fewestFiles): ulimit -n 1024") + "\n")
        Environment.exit(1)
      }
      Environment.exit(options.check ? CheckProgram.run(options) : AgentProgram(options).run())
    case .print(let text):
      print(text)
      Environment.exit(0)
    case .misuse(let message):
      StandardError.write("belfryd: \(message)\n\(AgentOptions.usage)\n")
      Environment.exit(64)
    }
  }

  /// Serves until a signal, the end of the session or another agent ends it. The exit status.
  public func run() -> Int32 {
    let bus: Bus
    do throws(BusError) {
      bus = try Bus()
      if options.start, isStarted(by: bus) { return 0 }
      try BusService.serve(agent, on: bus)
      try LauncherService.serve(agent, on: bus)
      try SearchService.serve(agent, on: bus)
    } catch {
      StandardError.write(
        "belfryd: "
          + tr(
            """
            no session bus: \(error)
            run it in a desktop session, or under dbus-run-session
            """) + "\n")
      return 1
    }
    // A failure, so that whatever supervises the agent starts it again: something may be ringing.
    bus.onClosed = { [weak self] in self?.leave("the session bus is gone", status: 1) }
    bus.own(BusInterface.name) { [weak self] in self?.owns($0, on: bus) }
    let signals = MainLoop.Signal.allCases.map { signal in
      MainLoop.onSignal(signal) { [weak self] in self?.leave("told to leave by a signal") }
    }
    MainLoop.run()
    withExtendedLifetime(signals) {}
    if isServing { agent.stop() }
    return status
  }

  /// Whether the bus has started the agent, or it ran already.
  private func isStarted(by bus: Bus) -> Bool {
    do throws(BusError) {
      try bus.start(BusInterface.name)
      return true
    } catch {
      Log.info("the session bus does not start the agent, so this is it: \(error)")
      return false
    }
  }

  private func owns(_ name: Bus.Ownership, on bus: Bus) {
    switch name {
    case .acquired where !isServing: begin(on: bus)
    case .acquired: Log.info("\(BusInterface.name) is this agent's again")
    case .lost where isServing:
      guard !isLeaving else { return }
      Log.warning(
        "\(BusInterface.name) is lost; the agent goes on, and has it back once it is free")
    case .lost where options.replace:
      succession = Succession(on: bus) { [weak self] in self?.leave($0, status: 1) }
    case .lost:
      // A killed agent's name is given up a moment after it.
      patience = MainLoop.after(.milliseconds(300)) { [weak self] in
        self?.leave("belfryd runs already in this session; belfryd --replace takes over")
      }
    }
  }

  private func begin(on bus: Bus) {
    isServing = true
    (patience, succession) = (nil, nil)
    do throws(SystemError) {
      try agent.start(on: bus)
    } catch {
      Log.error("the agent cannot keep time: \(error)")
      status = 1
      MainLoop.quit()
    }
  }

  /// Ends the main loop with `status`. Only the first reason counts: when the bus goes, so does the
  /// name. With status 0 the unit does not start the agent again.
  private func leave(_ reason: String, status: Int32 = 0) {
    guard !isLeaving else { return }
    (isLeaving, self.status) = (true, status)
    Log.info(reason)
    MainLoop.quit()
  }
}
