// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent: the background process that makes alarms ring. It passes every event, such as a press
// of Stop, to the schedule, and leaves all decisions to the schedule. Two timers, one on the wall
// clock and one on the boot clock, wake the agent at the schedule's next deadlines. Next:
// `EffectSequence.swift`, which carries out the effects of an event, and `BusService.swift`, which
// takes calls from other programs.

import Bus
import Configuration
import Files
import Language
import Notifications
import Persistence
import Presentation
import Scheduling
import Sound
import System

public final class Agent {
  let bus: Bus
  let locations: Locations
  var inForce: InForce
  private(set) var schedule = Schedule()
  private(set) var zones = Zones()
  private(set) lazy var notifier = Notifier(
    on: bus, applicationName: "Belfry", desktopEntry: BusInterface.name,
    memory: locations.notifications)
  private(set) lazy var storage = Storage(locations) { [weak self] in self?.perform($0) }
  var history: History { storage.history }
  private(set) lazy var ringSound = RingSound(sounds) { [weak self] in self?.perform($0) }
  private(set) lazy var checkup = Checkup(config: locations.config) { [weak self] in
    self?.perform($0)
  }
  var sounds: SoundLibrary { SoundLibrary(locations) }
  let icons: Icons
  var icon: String { icons.file }
  var sound: SoundProcess { ringActions.sound }
  private var wakeUps: (wall: WallTimer, boot: BootTimer, zone: FileWatch?)?
  private(set) lazy var machine = Machine(on: bus) { [weak self] in self?.perform($0) }
  private(set) lazy var ringActions = RingActions(on: bus, locations, icon: icon) {
    [weak self] in self?.perform($0, then: $1)
  }
  private(set) lazy var tray = Tray(on: bus, icons) { [weak self] in self?.perform($0) }
  private(set) lazy var upCheck = UpCheck(on: bus) { [weak self] in self?.perform($0) }
  var config: ConfigSource?
  /// Whether the schedule has been given its alarms. They come from the config or, if reading the
  /// config takes too long, from the settings that are stored with the state.
  let readiness = Readiness()
  lazy var changes = ForeignChanges(callers: KnownCallers(locations))
  /// The sequences of effects that have not ended. Most of them wait until the state is saved.
  var sequences: [EffectSequence] = []

  /// Called after each change of the status.
  var onChange: (() -> Void)?

  public init(_ locations: Locations, _ icons: Icons, on bus: Bus) {
    (self.locations, self.icons, self.bus) = (locations, icons, bus)
    inForce = InForce(settings: SettingsInForce(of: locations.config))
  }

  /// Starts all parts of the agent, then reads the stored state and the config. Nothing here waits
  /// for a disk. `state` is the outcome of claiming the state folder.
  func start(with state: StateClaim.Outcome) throws(SystemError) {
    Log.info("Belfry \(Release.version), alarms from \(locations.config)")
    // Initialize these lazy properties now, so that no ring has to wait for them.
    _ = (ringSound, machine, ringActions)
    notifier.onEvent = { [weak self] id, event in self?.noticeEvent(id, event) }
    sound.onReport = { [weak self] in self?.ringSound.handle($0) }
    let tick: () -> Void = { [weak self] in self?.apply(.tick) }
    // If this fails, a new time zone takes effect after a restart.
    let zone = try? FileWatch(path: Zones.machineFile) { [weak self] in self?.zoneChanged() }
    wakeUps = (try WallTimer(onFire: tick), try BootTimer(onFire: tick), zone)
    Memories.read(locations) { [weak self] in self?.restore($0) }
    var patience = Memories.patience
    switch state {
    case .unlocked(isHung: true): patience -= StateClaim.diskPatience
    case .granted(let setAside) where !setAside.isEmpty: reportSetAside(setAside)
    case .granted, .unlocked, .refused: break
    }
    readiness.wait(for: patience) { [weak self] in self?.openWithoutState() }
  }

  private func restore(_ memories: Memories) {
    if let problem = memories.problem { Log.warning("\(problem)") }
    if let settings = memories.settings, let configuration = memories.configuration {
      inForce = InForce(settings: settings, configuration: configuration, isKnown: true)
    }
    if config == nil {
      (schedule, storage.isRead) = (Schedule(restoring: memories.state), true)
      return open()
    }
    Log.info("the stored state has been read after all")
    storage.late = memories.state
    if readiness.isReached { config?.read() }
  }

  /// Starts with an empty state. If the stored state is read later, it is added.
  private func openWithoutState() {
    Log.warning("\(FileError.noAnswer(path: locations.stateFolder).message)")
    notify(Self.unsavedNotice) { $0.unremembered() }
    open()
  }

  /// Reads the config. It may have changed while no agent was running, so the agent waits a moment
  /// for it. If that takes too long, the stored settings are used until the config has been read.
  private func open() {
    let verdicts = SoundVerdicts { [weak self] in self?.config?.read() }
    config = ConfigSource(
      path: locations.config, sounds: verdicts.judging(sounds),
      inForce: { [unowned self] in inForce.settings },
      onReading: { [weak self] in self?.configRead($0) })
    readiness.wait(for: Self.configPatience) { [weak self] in self?.useStoredSettings() }
    config?.start()
  }

  /// Silences the sound, withdraws all notifications, and waits at most a second until the state
  /// is saved. Blocks for about four seconds at most.
  public func stop() {
    for sequence in sequences { sequence.finish() }
    sound.stop()
    ringActions.stop()
    checkup.stop()
    if storage.isUnsaved { remember() }
    storage.writeRest()
    bus.flush(within: .milliseconds(500))
    // On a busy machine, a notification server needs some time. Stop waiting if the server hangs.
    notifier.shutdown(within: .seconds(2))
    if !storage.finish(within: .seconds(1)) { Log.error("the state may not be saved") }
  }

  /// Runs `work` as soon as the schedule has its alarms.
  func whenReady(_ work: @escaping () -> Void) { readiness.whenReached(work) }

  /// Runs `work` as soon as the current content of the config has taken effect.
  func whenCurrent(_ work: @escaping () -> Void) {
    whenReady { [self] in config?.whenCurrent(work) }
  }

  var identity: Status.Agent {
    var identity = Status.Agent()
    (identity.version, identity.pid) = (Release.version, Environment.processID)
    (identity.config, identity.alarmCount) = (locations.config, Int64(configuration.alarms.count))
    (identity.timezone, identity.clock) = (Zones.machineZone, configuration.agent.clock.rawValue)
    identity.wake = machine.wakeState == .ready
    if case .refused(let refusal) = machine.wakeState {
      (identity.wakeProblem, identity.wakeFix) = (refusal.code, Wording.command(refusal))
    }
    identity.nextChime = schedule.stroke.map { Moment($0.at, zones) }
    identity.notifications = notifier.server?.name ?? ""
    identity.problems = inForce.diagnostics.map(\.description)
    return identity
  }

  /// Shows a notification that comes from the agent itself and not from the schedule. It replaces
  /// the last notification with the same `id`.
  func notify(_ id: String, _ notice: (Wording) -> NotificationContent) {
    post(notice(wording), as: id)
  }

  func post(_ notice: NotificationContent, as id: String) {
    var notice = notice
    notice.isShownLocked = configuration.agent.lockScreen == .details
    notifier.post(notice, as: id)
  }

  /// Reports a change of the status. While the alarms are not known yet, calls that ask for the
  /// status wait, so there is nothing to report.
  func statusChanged() {
    guard readiness.isReached else { return }
    tray.update(trayContent)
    onChange?()
  }

  var configuration: Configuration { inForce.configuration }

  var wording: Wording {
    Wording(zones: zones, clock: configuration.agent.clock, icon: icon)
  }

  var overview: Overview {
    Overview(configuration: configuration, schedule: schedule, zones: zones, now: Clock.now())
  }

  func zoneChanged() {
    zones = zones.renewed()
    Log.info("the time zone is \(Zones.machineZone)")
    apply(.zonesChanged)
    // Read the calendar files again: in the new zone, an event in them may fall on another day.
    if configuration.alarms.contains(where: { !$0.recurrence.calendars.isEmpty }) { config?.read() }
    statusChanged()
  }
}

// MARK: - Events in, effects out

extension Agent {
  /// Applies an event and carries out its effects. `done` is called when all of them have been
  /// carried out, with the error if the state could not be saved.
  func apply(_ event: Event, then done: ((FileError?) -> Void)? = nil) {
    let now = Clock.now()
    carryOut(schedule.apply(event, at: now, in: zones), then: done)
    let deadline = schedule.nextDeadline(after: now)
    let check = checkup.update(schedule.nextEntry, isSilent: schedule.sound == .silent, at: now)
    let moments = [deadline.wall, check, updateMachine(at: now)]
    let label = tray.showTimeLeft(schedule.timeLeft(at: now))
    wakeUps?.wall.arm(moments.compactMap(\.self).min())
    wakeUps?.boot.arm([deadline.boot, label].compactMap(\.self).min())
  }

  /// Adds `state`, which was read late, to the schedule.
  func recall(_ state: State) {
    schedule.recall(state, at: Clock.now())
    (storage.late, storage.isRead) = (nil, true)
    notifier.withdraw(Self.unsavedNotice)
    if inForce.isKnown { storage.save(inForce.settings) }
  }

  /// Records that the alarm or timer `id` has played the sound `file`, so that its next ring plays
  /// another of its sounds.
  func noteSound(_ file: String, of id: String) { schedule.noteSound(file, of: id) }
}
