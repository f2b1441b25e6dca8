// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfryd --replace`: ends the agent that has the bus name, so that the name becomes free. This is
// done by a signal instead of a call over the bus: a sandboxed program may call the agent, but must
// not end it. Next: `AgentProgram.swift`, which starts the new agent when it gets the name.

import Bus
import Language
import Presentation
import System

final class Succession {
  /// How long the old agent may take to leave before it is killed.
  private static let patience = Duration.seconds(5)
  private static let program = "belfryd"

  private let bus: Bus
  private let giveUp: (String) -> Void
  private var asked: OtherProcess?
  private var waiting: Source?

  /// Starts to end the agent that has the bus name. `giveUp` is called with the reason if that
  /// agent cannot be ended.
  init(on bus: Bus, giveUp: @escaping (String) -> Void) {
    (self.bus, self.giveUp) = (bus, giveUp)
    findOwner()
  }

  private func findOwner() {
    let name = Variant.string(BusInterface.name)
    bus.ask(.daemon, "GetConnectionUnixProcessID", [name]) { [weak self] answer in
      // If the name has no owner, this agent is about to get it.
      guard let number = answer.value?.uint32.flatMap(Int32.init(exactly:)) else { return }
      self?.end(OtherProcess(number))
    }
  }

  private func end(_ process: OtherProcess) {
    let name = process.name ?? "?"
    guard name == Self.program else {
      return giveUp(
        "process \(process.number), \(name), has \(BusInterface.name) but is not belfryd")
    }
    let isHung = asked == process
    asked = process
    Log.info(
      "process \(process.number), the old agent, is \(isHung ? "killed" : "asked to leave")")
    do throws(SystemError) { try process.end(atOnce: isHung) } catch {
      return giveUp("process \(process.number), the old agent, cannot be ended: \(error)")
    }
    waiting = MainLoop.after(Self.patience) { [weak self] in self?.findOwner() }
  }
}
