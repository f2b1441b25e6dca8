// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the user has been active since stopping an alarm. `UserActivity.swift` finds
// out when the last input was, `StopCheck.swift` in the core decides whether it counts.

import Bus
import Scheduling
import System

final class UpCheck {
  private unowned let agent: Agent
  /// The open requests for the time of the user's last activity, by the id of the alarm.
  private var looks: [String: UserActivity] = [:]
  /// The alarms that were stopped while the lid was closed, as on a laptop with an external
  /// monitor. For these alarms, a lid that is still closed later says nothing about the user.
  private var closedAtStop: Set<String> = []
  /// When the machine last woke up; nil if it has not slept.
  private var lastWake: Instant?

  init(_ agent: Agent) { self.agent = agent }

  /// Applies the event `isUp` if the user has been active since stopping the alarm `id`, otherwise
  /// `ask`. Always asks if a sleep is not over yet: the machine may have just woken, and desktops
  /// do not count the time asleep as idle time, so the last input would seem later than it was.
  func check(_ id: String) {
    check(id) { [weak self] isUp in
      guard let self else { return }
      agent.apply(isUp && !agent.machine.isDelayed ? .isUp(id) : .ask(id))
    }
  }

  /// Notes whether the lid is closed when the user stops the alarm `id`.
  func stopped(_ id: String) {
    closedAtStop.remove(id)
    guard agent.schedule.entry(id)?.check != nil else { return }
    askLid { [weak self] isClosed in if isClosed { self?.closedAtStop.insert(id) } }
  }

  private func askLid(_ done: @escaping (_ isClosed: Bool) -> Void) {
    agent.machine.bus?.property("LidClosed", of: Login.peer) { done($0?.boolean == true) }
  }

  /// Checks at once whether the user is up, before the machine sleeps. Someone who suspends the
  /// machine is up now, but may be gone when it wakes.
  func sleepBegins() {
    let (ids, before) = (agent.schedule.checking.map(\.alarm.id), lastWake)
    func report(_ isUp: Bool, _ id: String) {
      if isUp, lastWake == before { agent.apply(.isUp(id)) }
    }
    for id in ids where looks[id] == nil { check(id) { report($0, id) } }
    // Closing the lid suspends the machine, but is not input.
    guard !ids.isEmpty else { return }
    askLid { [weak self] isClosed in
      for id in ids { report(isClosed && self?.closedAtStop.contains(id) == false, id) }
    }
  }

  func sleepEnded() { lastWake = Clock.now().wall }

  private func check(_ id: String, _ done: @escaping (_ isUp: Bool) -> Void) {
    looks[id] = UserActivity(on: agent.bus, system: agent.machine.bus) { [weak self] last in
      guard let self else { return }
      looks[id] = nil
      guard let entry = agent.schedule.entry(id), let check = entry.check else { return }
      done(last.map { check.counts($0, lastWake: lastWake) } ?? false)
    }
  }
}
