// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent over the session bus, which starts it where it does not run. Failures become words that
// say what to do. Next: `AgentFeed.swift`, for whoever stays.

import Bus
import Language
import Presentation
import System

@MainActor enum AgentConnection {
  /// Calls `member` of the agent.
  static func call(
    _ member: String, _ arguments: [Variant] = [], of peer: Bus.Peer = BusInterface.peer
  ) throws -> [Variant] {
    try call(member, arguments, of: peer, on: connect())
  }

  /// Tells the agent, if one runs, and waits until it has taken that in.
  static func tell(_ member: String, _ arguments: [Variant]) {
    // What it does not hear, it finds out.
    _ = try? Bus().call(
      BusInterface.peer, member, arguments, starting: false, timeout: .seconds(2))
  }

  static func connect() throws -> Bus {
    do throws(BusError) { return try Bus() } catch {
      throw Failure(
        tr(
          """
          no session bus: \(error)
          run this in a desktop session, or under dbus-run-session
          """))
    }
  }

  /// Everything that the agent tells.
  static func status() throws -> Variant { try status(on: connect()) }

  static func status(on bus: Bus) throws -> Variant {
    let answer = try call("Status", [], of: BusInterface.peer, on: bus).first
    guard let answer, case .dictionary = answer else {
      throw Failure(
        tr("the agent's answer is no status: is it another version? belfryd --replace"))
    }
    return answer
  }

  /// The same with all alarms, by time of day, however many they are.
  static func wholeStatus() throws -> Variant {
    let bus = try connect()
    let status = try status(on: bus)
    let shown = status["alarms"]?.dictionaries ?? []
    let count = status["agent"]?["alarms"]?.int64 ?? 0
    guard shown.count < count, case .dictionary(let entries) = status else { return status }
    var alarms: [[Variant.Entry]] = []
    while true {
      let page = [Variant.uint32(UInt32(alarms.count)), .uint32(UInt32(BusInterface.mostAlarms))]
      let answer = try call("Alarms", page, of: BusInterface.peer, on: bus)
      let more = answer.first?.dictionaries ?? []
      if more.isEmpty { break }
      alarms += more
    }
    let times = alarms.map { $0["time"]?.string ?? "" }
    let byTime = alarms.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { alarms[$0] }
    return .dictionary(
      entries.map { $0.key == "alarms" ? Variant.Entry("alarms", .dictionaries(byTime)) : $0 })
  }

  private static func call(
    _ member: String, _ arguments: [Variant], of peer: Bus.Peer, on bus: Bus
  ) throws -> [Variant] {
    do throws(BusError) { return try bus.call(peer, member, arguments) } catch {
      throw Failure(explain(error))
    }
  }

  static func explain(_ error: BusError) -> String {
    switch error.name {
    case "org.freedesktop.DBus.Error.ServiceUnknown":
      tr("the agent does not run, and the bus does not know how to start it: run belfryd")
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"):
      tr("the agent could not be started: \(error.message)\nrun belfryd to see why")
    default: error.message
    }
  }
}
