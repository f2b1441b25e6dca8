// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls the agent over its bus, which may belong to another session; see `AgentBus.swift`. If no
// agent is running, the session bus starts it. A call that fails throws an error that says what to
// do. `AgentFeed`, at the end of this file, keeps the
// agent's status up to date for commands that keep running.

import Bus
import Files
import Language
import Presentation
import Scheduling
import Screen
import System

@MainActor enum AgentConnection {
  /// The location of the config that the user gave with `--config`. If the agent reads another
  /// config, calls fail. Nil without `--config`, and after the agent's config was found to be this
  /// one.
  static var locations: Locations?

  /// The agent's bus, or an error if it does not answer within three seconds. The first use runs
  /// the main loop, so it must come before the command runs the loop itself.
  private static let bus = reach()
  /// Whether no agent is running, and there is no session bus that could start one. Known once
  /// `bus` was used.
  private static var isBusMissing = false

  private static func reach() -> Result<Bus, CommandFailure> {
    var answer: Result<Bus, CommandFailure>?
    let patience = MainLoop.after(.seconds(3)) { MainLoop.quit() }
    Bus.connectToAgent(Locations()) { file, result in
      isBusMissing = file == nil && (try? result.get()) == nil
      answer = result.mapError { failure($0, connectingTo: file) }
      MainLoop.quit()
    }
    MainLoop.run()
    withExtendedLifetime(patience) {}
    return answer ?? .failure(failure(BusError(message: tr("does not answer")), connectingTo: nil))
  }

  private static func failure(_ error: BusError, connectingTo file: AgentFile?) -> CommandFailure {
    guard let file else {
      return CommandFailure(
        tr("no session bus: \(error)"), hint: tr("run this in a desktop session"))
    }
    return CommandFailure(
      tr("the bus of the agent, process \(file.process), does not answer: \(error)"),
      fix: "belfryd --replace")
  }

  static func connect() throws -> Bus { try bus.get() }

  static func answers(
    _ member: String, _ arguments: [Variant], of peer: Bus.Peer = BusInterface.peer
  ) throws -> [Variant] {
    try checkConfig()
    return try send(member, arguments, to: peer)
  }

  private static func send(
    _ member: String, _ arguments: [Variant] = [], to peer: Bus.Peer = BusInterface.peer
  ) throws -> [Variant] {
    let bus = try connect()
    do throws(BusError) {
      return try bus.call(peer, member, arguments, gives: Bus.anyValues)
    } catch {
      throw failure(error)
    }
  }

  /// Calls the agent's method `member`, which changes when something rings. Sends the user's key
  /// before, so that the agent knows that the user sees the change here, and does not show it in a
  /// notification. If the key cannot be read or made, the user sees the change twice.
  @discardableResult
  static func change(_ member: String, _ arguments: [Variant]) throws -> Variant? {
    try identify(on: connect())
    return try call(member, arguments)
  }

  private static let key = try? Disk.here { try UserKey.made(Locations(), on: $0) }

  fileprivate static func identify(on bus: Bus) {
    guard let key else { return }
    bus.ask(BusInterface.peer, "Identify", [.string(key)], gives: nil, starting: true) { _ in }
  }

  /// Calls the agent's method `member`. Returns the first value of the answer, or nil if the answer
  /// is empty.
  @discardableResult
  static func call(
    _ member: String, _ arguments: [Variant] = [], of peer: Bus.Peer = BusInterface.peer
  ) throws -> Variant? {
    try answers(member, arguments, of: peer).first
  }

  static func record<Answer: Record>(
    _ member: String, _ arguments: [Variant] = []
  ) throws -> Answer {
    try known(call(member, arguments).flatMap(Answer.read))
  }

  static func records<Answer: Record>(
    _ member: String, _ arguments: [Variant] = []
  ) throws -> [Answer] {
    try known(call(member, arguments).flatMap(Answer.readAll))
  }

  /// Returns `answer`. Throws if it is nil, because then this version of `belfry` cannot read what
  /// the agent answered.
  static func known<Answer>(_ answer: Answer?) throws -> Answer {
    if let answer { return answer }
    throw CommandFailure(
      tr("the agent's answer cannot be read; it may be another version: try belfryd --replace"),
      fix: "belfryd --replace")
  }

  /// Throws if the agent reads another config than the user gave with `--config`. Otherwise the
  /// command would act on alarms that the user did not mean.
  private static func checkConfig() throws {
    guard let locations else { return }
    let read = try send("Agent").first?["config"]?.string ?? ""
    if Disk.here({ locations.isConfig(read, on: $0) }) {
      // One check is enough for all calls of a command.
      self.locations = nil
      return
    }
    let wanted = locations.config
    let start = "belfryd --replace --config \(Wording.shell(wanted))"
    throw CommandFailure(tr("the agent reads \(read), and not \(wanted)"), fix: start)
  }

  /// Calls the agent's method `member`, but does not start an agent. Returns nil if no agent is
  /// running, if the call fails, or if the answer takes longer than `limit`.
  @discardableResult
  static func ask(
    _ member: String, _ arguments: [Variant] = [], within limit: Duration = .seconds(1)
  ) -> Variant? {
    let answer = try? connect().call(
      BusInterface.peer, member, arguments, gives: Bus.anyValues, starting: false, timeout: limit)
    return answer?.first
  }

  /// Prints a warning on standard error if no agent is running. For commands after which the user
  /// expects an alarm to ring. Prints nothing if the bus does not answer, because an agent may be
  /// running all the same. Prints nothing with `--config`, because the file may be one that no
  /// agent should read.
  static func warnIfMissing() {
    guard locations == nil else { return }
    guard let bus = try? connect() else {
      guard isBusMissing else { return }
      return Terminal.complain(
        CommandFailure(
          tr("there is no session bus, so no agent is running, and no alarm will ring"),
          hint: tr("log in to a desktop session")
        ).description)
    }
    let name = Variant.string(BusInterface.name)
    let owner = try? bus.call(.daemon, "NameHasOwner", [name], gives: "b", timeout: .seconds(1))
      .first
    guard owner?.boolean == false else { return }
    let problem = tr("the agent is not running, so no alarm will ring")
    Terminal.complain(CommandFailure(problem, fix: "belfryd --start").description)
  }

  /// Returns the agent's status. If there are more alarms than `BusInterface.mostAlarms`, the
  /// status has only the alarms that are ringing or snoozed, and the alarms that ring next.
  static func status() throws -> Status {
    var status: Status = try record("Status")
    status.asOf = Clock.now()
    return status
  }

  static func wholeStatus() throws -> Status {
    var status = try status()
    guard status.alarms.count < Int(clamping: status.agent.alarmCount) else { return status }
    var alarms: [Status.Alarm] = []
    while true {
      let page = [Variant.uint32(UInt32(alarms.count)), .uint32(UInt32(BusInterface.mostAlarms))]
      let more: [Status.Alarm] = try records("Alarms", page)
      if more.isEmpty { break }
      alarms += more
    }
    let byTime = alarms.indices.sorted { (alarms[$0].time, $0) < (alarms[$1].time, $1) }
    status.alarms = byTime.map { alarms[$0] }
    return status
  }

  static func failure(_ error: BusError) -> CommandFailure {
    switch error.name {
    case "org.freedesktop.DBus.Error.ServiceUnknown":
      CommandFailure(
        tr("the agent is not running, and the bus cannot start it"), fix: "belfryd")
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"):
      CommandFailure(
        tr("the agent could not be started: \(error.message)"),
        hint: tr("run belfryd to see why"))
    case BusError.noReply:
      CommandFailure(
        tr("the agent did not answer in time, but may still carry out the command"),
        hint: tr("belfry doctor shows what is wrong"))
    default: CommandFailure(error.message)
    }
  }
}

/// Asks the agent for its status when the agent reports a change, when the time alone changes the
/// status, and when an agent appears on the bus.
@MainActor final class AgentFeed {
  private let bus: Bus
  private let zones = Zones()
  private let onChange: (Status?) -> Void
  private var presence: Bus.Subscription?
  private var changes: Bus.Subscription?
  private var turn: WallTimer?
  private var isAsking = false
  /// Whether the status changed after it was last asked for, so that the answer may be out of date.
  private var isStale = false
  /// How long the agent may take to answer before `onChange` is called with nil.
  private static let patience = Duration.seconds(10)
  private var isPresent = false

  /// Starts the agent if it is not running. If the agent cannot be started, throws; with `waits`,
  /// prints the reason and waits until an agent appears. Calls `onChange` with the first status and
  /// after each change, or with nil if no agent is running or the agent does not answer. Calls
  /// `onEnd` if the connection to the session bus is lost.
  init(
    waits: Bool = false, onEnd: @escaping () -> Void, onChange: @escaping (Status?) -> Void
  ) throws {
    bus = try AgentConnection.connect()
    self.onChange = onChange
    var status: Status?
    do { status = try AgentConnection.status() } catch let failure as CommandFailure where waits {
      Terminal.complain(failure.description)
    }
    bus.onClosed = onEnd
    turn = try? WallTimer { [weak self] in self?.ask() }  // If it fails, midnight goes unnoticed.
    changes = bus.listen(to: BusInterface.peer, "Changed", carries: nil) { [weak self] _ in
      self?.ask()
    }
    presence = bus.watch(BusInterface.name) { [weak self] in self?.agent(isPresent: $0 != nil) }
    if let status { report(status) }
  }

  func call(
    _ member: String, _ arguments: [Variant], starting: Bool = false,
    _ failed: @escaping (String) -> Void
  ) {
    AgentConnection.identify(on: bus)
    bus.ask(BusInterface.peer, member, arguments, gives: nil, starting: starting) { result in
      guard case .failure(let error) = result else { return }
      let lines = AgentConnection.failure(error).description.split(separator: "\n")
      failed(lines.joined(separator: "; "))
    }
  }

  private func agent(isPresent: Bool) {
    self.isPresent = isPresent
    if isPresent { ask() } else { onChange(nil) }
  }

  private func ask(within limit: Duration = patience) {
    guard !isAsking else {
      isStale = true
      return
    }
    isAsking = true
    isStale = false
    bus.ask(BusInterface.peer, "Status", gives: "a{sv}", timeout: limit) { [weak self] result in
      self?.answered(result, within: limit)
    }
  }

  private func answered(_ result: Result<Bus.Reply, BusError>, within limit: Duration) {
    isAsking = false
    switch result {
    case .success(let reply):
      if var status = reply.values.first.flatMap(Status.read) {
        status.asOf = Clock.now()
        report(status)
      }
    // If the agent has left the bus, `agent(isPresent:)` has already reported that.
    case .failure where isPresent:
      onChange(nil)
      // The agent hangs. Ask again with a limit of many hours, so that its answer arrives when it
      // no longer hangs. If the agent exits, the bus reports that at once.
      if limit == Self.patience { return ask(within: .hours(500)) }
    case .failure: break
    }
    if isStale { ask() }
  }

  private func report(_ status: Status) {
    turn?.arm(status.nextTurn(after: status.asOf.wall, in: zones))
    onChange(status)
  }
}
