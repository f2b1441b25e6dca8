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
    let recent = try AgentConnection.call("RecentTimers")?.dictionaries ?? []
    if output.json { return Terminal.json(.array(recent.map { JSON($0) })) }
    if recent.isEmpty { print(tr("No timer was started yet.")) }
    Terminal.table(
      recent.enumerated().map { place, timer in
        [String(place + 1), length(of: timer), timer.text("label")]
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
    try TimerRow.tellStart("StartTimerAgain", [.string(recent ?? "")], output)
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
    let timer = try AgentConnection.call("ForgetTimer", [.string(recent)])?.dictionary ?? []
    let told = [length(of: timer), timer.text("label")]
    Terminal.show(tr("forgot \(told.filter { !$0.isEmpty }.joined(separator: " "))"))
  }
}

/// `10m`, or `until 20:20` for one that ends at a time of day.
@MainActor private func length(of recent: [Variant.Entry]) -> String {
  let until = recent.text("until")
  return until.isEmpty
    ? DurationText.format(recent.seconds("duration")) : tr("until \(until)", context: "timer")
}
