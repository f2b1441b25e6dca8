// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done about the sound process, step by step and by chance, without one. That it is done is
// `SoundProcessTests.swift` in ProgramTests.

import Lab
import Testing

@testable import Sound

private typealias Supervisor = SoundSupervisor

nonisolated struct SoundSupervisorTests {
  nonisolated static let request = Player.Request(
    files: ["/a"], devices: ["one", "two"], volume: 50, fadeIn: .zero)
  static let play = SoundCommand.play(request, asked: .zero, fadedFor: .zero)
  static let started = Player.Report.started(
    device: "one", control: "one", file: nil, delay: .zero)
  static let raise = SoundCommand.raise(
    VolumeLift.Target(control: "one", floor: 50, fadeIn: .zero, elapsed: .zero), asked: .zero)
  static let lost = Supervisor.Act.logError("the sound process is lost: signal 6")
  static let lostVolume = Supervisor.Act.logError("the volume process is lost: signal 6")
  static let givenUp = Supervisor.Act.logError("the volume is left as it is: the mixer crashes")

  /// What it does on each event, in that second.
  private func expect(
    _ supervisor: inout Supervisor,
    _ steps: [(second: Double, event: Supervisor.Event, acts: [Supervisor.Act])],
    _ place: SourceLocation = #_sourceLocation
  ) {
    for step in steps {
      let acts = supervisor.apply(step.event, at: .seconds(step.second))
      #expect(acts == step.acts, "\(step.event) at \(step.second)", sourceLocation: place)
    }
  }

  /// `play` without its file, and on `devices`.
  private func milder(_ devices: String...) -> SoundCommand {
    var request = Self.request
    (request.files, request.devices) = ([], devices)
    return .play(request, asked: .zero, fadedFor: .zero)
  }

  @Test func `it is there from the making ready to the end of the sound`() {
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (0, .asked(.stop), []),
        (0, .asked(.prime(Self.request)), [.start(onlyToRestore: false)]),
        (0, .asked(.prime(Self.request)), []),
        (0, .started, [.send(.prime(Self.request))]),
        (
          1, .reported(.primed(device: "one", file: nil), of: 1),
          [
            .report(.primed(device: "one", file: nil))
          ]
        ),
        (2, .asked(Self.play), [.send(Self.play)]),
        (2, .asked(Self.play), []),
        (2, .asked(.prime(Player.Request(files: []))), []),
        (2, .reported(Self.started, of: 1), [.stopBell, .report(Self.started)]),
        (6, .reported(nil, of: 1), []),
        (10, .tick, []),
        (10, .asked(.stop), [.stopBell, .send(.stop)]),
        (10, .reported(Self.started, of: 1), []),
        (10, .reported(nil, of: 2), [.letGo]),
      ])
    #expect(supervisor.state == .idle && supervisor.deadline == nil)
  }

  @Test func `what crashes is started again at once, then each second, and with less of it`() {
    var supervisor = Supervisor()
    let crashed = Supervisor.Act.report(.trouble(.crashed))
    expect(
      &supervisor,
      [
        (0, .asked(Self.play), [.start(onlyToRestore: false)]),
        (0, .started, [.send(Self.play)]),
        (1, .ended("signal 6"), [Self.lost, .start(onlyToRestore: false), crashed]),
        (1, .started, [.send(Self.play)]),
        (2, .ended("signal 6"), [Self.lost, .ringBell, crashed]),
        (2.9, .tick, []),
        (3, .tick, [.start(onlyToRestore: false)]),
        (3, .started, [.send(milder("one", "two", "sysdefault"))]),
        (4, .ended("signal 6"), [Self.lost, .ringBell, crashed]),
        (5, .tick, [.start(onlyToRestore: false)]),
        (5, .started, [.send(milder("two", "sysdefault"))]),
        (6, .ended("signal 6"), [Self.lost, .ringBell, crashed]),
        (6, .asked(.stop), [.stopBell]),
      ])
    #expect(supervisor.state == .idle && supervisor.deadline == nil && supervisor.losses == 0)
  }

  @Test func `one that says nothing is done without, but not once others have crashed`() {
    let fallback: [Supervisor.Act] = [
      .logError("the agent plays by itself: its sound process says nothing"), .perform(Self.play),
    ]
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (0, .asked(Self.play), [.start(onlyToRestore: false)]),
        (1, .started, [.send(Self.play)]),
        (5, .tick, [.kill, .letGo] + fallback),
        (5, .reported(Self.started, of: 1), [.stopBell, .report(Self.started)]),
        (6, .asked(.stop), [.stopBell, .perform(.stop)]),
        (6, .reported(nil, of: 2), []),
        // One that is held up in the middle.
        (7, .asked(Self.play), [.start(onlyToRestore: false)]),
        (7, .started, [.send(Self.play)]),
        (7, .reported(Self.started, of: 3), [.stopBell, .report(Self.started)]),
        (8, .reported(nil, of: 3), []),
        (12, .tick, []),
        (13, .tick, [.kill, .letGo] + fallback),
        (13, .asked(.stop), [.stopBell, .perform(.stop)]),
        (13, .reported(nil, of: 4), []),
        // One whose start is.
        (10, .asked(Self.play), [.start(onlyToRestore: false)]),
        (15, .tick, fallback),
        (16, .started, []),
      ])
    supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (0, .asked(Self.play), [.start(onlyToRestore: false)]),
        (0, .started, [.send(Self.play)]),
        (
          1, .ended("signal 6"),
          [
            Self.lost, .start(onlyToRestore: false), .report(.trouble(.crashed)),
          ]
        ),
        (6, .tick, []),
        (7, .started, [.send(Self.play)]),
        (11, .tick, [.kill]),
      ])
  }

  @Test func `one that is told to stop and does not is killed`() {
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (0, .asked(Self.play), [.start(onlyToRestore: false)]),
        (0, .started, [.send(Self.play)]),
        (1, .asked(.stop), [.stopBell, .send(.stop)]),
        (6, .tick, [.kill, .letGo]),
      ])
    #expect(supervisor.state == .idle)
  }

  @Test func `where none can be started the agent plays`() {
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (0, .asked(.prime(Self.request)), [.start(onlyToRestore: false)]),
        (
          0, .notStarted("no"),
          [
            .logError("the agent plays by itself: no process can be started: no"),
            .perform(.prime(Self.request)),
          ]
        ),
        (2, .asked(Self.play), [.perform(Self.play)]),
        (9, .tick, []),
        (9, .reported(.finished, of: 1), [.stopBell, .report(.finished)]),
        (9, .reported(nil, of: 1), []),
      ])
    #expect(supervisor.state == .idle)
  }

  @Test func `after three crashes the volume is left as it is, until it is put back`() {
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (0, .asked(.restore), [.start(onlyToRestore: true)]),
        (0, .nothingToRestore, []),
        (0, .asked(Self.raise), [.start(onlyToRestore: false)]),
        (0, .started, [.send(Self.raise)]),
        (1, .ended("signal 6"), [Self.lostVolume, .start(onlyToRestore: false)]),
        (1, .started, [.send(Self.raise)]),
        (2, .ended("signal 6"), [Self.lostVolume]),
        (3, .tick, [.start(onlyToRestore: false)]),
        (3, .notStarted("signal 6"), [Self.lostVolume, Self.givenUp]),
        (4, .asked(Self.raise), []),
        (4, .asked(.letGo), []),
        (5, .asked(.restore), [.start(onlyToRestore: true)]),
        (5, .started, [.send(.restore)]),
        (94, .tick, []),
        (95, .tick, [.kill]),
        (95, .ended("signal 6"), [Self.lostVolume, .start(onlyToRestore: true)]),
        (95, .started, [.send(.restore)]),
        (96, .reported(nil, of: 3), []),
        (96, .reported(nil, of: 4), [.letGo]),
      ])
    #expect(supervisor.state == .idle && supervisor.losses == 0 && supervisor.deadline == nil)
  }

  @Test("whatever happens in whatever order", arguments: [true, false])
  func chance(isVolume: Bool) {
    let runs: Int = Chance.asked("BELFRY_RUNS") ?? 2000
    for seed in Chance.firstSeed..<Chance.firstSeed + UInt64(runs) {
      var world = World(seed: seed, isVolume: isVolume)
      for _ in 0..<60 { world.step() }
      world.end()
      guard world.faults.isEmpty else {
        let story = world.story.map { "\($0.at) \($0.event): \($0.acts)" }
        Issue.record("seed \(seed): \(world.faults)\n\(story.joined(separator: "\n"))")
        return
      }
    }
  }
}

/// A process that may do anything at any time, and who asks for anything.
private nonisolated struct World {
  enum Process { case none, starting, running }

  let isVolume: Bool
  var chance: Chance
  var supervisor = Supervisor()
  var now = Duration.zero
  var process = Process.none
  var isOnlyToRestore = false
  /// Starts that were held up for so long that the agent helped itself.
  var heldUp = 0
  /// Of the last command that the process was told.
  var told: Int?
  var bellRings = false
  /// Whether a process was lost, and how many were started, since another thing is wanted.
  var (hasLost, starts) = (false, 0)
  var faults: [String] = []
  var story: [(at: Duration, event: Supervisor.Event, acts: [Supervisor.Act])] = []

  init(seed: UInt64, isVolume: Bool) {
    (self.isVolume, chance) = (isVolume, Chance(seed: seed))
  }

  mutating func step() {
    switch chance.number(0...5) {
    case 0, 1: ask(command())
    case 2: processActs()
    case 3 where process == .running && chance.oneIn(2): end("signal 9")
    default:
      let ahead = supervisor.deadline.map { $0 - now } ?? .seconds(1)
      now += max(.zero, chance.oneIn(2) ? ahead : .milliseconds(chance.number(0...3000)))
      apply(.tick)
    }
  }

  /// All that is wanted is over, and what was begun comes to its end.
  mutating func end() {
    ask(isVolume ? .restore : .stop)
    for _ in 0..<20 {
      switch process {
      case .starting:
        process = .running
        apply(.started)
      case .running: apply(.reported(nil, of: told ?? 0))
      case .none: break
      }
      if supervisor.state == .inAgent { apply(.reported(nil, of: supervisor.number)) }
      if let deadline = supervisor.deadline {
        now = max(now, deadline)
        apply(.tick)
      }
    }
    require(supervisor.state == .idle, "it is \(supervisor.state) at the end")
    require(supervisor.deadline == nil, "it waits for something at the end")
    require(!bellRings, "the bell rings on")
    require(process == .none, "a process is left")
  }

  private mutating func command() -> SoundCommand {
    if isVolume {
      return chance.oneIn(3) ? .letGo : chance.oneIn(2) ? SoundSupervisorTests.raise : .restore
    }
    if chance.oneIn(3) { return .stop }
    let request = chance.oneIn(2) ? SoundSupervisorTests.request : Player.Request(files: [])
    return chance.oneIn(3) ? .prime(request) : .play(request, asked: now, fadedFor: .zero)
  }

  private mutating func ask(_ command: SoundCommand) {
    if command != .letGo, command != supervisor.wanted { (hasLost, starts) = (false, 0) }
    apply(.asked(command))
  }

  private mutating func processActs() {
    if heldUp > 0, chance.oneIn(3) {
      heldUp -= 1
      // Otherwise it is let go of.
      guard supervisor.state == .starting else { return }
      heldUp += 1
      process = .running
      return apply(.started)
    }
    switch process {
    case .none where supervisor.state == .inAgent:
      apply(.reported(report(), of: supervisor.number))
    case .none: break
    case .starting:
      if isOnlyToRestore, chance.oneIn(3) {
        process = .none
        apply(.nothingToRestore)
      } else if chance.oneIn(4) {
        process = .none
        hasLost = hasLost || starts > 1
        apply(.notStarted("no"))
      } else {
        process = .running
        apply(.started)
      }
    case .running: apply(.reported(report(), of: (told ?? 0) - (chance.oneIn(4) ? 1 : 0)))
    }
  }

  private mutating func report() -> Player.Report? {
    if isVolume { return nil }
    return chance.pick([
      SoundSupervisorTests.started, .finished, .trouble(.stalled("one")), .unheard(nil), nil,
    ])
  }

  private mutating func end(_ reason: String) {
    process = .none
    hasLost = true
    apply(.ended(reason))
  }

  private mutating func require(_ isSo: Bool, _ fault: String) {
    if !isSo { faults.append(fault) }
  }

  private mutating func apply(_ event: Supervisor.Event) {
    let acts = supervisor.apply(event, at: now)
    story.append((now, event, acts))
    var isKilled = false
    for act in acts {
      switch act {
      case .start(let onlyToRestore):
        require(process == .none, "a second process is started")
        (process, isOnlyToRestore, told) = (.starting, onlyToRestore, nil)
        starts += 1
        require(!isVolume || starts <= 3, "the volume is tried more than three times")
      case .send:
        require(process == .running, "nobody is there to be told")
        told = supervisor.number
      case .perform:
        require(supervisor.state == .inAgent, "the agent does what a process was to do")
        require(!isVolume || !hasLost, "what has crashed over the volume is let into the agent")
        if process == .starting { (process, heldUp) = (.none, heldUp + 1) }
      case .kill:
        require(process == .running, "nobody is there to be killed")
        isKilled = true
      case .letGo:
        require(process == .running, "nobody is there to be let go of")
        (process, isKilled) = (.none, false)
      case .ringBell, .stopBell:
        require(!isVolume, "the volume rings the bell")
        bellRings = act == .ringBell
      case .report: require(!isVolume, "the volume costs a word about the sound")
      case .logError: break
      }
    }
    let isHeld = process != .none
    require(
      isHeld == [.starting, .running].contains(supervisor.state), "the process is in another state")
    let isIdle = supervisor.state == .idle
    require(isVolume || !isIdle || supervisor.wanted == nil, "nothing is done about the sound")
    require(
      !isVolume || !isIdle || supervisor.wanted == nil || supervisor.losses >= 3,
      "the volume is given up too soon")
    require(supervisor.wanted != nil || !bellRings, "the bell rings for nothing")
    if isKilled { end("signal 9") }
  }
}
