// SPDX-License-Identifier: GPL-3.0-or-later
//
// The machine that the agent runs on. The agent wakes it from suspend before a ring, keeps it awake
// while something is ringing, and warns the user before a sleep that would prevent an alarm from
// ringing. It never puts the machine to sleep. Without a system bus, waking still works, but the
// agent does not learn of sleeps. `Waking.swift` in the core decides when to wake the machine, and
// when it must stay awake. Next: `Sleep.swift`, what the agent does when a sleep begins or ends.

import Bus
import Language
import Notifications
import Presentation
import Scheduling
import System

final class Machine {
  /// An event of the machine, or a task for the agent.
  enum Act {
    /// The moment has come for which the machine was to be woken.
    case wakeMoment
    /// `wakeState` has changed.
    case wakeStateChanged
    /// Whether the screen is locked.
    case locked(Bool)
    /// The machine is about to sleep, as soon as the agent calls `endDelay`, or when the user has
    /// had time to read the warning of `warn`.
    case sleepBegins
    case sleepEnded
    /// The machine is about to be shut down, as soon as the agent calls `endDelay`.
    case shutdownBegins
    case shutdownEnded
    /// Show the notification about the sleep for the alarm or timer with this id. It says that the
    /// machine stays awake until that has rung, or warns that the machine is going to sleep.
    case showNotice(of: String, isKeptAwake: Bool)
    case withdrawNotice
  }

  /// The id of the notification which says that the machine is about to sleep.
  static let notice = "sleep"
  /// How long a sleep is delayed so that the user can read the warning. By default, the login
  /// manager waits five seconds at most.
  private static let readingTime: Duration = .seconds(2)

  private let sessionBus: Bus
  private let onAct: (Act) -> Void
  /// The system bus; nil if it cannot be reached.
  private(set) var bus: Bus?
  /// Reports when the socket of a restarted system bus appears; nil while the bus can be reached,
  /// and if it never could.
  private var busWatch: FileWatch?
  private var wakeTimer: WakeTimer!
  /// The plan of the last update.
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
  private(set) var subject: String?
  private var screenLock: ScreenLock?

  init(on sessionBus: Bus, onAct: @escaping (Act) -> Void) {
    (self.sessionBus, self.onAct) = (sessionBus, onAct)
    wakeTimer = WakeTimer(
      onFire: { onAct(.wakeMoment) }, onState: { [weak self] in self?.wakeStateChanged() })
    connect()
  }

  private func connect() { Bus.connectToSystem { [weak self] in self?.connected($0) } }

  /// Arms the wake timer, and takes or releases locks against sleep, as `plan` requires.
  func update(_ plan: WakePlan) {
    self.plan = plan
    wakeTimer.arm(plan.nextWake)
    lock()
    followScreenLock()
  }

  /// Whether the machine can be woken.
  var wakeState: WakeTimer.State { wakeTimer.state }

  /// Calls `work` once it is known whether the machine can be woken, at the latest after a second.
  func whenWakeStateIsKnown(_ work: @escaping () -> Void) { wakeTimer.whenAnswered(work) }

  private func wakeStateChanged() {
    if case .refused(let refusal) = wakeState {
      Log.warning("a suspended machine will not be woken: \(Wording.explain(refusal))")
    }
    onAct(.wakeStateChanged)
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
      screenLock = ScreenLock(on: sessionBus, system: bus) { [onAct] in onAct(.locked($0)) }
    }
  }

  private func lock() {
    guard let login else { return }
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
    onAct(.showNotice(of: id, isKeptAwake: vigil != nil))
  }

  private func takeVigil() {
    vigil = login?.inhibit(
      "sleep:handle-lid-switch", "sleep", mode: .block, why: tr("An alarm will ring soon"))
  }

  /// Withdraws the notification about the sleep, and no longer keeps the machine awake for its
  /// alarm or timer.
  func forget() {
    (subject, vigil) = (nil, nil)
    onAct(.withdrawNotice)
  }

  // MARK: - Sleep and shutdown

  private func handle(_ event: Login.Event) {
    switch event {
    case .appeared:
      renewLocks()
      lock()
    case .sleepBegins, .shutdownBegins:
      isDelayed = true
      onAct(event == .sleepBegins ? .sleepBegins : .shutdownBegins)
    case .sleepEnded, .shutdownEnded:
      renewLocks()
      onAct(event == .sleepEnded ? .sleepEnded : .shutdownEnded)
    }
  }

  /// Warns that the alarm or timer `id` would be missed because of this sleep, which waits until
  /// the user has had time to read the warning. Does nothing and returns false if `id` is nil, or
  /// if the user suspends the machine although it was kept awake for the same alarm or timer.
  func warn(of id: String?) -> Bool {
    guard let id, vigil == nil || id != subject else { return false }
    (subject, vigil) = (id, nil)
    onAct(.showNotice(of: id, isKeptAwake: false))
    patience = MainLoop.after(Self.readingTime) { [weak self] in self?.delay = nil }
    return true
  }

  /// Lets the sleep or shutdown that has begun go on, if it is not over yet.
  func endDelay() { if isDelayed { delay = nil } }

  /// Takes the lock `vigil` again, and gives up the others, so that `lock` takes them again. A lock
  /// may be missing, because the login manager refuses a lock against a sleep or a shutdown that is
  /// under way. If the login manager was restarted, earlier locks are gone, and the end of a sleep
  /// that its former process had begun is never reported.
  private func renewLocks() {
    (delay, ringLock, isDelayed, patience) = (nil, nil, false, nil)
    if vigil != nil { takeVigil() }
    followScreenLock()
  }
}
