// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent over the session bus, which starts it where it does not run. Failures become words that
// say what to do. Next: `AgentFeed.swift`, for whoever stays.

import Bus
import Language
import Presentation
import System

@MainActor enum AgentConnection {
  /// The config that `--config` names: the command is for an agent that reads that one.
  static var config: String?

  private static let bus = Result { () throws(BusError) in try Bus() }

  static func connect() throws -> Bus {
    do throws(BusError) { return try bus.get() } catch {
      throw Failure(
        tr("no session bus: \(error)"),
        hint: tr("run this in a desktop session, or under dbus-run-session"))
    }
  }

  /// Calls `member` of the agent; what it answers, if that has a value.
  @discardableResult
  static func call(
    _ member: String, _ arguments: [Variant] = [], of peer: Bus.Peer = BusInterface.peer
  ) throws -> Variant? {
    try answers(member, arguments, of: peer).first
  }

  /// The same with all values of the answer.
  static func answers(
    _ member: String, _ arguments: [Variant], of peer: Bus.Peer = BusInterface.peer
  ) throws -> [Variant] {
    let bus = try connect()
    try checkConfig()
    do throws(BusError) { return try bus.call(peer, member, arguments) } catch {
      throw failure(error)
    }
  }

  /// Throws if the answer is not what this version of the agent answers.
  static func expected<Value>(_ value: Value?) throws -> Value {
    if let value { return value }
    throw Failure(tr("the agent's answer is unknown here: is it another version?"))
  }

  /// Throws if the agent reads another config than `--config` names. Otherwise the command would
  /// act on alarms that the user did not mean.
  private static func checkConfig() throws {
    guard let wanted = config else { return }
    config = nil
    let read = try call("Agent")?["config"]?.string ?? ""
    guard read != wanted else { return }
    let start = "belfryd --replace --config \(Wording.shell(wanted))"
    throw Failure(tr("the agent reads \(read), and not \(wanted)"), fix: start)
  }

  /// The same of an agent that runs; nil also where there is none, or it has no time for this.
  @discardableResult
  static func ask(
    _ member: String, _ arguments: [Variant] = [], within limit: Duration = .seconds(1)
  ) -> Variant? {
    let answer = try? connect().call(
      BusInterface.peer, member, arguments, starting: false, timeout: limit)
    return answer?.first
  }

  /// What is ringing, is running and comes next, as the agent answers it.
  static func answeredStatus() throws -> Variant {
    guard let status = try call("Status"), case .dictionary = status else {
      throw Failure(
        tr("the agent's answer is no status: is it another version?"), fix: "belfryd --replace")
    }
    return status
  }

  static func status() throws -> Status { Status(try answeredStatus(), asOf: Clock.now()) }

  /// The answer with all alarms, by time of day, however many they are.
  static func wholeStatus() throws -> Variant {
    let answer = try answeredStatus()
    let status = Status(answer, asOf: Clock.now())
    guard status.alarms.count < Int(clamping: status.agent.alarmCount),
      case .dictionary(let entries) = answer
    else {
      return answer
    }
    var alarms: [[Variant.Entry]] = []
    while true {
      let page = [Variant.uint32(UInt32(alarms.count)), .uint32(UInt32(BusInterface.mostAlarms))]
      let more = try call("Alarms", page)?.dictionaries ?? []
      if more.isEmpty { break }
      alarms += more
    }
    let times = alarms.map { $0["time"]?.string ?? "" }
    let byTime = alarms.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { alarms[$0] }
    return .dictionary(
      entries.map { $0.key == "alarms" ? Variant.Entry("alarms", .dictionaries(byTime)) : $0 })
  }

  /// Why a call was not done, and what to do.
  static func failure(_ error: BusError) -> Failure {
    switch error.name {
    case "org.freedesktop.DBus.Error.ServiceUnknown":
      Failure(
        tr("the agent does not run, and the bus does not know how to start it"), fix: "belfryd")
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"):
      Failure(
        tr("the agent could not be started: \(error.message)"),
        hint: tr("run belfryd to see why"))
    case BusError.noReply:
      Failure(
        tr("the agent gave no answer, and may still do it"), hint: tr("belfry doctor tells more"))
    default: Failure(error.message)
    }
  }
}
