// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry doctor`: checks every part that a ring depends on. Prints whether each part works and, if
// not, how to fix it. `Doctor.swift` makes the checks.

import ArgumentParser
import Configuration
import Doctor
import Files
import Language
import Presentation
import Scheduling
import Screen
import System
import Values

struct DoctorCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: tr("Check whether an alarm would be heard, and show what to fix."),
    discussion: tr(
      """
      The command opens the sound devices, plays a second of silence, and decodes every sound that \
      the config names. You hear nothing, and nothing is changed, except that the agent is started \
      if it is not running.

      The exit status is 1 if an alarm would not be heard; at least one check is then marked \
      ERROR. A WARNING is a problem that does not silence an alarm.
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    let checks = Doctor(config.locations).examine()
    if table.json { Terminal.json(checks.json) } else { checks.printReport() }
    if !checks.broken.isEmpty { throw ExitCode.failure }
  }
}

extension [Check] {
  fileprivate var json: Value {
    .table(["heard": .boolean(broken.isEmpty), "checks": .list(map { Value(encoding: $0) })])
  }

  fileprivate func printReport() {
    Terminal.table(
      flatMap { check in
        [
          [
            StyledText(check.name.word), StyledText(check.state.word, check.state.style),
            StyledText(check.message),
          ]
        ]
          + (check.fix.map { [["", "", tr("fix: \($0)")].map { StyledText($0) }] } ?? [])
      },
      heading: tr("Check|State|Finding"))
    let names = broken.map(\.name.word).joined(separator: ", ")
    print("")
    let arePaused = contains { $0.name == .pauses && $0.state == .warning }
    print(
      broken.isEmpty
        ? arePaused
          ? tr("An alarm that is not paused would be heard.") : tr("An alarm would be heard.")
        : tr("An alarm would NOT be heard: \(names)."))
  }
}

extension Check.State {
  fileprivate var style: Style {
    switch self {
    case .ok: .colour(.green)
    case .warning: .colour(.yellow)
    case .error: Style(colour: .red, isBold: true)
    case .unknown: .dim
    }
  }

  fileprivate var word: String {
    switch self {
    case .ok: tr("OK", context: "check")
    case .warning: tr("WARNING", context: "check")
    case .error: tr("ERROR", context: "check")
    case .unknown: tr("UNKNOWN", context: "check")
    }
  }
}
