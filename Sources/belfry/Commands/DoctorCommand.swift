// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry doctor`: will it ring? Every link of the chain, whether it holds, and what mends it. What
// is examined and how is `Doctor.swift`'s.

import ArgumentParser
import Configuration
import Doctor
import Language
import Persistence
import Presentation
import Scheduling
import System

struct DoctorCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: tr("Will it ring? Check every link of the chain, and tell what mends it."),
    discussion: tr(
      """
      Devices are opened and given a second of silence; every sound that the config names is \
      decoded \
      to its end. Nothing is heard and nothing is changed, except that the agent is started where \
      it \
      does not run.

      Exit status 1 where an alarm would not be heard: a check says ERROR. WARNING is for what \
      costs \
      no alarm its sound.
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let checks = Doctor(config.locations).examine()
    if output.json { Terminal.json(checks.json) } else { checks.show() }
    if !checks.broken.isEmpty { throw ExitCode.failure }
  }
}

extension [Check] {
  fileprivate var json: JSON {
    .object(["heard": .boolean(broken.isEmpty), "checks": .array(map(\.json))])
  }

  fileprivate func show() {
    Terminal.table(
      flatMap { check in
        [[check.name.word, check.state.word, check.message]]
          + (check.mend.map { [["", "", tr("mend: \($0)")]] } ?? [])
      })
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
  fileprivate var word: String {
    switch self {
    case .ok: tr("OK", context: "check")
    case .warning: tr("WARNING", context: "check")
    case .error: tr("ERROR", context: "check")
    case .unknown: tr("UNKNOWN", context: "check")
    }
  }
}
