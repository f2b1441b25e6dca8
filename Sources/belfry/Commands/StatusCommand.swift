// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry status`, which also runs if `belfry` has no command, and `belfry ack`, which acknowledges
// the missed alarms that the status shows. `Summary.swift` puts the status into words.

import ArgumentParser
import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System

struct StatusCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: tr("Show ringing, running, missed and upcoming alarms and timers."),
    discussion: tr(
      """
      "belfry" without a command prints the same.

      Examples:
        belfry
        belfry status --json | jq -r '.next.at'
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    if table.json { return Terminal.json(try AgentConnection.wholeStatus()) }
    var status = try AgentConnection.status()
    let agent = status.agent
    status.agent.problems = Disk.here { agent.translatedProblems(on: $0) }
    for line in Summary(status, in: Zones()).lines { Terminal.printLine(line) }
  }
}

struct AcknowledgeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack", abstract: tr("Acknowledge missed alarms and timers."),
    discussion: tr(
      """
      A missed alarm stays in the status, and its notification stays on the screen, until you \
      press OK on the notification or use this command.

      Example:
        belfry ack
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let missed: [Status.Missed] = try AgentConnection.records("AcknowledgeMissed")
    if output.json { return Terminal.json(missed) }
    if missed.isEmpty { print(tr("nothing was missed")) }
    for missed in missed { Terminal.printLine(tr("acknowledged \(missed.id)")) }
  }
}
