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
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("RecentTimers")
    if output.json { return Terminal.json(answer.map { JSON($0) } ?? .array([])) }
    let recent = answer.flatMap(Status.Recent.readAll) ?? []
    if recent.isEmpty { print(tr("No timer was started yet.")) }
    Terminal.table(
      recent.enumerated().map { place, timer in
        [String(place + 1), timer.length, timer.label]
      })
  }
}

struct TimerAgainCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "again", abstract: tr("Start a timer anew that was started before."),
    usage: "belfry timer again [<number>|<label>] [--json]")

  @Argument(
    help: .tr("Its number in `belfry timer recent`, or its label; without one, the latest."))
  var recent: String?
  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    try Status.Timer.tellStart("StartTimerAgain", [.string(recent ?? "")], output)
  }
}

struct TimerForgetCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: tr("Take a timer from those started before."),
    usage: "belfry timer forget <number>|<label>")

  @Argument(help: .tr("Its number in `belfry timer recent`, or its label."))
  var recent: String
  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("ForgetTimer", [.string(recent)])
    guard let timer = answer.flatMap(Status.Recent.read) else { return }
    let told = [timer.length, timer.label]
    Terminal.show(tr("forgot \(told.filter { !$0.isEmpty }.joined(separator: " "))"))
  }
}

extension Status.Recent {
  /// `10m`, or `until 20:20` for one that ends at a time of day.
  @MainActor fileprivate var length: String {
    until.map { tr("until \($0)", context: "timer") }
      ?? DurationText.format(Duration(told: duration))
  }
}
