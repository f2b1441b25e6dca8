// SPDX-License-Identifier: GPL-3.0-or-later
//
// The machine that the agent runs on. The agent wakes it from suspend before a ring, keeps it awake
// while something is ringing, and warns the user before a sleep that would prevent an alarm from
// ringing. It never puts the machine to sleep. Without a system bus, waking still works, but the
// agent does not learn of sleeps. `Waking.swift` in the core decides when to wake the machine, and
// when it must stay awake.

import Bus
import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

final class Machine {
  /// The id of the notification which says that the machine is about to sleep.
  static let notice = "sleep"
  /// How long a sleep is delayed so that the user can read the warning. By default, the login
  /// manager waits five seconds at most.
  private static let readingTime: Duration = .seconds(2)

  private unowned let agent: Agent
  /// The system bus; nil if it cannot be reached.
  private(set) var bus: Bus?
  /// Reports when the socket of a restarted system bus appears; nil while the bus can be reached,
  /// and if it never could.
  private var busWatch: FileWatch?
  private var wakeTimer: WakeTimer!
  /// What the alarms and timers require, as of the last update.
  private var plan = WakePlan()
  private var login: Login?
  /// The lock that delays a sleep or a shutdown until the agent is prepared for it.
  private var delay: Inhibition?
  /// Whether a sleep or a shutdown has begun and is not over yet, even if `delay` is released.
  private(set) var isDelayed = false
  /// The timer that lets the machine sleep when the user has had time to read the warning.
  private var patience: Source?
  private var ringLock: Inhibition?
  /// The lock that keeps the machine awake for an alarm that could not ring while the machine is
  /// suspended. The lock is held until the user has answered that alarm.
  private var vigil: Inhibition?
  /// The id of the alarm or timer that the notification about the sleep is about, or for which
  /// `vigil` is held; nil if there is none.
  private var subject: String?
  private var screenLock: ScreenLock?

  init(_ agent: Agent) {
    self.agent = agent
    wakeTimer = WakeTimer(
      onFire: { [weak agent] in agent?.apply(.tick) },
      onState: { [weak self] in self?.wakeStateChanged() })
    connect()
  }

  private func connect() { Bus.connectToSystem { [weak self] in self?.connected($0) } }

  /// Arms the wake timer, and takes or releases locks against sleep, as the schedule now requires.
  /// Returns the next moment from which the machine must stay awake: call this function again then.
  /// Nil if there is no such moment.
  func update(at now: Now) -> Instant? {
    plan = agent.schedule.wakePlan(agent.configuration.agent.wakeAhead, at: now)
    wakeTimer.arm(plan.nextWake)
    lock(at: now)
    followScreenLock()
    return plan.nextNeed
  }

  /// Whether the machine can be woken.
  var wakeState: WakeTimer.State { wakeTimer.state }

  /// Calls `work` once it is known whether the machine can be woken, at the latest after a second.
  func whenWakeStateIsKnown(_ work: @escaping () -> Void) { wakeTimer.whenAnswered(work) }

  private func wakeStateChanged() {
    if case .refused(let refusal) = wakeState {
      Log.warning("a suspended machine will not be woken: \(Wording.explain(refusal))")
    }
    agent.statusChanged()
  }

  private func connected(_ result: Result<Bus, BusError>) {
    switch result {
    case .failure(let error): Log.debug("no system bus: \(error)")
    case .success(let bus):
      guard self.bus == nil else { return }
      if busWatch != nil { Log.info("the system bus is back") }
      (self.bus, busWatch) = (bus, nil)
      bus.onClosed = { [weak self] in self?.disconnected() }
      login = Login(on: bus) { [weak self] in self?.handle($0) }
      followScreenLock()
    }
  }

  /// Waits for the next system bus. Keeps the locks: the login manager may still be there, and
  /// `Login` reports when they have to be taken again.
  private func disconnected() {
    Log.info("the system bus is gone: suspend is not noticed until it is back")
    (bus, login, screenLock) = (nil, nil, nil)
    // If the socket cannot be watched, the agent goes on without a system bus.
    busWatch = Bus.systemSocket.flatMap { path in
      let connect: () -> Void = { [weak self] in self?.connect() }
      return try? FileWatch(path: path, isWritten: false, onWatching: connect, onChange: connect)
    }
  }

  /// Listens for the lock of the screen only as long as a timer depends on it. A machine that is
  /// going to sleep counts as locked until it is awake again.
  private func followScreenLock() {
    if isDelayed || !plan.isLockWatched {
      screenLock = nil
    } else if screenLock == nil, let bus {
      screenLock = ScreenLock(on: agent.bus, system: bus) { [weak agent] in
        agent?.apply(.locked($0))
      }
    }
  }

  private func lock(at now: Now) {
    guard let login else { return }
    if let id = subject, !agent.schedule.isAwaited(id, at: now) { forget() }
    if !plan.mustStayAwake {
      ringLock = nil
    } else if ringLock == nil {
      // Not every user has the right to keep the machine awake while its lid is closed. If the
      // login manager refuses a lock, the next one in this list is tried.
      ringLock = login.inhibit(
        "sleep:idle:handle-lid-switch", "sleep:idle", "idle", mode: .block,
        why: tr("An alarm rings"))
    }
    guard !isDelayed else { return }
    if !plan.isSet {
      delay = nil
    } else if delay == nil {
      delay = login.inhibit("sleep:shutdown", mode: .delay, why: tr("Alarms are set"))
    }
  }

  // MARK: - The notification about a sleep

  /// Handles an event of the notification about the sleep. If the user closes it while the machine
  /// is kept awake for an alarm, the machine stays awake.
  func handle(_ event: Notifier.Event) {
    let offered = vigil == nil ? NotificationContent.Action.keepAwake : .letSleep
    switch event {
    case .action(offered.key): if vigil == nil { keepAwake() } else { forget() }
    case .action: break
    case .closed: if vigil == nil { subject = nil }
    }
  }

  private func keepAwake() {
    guard let id = subject else { return }
    takeVigil()
    notify(id)
  }

  private func takeVigil() {
    vigil = login?.inhibit(
      "sleep:handle-lid-switch", "sleep", mode: .block, why: tr("An alarm will ring soon"))
  }

  private func notify(_ id: String) {
    guard let ring = agent.schedule.expectedRing(id, at: Clock.now()) else { return }
    let isCounted =
      ring.kind == .timer || ring.start == agent.schedule.entry(id)?.snoozedUntil
    subject = id
    agent.notify(Self.notice) { wording in
      // The user may read this text only after the sleep. So do not use `.near`, which shows or
      // hides the seconds depending on how much time is left now.
      let time = wording.time(ring.start, isCounted ? .never : .given, seenFrom: Clock.now().wall)
      return vigil == nil
        ? wording.sleepWarning(ring, at: time, wakeState)
        : wording.vigil(ring, at: time)
    }
  }

  private func forget() {
    (subject, vigil) = (nil, nil)
    agent.notifier.withdraw(Self.notice)
  }

  // MARK: - Sleep and shutdown

  private func handle(_ event: Login.Event) {
    switch event {
    case .appeared:
      renewLocks()
      lock(at: Clock.now())
    case .sleepBegins:
      isDelayed = true
      agent.upCheck.sleepBegins()
      agent.apply(.locked(true))
      if warn() {
        patience = MainLoop.after(Self.readingTime) { [weak self] in self?.delay = nil }
      } else {
        releaseDelayOnceSaved()
      }
    case .shutdownBegins:
      isDelayed = true
      agent.apply(.tick)
      releaseDelayOnceSaved()
    case .sleepEnded, .shutdownEnded:
      renewLocks()
      if event == .sleepEnded { agent.upCheck.sleepEnded() }
      agent.lookAgain()
    }
  }

  /// Releases the delay lock as soon as the state has been saved, or saving it has failed.
  private func releaseDelayOnceSaved() {
    agent.remember { [weak self] _ in if self?.isDelayed == true { self?.delay = nil } }
  }

  /// Takes the lock `vigil` again, and gives up the others, so that `lock` takes them again. A lock
  /// may be missing, because the login manager refuses a lock against a sleep or a shutdown that is
  /// under way. If the login manager was restarted, earlier locks are gone, and the end of a sleep
  /// that its former process had begun is never reported.
  private func renewLocks() {
    (delay, ringLock, isDelayed, patience) = (nil, nil, false, nil)
    if vigil != nil { takeVigil() }
    followScreenLock()
  }

  /// Warns of the first alarm that would be missed because of this sleep. Returns whether it has
  /// warned the user.
  private func warn() -> Bool {
    let endangered = agent.schedule.nextSleptThrough(
      isWoken: wakeState == .ready, at: Clock.now())
    guard let id = endangered?.id, vigil == nil || id != subject else { return false }
    vigil = nil
    notify(id)
    return true
  }
}

extension NotificationContent.Action {
  fileprivate static var keepAwake: Self { Self(key: "keep-awake", label: tr("Keep awake")) }
  fileprivate static var letSleep: Self {
    Self(key: "let-sleep", label: tr("Let the computer sleep"))
  }
}

extension Wording {
  /// Returns the warning that the machine is going to sleep and `ring` would not be heard, because
  /// its alarm or timer does not wake the machine, or because the machine cannot be woken.
  /// `state` says whether it can be woken.
  fileprivate func sleepWarning(
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

  fileprivate func vigil(_ ring: ExpectedRing, at time: String) -> NotificationContent {
    notice(
      ring.label ?? time,
      [tr("The computer stays awake until this has rung at \(time).")], .low,
      isPersistent: true, category: "alarm", buttons: [.letSleep])
  }
}
