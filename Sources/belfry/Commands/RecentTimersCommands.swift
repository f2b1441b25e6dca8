// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry timer recent`, `again` and `forget`: the timers that were started before, which the agent
// keeps. One is named by its place in the list or by its label. Next: `TimerCommand.swift`.

import ArgumentParser
import Configuration
import Language
import Persistence
import Presentation
import Screen
import System

struct TimerRecentCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "recent",
    abstract: tr("List the timers that were started before, the latest first."))

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("RecentTimers")
    let recent = answer.flatMap(Status.Recent.readAll) ?? []
    if table.json { return Terminal.json(.array(recent.map { JSON($0) })) }
    if recent.isEmpty { print(tr("No timer was started yet.")) }
    Terminal.table(
      recent.enumerated().map { place, timer in
        [
          StyledText(String(place + 1), .dim), StyledText(timer.length, .bold),
          StyledText(timer.label),
        ]
      },
      heading: [
        tr("No.", context: "heading"), tr("Length", context: "heading"),
        tr("Label", context: "heading"),
      ])
  }
}

struct TimerAgainCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "again", abstract: tr("Start a recent timer again."),
    usage: "belfry timer again [<number>|<label>]")

  @Argument(
    help: .tr("Its number in `belfry timer recent`, or its label; without one, the latest."))
  var recent: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let id = try AgentConnection.call("StartTimerAgain", [.string(recent ?? "")])?.string
    try Status.Timer(of: id ?? "").show(output)
  }
}

struct TimerForgetCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: tr("Remove a timer from the recent ones."),
    usage: "belfry timer forget <number>|<label>")

  @Argument(help: .tr("Its number in `belfry timer recent`, or its label."))
  var recent: String
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("ForgetTimer", [.string(recent)])
    let timer = try AgentConnection.expected(answer.flatMap(Status.Recent.read))
    if output.json { return Terminal.json(JSON(timer)) }
    let told = [timer.length, timer.label]
    Terminal.show(tr("forgot \(told.filter { !$0.isEmpty }.joined(separator: " "))"))
  }
}

extension Status.Recent {
  /// `10m`, or `until 20:20` for one that ends at a time of day.
  @MainActor fileprivate var length: String {
    untilTime.map { tr("until \($0)", context: "timer") }
      ?? DurationText.format(Duration(told: duration))
  }
}
