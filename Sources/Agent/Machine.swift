// SPDX-License-Identifier: GPL-3.0-or-later
//
// The machine that the agent runs on, and what of it concerns the alarms: it is woken, kept awake,
// and moved to another time zone. It works without a system bus, and then knows less.

import Bus
import Configuration
import Files
import Notifications
import Presentation
import Scheduling
import System

final class Machine {
  private unowned let agent: Agent
  private let waking: Waking
  private let sleepGuard: SleepGuard
  /// The system bus.
  private(set) var bus: Bus?
  private var zoneChanges: Bus.Subscription?

  init(_ agent: Agent) {
    self.agent = agent
    waking = Waking { [weak agent] in agent?.apply(.tick) }
    sleepGuard = SleepGuard(agent)
    Bus.connectToSystem { [weak self] in self?.connected($0) }
  }

  /// Why it is not woken; nil where it is.
  var wakeRefusal: WakeTimer.Refusal? { waking.refusal }

  /// Brings the machine to what the schedule says now.
  func follow(at now: Now) {
    waking.arm(agent.schedule.nextWake(agent.configuration.agent.wakeAhead, after: now))
    sleepGuard.follow(at: now)
  }

  /// What became of the notice `id`; false where it is not one of the machine's.
  func take(_ event: Notifier.Event, on id: String) -> Bool {
    guard id == SleepGuard.notice else { return false }
    switch event {
    case .action(let name): sleepGuard.pressed(name)
    case .closed: sleepGuard.closed()
    }
    return true
  }

  private func connected(_ result: Result<Bus, BusError>) {
    switch result {
    case .failure(let error): Log.debug("no system bus: \(error)")
    case .success(let bus):
      self.bus = bus
      bus.onClosed = { Log.info("the system bus is gone: nobody tells of a sleep any more") }
      zoneChanges = TimeDate.whenZoneChanges(on: bus) { [weak agent] in agent?.zoneChanged() }
      sleepGuard.begin(on: bus)
    }
  }
}

/// Has a suspended machine awake before the next ring, and knows why where it cannot. When that is,
/// the core says.
private final class Waking {
  private let timer: WakeTimer?
  /// Why the machine is not woken; nil where it is.
  private(set) var refusal: WakeTimer.Refusal?
  private var armed: Instant?

  /// `onWake` is called ahead of a ring, whether the machine slept or not.
  init(onWake: @escaping () -> Void) {
    do throws(WakeTimer.Refusal) {
      timer = try WakeTimer(onFire: onWake)
    } catch {
      (timer, refusal) = (nil, error)
      Log.warning("a suspended machine will not be woken: \(Wording.mend(error))")
    }
  }

  /// Wakes the machine at `moment`, in place of any other.
  func arm(_ moment: Instant?) {
    guard let timer, moment != armed else { return }
    armed = moment
    if let error = timer.arm(moment) {
      refusal = .failed(error)
      Log.warning("a suspended machine will not be woken: \(error)")
    } else {
      refusal = nil
    }
  }
}
