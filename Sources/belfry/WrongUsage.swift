// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said about a command line that makes no sense: what is wrong with it, and the help that
// says more. A word that is no command is said to be none, with the one that was meant: left to
// itself the parser would take it for an argument too many of whatever command is the default.

import ArgumentParser
import Configuration
import Language
import System

struct WrongUsage {
  /// The command that was meant, as far as it is known: `timer start`.
  private let path: [String]
  private let command: any ParsableCommand.Type
  /// The first word that is none of its subcommands, unless that is an option.
  private let stranger: String?
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
    stranger = rest.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
  }

  /// What to say about `error`, with which parsing or running the command ended.
  func text(of error: any Error) -> String {
    if let mistyped { return mistyped }
    let help = (["belfry help"] + path).joined(separator: " ")
    return Belfry.message(for: error) + "\n" + tr("hint: \(help)")
  }

  /// That a word is no command, if that is what is wrong.
  var mistyped: String? {
    let subcommands = command.configuration.subcommands
    guard let stranger, !subcommands.isEmpty else { return nil }
    // A default command that takes words may take this one; then something else is wrong.
    let standard = command.configuration.defaultSubcommand
    guard isHelp || standard.map({ (try? $0.parseAsRoot(["x"])) == nil }) ?? true else {
      return nil
    }
    let near = nearMatch(to: stranger, among: subcommands.flatMap { Self.names(of: $0) })
    func full(_ word: String) -> String { (path + [word]).joined(separator: " ") }
    let help = (["belfry"] + path + ["--help"]).joined(separator: " ")
    let hint = near.map { tr("did you mean \"\(full($0))\"?") } ?? tr("\(help) shows them")
    let shown = TerminalText.quoted(full(stranger))
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
