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
  let wording: Wording

  init(_ status: Variant, now: Instant) {
    (self.status, self.now) = (status, now)
    let clock = status["agent"]?["clock"]?.string.flatMap(AgentSettings.Clock.init)
    wording = Wording(zones: Zones(), clock: clock ?? .automatic)
  }

  func show() {
    let ringing = rows("ringing")
    let problems = status["agent"]?["problems"]?.strings ?? []
    let snoozed = rows("alarms").filter { $0["state"]?.string == "snoozed" }
    for alarm in ringing {
      Terminal.show("ringing  \(name(alarm))  since \(moment(alarm["since"]))")
    }
    for alarm in snoozed {
      Terminal.show("snoozed  \(name(alarm))  until \(moment(alarm["until"]))")
    }
    for missed in rows("missed") {
      let why = missed["reason"]?.string.flatMap(Missed.Reason.init).map(Wording.because) ?? ""
      Terminal.show("missed   \(name(missed))  \(moment(missed["at"])): \(why)")
    }
    if let next = status["next"], let epoch = next["epoch"]?.int64 {
      let left = Wording.span(Instant(seconds: epoch) - now)
      Terminal.show("next     \(name(next))  \(moment(next["at"])), in \(left)")
    } else if ringing.isEmpty, snoozed.isEmpty, problems.isEmpty {
      Terminal.show(
        "No alarm is set. Add one to \(status["agent"]?["config"]?.string ?? "the config").")
    }
    for problem in problems {
      for line in problem.split(separator: "\n") { Terminal.show(String(line)) }
    }
  }

  private func rows(_ key: String) -> [Variant] {
    (status[key]?.dictionaries ?? []).map(Variant.dictionary)
  }

  private func name(_ row: Variant) -> String {
    let id = row["id"]?.string ?? ""
    let label = row["label"]?.string ?? ""
    return label.isEmpty ? id : "\(label) (\(id))"
  }

  /// A moment as the agent writes it, RFC 3339, in words.
  private func moment(_ value: Variant?) -> String {
    value?.string.flatMap { InstantText.parse($0, in: nil, wording.zones) }
      .map { wording.moment($0, seenFrom: now) } ?? ""
  }
}
