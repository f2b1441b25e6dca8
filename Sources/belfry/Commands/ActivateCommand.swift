// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the launcher runs on desktops that do not ask over the bus; for nobody to type.

import ArgumentParser
import Language
import Presentation
import System

struct ActivateCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: tr("Do what an entry of the launcher says."),
    shouldDisplay: false)

  @Argument(help: .tr("One of the launcher's actions; without one, what a click on it does."))
  var action: String?

  @MainActor func perform() throws {
    let data = Variant.dictionary([])
    if let action {
      try AgentConnection.call(
        "ActivateAction", [.string(action), .array(of: "v", []), data], of: LauncherInterface.peer
      )
    } else {
      try AgentConnection.call("Activate", [data], of: LauncherInterface.peer)
    }
  }
}
