// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command line program `belfry`. Commands that need only files, such as `list`, `add` and
// `history`, read or edit these files themselves. All others call the agent
// (`AgentConnection.swift`). The folder `Commands` has a file for each command or group of
// commands.

import ArgumentParser
import Bus
import Configuration
import Files
import Language
import Presentation
import System

struct Belfry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry",
    abstract: tr("An alarm clock that rings."),
    version: "belfry \(Release.version)",
    subcommands: [ActivateCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: tr("Used most", context: "group of commands"),
        subcommands: [
          AddCommand.self, ListCommand.self, NextCommand.self, StopCommand.self,
          SnoozeCommand.self, TimerCommand.self, WatchCommand.self, DoctorCommand.self,
        ]),
      CommandGroup(
        name: tr("Alarms", context: "group of commands"),
        subcommands: [
          EditCommand.self, RemoveCommand.self, EnableCommand.self, DisableCommand.self,
          SkipCommand.self, UnskipCommand.self, MoveCommand.self, PauseCommand.self,
          ResumeCommand.self, ExplainCommand.self, RehearseCommand.self,
        ]),
      CommandGroup(
        name: tr("Everything else", context: "group of commands"),
        subcommands: [
          StatusCommand.self, AcknowledgeCommand.self, FollowCommand.self, StopwatchCommand.self,
          WorldCommand.self, HistoryCommand.self, SoundsCommand.self, ConfigCommand.self,
          ImportCommand.self,
        ]),
    ],
    defaultSubcommand: StatusCommand.self)
}

Environment.workInChild()
Environment.prepare()
System.Locale.adopt(catalogues: Disk.here { Locations().catalogues(on: $0) })
StandardOutput.answerForAll()
Bus.longestMessage = Bus.longestOfAgent
guard let words = Environment.arguments else {
  // End the program if the arguments are not UTF-8. To replace the invalid bytes could turn an
  // argument into the name of another file.
  Terminal.complain(tr("the command line is not valid UTF-8"))
  Belfry.exit(withError: ExitCode.validationFailure)
}
do {
  var command = try Belfry.parseAsRoot()
  try command.run()
} catch  where error is CommandFailure || error is ConfigEditor.Failure || error is FileError {
  Terminal.complain((error as? FileError).map { tr($0.message) } ?? "\(error)")
  Belfry.exit(withError: ExitCode.failure)
} catch {
  let (code, usage) = (Belfry.exitCode(for: error), WrongUsage(words))
  if code.isSuccess, !usage.isHelp || usage.mistyped == nil {
    // ArgumentParser prints the help of a single command, the version and completion scripts.
    let text = Belfry.message(for: error)
    if text.hasPrefix("#!/bin/bash") {
      print(BashCompletions.safe(text))
      Belfry.exit()
    }
    guard text == Belfry.helpMessage() else { Belfry.exit(withError: error) }
    for line in HelpPage.lines { print(line) }
    Belfry.exit()
  }
  if !(error is ExitCode) { Terminal.complain(usage.text(of: error)) }
  Belfry.exit(withError: code.isSuccess ? ExitCode.validationFailure : code)
}
