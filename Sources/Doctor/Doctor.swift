// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests everything that an alarm needs to be heard, from the config to the sound device, by really
// using it. The tests take at most 15 seconds, even if something hangs. Nothing is repaired. The
// doctor runs the main loop, so it needs a process of its own. The checks are in the files named
// `Doctor…`; `DoctorCommand.swift` shows their results, and `Checkup.swift` uses them in the agent.

import Bus
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

/// One check, with its result. In JSON and on the bus, it has a key for each of these properties.
public nonisolated struct Check: Record {
  /// The names of all checks, in the order in which the checks are shown.
  public enum Name: String, CaseIterable, Codable, Sendable {
    case config, pauses, state, bus, agent, autostart, device, sounds, mixer, hooks, notifications
    case doNotDisturb = "do-not-disturb"
    case wake
    case clockChip = "rtc"
    case battery, lid, zone, clock

    /// The name that users see. Programs get the raw value.
    public var word: String {
      switch self {
      case .config: tr("config", context: "check")
      case .pauses: tr("pauses", context: "check")
      case .state: tr("state", context: "check")
      case .bus: tr("bus", context: "check")
      case .agent: tr("agent", context: "check")
      case .autostart: tr("autostart", context: "check")
      case .device: tr("device", context: "check")
      case .sounds: tr("sounds", context: "check")
      case .mixer: tr("mixer", context: "check")
      case .hooks: tr("hooks", context: "check")
      case .notifications: tr("notifications", context: "check")
      case .doNotDisturb: tr("do-not-disturb", context: "check")
      case .wake: tr("wake", context: "check")
      case .clockChip: tr("rtc", context: "check")
      case .battery: tr("battery", context: "check")
      case .lid: tr("lid", context: "check")
      case .zone: tr("zone", context: "check")
      case .clock: tr("clock", context: "check")
      }
    }
  }

  public enum State: String, Codable, Sendable {
    case ok, warning
    /// An alarm would not be heard, would not be seen, or would not ring as the config says.
    case error
    case unknown
  }

  public var name: Name
  public var state: State
  /// The result in words, for the user. It may contain text from other programs.
  public var message: String
  /// How to fix the problem: if possible, a command to type. Nil if there is no problem, or no fix
  /// is known.
  public var fix: String?

  public init(_ name: Name, _ state: State, _ message: String, fix: String? = nil) {
    (self.name, self.state, self.message, self.fix) = (name, state, message, fix)
  }
}

extension Sequence<Check> {
  /// The checks that found an error.
  public nonisolated var broken: [Check] { filter { $0.state == .error } }
}

public final class Doctor {
  /// The checks that the agent makes by itself before an alarm. They find problems that can appear
  /// from one day to the next and keep an alarm from being heard.
  public static let ahead: [Check.Name] = [.device, .mixer, .battery]

  let locations: Locations
  /// The config, once it has been read; the defaults until then.
  var configuration = Configuration()
  /// The agent's status; nil if it has not reported one.
  var agent: Variant?
  /// Where the agent runs; nil if it is not known to be running.
  var agentFile: AgentFile?
  let worker = Worker(name: "doctor")

  private var checks: [Check.Name: Check] = [:]
  private let scope: [Check.Name]
  private var isOver = false
  private static let limit = Duration.seconds(15)

  public init(_ locations: Locations, _ scope: [Check.Name] = Check.Name.allCases) {
    (self.locations, self.scope) = (locations, scope)
  }

  /// Makes the checks that were asked for, and returns their results. Runs the main loop until the
  /// last result is there or 15 seconds are over.
  public func examine() -> [Check] {
    let watchdog = MainLoop.after(Self.limit) { [weak self] in
      self?.isOver = true
      MainLoop.quit()
    }
    examineFiles()
    let session = awaits(.agent) ? agentBus : nil
    if awaits(.agent) { examineSession(session) }
    // Test the sound after the agent has answered. If a device is busy, the agent's answer shows
    // whether the agent is using it for a ring. This test runs at the same time as the checks
    // below.
    examineSound()
    if awaits(.notifications) { examineNotifications(try? session?.get()) }
    examineMachine()
    examineHooks()
    while checks.count < scope.count, !isOver { MainLoop.run() }
    withExtendedLifetime(watchdog) {}
    // An alarm needs these parts to be heard. A part that does not answer the doctor would not work
    // for an alarm either.
    let vital: Set<Check.Name> = [.config, .bus, .agent, .device]
    return scope.map { name in
      checks[name] ?? Check(name, vital.contains(name) ? .error : .unknown, tr("does not answer"))
    }
  }

  /// The bus of the agent or, if no agent is running, the session bus; nil if it does not answer.
  private var agentBus: Result<Bus, BusError>? {
    answer(within: .seconds(3)) { done in
      Bus.connectToAgent(locations) { [weak self] file, bus in
        self?.agentFile = file
        done(bus)
      }
    }
  }

  /// Returns whether a check was asked for and has no result yet, and there is time left.
  func awaits(_ name: Check.Name) -> Bool {
    scope.contains(name) && checks[name] == nil && !isOver
  }

  func found(_ check: Check) {
    if awaits(check.name) { checks[check.name] = check }
    MainLoop.quit()
  }

  func found(
    _ name: Check.Name, _ state: Check.State, _ message: String, fix: String? = nil
  ) {
    found(Check(name, state, message, fix: fix))
  }

  /// Waits for the value that `ask` passes to its callback. Returns nil if that takes longer than
  /// `limit` or the time for all checks is over.
  func answer<Answer>(
    within limit: Duration = limit, _ ask: (@escaping @MainActor (Answer) -> Void) -> Void
  ) -> Answer? {
    var (answer, isLate): (Answer?, Bool) = (nil, isOver)
    let patience = MainLoop.after(limit) {
      isLate = true
      MainLoop.quit()
    }
    ask {
      answer = $0
      MainLoop.quit()
    }
    while answer == nil, !isLate, !isOver { MainLoop.run() }
    withExtendedLifetime(patience) {}
    return answer
  }

  /// Runs `look` on the worker's thread, because it may have to wait for a disk. Waits for its
  /// result.
  func onWorker<Found: Sendable>(_ look: @escaping @Blocking @Sendable () -> Found) -> Found? {
    answer { done in
      worker.perform {
        let found = look()
        Worker.onMain { done(found) }
      }
    }
  }

  func ask(
    _ peer: Bus.Peer, _ member: String, _ arguments: [Variant] = [],
    gives types: String, on bus: Bus, starting: Bool = false, within limit: Duration = .seconds(3)
  ) -> Result<Bus.Reply, BusError>? {
    answer {
      bus.ask(peer, member, arguments, gives: types, starting: starting, timeout: limit, $0)
    }
  }
}
