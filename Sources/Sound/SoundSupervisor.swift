// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decides what the agent does about `belfry-sound`: when to start it, what to tell it, and what to
// do when no sound comes. One rule covers that: no sign of life for two seconds, an error or a
// crash ends the process, and another one is started with the next device. It holds no process and
// reads no clock: `SoundProcess.swift` carries out its decisions. Next: `SoundEvent.swift`, what
// can happen, and `SoundAttempt.swift`, which device is next.

nonisolated struct SoundSupervisor: Equatable {
  private enum Volume: Equatable {
    /// `isDone`: the process has survived it.
    case raise(isDone: Bool)
    /// `losses`: how many processes were lost while they restored it.
    case restore(losses: Int)

    /// After a process that was lost: restoring is tried once more, and then left to the next
    /// agent.
    var triedAgain: Volume? { self == .restore(losses: 0) ? .restore(losses: 1) : nil }
  }

  private(set) var state = State.idle
  /// Goes with each command and comes back with each report, so that reports about an earlier
  /// command can be ignored.
  private(set) var number = 0
  /// What is to be played or made ready.
  private var attempt: SoundAttempt?
  private var volume: Volume?
  /// How many looks ago the process last gave a sign.
  private var looks = 0
  /// Whether the process has said anything yet.
  private var hasSpoken = false
  /// Whether the process is silent, as it was told.
  private var isStopped = true
  /// The mixer crashed in this ring.
  private var isMixerGivenUp = false
  private var isBellRinging = false

  /// After so many looks without a sign the process is ended: two seconds.
  static let patience = 4
  /// How long a round of devices that all failed is followed by a pause, in looks: a second.
  static let pause = 2
  /// After so many looks without a sound the bell rings: three seconds.
  static let bellPatience = 6

  var needsLooks: Bool {
    switch state {
    case .idle: false
    case .starting: attempt?.play != nil
    case .pausing: true
    case .running: attempt.map { $0.play != nil || !$0.isOpen } ?? !isStopped
    }
  }

  /// Takes in `event` and returns what to do, in that order. What may call back comes last.
  mutating func apply(_ event: Event) -> [Act] {
    switch event {
    case .prime(let request):
      guard attempt?.play == nil, attempt?.request != request else { return [] }
      return begin(SoundAttempt(request))
    case .play(let request, let fadedFor, let asked):
      return play(request, SoundAttempt.Play(asked: asked, fadedFor: fadedFor))
    case .stop: return stop()
    case .raise(let target, let asked):
      guard !isMixerGivenUp, attempt != nil, state == .running else { return [] }
      volume = .raise(isDone: false)
      return [.send(.raise(target, asked: asked))]
    case .restore: return restore()
    case .started: return started()
    case .notStarted(let reason): return state == .starting ? notStarted(reason) : []
    case .nothingToRestore:
      guard state == .starting else { return [] }
      (state, volume) = (.idle, nil)
      return start()
    case .reported(.stopped, _) where state == .running && attempt == nil:
      // Its number is older if the volume is being restored after the ring.
      (hasSpoken, isStopped, looks) = (true, true, 0)
      return []
    case .reported(let report, let number):
      guard number == self.number, state == .running else { return [] }
      hasSpoken = true
      return reported(report)
    case .ended(let end): return state == .running ? ended(end) : []
    case .look: return look()
    }
  }
}

// MARK: - What the agent asks for

nonisolated extension SoundSupervisor {
  private mutating func begin(_ attempt: SoundAttempt) -> [Act] {
    self.attempt = attempt
    number += 1
    looks = 0
    if state == .pausing { state = .idle }
    return bell(false) + tell() + start()
  }

  private mutating func play(_ request: SoundRequest, _ play: SoundAttempt.Play) -> [Act] {
    guard attempt?.request == request else {
      var attempt = SoundAttempt(request)
      attempt.play = play
      return begin(attempt)
    }
    guard attempt?.play == nil else { return [] }
    attempt?.play = play
    looks = 0
    if state == .pausing { state = .idle }
    return tell() + start()
  }

  private mutating func stop() -> [Act] {
    guard attempt != nil else { return [] }
    (attempt, looks, isStopped, isMixerGivenUp) = (nil, 0, false, false)
    number += 1
    if state == .pausing { state = .idle }
    return bell(false) + (state == .running ? [.send(.stop)] : []) + start()
  }

  private mutating func restore() -> [Act] {
    if case .restore = volume { return [] }
    volume = .restore(losses: 0)
    if attempt == nil { number += 1 }
    return state == .running ? [.send(.restore)] : start()
  }

  private func tell() -> [Act] {
    guard state == .running, let attempt else { return [] }
    return [.send(attempt.command)]
  }

  private mutating func bell(_ rings: Bool) -> [Act] {
    guard rings != isBellRinging else { return [] }
    isBellRinging = rings
    return [rings ? .ringBell : .stopBell]
  }
}

// MARK: - The life of a process

nonisolated extension SoundSupervisor {
  private var isToRestore: Bool { if case .restore = volume { true } else { false } }

  /// Starts a process if there is none and something is to be done.
  private mutating func start() -> [Act] {
    guard state == .idle, attempt != nil || isToRestore else { return [] }
    (state, looks) = (.starting, 0)
    return [.start(onlyToRestore: attempt == nil)]
  }

  private mutating func started() -> [Act] {
    guard state == .starting else { return [.letGo] }
    guard attempt != nil || isToRestore else {
      state = .idle
      return [.letGo]
    }
    (state, looks, hasSpoken, isStopped) = (.running, 0, false, attempt == nil)
    return tell() + (isToRestore ? [.send(.restore)] : [])
  }

  private mutating func notStarted(_ reason: String) -> [Act] {
    state = .idle
    volume = volume?.triedAgain
    let log = Act.logError("belfry-sound cannot be started: \(reason)")
    guard let attempt else {
      if isToRestore { (state, looks) = (.pausing, 0) }
      return [log]
    }
    let report = tell(.notStarted(reason))
    let told = report.isEmpty ? [] : [log]
    guard attempt.request.loops else {
      self.attempt = nil
      return told + report
    }
    self.attempt?.isUnstartable = true
    (state, looks) = (.pausing, 0)
    return told + bell(attempt.isToBeHeard) + report
  }

  private mutating func ended(_ end: ProcessEnd) -> [Act] {
    state = .idle
    switch end {
    case .status(let status) where !hasSpoken && status != 0:
      // The loader, too, ends it so, if a library is missing.
      return notStarted("status \(status)")
    case .status, .signal: break
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

  /// The process is gone, or is to go: goes on with the next device.
  private mutating func tryNext(after trouble: SoundTrouble?, atOnce: Bool) -> [Act] {
    state = .idle
    if !isToRestore { volume = nil }
    let told = trouble.map { tell($0) } ?? []
    let isRoundOver = attempt?.goOn() ?? false
    if isRoundOver, attempt?.request.loops == false {
      attempt = nil
    } else if isRoundOver, !atOnce {
      (state, looks) = (.pausing, 0)
    }
    return start() + told
  }

  /// Reports `trouble`, unless that has been done since something was last heard.
  private mutating func tell(_ trouble: SoundTrouble) -> [Act] {
    attempt?.isNews(trouble) == true ? [.report(.trouble(trouble))] : []
  }
}

// MARK: - What the process reports

nonisolated extension SoundSupervisor {
  private mutating func reported(_ report: SoundReport) -> [Act] {
    looks = 0
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
    case .output(let output):
      attempt?.output = output
      return [.report(report)]
    case .trouble(let trouble):
      if case .device = trouble { return [.kill] + tryNext(after: trouble, atOnce: false) }
      return tell(trouble)
    case .finished:
      (attempt, isStopped) = (nil, true)
      return bell(false) + [.report(report)]
    default: return []
    }
  }

  // MARK: - What it does not report

  private mutating func look() -> [Act] {
    looks += 1
    switch state {
    case .pausing where looks >= Self.pause:
      state = .idle
      return start() + lookAtAttempt()
    case .running where looks >= Self.patience:
      guard let attempt else {
        state = .idle
        return [.kill] + start()
      }
      return [.kill] + tryNext(after: attempt.troubleOfSilence, atOnce: true)
    case .idle, .starting, .running, .pausing: return lookAtAttempt()
    }
  }

  /// Sees whether it is heard. A sound server's stand-in for an output is left for the next device.
  private mutating func lookAtAttempt() -> [Act] {
    guard attempt?.play != nil else { return [] }
    let report = attempt?.look().map { [Act.report($0)] } ?? []
    var acts = bell(attempt?.needsBell == true)
    if attempt?.needsOtherDevice == true {
      acts += [.kill] + tryNext(after: nil, atOnce: true)
    }
    return acts + report
  }
}
