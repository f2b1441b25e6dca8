// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry`: the command line. Each command is a file of its own; what the agent does it is asked to
// do over the bus (`AgentConnection.swift`), what the files tell is read from them.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import System

struct Belfry: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "belfry",
    abstract: tr("An alarm clock that rings."),
    discussion: tr(
      """
      Alarms are entries of a text file, ~/.config/belfry/config.toml:

        [[alarm]]
        time  = 07:30
        days  = "weekdays"
        label = "Work"

      A save takes effect at once. Examples:

        belfry add 7:30 --days weekdays --label Work
                              writes that entry
        belfry                what rings, what runs, and what comes next
        belfry snooze 9m      it rings, and you want nine minutes more
        belfry stop           it rings, and you are up
        belfry skip work      tomorrow is a holiday
        belfry move work 8:15 tomorrow it may be later, just once
        belfry pause 3d       no alarm rings today and the next two days
        belfry timer 4m       tea
        belfry watch          all of it on the whole screen, live
        belfry config check   what is wrong with the file, and how to mend it

      "belfry help <command>" has examples for each.
      """),
    version: "belfry \(Release.version)",
    subcommands: [ActivateCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: tr("Live", context: "group of commands"),
        subcommands: [StatusCommand.self, WatchCommand.self, FollowCommand.self]),
      CommandGroup(
        name: tr("Ringing", context: "group of commands"),
        subcommands: [StopCommand.self, SnoozeCommand.self, AcknowledgeCommand.self]),
      CommandGroup(
        name: tr("Alarm", context: "group of commands"),
        subcommands: [
          AddCommand.self, EditCommand.self, RemoveCommand.self, EnableCommand.self,
          DisableCommand.self, ListCommand.self, NextCommand.self, ExplainCommand.self,
          MoveCommand.self, SkipCommand.self, UnskipCommand.self, PauseCommand.self,
          ResumeCommand.self,
          RehearseCommand.self,
        ]),
      CommandGroup(
        name: tr("Time", context: "group of commands"),
        subcommands: [TimerCommand.self, StopwatchCommand.self, WorldCommand.self]),
      CommandGroup(
        name: tr("Trust", context: "group of commands"),
        subcommands: [DoctorCommand.self, HistoryCommand.self]),
      CommandGroup(
        name: tr("Setup", context: "group of commands"),
        subcommands: [ConfigCommand.self, SoundsCommand.self, ImportCommand.self]),
    ],
    defaultSubcommand: StatusCommand.self)
}

extension Belfry {
  /// ArgumentParser's own words stay English, as they are no contract; ours are in the user's
  /// language.
  static var _errorPrefix: String { "\(tr("Error:")) " }
}

Environment.prepare()
MainLoop.runMainActor()
Memory.shareOneHeap()
System.Locale.adopt(catalogues: Blocking.here { Locations().catalogues })
StandardOutput.answerForAll()
guard let words = Environment.arguments else {
  // Taken for text all the same, it would name another file.
  Terminal.complain(tr("what you typed is not all UTF-8"))
  Belfry.exit(withError: ExitCode.validationFailure)
}
do {
  var command = try Belfry.parseAsRoot()
  do { try command.run() } catch let error as ValidationError {
    // Well formed, and senseless by what the files say: its usage would not help.
    Terminal.complain(error.message)
    Belfry.exit(withError: ExitCode.validationFailure)
  }
} catch  where error is Failure || error is ConfigEditor.Failure || error is FileError {
  Terminal.complain((error as? FileError).map { tr($0.message) } ?? "\(error)")
  Belfry.exit(withError: ExitCode.failure)
} catch {
  // The parser repeats a word as it is, and so it is asked once more about words that do nothing to
  // a terminal.
  let shown = words.map { TerminalText.escaped($0, limit: 200) }
  var complaint = error
  let text = Belfry.message(for: error)
  if text.utf8.count > 2000
    || text.unicodeScalars.contains(where: { $0 != "\n" && TerminalText.acts($0) })
  {
    do { _ = try Belfry.parseAsRoot(shown) } catch { complaint = error }
  }
  Belfry.exit(withError: Mistyped.command(in: shown, after: complaint) ?? complaint)
}
