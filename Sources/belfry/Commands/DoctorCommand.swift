// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry doctor`: checks every part that a ring depends on. Prints whether each part works and, if
// not, how to fix it. `Doctor.swift` makes the checks.

import ArgumentParser
import Configuration
import Doctor
import Files
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System

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
    guard Environment.value(Self.checksOnly) == nil else {
      return Doctor.report(Doctor(config.locations).examine())
    }
    let checks = try examine()
    if table.json { Terminal.json(checks.json) } else { checks.show() }
    if !checks.broken.isEmpty { throw ExitCode.failure }
  }

  /// If this environment variable is set, this process was started by another `belfry doctor`. It
  /// makes the checks and prints the results as lines of JSON.
  private static let checksOnly = "BELFRY_DOCTOR"

  /// Starts this program a second time to make the checks, and waits for the results. With
  /// `--json`, the texts of the results are English.
  @MainActor private func examine() throws -> [Check] {
    let words = ["belfry", "doctor", "--config", config.locations.config]
    let launch = Launch(
      words + (table.json ? ["--json"] : []), program: Environment.program,
      variables: [Self.checksOnly: "1"])
    var result: [Check]?
    let process = Doctor.start(launch, Check.Name.allCases, limit: .seconds(30)) { checks in
      result = checks
      MainLoop.quit()
    }
    MainLoop.run()
    withExtendedLifetime(process) {}
    guard let result else { throw Failure(tr("the checks gave no result")) }
    return result
  }
}

extension [Check] {
  fileprivate var json: JSON {
    .object(["heard": .boolean(broken.isEmpty), "checks": .array(map { JSON($0) })])
  }

  fileprivate func show() {
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
