// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Language
import Presentation
import Scheduling
import System

struct RehearseCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse", abstract: tr("Ring now as an alarm will, for trial."),
    discussion: tr(
      """
      With its sound, fade-in, volume, device and commands; music is paused. Nothing is \
      remembered of \
      it, and when the alarm rings stays as it is. It ends 20 s after the fade-in, when `belfry \
      stop` \
      is given, or when something rings in earnest.

      Example:
        belfry rehearse work
      """))

  @Argument(help: .tr("The alarm's id, as in `belfry list`."), completion: .alarms)
  var id: String
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("Rehearse", [.string(id)])
    guard let seconds = answer?.int64 else { return }
    let length = Wording.span(.seconds(seconds))
    Terminal.show(tr("\(id) rings for \(length); belfry stop \(id) ends it"))
  }
}
