// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls the agent over the session bus. The bus starts the agent if it is not running. If a
// call fails, throws an error that says what to do. Next: `AgentFeed.swift`, for commands
// that keep running.

import Bus
import Language
import Presentation
import System

@MainActor enum AgentConnection {
  /// The config that the user gave with `--config`. If the agent reads another config, calls fail.
  static var config: String?

  private static let bus = Result { () throws(BusError) in try Bus() }

  static func connect() throws -> Bus {
    do throws(BusError) { return try bus.get() } catch {
      throw Failure(
        tr("no session bus: \(error)"),
        hint: tr("run this in a desktop session, or under dbus-run-session"))
    }
  }

  static func answers(
    _ member: String, _ arguments: [Variant], of peer: Bus.Peer = BusInterface.peer
  ) throws -> [Variant] {
    let bus = try connect()
    try checkConfig()
    do throws(BusError) { return try bus.call(peer, member, arguments) } catch {
      throw failure(error)
    }
  }

  /// Calls the method `member` and returns the first value of the answer, or nil if it is empty.
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
    throw Failure(
      tr("the agent's answer cannot be read: is it another version?"), fix: "belfryd --replace")
  }

  /// Throws if the agent reads another config than the user gave with `--config`. Otherwise the
  /// command would act on alarms that the user did not mean.
  private static func checkConfig() throws {
    guard let wanted = config else { return }
    config = nil
    let read = try call("Agent")?["config"]?.string ?? ""
    guard read != wanted else { return }
    let start = "belfryd --replace --config \(Wording.shell(wanted))"
    throw Failure(tr("the agent reads \(read), and not \(wanted)"), fix: start)
  }

  /// Calls the method `member`, but does not start an agent. Returns nil if no agent is running, if
  /// the call fails, or if the answer takes longer than `limit`.
  @discardableResult
  static func ask(
    _ member: String, _ arguments: [Variant] = [], within limit: Duration = .seconds(1)
  ) -> Variant? {
    let answer = try? connect().call(
      BusInterface.peer, member, arguments, starting: false, timeout: limit)
    return answer?.first
  }

  /// Returns the agent's status. If there are more alarms than `BusInterface.mostAlarms`, it has
  /// only the alarms that are ringing or snoozed, and those that ring next.
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

  static func failure(_ error: BusError) -> Failure {
    switch error.name {
    case "org.freedesktop.DBus.Error.ServiceUnknown":
      Failure(
        tr("the agent is not running, and the bus cannot start it"), fix: "belfryd")
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"):
      Failure(
        tr("the agent could not be started: \(error.message)"),
        hint: tr("run belfryd to see why"))
    case BusError.noReply:
      Failure(
        tr("the agent did not answer, and may still do it"),
        hint: tr("belfry doctor shows what is wrong"))
    default: Failure(error.message)
    }
  }
}
