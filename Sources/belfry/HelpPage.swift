// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints `belfry --help`: all commands on one screen, the most important ones first. `main.swift`
// defines the groups of commands, and each command defines its own line of help.

import ArgumentParser
import Language
import Presentation
import Screen
import System

@MainActor enum HelpPage {
  /// The lines of the help page: at most 40 lines, each of at most 80 columns.
  static var lines: [String] {
    let groups = Belfry.configuration.groupedSubcommands
    // Lay out all groups as one table, so that they have the same columns.
    let rows = Columns.lines(groups.flatMap { $0.subcommands.map(row) })
    var (lines, next) = (
      [Belfry.configuration.abstract, tr("Usage: \("belfry [<command>] [<options>]")")], 0
    )
    for group in groups {
      lines += ["", group.name + ":"]
      lines += rows[next..<(next + group.subcommands.count)].map { "  " + $0.plain }
      next += group.subcommands.count
    }
    return lines + [
      "", tr("\("belfry help <command>") shows examples and options."),
      tr("Alarms are in \("~/.config/belfry/config.toml"), which you can also edit yourself."),
    ]
  }

  private static func row(_ command: any ParsableCommand.Type) -> [StyledText] {
    let configuration = command.configuration
    return [StyledText(configuration.commandName ?? ""), StyledText(configuration.abstract)]
  }
}
