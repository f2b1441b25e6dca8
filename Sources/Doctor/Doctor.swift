// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests everything that an alarm needs to be heard, from the config to the sound device, by really
// using it. The tests take at most 15 seconds, even if something hangs. Nothing is repaired. The
// doctor waits for each answer, so it needs a process of its own. The checks are in the files named
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
  private var checks: [Check.Name: Check] = [:]
  private let scope: [Check.Name]
  private let deadline = ContinuousClock.now + Doctor.limit
  private static let limit = Duration.seconds(15)

  public init(_ locations: Locations, _ scope: [Check.Name] = Check.Name.allCases) {
    (self.locations, self.scope) = (locations, scope)
  }

  /// Makes the checks that were asked for, one after another, and returns their results. Takes 15
  /// seconds at most.
  public func examine() -> [Check] {
    examineFiles()
    let session = awaits(.agent) ? agentBus : nil
    if awaits(.agent) { examineSession(session) }
    // Test the sound after the agent has answered. If a device is busy, the agent's answer shows
    // whether the agent is using it for a ring. This test takes some seconds and runs at the same
    // time as the checks below.
    let sound = testSound()
    if awaits(.notifications) { examineNotifications(try? session?.get()) }
    examineMachine()
    examineHooks()
    examine(sound)
    // An alarm needs these parts to be heard. A part that does not answer the doctor would not work
    // for an alarm either.
    let vital: Set<Check.Name> = [.config, .bus, .agent, .device]
    return scope.map { name in
      checks[name] ?? Check(name, vital.contains(name) ? .error : .unknown, tr("does not answer"))
    }
  }

  /// Finds the agent, and connects to its bus or, if no agent is running, to the session bus.
  /// Returns nil if that does not answer.
  private var agentBus: Result<Bus, BusError>? {
    let locations = locations
    agentFile = look { AgentFile.running(locations, on: $0) } ?? nil
    let address = agentFile.map { .success($0.bus) } ?? Bus.sessionAddress
    return Bus.connect(address: address, within: min(.seconds(3), timeLeft))
  }

  /// How much time is left for all checks.
  var timeLeft: Duration { max(.zero, ContinuousClock.now.duration(to: deadline)) }

  /// Returns whether a check was asked for and has no result yet, and there is time left.
  func awaits(_ name: Check.Name) -> Bool {
    scope.contains(name) && checks[name] == nil && timeLeft > .zero
  }

  func found(_ check: Check) {
    if awaits(check.name) { checks[check.name] = check }
  }

  func found(
    _ name: Check.Name, _ state: Check.State, _ message: String, fix: String? = nil
  ) {
    found(Check(name, state, message, fix: fix))
  }

  /// Runs `work` on another thread, because it may have to wait for a disk. Returns nil if the time
  /// for all checks is over before it has a result.
  func look<Found: Sendable>(_ work: @escaping @Sendable (Disk) -> Found) -> Found? {
    BackgroundResult("doctor", work).wait(within: timeLeft)
  }

  /// Calls a method and waits for its answer. Returns nil if the time for all checks is over.
  func ask(
    _ peer: Bus.Peer, _ member: String, _ arguments: [Variant] = [],
    gives types: String, on bus: Bus, starting: Bool = false, within limit: Duration = .seconds(3)
  ) -> Result<[Variant], BusError>? {
    let limit = min(limit, timeLeft)
    guard limit > .zero else { return nil }
    return Result { () throws(BusError) in
      try bus.call(peer, member, arguments, gives: types, starting: starting, timeout: limit)
    }
  }

  /// Reads a property. Returns nil if that fails, or takes longer than `limit`.
  func property(
    _ name: String, of peer: Bus.Peer, on bus: Bus, starting: Bool = false,
    within limit: Duration = .seconds(2)
  ) -> Variant? {
    bus.callForProperty(name, of: peer, starting: starting, timeout: min(limit, timeLeft))
  }
}

extension Result<[Variant], BusError> {
  /// The first value of an answer; nil if the call failed or the answer is empty.
  var value: Variant? { (try? get())?.first }
}
