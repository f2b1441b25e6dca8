// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of an edit, for people and for `--json`: ids, when they ring, and what else there is
// to know; and why an edit was not made. Next: `EditCommands.swift`.

import ArgumentParser
import BelfryAgent
import Configuration
import Desktop
import Persistence
import Scheduling

/// What `work` gives. What makes no sense is wrong usage.
@discardableResult
@MainActor func understood<T>(
  _ work: () throws(ConfigEditor.Failure) -> T
) throws -> T {
  do throws(ConfigEditor.Failure) { return try work() } catch {
    switch error {
    case .invalid, .neverRings:
      let text = "\(error)"
      throw ValidationError(text.hasSuffix("?") || text.hasSuffix("\"") ? text : text + ".")
    default: throw Failure("\(error)")
    }
  }
}

@MainActor struct EditReport {
  private let outcome: ConfigEditor.Outcome
  private let overview: Overview

  init(_ edit: () throws(ConfigEditor.Failure) -> ConfigEditor.Outcome) throws {
    outcome = try understood(edit)
    overview = Overview(
      configuration: outcome.reading.configuration, schedule: outcome.schedule, zones: Zones(),
      now: Clock.now())
  }

  /// The id, and below it when it rings.
  func show(_ output: OutputOption) {
    remark()
    let id = outcome.ids.first ?? ""
    if output.json { return Terminal.json(alarms.first ?? .object([])) }
    print(id)
    Terminal.show(standing(id))
  }

  func showEach(_ what: String, _ output: OutputOption) {
    remark()
    if output.json { return Terminal.json(.array(alarms)) }
    for id in outcome.ids {
      let standing = standing(id)
      Terminal.show("\(what) \(id)" + (standing == "off" ? "" : ", \(standing)"))
    }
  }

  func showRemoved(_ output: OutputOption) {
    remark()
    if output.json { return Terminal.json(.array(outcome.ids.map(JSON.string))) }
    if outcome.ids.isEmpty { print("No alarm is over.") }
    for id in outcome.ids { print("removed \(id)") }
  }

  /// What there is to say beside the answer.
  private func remark() {
    for warning in outcome.warnings {
      Terminal.complain([warning.message, warning.hint].compactMap(\.self).joined(separator: ": "))
    }
    for other in outcome.renamed {
      Terminal.complain("\(other.before) is called \(other.now) now")
    }
    for id in outcome.ids where outcome.reading.faultyAlarms.contains(id) {
      Terminal.complain("\(id) does not ring: belfry config check tells what is wrong with it")
    }
  }

  private var alarms: [JSON] {
    outcome.ids.compactMap { id in
      overview.alarms.first { Variant.dictionary($0)["id"]?.string == id }.map { JSON($0) }
    }
  }

  private func standing(_ id: String) -> String {
    guard let entry = outcome.schedule.entry(id) else {
      return outcome.reading.faultyAlarms.contains(id) ? "does not ring" : "off"
    }
    if let start = entry.nextStart { return "rings in \(Wording.span(start - overview.now.wall))" }
    if entry.ring != nil { return "rings now" }
    return entry.isSkipped ? "skipped" : "over"
  }
}
