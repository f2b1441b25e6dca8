// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry` alone, and acknowledging the missed alarms that it shows. Its words are
// `Summary.swift`'s.

import ArgumentParser
import Configuration
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System

struct StatusCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: tr("Show what is ringing and running, what was missed, what comes next."),
    discussion: tr(
      """
      This is what belfry alone prints.

      Examples:
        belfry
        belfry status --json | jq -r '.next.at'
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var table: TableOption

  @MainActor func perform() throws {
    if table.json { return Terminal.json(JSON(try AgentConnection.wholeStatus())) }
    var status = try AgentConnection.status()
    let agent = status.agent
    status.agent.problems = Blocking.here { agent.translatedProblems() }
    for line in Summary(status, in: Zones()).lines { Terminal.show(line) }
  }
}

struct AcknowledgeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack", abstract: tr("Acknowledge missed alarms and timers."),
    discussion: tr(
      """
      Missed alarms stay in the status, and their notification on the screen, until you \
      acknowledge them: with its OK, or with this command.

      Example:
        belfry ack
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    let answer = try AgentConnection.call("AcknowledgeMissed")
    let missed = try AgentConnection.expected(answer.flatMap(Status.Missed.readAll))
    if output.json { return Terminal.json(.array(missed.map { JSON($0) })) }
    if missed.isEmpty { print(tr("nothing was missed")) }
    for missed in missed { Terminal.show(tr("seen \(missed.id)")) }
  }
}
