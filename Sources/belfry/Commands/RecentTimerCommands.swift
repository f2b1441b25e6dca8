// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry timer recent`, `again` and `forget`: the recent timers, chosen by number or label.
// `TimerCommand.swift` has the other commands for timers.

import ArgumentParser
import Configuration
import Language
import Presentation
import Screen
import System

struct TimerRecentCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "recent",
    abstract: tr("List the timers that you started last, the latest first."))

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    let recent: [Status.Recent] = try AgentConnection.records("RecentTimers")
    if table.json { return Terminal.json(recent) }
    if recent.isEmpty { print(tr("No timer was started yet.")) }
    Terminal.table(
      recent.enumerated().map { place, timer in
        [
          StyledText(String(place + 1), .dim), StyledText(timer.length, .bold),
          StyledText(timer.label),
        ]
      },
      heading: tr("No.|Length|Label"))
  }
}

struct TimerAgainCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "again", abstract: tr("Start a new timer like one that you started before."),
    usage: "belfry timer again [<number>|<label>]")

  @Argument(
    help: .tr(
      """
      The number of the timer in `belfry timer recent`, or its label. The default is the latest \
      timer.
      """, valueName: "number|label"))
  var recent: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    try output.showTimer("StartTimerAgain", [.string(recent ?? "")])
  }
}

struct TimerForgetCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: tr("Remove a timer from the list of recent timers."),
    usage: "belfry timer forget <number>|<label>")

  @Argument(
    help: .tr(
      "The number of the timer in `belfry timer recent`, or its label.", valueName: "number|label"))
  var recent: String
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let timer: Status.Recent = try AgentConnection.record("ForgetTimer", [.string(recent)])
    if output.json { return Terminal.json(timer) }
    let name = [timer.length, timer.label].filter { !$0.isEmpty }.joined(separator: " ")
    Terminal.printLine(tr("forgot \(name)"))
  }
}

extension Status.Recent {
  /// The length of the timer, such as `10m`, or `until 20:20` if it ends at a time of day.
  @MainActor fileprivate var length: String {
    untilTime.map { tr("until \($0)", context: "timer") }
      ?? DurationText.format(Duration(told: duration))
  }
}
