// SPDX-License-Identifier: GPL-3.0-or-later
//
// A word that is no command, or an id that nothing has: said so, with the one that was meant. Left
// to itself the parser would take the word for an argument too many of whatever command is the
// default.

import ArgumentParser
import Configuration
import Language
import System

enum Mistyped {
  /// What to say instead of `error`, with which parsing `words` as arguments of `root` ended; nil
  /// where that is right.
  static func command(
    in words: [String], of root: any ParsableCommand.Type, after error: any Error
  ) -> ValidationError? {
    var (command, path) = (root, "")
    let isHelp = words.first == "help"
    for word in isHelp ? words.dropFirst() : words[...] {
      let known = command.configuration.subcommands
      guard !word.hasPrefix("-"), !known.isEmpty else { return nil }
      if let next = known.first(where: { names(of: $0).contains(word) }) {
        (command, path) = (next, path + word + " ")
        continue
      }
      // A default command may take the word; then something else is wrong.
      let complaint = Belfry.message(for: error)
      let isTooMuch = ["nexpected argument", "'\(word)'"].allSatisfy {
        !complaint.places(of: $0).isEmpty
      }
      guard isHelp || isTooMuch else { return nil }
      let near = nearMatch(to: word, among: known.flatMap { names(of: $0) })
      let shown = TerminalText.quoted(path + word)
      return ValidationError(
        near.map { tr("There is no command \(shown): did you mean \"\(path + $0)\"?") }
          ?? tr("There is no command \(shown): belfry \(path)--help shows them."))
    }
    return nil
  }

  /// What to say of an id that nothing has: the one that was meant, or where all of them are.
  static func alarm(_ id: String, among ids: some Sequence<String>) -> String {
    let shown = TerminalText.quoted(id)
    return nearMatch(to: id, among: ids).map {
      tr("no alarm is called \(shown): did you mean \(TerminalText.quoted($0))?")
    } ?? tr("no alarm is called \(shown): belfry list shows them")
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    let configuration = command.configuration
    return (configuration.commandName.map { [$0] } ?? []) + configuration.aliases
  }
}
