// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent over the session bus, which starts it where it does not run. Failures become words that
// say what to do.

import BelfryAgent
import Desktop

@MainActor enum AgentConnection {
  /// Calls `member` of the agent.
  static func call(
    _ member: String, _ arguments: [Variant] = [], of peer: Bus.Peer = BusService.peer
  ) throws -> [Variant] {
    let bus: Bus
    do throws(BusError) { bus = try Bus() } catch {
      throw Failure(
        "no session bus: \(error)\nrun this in a desktop session, or under dbus-run-session")
    }
    do throws(BusError) {
      return try bus.call(peer, member, arguments)
    } catch {
      throw Failure(explain(error))
    }
  }

  private static func explain(_ error: BusError) -> String {
    switch error.name {
    case "org.freedesktop.DBus.Error.ServiceUnknown":
      "the agent does not run, and the bus does not know how to start it: "
        + "run belfryd"
    case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"):
      "the agent could not be started: \(error.message)\nrun belfryd to see why"
    default: error.message
    }
  }
}
