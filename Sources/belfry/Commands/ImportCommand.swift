// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry import`: converts alarms, timers and clocks of other programs into entries of the config.
// Prints them as TOML, or writes them into the config with `--write`. Remarks on what cannot be
// converted become comments in the TOML.

import ArgumentParser
import Configuration
import Files
import Import
import Language
import Presentation
import System
import Values

struct ImportCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: tr("Import alarms, timers and clocks from another program."),
    discussion: tr(
      """
      Without --write, the command changes nothing. It prints the new entries for the config, and \
      what it cannot import.

      Examples:
        belfry import gnome-clocks          # only prints the new entries
        belfry import gnome-clocks --write  # also writes them to the config
        belfry import kclock                # or kalarm, alarm-clock-applet
        belfry import holidays.ics          # events and tasks that have an alarm
      """))

  @Argument(
    help: .tr(
      """
      The program to import from (gnome-clocks, kclock, kalarm or alarm-clock-applet), or the path \
      of an iCalendar file, such as holidays.ics.
      """,
      valueName: "program"),
    completion: .list(Import.programs))
  var source: String
  @Flag(help: .tr("Also write the new entries to the config.")) var write = false
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let found = try found()
    var editor = config.editor
    editor.isTrial = !write
    let sorting = try Disk.here { try editor.add(found.entries, on: $0) }
    if write, sorting.new.contains(where: { $0.list == "alarm" }) {
      AgentConnection.warnIfMissing()
    }
    if output.json {
      // The entries themselves are imported, so a sound that cannot be played is only a warning.
      for (name, problem) in SoundJudge.problems(of: sorting.new, config.locations) {
        Terminal.complain(complaint(tr("\(name): \(problem.message)"), hint: problem.hint))
      }
      return Terminal.json(.list(json(sorting) + (reduced(sorting) + found.remarks).map(json)))
    }
    for entry in sorting.new { print(entry.text) }
    for entry in sorting.present { remark(tr("already in the config: \(entry.name)")) }
    for (entry, reason) in sorting.refused {
      remark(tr("not imported: \(entry.name): \(reason)"))
    }
    for text in reduced(sorting) + found.remarks { remark(tr("not imported: \(text)")) }
    for (name, warning) in sorting.warnings { remark("\(name): \(warning)") }
    for (name, problem) in SoundJudge.problems(of: sorting.new, config.locations) {
      remark(tr("\(name): \(problem.message); \(problem.hint)"))
    }
    let count = sorting.new.count
    if count == 0 {
      remark(tr("nothing is new"))
    } else if write {
      remark(tr("wrote 1 entry", plural: "wrote \(count) entries", count: count))
    } else {
      remark(tr("nothing has been written yet: to write it, use --write"))
    }
  }

  /// Returns a sentence for each setting that is left out of its entry.
  private func reduced(_ sorting: ConfigEditor.Sorting) -> [String] {
    sorting.reduced.map { tr("\($0.name): its \($0.key): \($0.reason)") }
  }

  private func json(_ sorting: ConfigEditor.Sorting) -> [Value] {
    func object(_ entry: ConfigEditor.NewEntry, _ state: String, _ problem: String? = nil) -> Value
    {
      .table([
        "kind": .string(entry.list), "id": .string(entry.id ?? entry.name),
        "state": .string(state), "toml": .string(entry.text), "problem": problem.map(Value.string),
      ])
    }
    return sorting.new.map { object($0, write ? "written" : "new") }
      + sorting.present.map { object($0, "present") }
      + sorting.refused.map { object($0.0, "refused", $0.1) }
  }

  /// Returns the JSON for a remark, which says what the config cannot express.
  private func json(_ remark: String) -> Value {
    .table(["state": .string("refused"), "problem": .string(remark)])
  }

  @MainActor private func found() throws -> Import {
    let isFile = source.lowercased().hasSuffix(".ics") || OutsideText.hasSlash(source)
    guard isFile || Import.programs.contains(source) else {
      throw ValidationError(
        tr(
          """
          There is no import from \(TerminalText.quoted(source)): name one of \
          \(Import.programs.joined(separator: ", ")), or an iCalendar file.
          """))
    }
    do throws(Import.Failure) {
      let (source, locations) = (Locations.path(ofURI: source) ?? source, config.locations)
      return try Disk.here { disk throws(Import.Failure) in
        try Import.from(source, locations, on: disk)
      }
    } catch {
      throw CommandFailure(TerminalText.escaped(error.message))
    }
  }

  @MainActor private func remark(_ text: String) { print("# \(TerminalText.escaped(text))") }
}
