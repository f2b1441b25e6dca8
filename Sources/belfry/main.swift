// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry`: the command line. Each command is a file of its own; what the agent does it is asked to
// do over the bus (`AgentConnection.swift`), what the files tell is read from them.

import ArgumentParser
import BelfryAgent
import Desktop

struct Belfry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry",
    abstract: "An alarm clock that rings.",
    discussion: """
      Alarms are entries of a text file, ~/.config/belfry/config.toml:

        [[alarm]]
        time  = 07:30
        days  = "weekdays"
        label = "Work"

      Such an entry is what this writes:

        belfry add 7:30 --days weekdays --label Work

      A save takes effect at once. What rings is answered on its notification, or with the commands \
      stop and snooze. Without a command, belfry tells what rings and what comes next.
      """,
    version: "belfry \(Release.version)",
    subcommands: [
      StatusCommand.self, AddCommand.self, ListCommand.self, EditCommand.self, RemoveCommand.self,
      EnableCommand.self, DisableCommand.self, NextCommand.self, ExplainCommand.self,
      StopCommand.self,
      SnoozeCommand.self, SkipCommand.self, UnskipCommand.self, ConfigCommand.self,
      SoundsCommand.self, TimerCommand.self, StopwatchCommand.self, HistoryCommand.self,
      DoctorCommand.self,
    ],
    defaultSubcommand: StatusCommand.self)
}

Desktop.Locale.adopt()
do {
  var command = try Belfry.parseAsRoot()
  try command.run()
} catch let failure as Failure {
  Terminal.complain(failure.message)
  Belfry.exit(withError: ExitCode.failure)
} catch {
  Belfry.exit(withError: error)
}
