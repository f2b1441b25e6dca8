// SPDX-License-Identifier: GPL-3.0-or-later
//
// A word that is not a command, or an id that nothing has: said so, with the one that was meant.
// Left to itself the parser would take the word for an argument too many of whatever command is the
// default.

import ArgumentParser
import Configuration
import Language
import System

enum Mistyped {
  /// What to say instead of `error`, with which parsing `words` ended; nil where that is right.
  static func command(in words: [String], after error: any Error) -> ValidationError? {
    var (command, path): (any ParsableCommand.Type, String) = (Belfry.self, "")
    let isHelp = words.first == "help"
    guard isHelp || !Belfry.exitCode(for: error).isSuccess else { return nil }
    for word in isHelp ? words.dropFirst() : words[...] {
      let known = command.configuration.subcommands
      guard !word.hasPrefix("-"), !known.isEmpty else { return nil }
      if let next = known.first(where: { names(of: $0).contains(word) }) {
        (command, path) = (next, path + word + " ")
        continue
      }
      // A default command that needs words may take this one; then something else is wrong.
      let standard = command.configuration.defaultSubcommand
      guard isHelp || standard.map({ (try? $0.parseAsRoot([])) != nil }) ?? true else { return nil }
      let near = nearMatch(to: word, among: known.flatMap { names(of: $0) })
      let shown = TerminalText.quoted(path + word)
      return ValidationError(
        near.map { tr("There is no command \(shown): did you mean \"\(path + $0)\"?") }
          ?? tr("There is no command \(shown): belfry \(path)--help shows them."))
    }
    return nil
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    let configuration = command.configuration
    return (configuration.commandName.map { [$0] } ?? []) + configuration.aliases
  }
}
