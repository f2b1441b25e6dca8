// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import Language
import Persistence
import Presentation
import Scheduling
import System

struct RehearseCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse", abstract: tr("Ring an alarm now, to try it out."),
    discussion: tr(
      """
      It rings with its sound, fade-in, volume, device and commands; music is paused. Nothing \
      is remembered of it, and its next ring stays as it is. It ends 20 s after the fade-in, with \
      `belfry stop`, or when an alarm or timer is due.

      Example:
        belfry rehearse work
      """))

  @Argument(help: .tr("The alarm's id, as in `belfry list`."), completion: .alarms)
  var id: String
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let answers = try AgentConnection.answers("Rehearse", [.string(id)])
    let alarm = try AgentConnection.expected(answers.first.flatMap(Status.Alarm.read))
    if output.json { return Terminal.json(JSON(alarm)) }
    let seconds = answers.last?.int64 ?? 0
    let length = Wording.span(.seconds(seconds))
    Terminal.show(tr("\(id) rings for \(length); belfry stop \(id) ends it"))
  }
}
