// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints `belfry --help`, and makes the error message for a command line that cannot be parsed.

import ArgumentParser
import Configuration
import Language
import Presentation
import Screen
import System

/// All commands on one screen, the most important ones first. `main.swift` defines the groups of
/// commands, and each command defines its own line of help.
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

/// The error message for a command line: what is wrong, and which help explains it. For an unknown
/// command, it names the most similar command. The parser alone would report the unknown word as an
/// unexpected argument of the default command.
struct WrongUsage {
  /// The words of the command line that name a command, such as `timer start`.
  private let path: [String]
  private let command: any ParsableCommand.Type
  /// The word after `path`, which is no command. It is nil if there is no such word, or if it is an
  /// option.
  private let unknown: String?
  let isHelp: Bool

  init(_ words: [String]) {
    isHelp = words.first == "help"
    var (command, path): (any ParsableCommand.Type, [String]) = (Belfry.self, [])
    var rest = words.dropFirst(isHelp ? 1 : 0)
    while let word = rest.first, let next = Self.subcommand(word, of: command) {
      (command, path) = (next, path + [word])
      rest = rest.dropFirst()
    }
    (self.command, self.path) = (command, path)
    unknown = rest.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  /// Returns the message for `error`, which was thrown when the command was parsed or run.
  func text(of error: any Error) -> String {
    if let mistyped { return mistyped }
    let help = (["belfry help"] + path).joined(separator: " ")
    return Belfry.message(for: error) + "\n" + tr("hint: \(help)")
  }

  /// The error message for an unknown command. It is nil if the command line has another error.
  var mistyped: String? {
    let subcommands = command.configuration.subcommands
    guard let unknown, !subcommands.isEmpty else { return nil }
    // If the default command takes words, the unknown word may be one of them. Then the command
    // line has another error.
    let standard = command.configuration.defaultSubcommand
    guard isHelp || standard.map({ (try? $0.parseAsRoot(["x"])) == nil }) ?? true else {
      return nil
    }
    let near = nearMatch(to: unknown, among: subcommands.flatMap { Self.names(of: $0) })
    func full(_ word: String) -> String { (path + [word]).joined(separator: " ") }
    let help = (["belfry"] + path + ["--help"]).joined(separator: " ")
    let hint = near.map { tr("did you mean \"\(full($0))\"?") } ?? tr("\(help) shows them")
    let shown = TerminalText.quoted(full(unknown))
    return tr("there is no command \(shown)") + "\n" + tr("hint: \(hint)")
  }

  private static func subcommand(
    _ word: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { names(of: $0).contains(word) }
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    let configuration = command.configuration
    return (configuration.commandName.map { [$0] } ?? []) + configuration.aliases
  }
}
