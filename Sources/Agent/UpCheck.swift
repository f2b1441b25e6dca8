// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out whether the user has been active since stopping an alarm. `UserActivity.swift` finds
// out when the last input was, `StopCheck.swift` in the core decides whether it counts.

import Bus
import Scheduling
import System

final class UpCheck {
  /// The result of a check.
  enum Act {
    /// The user who stopped the alarm with this id is up: the user has just suspended the machine.
    case isUp(String)
    /// The check of the alarm with this id is finished. `isActive` says whether the last input
    /// shows that the user has been active since Stop.
    case checked(String, isActive: Bool)
  }

  private let bus: Bus
  private let onAct: (Act) -> Void
  /// The open requests for the time of the user's last activity, by the id of the alarm.
  private var looks: [String: UserActivity] = [:]
  /// The alarms that were stopped while the lid was closed, as on a laptop with an external
  /// monitor. For these alarms, a lid that is still closed later says nothing about the user.
  private var closedAtStop: Set<String> = []
  /// When the machine last woke up; nil if it has not slept.
  private var lastWake: Instant?

  init(on bus: Bus, onAct: @escaping (Act) -> Void) { (self.bus, self.onAct) = (bus, onAct) }

  /// Checks whether the user has been active since stopping the alarm `id`, and reports `checked`.
  /// `system` is the system bus, here and below; nil if it cannot be reached.
  func check(_ id: String, _ check: StopCheck, system: Bus?) {
    look(id, check, system) { [onAct] in onAct(.checked(id, isActive: $0)) }
  }

  /// Notes whether the lid is closed when the user stops the alarm `id`, for a later check.
  func stopped(_ id: String, system: Bus?) {
    // A request that is still open would be judged by the check of an earlier Stop.
    looks[id] = nil
    closedAtStop.remove(id)
    askLid(system) { [weak self] isClosed in if isClosed { self?.closedAtStop.insert(id) } }
  }

  private func askLid(_ system: Bus?, _ done: @escaping (_ isClosed: Bool) -> Void) {
    system?.property("LidClosed", of: Login.peer) { done($0?.boolean == true) }
  }

  /// Checks at once whether the user who stopped the alarm `id` is up, before the machine sleeps.
  /// Someone who suspends the machine is up now, but may be gone when it wakes. Reports `isUp`, or
  /// nothing.
  func sleepBegins(_ id: String, _ check: StopCheck, system: Bus?) {
    let before = lastWake
    let report = { [weak self] (isUp: Bool) in
      if let self, isUp, lastWake == before { onAct(.isUp(id)) }
    }
    if looks[id] == nil { look(id, check, system, report) }
    // Closing the lid suspends the machine, but is not input.
    askLid(system) { [weak self] isClosed in
      report(isClosed && self?.closedAtStop.contains(id) == false)
    }
  }

  func sleepEnded(at now: Instant) { lastWake = now }

  private func look(
    _ id: String, _ check: StopCheck, _ system: Bus?, _ done: @escaping (_ isActive: Bool) -> Void
  ) {
    looks[id] = UserActivity(on: bus, system: system) { [weak self] last in
      guard let self else { return }
      looks[id] = nil
      done(last.map { check.counts($0, lastWake: lastWake) } ?? false)
    }
  }
}
