// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent does before the machine sleeps or is shut down, and when the machine is awake
// again. Carries out what `Machine.swift` and `UpCheck.swift` report, and words the notification
// about a sleep.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Agent {
  /// Gives the machine its new plan. Returns the next moment from which the machine must stay
  /// awake: call this function again then. Nil if there is no such moment.
  func updateMachine(at now: Now) -> Instant? {
    if let id = machine.subject, !schedule.isAwaited(id, at: now) { machine.forget() }
    let plan = schedule.wakePlan(configuration.agent.wakeAhead, at: now)
    machine.update(plan)
    return plan.nextNeed
  }

  func perform(_ act: Machine.Act) {
    switch act {
    case .wakeMoment: apply(.tick)
    case .wakeStateChanged: statusChanged()
    case .locked(let isLocked): apply(.locked(isLocked))
    case .sleepBegins:
      for entry in schedule.checking {
        guard let check = entry.check else { continue }
        upCheck.sleepBegins(entry.alarm.id, check, system: machine.bus)
      }
      apply(.locked(true))
      let endangered = schedule.nextSleptThrough(
        isWoken: machine.wakeState == .ready, at: Clock.now())
      if !machine.warn(of: endangered?.id) { endDelayOnceSaved() }
    case .shutdownBegins:
      apply(.tick)
      endDelayOnceSaved()
    case .sleepEnded:
      upCheck.sleepEnded(at: Clock.now().wall)
      lookAgain()
    case .shutdownEnded: lookAgain()
    case .showNotice(let id, let isKeptAwake): showSleepNotice(of: id, isKeptAwake)
    case .withdrawNotice: notifier.withdraw(Machine.notice)
    }
  }

  func perform(_ act: UpCheck.Act) {
    switch act {
    case .isUp(let id): apply(.isUp(id))
    // Ask if a sleep is not over yet: the machine may have just woken, and desktops do not count
    // the time asleep as idle time, so the last input would seem later than it was.
    case .checked(let id, let isActive):
      apply(isActive && !machine.isDelayed ? .isUp(id) : .ask(id))
    }
  }

  /// Catches up after the machine has slept. Handles everything that has become due in the
  /// meantime. Posts the notifications of rings again, because a lock screen shows only
  /// notifications that were posted after locking.
  private func lookAgain() {
    apply(.tick)
    notifier.showAgain()
  }

  /// Lets the sleep or the shutdown go on as soon as the state has been saved, or saving it has
  /// failed.
  private func endDelayOnceSaved() {
    remember { [weak machine] _ in machine?.endDelay() }
  }

  private func showSleepNotice(of id: String, _ isKeptAwake: Bool) {
    guard let ring = schedule.expectedRing(id, at: Clock.now()) else { return }
    let isCounted = ring.kind == .timer || ring.start == schedule.entry(id)?.snoozedUntil
    notify(Machine.notice) { wording in
      // The user may read this text only after the sleep. So do not use `.near`, which shows or
      // hides the seconds depending on how much time is left now.
      let time = wording.time(ring.start, isCounted ? .never : .given, seenFrom: Clock.now().wall)
      return isKeptAwake
        ? wording.vigil(ring, at: time)
        : wording.sleepWarning(ring, at: time, machine.wakeState)
    }
  }
}

extension NotificationContent.Action {
  static var keepAwake: Self { Self(key: "keep-awake", label: tr("Keep awake")) }
  static var letSleep: Self {
    Self(key: "let-sleep", label: tr("Let the computer sleep"))
  }
}

extension Wording {
  /// Returns the warning that the machine is going to sleep and `ring` would not be heard, because
  /// its alarm or timer does not wake the machine, or because the machine cannot be woken.
  /// `state` says whether it can be woken.
  func sleepWarning(
    _ ring: ExpectedRing, at time: String, _ state: WakeTimer.State
  ) -> NotificationContent {
    let cause: String =
      switch (ring.wakes, ring.kind, state) {
      case (true, _, .refused(let why)): tr("It cannot be woken: \(Self.explain(why)).")
      case (true, _, _): ""
      case (false, .alarm, _): tr("This alarm does not wake it.")
      case (false, .timer, _): tr("This timer does not wake it.")
      }
    return notice(
      ring.label ?? time,
      [tr("Will not ring at \(time) while the computer is asleep."), cause],
      isPersistent: true, category: "alarm", buttons: [.keepAwake])
  }

  func vigil(_ ring: ExpectedRing, at time: String) -> NotificationContent {
    notice(
      ring.label ?? time,
      [tr("The computer stays awake until this has rung at \(time).")], .low,
      isPersistent: true, category: "alarm", buttons: [.letSleep])
  }
}
