// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the agent for a command or the doctor. An agent that is running may be on the bus of
// another session, or the caller may have no session. `AgentFile.swift` says where it runs.

import Bus
import Files
import System

extension Bus {
  /// Connects to the bus of the user's agent or, if no agent is running, to the session bus, which
  /// can start it. `done` also gets the file of the agent; nil if no agent is running.
  @MainActor public static func connectToAgent(
    _ locations: Locations,
    _ done: @escaping @MainActor @Sendable (AgentFile?, Result<Bus, BusError>) -> Void
  ) {
    Worker.once("agent") { disk in
      let file = AgentFile.running(locations, on: disk)
      Worker.onMain {
        if let file {
          Bus.connect(address: file.bus) { done(file, $0) }
        } else {
          Bus.connectToSession { done(nil, $0) }
        }
      }
    }
  }
}
