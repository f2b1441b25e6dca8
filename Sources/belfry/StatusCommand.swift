// SPDX-License-Identifier: GPL-3.0-or-later

import ArgumentParser
import BelfryAgent
import Configuration
import Desktop
import Scheduling

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tell what rings, what is snoozed and what comes next.")

  @OptionGroup var config: ConfigOption
  @OptionGroup var output: OutputOption

  func run() throws {
    try onMain {
      guard case .dictionary(let entries)? = try AgentConnection.call("Status").first else {
        throw Failure("the agent's answer is no status: is it another version? belfryd --replace")
      }
      if output.json { return Terminal.json(.init(entries)) }
      StatusView(Variant.dictionary(entries), now: Clock.now().wall).show()
    }
  }
}

/// The agent's status for people.
@MainActor private struct StatusView {
  let status: Variant
  let now: Instant
  let wording = Wording(zones: Zones(), clock: .automatic)

  init(_ status: Variant, now: Instant) { (self.status, self.now) = (status, now) }

  func show() {
    let ringing = rows("ringing")
    let snoozed = rows("alarms").filter { $0["state"]?.string == "snoozed" }
    for alarm in ringing { Terminal.show("ringing  \(name(alarm))  since \(moment(alarm, "due"))") }
    for alarm in snoozed {
      Terminal.show("snoozed  \(name(alarm))  until \(alarm["until"]?.string ?? "")")
    }
    for missed in rows("missed") {
      let why = missed["reason"]?.string.flatMap(Missed.Reason.init).map(Wording.because) ?? ""
      Terminal.show("missed   \(name(missed))  \(moment(missed)): \(why)")
    }
    if let next = status["next"], let epoch = next["epoch"]?.int64 {
      let left = Wording.span(Instant(seconds: epoch) - now)
      Terminal.show("next     \(name(next))  \(moment(next)), in \(left)")
    } else if ringing.isEmpty, snoozed.isEmpty {
      Terminal.show(
        "No alarm is set. Add one to \(status["agent"]?["config"]?.string ?? "the config").")
    }
    for problem in status["agent"]?["problems"]?.strings ?? [] {
      problem.split(separator: "\n").forEach { Terminal.show(String($0)) }
    }
  }

  private func rows(_ key: String) -> [Variant] {
    (status[key]?.dictionaries ?? []).map(Variant.dictionary)
  }

  private func name(_ row: Variant) -> String {
    let id = row["id"]?.string ?? ""
    return row["label"]?.string.map { "\($0) (\(id))" } ?? id
  }

  private func moment(_ row: Variant, _ key: String = "epoch") -> String {
    guard let epoch = row["epoch"]?.int64 else { return "" }
    return wording.moment(Instant(seconds: epoch), seenFrom: now)
  }
}
