// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent: events go into the schedule, and one timer for each clock is armed for the next. It
// decides nothing about alarms. How the effects are carried out is in `EffectSequence.swift`. Calls
// from outside come in by `BusService.swift`.

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
  let locations: Locations
  var configuration = Configuration()
  private(set) var schedule = Schedule()
  private(set) var zones = Zones()
  /// What is wrong with the config as it is on disk.
  var diagnostics: [Diagnostic] = []

  /// Made with the first use: it connects to the bus on a thread of its own.
  lazy var notifier = Notifier(
    applicationName: "Belfry", desktopEntry: BusInterface.name, memory: locations.notifications)
  let writer = DurableWriter()
  /// What is not on the disk yet for want of room, and when that is tried again.
  var unsaved: Unsaved?
  /// When a disk that does not take what is to be remembered is reported.
  var writing: Source?
  private(set) lazy var search = Search(self)
  private(set) lazy var history = History(writer, path: locations.history)
  private lazy var sound = SoundProcess(record: locations.mixer)
  private(set) lazy var ringSound = RingSound(self, sounds, sound)
  private(set) lazy var checkup = Checkup(self)
  let sounds: SoundLibrary
  let icons: Icons
  var icon: String { icons.file }
  private var timer: WallTimer?
  private var bootTimer: BootTimer?
  private(set) var machine: Machine?
  /// What else is done while something rings.
  private(set) var ringActions: RingActions?
  private(set) var tray: Tray?
  private(set) var upCheck: UpCheck?
  /// The session bus.
  private(set) var bus: Bus?
  var config: ConfigSource?
  private var zoneWatch: FileWatch?
  /// Whether the schedule has alarms: those of the config or, until that has been read, those in
  /// force when the state was written.
  var isConfigured = false
  /// Whether `configuration` is what some config said.
  var hasConfiguration = false
  /// Fires when the config was waited for long enough; nil once `isConfigured`.
  private var opening: Source?
  private var waiting: [() -> Void] = []
  var settling: Source?
  /// While something rings, it is to be seen when the screen is.
  var screen: Bus.Subscription?
  /// What waits for the disk.
  var sequences: [EffectSequence] = []

  /// Called after every change that others may want to know of.
  var onChange: (() -> Void)?

  public init(_ locations: Locations, _ icons: Icons) {
    (self.locations, self.icons) = (locations, icons)
    sounds = SoundLibrary(locations)
  }

  /// Keeps time from now on: reads what is remembered, then the config, and rings. Nothing here
  /// waits for a disk.
  public func start(on bus: Bus) throws(SystemError) {
    self.bus = bus
    Log.info("Belfry \(Release.version), alarms from \(locations.config)")
    // First: its descriptors are to be there whatever is left when it rings.
    _ = ringSound
    notifier.onEvent = { [weak self] id, event in self?.noticeEvent(id, event) }
    timer = try WallTimer { [weak self] in self?.apply(.tick) }
    bootTimer = try BootTimer { [weak self] in self?.apply(.tick) }
    machine = Machine(self)
    ringActions = RingActions(self, sound, on: bus)
    tray = Tray(self, on: bus)
    upCheck = UpCheck(self, on: bus)
    zoneWatch = try? watchZone()  // Without it a changed zone is seen at the next start.
    Memories.read(locations) { [weak self] in self?.open($0) }
  }

  /// Goes on from what is remembered. The config, which may have been changed while no agent ran,
  /// is waited for a moment; then the settings of the state count until it has been read.
  private func open(_ memories: Memories) {
    if let problem = memories.problem { Log.warning("\(problem)") }
    if memories.isUnanswered { tell(Self.unsavedNotice) { $0.unremembered() } }
    schedule = Schedule(restoring: memories.state)
    if let settings = memories.settings, settings.config == locations.config {
      (configuration, hasConfiguration) = (settings.configuration, true)
    }
    config = ConfigSource(
      path: locations.config, sounds: sounds,
      inForce: { [weak self] in self?.configuration ?? Configuration() },
      onReading: { [weak self] in self?.configRead($0) })
    opening = MainLoop.after(Self.configPatience) { [weak self] in self?.goByTheState() }
    config?.start()
  }

  /// Lets those go on who waited for the alarms.
  func beReady() {
    (isConfigured, opening) = (true, nil)
    let work = waiting
    waiting = []
    for item in work { item() }
  }

  /// Silences and withdraws everything; what must be remembered is on disk already.
  public func stop() {
    for sequence in sequences { sequence.finish() }
    ringSound.stop()
    ringActions?.stop()
    checkup.stop()
    if unsaved != nil { remember() }
    bus?.flush(within: .milliseconds(500))
    // A server on a busy machine takes its time; one that hangs is not waited for.
    notifier.shutdown(within: .seconds(2))
    if !writer.finish(within: .seconds(1)) { Log.error("the state may not be saved") }
  }

  /// Runs `work` once there are alarms to go by, at once if there are.
  func whenReady(_ work: @escaping () -> Void) {
    if isConfigured { work() } else { waiting.append(work) }
  }

  /// The same, once what is in the config now has been taken in.
  func whenCurrent(_ work: @escaping () -> Void) {
    whenReady { [self] in config?.whenCurrent(work) }
  }

  /// What the agent says of itself.
  var identity: Status.Agent {
    var identity = Status.Agent()
    (identity.version, identity.pid) = (Release.version, Environment.processID)
    (identity.config, identity.alarmCount) = (locations.config, Int64(configuration.alarms.count))
    (identity.timezone, identity.clock) = (Zones.machineZone, configuration.agent.clock.rawValue)
    let refusal = machine?.wakeRefusal
    identity.wake = machine != nil && refusal == nil
    (identity.wakeProblem, identity.wakeFix) = (refusal?.code, refusal.flatMap(Wording.command))
    identity.nextChime = schedule.stroke.map { Moment($0.at, zones) }
    identity.notifications = notifier.server?.name ?? ""
    identity.problems = diagnostics.map(\.description)
    return identity
  }

  /// Posts a notice that is none of the schedule's, in the place of the last one of that `id`.
  func tell(_ id: String, _ notice: (Wording) -> NotificationContent) {
    post(notice(wording), as: id)
  }

  func post(_ notice: NotificationContent, as id: String) {
    var notice = notice
    notice.isShownLocked = configuration.agent.lockScreen == .details
    notifier.post(notice, as: id)
  }

  func untell(_ id: String) { notifier.withdraw(id) }

  /// Status is another than before, or is told in other words.
  func tellOfChange() {
    tray?.follow()
    onChange?()
  }

  var wording: Wording {
    Wording(zones: zones, clock: configuration.agent.clock, icon: icon)
  }

  var overview: Overview {
    Overview(configuration: configuration, schedule: schedule, zones: zones, now: Clock.now())
  }

  private func watchZone() throws(FileError) -> FileWatch {
    try FileWatch(path: "/etc/localtime") { [weak self] in self?.zoneChanged() }
  }

  /// The machine is in another time zone, or its rules are others.
  func zoneChanged() {
    zones = zones.renewed()
    Log.info("the time zone is \(Zones.machineZone)")
    apply(.zonesChanged)
    // A time in a calendar may be on another day here.
    if configuration.alarms.contains(where: { !$0.recurrence.calendars.isEmpty }) { config?.read() }
    tellOfChange()
  }
}

// MARK: - Events in, effects out

extension Agent {
  /// Takes in an event and carries out what it leads to; `done` is called when all of it is done,
  /// with what kept it from the disk.
  func apply(_ event: Event, then done: ((FileError?) -> Void)? = nil) {
    let now = Clock.now()
    EffectSequence(schedule.apply(event, at: now, in: zones), of: self, then: done).goOn()
    let deadline = schedule.nextDeadline(after: now)
    timer?.arm([deadline.wall, checkup.follow(at: now)].compactMap(\.self).min())
    bootTimer?.arm(deadline.boot)
    machine?.follow(at: now)
  }

  /// Of the sounds that the alarm `id` may ring with, it was heard with that of `file`.
  func noteSound(_ file: String, of id: String) { schedule.noteSound(file, of: id) }

  /// After a sleep, or when the screen is locked, blank or back: time went by, and what rang before
  /// may have gone from the screen. A lock screen shows only what was posted since it came.
  func lookAgain() {
    apply(.tick)
    notifier.showAgain()
  }
}
