// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done about the process that plays or the one that turns the output up: when one is started,
// what it is told, when it is ended, started again, done without or given up. It only decides, and has no
// process, thread or clock: `SoundProcess.swift` carries out what it says.

/// One for the sound and another for the volume: what crashes over the volume is not counted against
/// the sound.
nonisolated struct SoundSupervisor: Equatable {
  enum State: Equatable {
    /// There is no process, and nothing to do or nothing to be done about it.
    case idle
    /// A process is being started.
    case starting
    /// A process has been told what is wanted.
    case running
    /// Processes crash one after another: the next is started at the deadline.
    case pausing
    /// The agent does it itself.
    case inAgent
  }

  enum Event {
    case asked(SoundCommand)
    /// The process runs. One that comes when none is being started any more is nobody's.
    case started
    case notStarted(String)
    /// No process was started to put the volume back, since it is as it was found.
    case nothingToRestore
    /// What the player reports of the command of that number; nil: it plays still, or nothing is left
    /// to do.
    case reported(Player.Report?, of: Int)
    /// The process is gone, for the reason given.
    case ended(String)
    /// Time has passed.
    case tick
  }

  enum Act: Equatable {
    /// Start a process; one that is only to restore the volume, where there is a record of it.
    case start(onlyToRestore: Bool)
    /// Tell the process.
    case send(SoundCommand)
    /// Do it in the agent.
    case perform(SoundCommand)
    case kill
    /// Neither speak nor listen to the process any more: it leaves by itself.
    case letGo
    case ringBell, stopBell
    case report(Player.Report)
    case logError(String)
  }

  private(set) var state = State.idle
  /// What a process is told when it comes; nil: nothing.
  private(set) var wanted: SoundCommand?
  /// How many processes were lost in a row over what is wanted.
  private(set) var losses = 0
  /// Goes with each command and comes back with each report, so that a report of what is not wanted
  /// any more is told from one of what is.
  private(set) var number = 0
  /// When a tick is due, by the boot clock.
  private(set) var deadline: Duration?

  static let retryInterval = Duration.seconds(1)
  /// So long after it is to play or to stop, and while it plays after what it said last, a process has
  /// said how it goes, however busy the machine is.
  static let patience = Duration.seconds(5)
  /// How often it does while it plays.
  static let signInterval = Duration.seconds(1)
  /// So long after it is to restore the volume that is done, or there is no mixer: see `VolumeLift`.
  static let restorePatience = Duration.seconds(90)
  /// After so many losses the volume is left as it is, until it is to be restored; and then as well,
  /// for the next agent.
  static let mostVolumeLosses = 3

  /// Takes in `event`, which happened when the boot clock read `now`. What is to be done, in that order:
  /// what may call back comes last.
  mutating func apply(_ event: Event, at now: Duration) -> [Act] {
    switch event {
    case .asked(let command): return ask(command, now)
    case .started: return started(now)
    case .notStarted(let reason):
      guard state == .starting else { return [] }
      state = .idle
      // What has crashed a process over the volume is not let into the agent, where it costs the sound.
      if isVolume, losses > 0 { return lose(reason, now) }
      return workInAgent("no process can be started: \(reason)")
    case .nothingToRestore:
      guard state == .starting else { return [] }
      state = .idle
      if wanted == .restore { wanted = nil }
      return start(now)
    case .reported(let report, let number): return heard(report, of: number, now)
    case .ended(let reason):
      guard state == .running else { return [] }
      state = .idle
      return lose(reason, now)
    case .tick:
      guard let deadline, now >= deadline else { return [] }
      self.deadline = nil
      return runOut(now)
    }
  }

  private var isVolume: Bool {
    switch wanted {
    case .raise, .restore: true
    default: false
    }
  }

  // MARK: - What the agent asks for

  private mutating func ask(_ command: SoundCommand, _ now: Duration) -> [Act] {
    switch (command, wanted) {
    case (.letGo, _): return tell(command)
    case (.stop, nil), (.prime, .play): return []
    case (.play(let new, _, _), .play(let old, _, _)) where new == old: return []
    case (.prime, _) where command == wanted: return []
    case (.stop, _):
      (wanted, losses, number, deadline) = (nil, 0, number + 1, nil)
      if state == .running { deadline = now + Self.patience }
      if state == .pausing { state = .idle }
      return [.stopBell] + tell(command)
    default:
      if command.request == nil || command.request != wanted?.request { number += 1 }
      switch (command, wanted) {
      case (.raise, .raise), (.restore, .restore): break
      case (.raise, _), (.restore, _): losses = 0
      default: break
      }
      wanted = command
      if state != .pausing { deadline = patience(at: now) }
      return tell(command) + start(now)
    }
  }

  private func tell(_ command: SoundCommand) -> [Act] {
    switch state {
    case .running: [.send(milder(command))]
    case .inAgent: [.perform(command)]
    case .idle, .starting, .pausing: []
    }
  }

  /// By when something is to be heard of what is wanted.
  private func patience(at now: Duration) -> Duration? {
    switch (wanted, state) {
    case (_, .inAgent): nil
    case (.play, _): now + Self.patience
    case (.restore, .running): now + Self.restorePatience
    default: nil
    }
  }

  // MARK: - The life of a process

  /// Starts one where none is, if there is something to do that has not been given up.
  private mutating func start(_ now: Duration) -> [Act] {
    guard state == .idle, let wanted, !isVolume || losses < Self.mostVolumeLosses else { return [] }
    state = .starting
    deadline = patience(at: now)
    return [.start(onlyToRestore: wanted == .restore)]
  }

  private mutating func started(_ now: Duration) -> [Act] {
    guard state == .starting else { return [] }
    guard let wanted else {
      (state, deadline) = (.idle, nil)
      return [.letGo]
    }
    state = .running
    if wanted == .restore { deadline = patience(at: now) }
    return tell(wanted)
  }

  private mutating func heard(
    _ report: Player.Report?, of number: Int, _ now: Duration
  ) -> [Act] {
    guard number == self.number, state == .running || state == .inAgent else { return [] }
    guard let report else {
      if case .play = wanted { deadline = patience(at: now) }
      // It has done what it had to, and what is wanted is nothing else.
      guard wanted == nil || wanted == .restore else { return [] }
      let acts: [Act] = state == .running ? [.letGo] : []
      (state, wanted, losses, deadline) = (.idle, nil, 0, nil)
      return acts
    }
    guard wanted != nil else { return [] }
    deadline = patience(at: now)
    switch report {
    case .started: return [.stopBell, .report(report)]
    case .finished:
      (wanted, deadline) = (nil, nil)
      return [.stopBell, .report(report)]
    default: return [.report(report)]
    }
  }

  private mutating func lose(_ reason: String, _ now: Duration) -> [Act] {
    losses += 1
    deadline = nil
    var acts = [Act.logError("the \(isVolume ? "volume" : "sound") process is lost: \(reason)")]
    guard let wanted else { return acts }
    if isVolume, losses >= Self.mostVolumeLosses {
      return acts + [.logError("the volume is left as it is: the mixer crashes")]
    }
    if losses == 1 {
      acts += start(now)
    } else {
      (state, deadline) = (.pausing, now + Self.retryInterval)
      if wanted.isToBeHeard { acts.append(.ringBell) }
    }
    return isVolume ? acts : acts + [.report(.trouble(.crashed))]
  }

  /// What was waited for has not come.
  private mutating func runOut(_ now: Duration) -> [Act] {
    switch (state, wanted) {
    case (.pausing, _):
      state = .idle
      return start(now)
    case (.running, nil):
      state = .idle
      return [.kill, .letGo]
    case (.starting, .play), (.running, .play):
      let kill: [Act] = state == .running ? [.kill] : []
      guard losses > 0 else {
        return kill + workInAgent("its sound process says nothing")
      }
      // What has crashed others is not let into the agent. Its end will be heard of.
      deadline = patience(at: now)
      return kill
    case (.running, _): return [.kill]
    case (.idle, _), (.starting, _), (.inAgent, _): return []
    }
  }

  private mutating func workInAgent(_ reason: String) -> [Act] {
    let letGo: [Act] = state == .running ? [.letGo] : []
    deadline = nil
    guard let wanted else {
      state = .idle
      return letGo
    }
    state = .inAgent
    return letGo + [.logError("the agent plays by itself: \(reason)"), .perform(wanted)]
  }

  /// What ends a process again and again is avoided: first the files, then one device after another.
  private func milder(_ command: SoundCommand) -> SoundCommand {
    guard losses > 1, var request = command.request else { return command }
    request.files = []
    let devices = request.devices + ["sysdefault"]
    request.devices = Array(devices.dropFirst((losses - 2) % devices.count))
    if case .play(_, let asked, let fadedFor) = command {
      return .play(request, asked: asked, fadedFor: fadedFor)
    }
    return .prime(request)
  }
}

nonisolated extension SoundCommand {
  /// What is played or made ready by it.
  fileprivate var request: Player.Request? {
    switch self {
    case .prime(let request), .play(let request, _, _): request
    case .stop, .raise, .letGo, .restore: nil
    }
  }

  /// Whether somebody waits to hear it.
  fileprivate var isToBeHeard: Bool {
    if case .play(let request, _, _) = self { request.loops && request.volume > 0 } else { false }
  }
}
