// SPDX-License-Identifier: GPL-3.0-or-later
//
// The machine that the agent runs on: wakes it from suspend before a ring. `SleepGuard.swift` keeps
// the machine awake. Without a system bus, waking still works, but sleeps are not reported.
// `Waking.swift` in the core decides when to wake.

import Bus
import Configuration
import Files
import Presentation
import Scheduling
import System

final class Machine {
  private unowned let agent: Agent
  let sleepGuard: SleepGuard
  /// The system bus.
  private(set) var bus: Bus?
  private var wakeTimer: WakeTimer?
  /// Why the machine cannot be woken; nil if it can.
  private(set) var wakeRefusal: WakeTimer.Refusal?
  private var wakeTime: Instant?

  init(_ agent: Agent) {
    self.agent = agent
    sleepGuard = SleepGuard(agent)
    do throws(WakeTimer.Refusal) {
      wakeTimer = try WakeTimer { [weak agent] in agent?.apply(.tick) }
    } catch {
      refuse(error)
    }
    Bus.connect(toSystem: true) { [weak self] in self?.connected($0) }
  }

  /// Arms the wake timer, and takes or releases locks against sleep, as the schedule now requires.
  func follow(at now: Now) {
    wake(at: agent.schedule.nextWake(agent.configuration.agent.wakeAhead, after: now))
    sleepGuard.follow(at: now)
  }

  private func wake(at time: Instant?) {
    guard let wakeTimer, time != wakeTime else { return }
    wakeTime = time
    wakeRefusal = nil
    if let error = wakeTimer.arm(time) { refuse(.failed(error)) }
  }

  private func refuse(_ refusal: WakeTimer.Refusal) {
    wakeRefusal = refusal
    Log.warning("a suspended machine will not be woken: \(Wording.explain(refusal))")
  }

  private func connected(_ result: Result<Bus, BusError>) {
    switch result {
    case .failure(let error): Log.debug("no system bus: \(error)")
    case .success(let bus):
      self.bus = bus
      bus.onClosed = { Log.info("the system bus is gone: sleeps are not reported any more") }
      sleepGuard.begin(on: bus)
    }
  }
}
