// SPDX-License-Identifier: GPL-3.0-or-later
//
// Between the alarms and a machine that wants to sleep: it stays awake while something rings, the
// user hears of an alarm that would be slept through, and what rings is shown anew after a sleep.
// It never puts the machine to sleep; it only stops keeping it awake. See `Waking.swift` in the
// core.

import Bus
import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

final class SleepGuard {
  /// How the notifier knows the guard's notice.
  static let notice = "sleep"
  /// For a notification to be drawn and read; the login manager waits five seconds at most.
  private static let readingTime: Duration = .seconds(2)

  private unowned let agent: Agent
  private var login: Login?
  /// Holds a sleep or a shutdown up until what is to be done before it is done.
  private var delay: Inhibition?
  private var isDelayed = false
  private var patience: Source?
  /// Keeps the machine awake for what rings.
  private var ringing: Inhibition?
  /// Keeps the machine awake until an alarm that it would sleep through has been answered.
  private var vigil: Inhibition?
  /// The alarm that the notice is about.
  private var subject: String?

  init(_ agent: Agent) { self.agent = agent }

  func begin(on bus: Bus) {
    login = Login(on: bus) { [weak self] in self?.take($0) }
  }

  /// Holds the locks that the schedule as it is now asks for.
  func follow(at now: Now) {
    guard let login else { return }
    let schedule = agent.schedule
    if let id = subject, !schedule.isAwaited(id, at: now) { forget() }
    if !schedule.needsMachine(agent.configuration.agent.wakeAhead, at: now) {
      ringing = nil
    } else if ringing == nil {
      // Not everybody may keep a lid from doing what it does.
      ringing = login.inhibit(
        "sleep:idle:handle-lid-switch", "sleep:idle", "idle", mode: .block,
        why: tr("An alarm rings"))
    }
    guard !isDelayed else { return }
    if !schedule.isSet {
      delay = nil
    } else if delay == nil {
      delay = login.inhibit("sleep:shutdown", mode: .delay, why: tr("Alarms are set"))
    }
  }

  /// What the user can say to the notice.
  private var offer: Answer { vigil == nil ? .keepAwake : .letSleep }

  /// The user pressed the notice's button of that key.
  func pressed(_ key: String) {
    guard key == offer.button.key else { return }
    if offer == .keepAwake { keepAwake() } else { forget() }
  }

  private func keepAwake() {
    guard let id = subject, let login else { return }
    vigil = login.inhibit(
      "sleep:handle-lid-switch", "sleep", mode: .block, why: tr("An alarm is to ring"))
    show(id)
  }

  /// The notice was closed; a vigil goes on without.
  func closed() { if vigil == nil { subject = nil } }

  private func take(_ event: Login.Event) {
    switch event {
    case .appeared:
      // One that began before it went never ends for us.
      (delay, ringing, isDelayed, patience) = (nil, nil, false, nil)
      if vigil != nil { keepAwake() }
      follow(at: Clock.now())
    case .sleepBegins:
      isDelayed = true
      agent.upCheck?.sleepBegins()
      agent.apply(.tick)
      if warn() {
        patience = MainLoop.after(Self.readingTime) { [weak self] in self?.delay = nil }
      } else {
        delay = nil
      }
    case .shutdownBegins:
      isDelayed = true
      agent.apply(.tick)
      agent.remember { [weak self] _ in self?.delay = nil }
    case .sleepEnded, .shutdownEnded:
      (isDelayed, patience, delay) = (false, nil, nil)
      if event == .sleepEnded { agent.upCheck?.sleepEnded() }
      agent.lookAgain()
    }
  }

  /// Tells of the first alarm that this sleep would swallow; whether there is something to read.
  private func warn() -> Bool {
    let endangered = agent.schedule.nextSleptThrough(
      isWoken: agent.machine?.wakeRefusal == nil, at: Clock.now())
    guard let id = endangered?.id, vigil == nil || id != subject else { return false }
    vigil = nil
    show(id)
    return true
  }

  private func show(_ id: String) {
    guard let ring = agent.schedule.expectedRing(id, at: Clock.now()) else { return }
    let isCounted =
      ring.kind == .timer || ring.start == agent.schedule.entry(id)?.snoozedUntil
    subject = id
    agent.tell(Self.notice) { wording in
      // It is read after the sleep, too.
      let time = wording.time(ring.start, isCounted ? .never : .given, seenFrom: Clock.now().wall)
      return vigil == nil
        ? wording.sleepWarning(ring, at: time, agent.machine?.wakeRefusal)
        : wording.vigil(ring, at: time)
    }
  }

  private func forget() {
    (subject, vigil) = (nil, nil)
    agent.untell(Self.notice)
  }
}
