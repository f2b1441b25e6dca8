// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints a timer that was started or changed, and the list of all timers. `StandingWording.swift`
// has the words for the states of a timer.

import Configuration
import Language
import Presentation
import Scheduling
import Screen
import System

extension Status.Timer {
  @MainActor static func all() throws -> [Self] { try AgentConnection.records("Timers") }

  @MainActor static func showAll(_ output: OutputOption) throws {
    let timers = try all()
    if output.json { return Terminal.json(timers) }
    if timers.isEmpty { return print(tr("No timer is set.")) }
    let (wording, now) = (try Wording.ofAgent(), Clock.now().wall)
    Terminal.table(
      timers.map { timer in
        [
          StyledText(timer.id, .dim), StyledText(timer.title),
          StyledText(wording.long(timer.standing, seenFrom: now), timer.standing.style),
        ].map { $0.cut(to: Columns.longestLabel) }
      },
      heading: tr("Id|Label|State"))
  }

  /// Prints when the timer ends, or that it is paused.
  @MainActor fileprivate func printReport(_ output: OutputOption) throws {
    if output.json { return Terminal.json(self) }
    let left = Wording.span(Duration(told: left))
    guard state != .paused else { return Terminal.printLine(tr("paused \(id), \(left) left")) }
    let end = try Wording.ofAgent().at(
      at?.instant ?? Instant(seconds: 0), .near, seenFrom: Clock.now().wall)
    Terminal.printLine(
      turn.map { tr("\(Wording.name(id, $0)): ends \(end), in \(left)") }
        ?? tr("\(id) ends \(end), in \(left)"))
  }

  @MainActor var title: String {
    let label = [label, round == nil ? "" : preset ?? ""].first { !$0.isEmpty } ?? ""
    return Wording.name(label, turn)
  }
}

extension OutputOption {
  /// Calls the agent's method `member`, which returns the id of a timer, and prints this timer.
  @MainActor func showTimer(_ member: String, _ arguments: [Variant]) throws {
    let answer =
      member == "PauseTimer"
      ? try AgentConnection.change(member, arguments) : try AgentConnection.call(member, arguments)
    let id = answer?.string ?? ""
    let timer: Status.Timer = try AgentConnection.record("Timer", [.string(id)])
    try timer.printReport(self)
  }
}

extension Wording {
  static func ofAgent() throws -> Wording {
    let agent: Status.Agent = try AgentConnection.record("Agent")
    return Wording(zones: Zones(), clock: agent.clockStyle)
  }
}
