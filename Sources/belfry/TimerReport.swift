// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is printed of a timer that was started, halted or asked for. How it stands is in
// `Standing.swift`.

import Configuration
import Language
import Persistence
import Presentation
import Scheduling
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

  /// Has the agent start one, and prints when it rings.
  @MainActor static func tellStart(
    _ member: String, _ arguments: [Variant], _ output: OutputOption
  ) throws {
    let answer = try AgentConnection.call(member, arguments)
    let timer = try Self(of: answer?.string ?? "")
    if output.json { return Terminal.json(JSON(timer)) }
    try timer.tellStart()
  }

  /// That it runs; or that it is paused, as one that was given more time still is.
  @MainActor func tellStart() throws {
    guard state != .paused else { return tellPause() }
    let end = try Wording.ofAgent().at(
      at?.instant ?? Instant(seconds: 0), .near, seenFrom: Clock.now().wall)
    let left = Wording.span(Duration(told: left))
    Terminal.show(
      turn.map { tr("\(Wording.name(id, $0)): rings \(end), in \(left)") }
        ?? tr("\(id) rings \(end), in \(left)"))
  }

  @MainActor func tellPause() {
    Terminal.show(tr("paused \(id), \(Wording.span(Duration(told: left))) left"))
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
