// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides what the agent does about `belfry-sound`: when to start it, which command to send, and
// what to do if no sound comes. If the process gives no sign of life for two seconds, reports that
// its device failed, plays to a stand-in that no one hears, or crashes, that process is ended, and
// another process is started with the next device. `SoundProcess.swift` carries out the decisions.
// Next: `SoundEvent.swift`, the events and acts, and `SoundAttempt.swift`, the choice of the
// device.
//
// | `State`  | the process             | what happens                              | next        |
// | -------- | ----------------------- | ----------------------------------------- | ----------- |
// | idle     | there is none           | a sound or the earlier volume is ordered  | starting    |
// | starting | is being started        | it was started                            | running     |
// |          |                         | the same, but it is not needed any more   | idle        |
// |          |                         | it cannot be started                      | pausing, or |
// |          |                         |                                           | idle        |
// | running  | has its command         | its device fails, it plays to a stand-in, | starting    |
// |          |                         | it gives no sign of life, or it crashes   |             |
// |          |                         | the same with the last of the devices     | pausing     |
// |          |                         | it rests, stopped and with nothing to do  | idle        |
// | pausing  | there is none, since    | a second has passed; a new order came     | starting    |
// |          | all devices have failed | the sound is stopped                      | idle        |

import System

struct SoundSupervisor: Equatable {
  private enum Volume: Equatable {
    /// `isDone` is true once the process has set the mixer without crashing.
    case raise(isDone: Bool)
    /// `losses` is how many processes have been lost during the restore.
    case restore(losses: Int)

    /// The order to give next if the sound process was lost while it carried out this order; nil
    /// for none. A raise is given up. A restore is tried once more. If the process is lost again,
    /// the earlier volume stays in the record, and the next restore sets it, at the latest when the
    /// next agent starts.
    var triedAgain: Volume? { self == .restore(losses: 0) ? .restore(losses: 1) : nil }
  }

  private(set) var state = State.idle
  /// The number that is sent with each command and repeated in each report, so that reports about
  /// an earlier command can be ignored.
  private(set) var number = 0
  /// The sound to play or to prepare.
  private var attempt: SoundAttempt?
  private var volume: Volume?
  /// How many half-second checks have taken place since the process last gave a sign of life. In
  /// the pause after all devices have failed, it counts the checks since the pause began.
  private var checks = 0
  /// Whether the process has reported anything.
  private var hasReported = false
  /// Whether the process has fallen silent, as the last `stop` demanded.
  private var isStopped = true
  /// Whether the process was lost during this ring while it was raising the volume.
  private var isMixerGivenUp = false
  private var isBellRinging = false

  /// After this many half-second checks without a sign of life, a process is ended.
  static let patience = 4
  /// After all devices have failed, a pause of this many half-seconds follows.
  static let pause = 2
  /// After this many half-second checks without sound, the bell rings.
  static let bellPatience = 6

  var needsLooks: Bool {
    switch state {
    case .idle: false
    case .starting: attempt?.play != nil
    case .pausing: true
    case .running: attempt.map { $0.play != nil || !$0.isOpen } ?? !isStopped
    }
  }

  /// Handles `event` and returns the acts that follow, in their order. Reports come last, because
  /// their receiver may apply the next event at once.
  mutating func apply(_ event: Event) -> [Act] {
    let acts = handle(event)
    let needsBell = attempt?.needsBell == true
    guard needsBell != isBellRinging else { return acts }
    isBellRinging = needsBell
    return [needsBell ? .ringBell : .stopBell] + acts
  }

  private mutating func handle(_ event: Event) -> [Act] {
    switch event {
    case .prime(let request):
      guard attempt?.play == nil, attempt?.request != request else { return [] }
      begin(request)
      return goOnNow()
    case .play(let request, let fadedFor, let asked):
      if attempt?.request != request { begin(request) }
      guard attempt?.play == nil else { return [] }
      attempt?.play = SoundAttempt.Play(asked: asked, fadedFor: fadedFor)
      return goOnNow()
    case .stop: return stop()
    case .raise(let target, let asked):
      guard !isMixerGivenUp, attempt != nil, state == .running else { return [] }
      volume = .raise(isDone: false)
      return [.send(.raise(target, asked: asked))]
    case .restore: return restore()
    case .started: return started()
    case .notStarted(let reason): return state == .starting ? notStarted(reason) : []
    case .reported(.stopped, _) where state == .running && attempt == nil:
      // Accept this report even if its number is older than `number`: a restore that was ordered
      // after the stop has raised `number`.
      (hasReported, isStopped, checks) = (true, true, 0)
      return []
    case .reported(let report, let number):
      guard number == self.number, state == .running else { return [] }
      hasReported = true
      return reported(report)
    case .ended(let end): return state == .running ? ended(end) : []
    case .check: return check()
    }
  }
}

// MARK: - The agent's orders

extension SoundSupervisor {
  private mutating func begin(_ request: SoundRequest) {
    attempt = SoundAttempt(request)
    number += 1
  }

  /// Continues to prepare or play the sound at once, even during the pause after all devices have
  /// failed.
  private mutating func goOnNow() -> [Act] {
    checks = 0
    if state == .pausing { state = .idle }
    return sendAttempt() + start()
  }

  private mutating func sendAttempt() -> [Act] {
    guard state == .running else { return [] }
    return attempt?.nextCommands().map(Act.send) ?? []
  }

  private mutating func stop() -> [Act] {
    guard attempt != nil else { return [] }
    (attempt, checks, isStopped, isMixerGivenUp) = (nil, 0, false, false)
    number += 1
    if state == .pausing { state = .idle }
    return (state == .running ? [.send(.stop)] : []) + start()
  }

  private mutating func restore() -> [Act] {
    if isToRestore { return [] }
    volume = .restore(losses: 0)
    if attempt == nil { number += 1 }
    return state == .running ? [.send(.restore)] : start()
  }
}

// MARK: - The life of a process

extension SoundSupervisor {
  private var isToRestore: Bool { if case .restore = volume { true } else { false } }

  /// Starts a process if there is none and there is something to do.
  private mutating func start() -> [Act] {
    guard state == .idle, attempt != nil || isToRestore else { return [] }
    (state, checks) = (.starting, 0)
    return [.start]
  }

  private mutating func started() -> [Act] {
    guard state == .starting else { return [.letGo] }
    guard attempt != nil || isToRestore else {
      state = .idle
      return [.letGo]
    }
    (state, checks, hasReported, isStopped) = (.running, 0, false, attempt == nil)
    return sendAttempt() + (isToRestore ? [.send(.restore)] : [])
  }

  private mutating func notStarted(_ reason: String) -> [Act] {
    (state, checks) = (.idle, 0)
    volume = volume?.triedAgain
    let log = Act.logError("belfry-sound cannot be started: \(reason)")
    guard let attempt else {
      if isToRestore { state = .pausing }
      return [log]
    }
    let report = self.report(.notStarted(reason))
    if attempt.request.loops {
      self.attempt?.isUnstartable = true
      state = .pausing
    } else {
      self.attempt = nil
    }
    return report.isEmpty ? [] : [log] + report
  }

  private mutating func ended(_ end: ProcessEnd) -> [Act] {
    state = .idle
    // If a library is missing, the dynamic loader ends the process before it reports anything.
    if case .status(let status) = end, !hasReported, status != 0 {
      return notStarted("status \(status)")
    }
    let log = Act.logError("the sound process is lost: \(end)")
    switch volume {
    case .raise(isDone: false):
      (volume, isMixerGivenUp) = (nil, true)
      attempt?.close()
      return [log, .logError("the volume is left as it is: the mixer crashes")] + start()
    case .restore:
      volume = volume?.triedAgain
      attempt?.close()
      return [log] + start()
    case .raise, nil:
      guard attempt != nil else { return [log] }
      attempt?.crashes += 1
      return [log] + tryNext(after: .crashed, atOnce: attempt?.crashes == 1)
    }
  }

  /// Continues with the next device after the process was lost or is about to be ended.
  private mutating func tryNext(after trouble: SoundTrouble?, atOnce: Bool) -> [Act] {
    state = .idle
    if !isToRestore { volume = nil }
    let report = trouble.map { self.report($0) } ?? []
    let isRoundOver = attempt?.goOn() ?? false
    if isRoundOver, attempt?.request.loops == false {
      attempt = nil
    } else if isRoundOver, !atOnce {
      (state, checks) = (.pausing, 0)
    }
    return start() + report
  }

  /// Reports `trouble`, unless it has been reported since the sound was last heard.
  private mutating func report(_ trouble: SoundTrouble) -> [Act] {
    attempt?.isNews(trouble) == true ? [.report(.trouble(trouble))] : []
  }
}

// MARK: - Reports and looks

extension SoundSupervisor {
  private mutating func reported(_ report: SoundReport) -> [Act] {
    checks = 0
    switch report {
    case .raised: if volume == .raise(isDone: false) { volume = .raise(isDone: true) }
    case .rest:
      guard attempt == nil else { return [] }
      (state, volume) = (.idle, nil)
      return [.letGo]
    default: return attempt == nil ? [] : reportedOfSound(report)
    }
    return []
  }

  private mutating func reportedOfSound(_ report: SoundReport) -> [Act] {
    switch report {
    case .primed:
      attempt?.isOpen = true
      return [.report(report)]
    case .started:
      return attempt?.began(report) == true ? [.report(report)] : []
    case .alive:
      let held = attempt?.heard()
      return held.map { [.report($0)] } ?? []
    case .heard:
      let held = attempt?.heard()
      return [held, report].compactMap(\.self).map(Act.report)
    case .output(let output):
      attempt?.output = output
      return [.report(report)]
    case .trouble(let trouble):
      if case .device = trouble { return [.kill] + tryNext(after: trouble, atOnce: false) }
      return self.report(trouble)
    case .finished:
      (attempt, isStopped) = (nil, true)
      return [.report(report)]
    default: return []
    }
  }

  private mutating func check() -> [Act] {
    checks += 1
    switch state {
    case .pausing where checks >= Self.pause:
      state = .idle
      return start() + lookAtAttempt()
    case .running where checks >= Self.patience:
      guard let attempt else {
        state = .idle
        return [.kill] + start()
      }
      return [.kill] + tryNext(after: attempt.troubleOfSilence, atOnce: true)
    case .idle, .starting, .running, .pausing: return lookAtAttempt()
    }
  }

  /// Checks whether the sound is heard. If the sound server has no output and plays the sound to
  /// its dummy output, which no one hears, continues with the next device.
  private mutating func lookAtAttempt() -> [Act] {
    guard attempt?.play != nil else { return [] }
    let report = attempt?.check().map { [Act.report($0)] } ?? []
    guard attempt?.needsOtherDevice == true else { return report }
    return [.kill] + tryNext(after: nil, atOnce: true) + report
  }
}
