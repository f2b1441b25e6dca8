// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether somebody who stopped an alarm did anything since, as the core's `StopCheck.swift` wants
// to know. It decides only whether what was seen counts; who knows of it is `UserActivity.swift`'s.

import Bus
import Scheduling
import System

final class UpCheck {
  private unowned let agent: Agent
  private let bus: Bus
  private var looks: [String: UserActivity] = [:]
  /// When the machine was last awake again: that looks like somebody who uses it.
  private var lastWake: Instant?

  /// The press that stopped it is none that counts, nor is the hand that lets go of the mouse.
  private static let grace: Duration = .seconds(3)

  init(_ agent: Agent, on bus: Bus) { (self.agent, self.bus) = (agent, bus) }

  /// Says `isUp` of that alarm, or `ask`.
  func look(_ id: String) {
    look(id) { [weak self] isUp in self?.agent.apply(isUp ? .isUp(id) : .ask(id)) }
  }

  /// Who puts the machine to sleep is up, and not beside it when it wakes.
  func sleepBegins() {
    for id in agent.schedule.checking.map(\.alarm.id) where looks[id] == nil {
      let before = lastWake
      look(id) { [weak self] isUp in
        if isUp, self?.lastWake == before { self?.agent.apply(.isUp(id)) }
      }
    }
  }

  func sleepEnded() { lastWake = Clock.now().wall }

  private func look(_ id: String, _ done: @escaping (_ isUp: Bool) -> Void) {
    looks[id] = UserActivity(on: bus, system: agent.machine?.bus) { [weak self] last in
      guard let self else { return }
      looks[id] = nil
      guard let entry = agent.schedule.entry(id), let check = entry.check else { return }
      // A short wait has room for less.
      let grace = min(Self.grace, (check.due - check.stopped) / 4)
      let begin = max(check.stopped, lastWake ?? check.stopped) + grace
      done(last.map { $0 > begin } ?? false)
    }
  }
}
