// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry pause`: days on which no alarm rings, or none of a group, as entries `[[pause]]` of the
// config. It needs no agent. What is done to the file is `PauseEdits.swift`'s.

import ArgumentParser
import Configuration
import Files
import Language
import Persistence
import Presentation
import Scheduling
import System

struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: tr("Let no alarm ring on some days, such as a holiday."),
    usage: """
      belfry pause [<range>] [--group <name>] [--label <label>]
      belfry pause list [--json]
      belfry pause remove <number>
      """,
    discussion: tr(
      """
      Examples:
        belfry pause 2026-12-24..2027-01-03 --label Christmas
        belfry pause until 2027-01-03 --group school
        belfry pause                          from today, until it is removed
        belfry pause remove 1
      """),
    subcommands: [PauseAddCommand.self, PauseListCommand.self, PauseRemoveCommand.self],
    defaultSubcommand: PauseAddCommand.self)
}

struct PauseAddCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: tr("Write a pause. The word add may be left out."),
    usage: "belfry pause [<range>] [--group <name>] [--label <label>]")

  @Argument(
    help: .tr(
      "2026-12-24..2027-01-03, both included; one day; or until 2027-01-03. Without: from today."))
  var range: [String] = []
  @Option(help: .tr("Only the alarms of this group.", valueName: "name"), completion: .groups)
  var group: String?
  @Option(help: .tr("What it is for."))
  var label: String?
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let today = Zones().civil(at: Clock.now().wall, in: nil).date
    let days = try days(from: today)
    let pause = Pause(
      from: days.first, until: days.last, group: group == "" ? nil : group,
      label: label == "" ? nil : label)
    let editor = config.editor
    _ = try Blocking.here { try editor.add(pause) }
    Terminal.show(tr("paused \(pause.words)"))
  }

  private func days(from today: CivilDate) throws -> (first: CivilDate, last: CivilDate?) {
    let text = range.joined(separator: " ")
    let words = text.split(separator: " ")
    let first: CivilDate
    let last: CivilDate?
    if range.isEmpty {
      return (today, nil)
    } else if words.count == 2, words[0] == "until", let until = CivilDate(String(words[1])) {
      (first, last) = (today, until)
    } else if let (from, until) = ExceptedDays.range(text) {
      (first, last) = (from, until)
    } else if let day = CivilDate(text) {
      (first, last) = (day, day)
    } else {
      throw ValidationError(
        tr(
          """
          \(TerminalText.quoted(text)) is no range of days: write it as 2026-12-24..2027-01-03 or \
          until 2027-01-03.
          """))
    }
    if let last, last < first {
      throw ValidationError(tr("A pause from \(first) cannot end on \(last)."))
    }
    return (first, last)
  }
}

struct PauseListCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: tr("List the pauses of the config."))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let overview = try config.view().overview
    if output.json { return Terminal.json(.array(overview.pauses.map { JSON($0) })) }
    let pauses = overview.configuration.pauses
    if pauses.isEmpty { return print(tr("No alarm is paused.")) }
    Terminal.table(
      pauses.enumerated().map { place, pause in
        [String(place + 1), pause.range, pause.group ?? "", pause.label ?? ""]
      })
  }
}

struct PauseRemoveCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: tr("Take a pause away, so that its alarms ring again."))

  @Argument(help: .tr("Its number in `belfry pause list`."))
  var number: Int
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let (editor, number) = (config.editor, number)
    let removed = try Blocking.here { try editor.removePause(number) }
    Terminal.show(tr("removed \(removed.words)"))
  }
}

extension Pause {
  fileprivate var range: String {
    until.map { from == $0 ? "\(from)" : "\(from)..\($0)" } ?? tr("from \(from)")
  }

  fileprivate var words: String {
    [range, group, label].compactMap(\.self).joined(separator: ", ")
  }
}
