// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is printed of one timer after it was started or changed, and of all of them. The words for
// their states are in `Standing.swift`.

import Configuration
import Language
import Persistence
import Presentation
import Scheduling
import Screen
import System

extension Status.Timer {
  /// Asks the agent for one: there may be a thousand of them.
  @MainActor init(of id: String) throws {
    guard let answer = try AgentConnection.call("Timer", [.string(id)]),
      let timer = Self.read(answer)
    else { throw Self.stranger }
    self = timer
  }

  /// All of an answer.
  @MainActor static func all(_ answer: Variant?) throws -> [Self] {
    guard let timers = answer.flatMap(readAll) else { throw stranger }
    return timers
  }

  @MainActor private static var stranger: Failure {
    Failure(tr("the agent tells nothing of timers: is it another version?"))
  }

  /// Prints all timers, as `timer list` does.
  @MainActor static func showAll(_ output: OutputOption) throws {
    let answer = try AgentConnection.call("Timers")
    let timers = try all(answer)
    if output.json { return Terminal.json(.array(timers.map { JSON($0) })) }
    if timers.isEmpty { return print(tr("No timer is set.")) }
    let (wording, now) = (try Wording.ofAgent(), Clock.now().wall)
    Terminal.table(
      timers.map { timer in
        [
          StyledText(timer.id, .dim), StyledText(timer.title),
          StyledText(wording.long(timer.standing, seenFrom: now), timer.standing.style),
        ].map { $0.cut(to: Columns.longestLabel) }
      },
      heading: [
        tr("Id", context: "heading"), tr("Label", context: "heading"),
        tr("State", context: "heading"),
      ])
  }

  /// Prints when it rings, or that it is paused, also after it was given more time.
  @MainActor func show(_ output: OutputOption) throws {
    if output.json { return Terminal.json(JSON(self)) }
    let left = Wording.span(Duration(told: left))
    guard state != .paused else { return Terminal.show(tr("paused \(id), \(left) left")) }
    let end = try Wording.ofAgent().at(
      at?.instant ?? Instant(seconds: 0), .near, seenFrom: Clock.now().wall)
    Terminal.show(
      turn.map { tr("\(Wording.name(id, $0)): rings \(end), in \(left)") }
        ?? tr("\(id) rings \(end), in \(left)"))
  }

  /// Its label and, if there are several, the round that it is in.
  @MainActor var title: String {
    let label = [label, round == nil ? "" : preset ?? ""].first { !$0.isEmpty } ?? ""
    return Wording.name(label, turn)
  }
}

extension Wording {
  /// With the clock that the agent was told to go by.
  static func ofAgent() throws -> Wording {
    let agent = try AgentConnection.call("Agent").flatMap(Status.Agent.read)
    return Wording(zones: Zones(), clock: agent?.clockStyle ?? .automatic)
  }
}
