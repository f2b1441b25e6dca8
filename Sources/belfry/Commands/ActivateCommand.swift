// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry activate`: carries out an action from the launcher's menu, or a click on Belfry in the
// launcher. The desktop file runs this command on desktops that cannot start programs over the bus.
// Users do not type it.

import ArgumentParser
import Language
import Presentation
import System

struct ActivateCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "activate", abstract: tr("Carry out an action of the desktop's launcher."),
    shouldDisplay: false)

  @Argument(
    help: .tr(
      """
      The action to carry out. Without one, the command does the same as a click on Belfry in the \
      launcher.
      """))
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
