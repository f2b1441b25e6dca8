// SPDX-License-Identifier: GPL-3.0-or-later
//
// `belfry` alone, and taking note of what it says was missed. Its words are `Summary.swift`'s.

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
    abstract: tr("Tell what rings, what runs, what was missed and what comes next."),
    discussion: tr(
      """
      This is what belfry alone prints.

      Examples:
        belfry
        belfry status --json | jq -r '.next.at'
      """))

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  @MainActor func perform() throws {
    if output.json { return Terminal.json(JSON(try AgentConnection.wholeStatus())) }
    let status = try AgentConnection.status()
    for line in Summary(status, in: Zones()).lines { Terminal.show(line) }
  }
}

struct AcknowledgeCommand: BelfryCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack", abstract: tr("Take note of what was missed."),
    discussion: tr(
      """
      Missed alarms stay in the status, and their notification on the screen, until you say that \
      you \
      have seen them: with its OK, or with this.

      Example:
        belfry ack
      """))

  @OptionGroup var config: ConfigOption

  @MainActor func perform() throws {
    let missed = try AgentConnection.status().missed
    try AgentConnection.call("AcknowledgeMissed")
    if missed.isEmpty { print(tr("nothing was missed")) }
    for missed in missed { Terminal.show(tr("seen \(missed.id)")) }
  }
}
