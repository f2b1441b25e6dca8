// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests when the supervisor starts, restarts and kills `belfry-sound`, step by step and at random,
// without a process. `SoundProcessTests.swift` in ProgramTests and `FailingDeviceTests.swift` test
// these decisions with processes. Next: `HeardSoundTests.swift`.

import Lab
import System
import TestData
import Testing

@testable import Sound

typealias Supervisor = SoundSupervisor

nonisolated struct SoundSupervisorTests {
  nonisolated static let request = SoundRequest(files: ["/a"], devices: ["one", "two"])
  nonisolated static let target = VolumeTarget(
    Output(control: "one"), floor: 50, fadeIn: .zero, elapsed: .zero)
  nonisolated static let started = SoundReport.started(
    device: "one", control: "one", file: nil)
  static let play = Supervisor.Event.play(request, fadedFor: .zero, at: .zero)
  static let start = Supervisor.Act.start
  static let lost = Supervisor.Act.logError("the sound process is lost: signal 6")
  static let crash = Supervisor.Event.ended(.signal(6))

  static let sendPlay = Supervisor.Act.send(.play(asked: .zero, fadedFor: .zero))

  func commands(_ device: SoundDevice, files: [String] = ["/a"]) -> [Supervisor.Act] {
    var request = Self.request
    request.files = files
    return [.send(.prime(request, device)), Self.sendPlay]
  }

  func report(_ trouble: SoundTrouble) -> Supervisor.Act { .report(.trouble(trouble)) }

  private func failed(_ name: String) -> SoundTrouble {
    .device(name, .unavailable(ALSAFailure(call: "snd_pcm_open", code: -2, text: "No such file")))
  }

  func expect(
    _ supervisor: inout Supervisor, _ steps: [(event: Supervisor.Event, acts: [Supervisor.Act])],
    _ place: SourceLocation = #_sourceLocation
  ) {
    for step in steps {
      let acts = supervisor.apply(step.event)
      #expect(acts == step.acts, "\(step.event)", sourceLocation: place)
    }
  }

  @Test func `the sound process lives from the priming to the end of the sound`() {
    var supervisor = Supervisor()
    let primed = SoundReport.primed(device: "one", file: nil)
    expect(
      &supervisor,
      [
        (.stop, []), (.prime(Self.request), [Self.start]), (.prime(Self.request), []),
        (.started, [.send(.prime(Self.request, .named("one")))]),
        (.reported(primed, of: 1), [.report(primed)]),
      ])
    #expect(!supervisor.needsLooks)
    expect(
      &supervisor,
      [
        (Self.play, [Self.sendPlay]), (Self.play, []),
        (.prime(SoundRequest(files: [])), []),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.reported(.alive, of: 1), []), (.check, []), (.stop, [.send(.stop)]),
        (.reported(Self.started, of: 1), []), (.reported(.stopped, of: 2), []),
        (.reported(.rest, of: 2), [.letGo]),
      ])
    #expect(supervisor.state == .idle && !supervisor.needsLooks)
  }

  @Test func `if a device fails, the next is tried; after the last one, there is a pause`() {
    var supervisor = Supervisor()
    let (one, two) = (failed("one"), failed("two"))
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (.reported(.trouble(one), of: 1), [.kill, Self.start, report(one)]),
        (.started, commands(.named("two"))),
        (.reported(.trouble(two), of: 1), [.kill, report(two)]),
        (.check, []), (.check, [Self.start]), (.started, commands(.named("one"))),
        // The supervisor has reported the trouble of this device before, so it does not report it
        // again.
        (.reported(.trouble(one), of: 1), [.kill, Self.start]),
        (.started, commands(.named("two"))),
        (.reported(.trouble(two), of: 1), [.kill]), (.check, []), (.check, [Self.start]),
        (.started, commands(.named("one"))),
        (.reported(.trouble(one), of: 1), [.kill, Self.start]),
        (.started, commands(.named("two"))),
        (.reported(.trouble(two), of: 1), [.kill, Self.start]), (.started, commands(.spare(0))),
      ])
  }

  @Test func `after two seconds without a sign of life the next device is tried`() {
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))), (.check, []), (.check, []),
        (.check, []), (.check, [.kill, Self.start, report(.hung("one"))]),
        (.started, commands(.named("two"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]), (.reported(.alive, of: 1), []),
        (.check, []), (.check, []), (.check, []),
        (.check, [.kill, Self.start, report(.stalled("two"))]),
        (.started, commands(.named("one"))),
        // After a device has stalled, the supervisor reports a start only when the device really
        // plays.
        (.reported(Self.started, of: 1), []),
        (.reported(.alive, of: 1), [.report(Self.started)]),
      ])
  }

  @Test func `after two crashes the built-in tone is played`() {
    var supervisor = Supervisor()
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (Self.crash, [Self.lost, Self.start, report(.crashed)]),
        (.started, commands(.named("two"))), (Self.crash, [Self.lost]), (.check, []),
        (.check, [Self.start]), (.started, commands(.named("one"), files: [])),
      ])
  }

  @Test func `after a crash in the mixer the sound goes on without the mixer`() {
    var supervisor = Supervisor()
    let raise = Supervisor.Event.raise(Self.target, at: .zero)
    let sent = Supervisor.Act.send(.raise(Self.target, asked: .zero))
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]), (raise, [sent]),
        (
          Self.crash,
          [Self.lost, .logError("the volume is left as it is: the mixer crashes"), Self.start]
        ),
        (.started, commands(.named("one"))), (raise, []), (.stop, [.send(.stop)]),
        (.restore, [.send(.restore)]), (.reported(.stopped, of: 2), []),
        // If the process crashes while it restores the volume, the restore is tried once more.
        // After that, it is left to the next agent.
        (Self.crash, [Self.lost, Self.start]), (.started, [.send(.restore)]),
        (Self.crash, [Self.lost]),
      ])
    #expect(supervisor.state == .idle)
  }

  @Test func `if no process can be started the bell rings, and the start is tried again`() {
    var supervisor = Supervisor()
    let log = Supervisor.Act.logError("belfry-sound cannot be started: no")
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]),
        (.notStarted("no"), [.ringBell, log, report(.notStarted("no"))]), (.check, []),
        (.check, [Self.start]), (.notStarted("no"), []), (.stop, [.stopBell]),
      ])
    // If a library is missing, a process ends with status 127 before it reports anything.
    expect(
      &supervisor,
      [
        (Self.play, [Self.start]), (.started, commands(.named("one"))),
        (
          .ended(.status(127)),
          [
            .ringBell, .logError("belfry-sound cannot be started: status 127"),
            report(.notStarted("status 127")),
          ]
        ),
      ])
  }

  @Test func `after three seconds without sound the bell rings until there is sound`() {
    var supervisor = Supervisor()
    expect(&supervisor, [(Self.play, [Self.start])])
    for _ in 0..<5 { expect(&supervisor, [(.check, [])]) }
    expect(
      &supervisor,
      [
        (.check, [.ringBell]), (.started, commands(.named("one"))),
        (.reported(Self.started, of: 1), [.report(Self.started)]),
        (.reported(.alive, of: 1), [.stopBell]), (.check, []),
      ])
  }

  @Test func `a sound that plays once ends when the last device fails`() {
    var supervisor = Supervisor()
    let once = SoundRequest(files: [], devices: ["one"], loops: false)
    expect(
      &supervisor,
      [
        (.play(once, fadedFor: .zero, at: .zero), [Self.start]),
        (.started, [.send(.prime(once, .named("one"))), Self.sendPlay]),
        (.reported(.trouble(failed("one")), of: 1), [.kill, report(failed("one"))]),
      ])
    #expect(supervisor.state == .idle)
  }

  @Test(arguments: 0..<200)
  func `after random events there is at most one process, and no bell without a sound`(seed: Int) {
    var story = Story(seed: seed)
    for _ in 0..<300 { story.step() }
    #expect(story.faults == [], "\(story.events.suffix(12))")
  }
}

/// Simulates an agent and a sound process that act at random.
private nonisolated struct Story {
  private enum Process { case none, starting, running }

  private var chance: Chance
  private var supervisor = Supervisor()
  private var process = Process.none
  private var isWanted = false
  private var bellRings = false
  private(set) var faults: [String] = []
  private(set) var events: [Supervisor.Event] = []

  init(seed: Int) { chance = Chance(seed: UInt64(seed)) }

  mutating func step() {
    let other = SoundRequest(files: [], loops: false)
    let request = chance.oneIn(3) ? other : SoundSupervisorTests.request
    switch chance.pick(Array(0..<12)) {
    case 0:
      isWanted = true
      apply(.play(request, fadedFor: .zero, at: .zero))
    case 1: apply(.prime(request))
    case 2:
      isWanted = false
      apply(.stop)
    case 3: apply(.raise(SoundSupervisorTests.target, at: .zero))
    case 4: apply(.restore)
    case 5, 6: if supervisor.needsLooks { apply(.check) }
    default: processActs()
    }
  }

  private mutating func processActs() {
    switch process {
    case .none: break
    case .starting:
      let isStarted = !chance.oneIn(4)
      process = isStarted ? .running : .none
      apply(isStarted ? .started : .notStarted("no"))
    case .running where chance.oneIn(6):
      process = .none
      apply(.ended(chance.oneIn(2) ? .signal(6) : .status(1)))
    case .running:
      let report = chance.pick([
        SoundSupervisorTests.started, .alive, .finished, .rest, .stopped, .raised,
        .trouble(.crashed), .output(Output(control: "", silence: .dummy)),
      ])
      let isOld = chance.oneIn(4)
      if report == .finished, !isOld { isWanted = false }
      apply(.reported(report, of: supervisor.number - (isOld ? 1 : 0)))
    }
  }

  private mutating func apply(_ event: Supervisor.Event) {
    events.append(event)
    for act in supervisor.apply(event) {
      switch act {
      case .start:
        if process != .none { faults.append("a second process is started") }
        process = .starting
      case .send:
        if process != .running { faults.append("a command is sent without a process") }
      case .kill, .letGo:
        if process != .running { faults.append("an act ends a process that does not exist") }
        process = .none
      case .ringBell: bellRings = true
      case .stopBell: bellRings = false
      case .report, .logError: break
      }
    }
    let isThere = process != .none
    if isThere != [.starting, .running].contains(supervisor.state) {
      faults.append("the process is in another state than \(supervisor.state)")
    }
    if bellRings, !isWanted { faults.append("the bell rings for nothing") }
  }
}
