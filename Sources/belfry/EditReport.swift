// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints the result of an edit of the config, as text or JSON: the ids of the alarms, when they
// ring, and warnings. Next: `EditCommands.swift`.

import ArgumentParser
import Configuration
import Files
import Language
import Presentation
import Scheduling
import System

@MainActor struct EditReport {
  private let outcome: ConfigEditor.Outcome
  private let overview: Overview

  /// Makes the edit. If the settings that the user asked for are invalid, throws an error that ends
  /// with exit status 64, for wrong usage.
  init(_ edit: @autoclosure () throws -> ConfigEditor.Outcome) throws {
    do { outcome = try edit() } catch let error as ConfigEditor.Failure {
      if case .invalid = error { throw ValidationError("\(error)") }
      throw error
    }
    overview = Overview(
      configuration: outcome.reading.configuration, schedule: outcome.schedule, zones: Zones(),
      now: Clock.now())
  }

  /// Prints the alarm in full: its id, its days and time, and when it rings next.
  func printReport(_ output: OutputOption) {
    remark()
    let id = outcome.ids.first ?? ""
    if output.json, let alarm = alarms.first { return Terminal.json(alarm) }
    Terminal.printLine(reply(id))
  }

  func showEach(isEnabled: Bool, _ output: OutputOption) {
    remark()
    if output.json { return Terminal.json(alarms) }
    for id in outcome.ids { Terminal.printLine(isEnabled ? reply(id) : tr("disabled \(id)")) }
  }

  var ids: [String] { outcome.ids }

  /// Prints the alarms that were removed. JSON shows them as they were before the removal.
  func showRemoved(_ output: OutputOption) {
    remark(isRemoval: true)
    if output.json { return Terminal.json(alarms) }
    if outcome.ids.isEmpty { print(tr("No alarm that rings once is over.")) }
    for id in outcome.ids { print(tr("removed \(id)")) }
    for id in outcome.ids where outcome.former.contains(id) {
      Terminal.complain(
        complaint(
          tr("\(id) rings as it did before, because an error hides the id of an alarm"),
          hint: Message("belfry config check shows what is wrong")))
    }
  }

  /// Prints the warnings on standard error.
  private func remark(isRemoval: Bool = false) {
    for warning in outcome.warnings {
      Terminal.complain(ConfigEditor.Failure.lines(warning))
    }
    for other in outcome.renamed {
      Terminal.complain(tr("\(other.before) is called \(other.now) now"))
    }
    for id in outcome.ids where !isRemoval && outcome.reading.faultyAlarms.contains(id) {
      Terminal.complain(
        complaint(
          outcome.former.contains(id)
            ? tr("\(id) has an error, and rings as it did before") : tr("\(id) does not ring"),
          hint: Message("belfry config check shows what is wrong")))
    }
    if !isRemoval, outcome.ids.contains(where: { outcome.schedule.entry($0) != nil }) {
      AgentConnection.warnIfMissing()
    }
  }

  private var alarms: [Status.Alarm] { outcome.ids.map { overview.alarm($0) ?? .faulty($0) } }

  private func reply(_ id: String) -> String {
    let alarm = overview.configuration.alarm(id)
    return overview.wording.reply(
      id, alarm?.recurrence, alarm.map(overview.standing) ?? Standing(state: .off),
      seenFrom: overview.now.wall)
  }
}
