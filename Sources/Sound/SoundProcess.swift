// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sound, in a process of its own that is there only while there is something to hear: a plug-in
// of the sound system that crashes or hangs costs a moment of sound and not the agent, and what it
// has loaded is gone with it. The output's volume is one more, so that what crashes there is not even
// a moment of sound. Where no process can be had the agent works the sound itself. It knows
// no alarm. Next: `SoundChild.swift`, the process, and `SoundProgram.swift`, what runs in it.

import Scheduling
import System

public final class SoundProcess {
  /// Called on the main loop. What was asked for before the last `stop` reports nothing after it.
  public var onReport: ((Player.Report) -> Void)?

  private enum Place {
    case nowhere
    case starting
    case child(SoundChild)
    case here
  }

  /// What a process is for.
  public enum Part: String {
    case sound, volume
  }

  private let part: Part
  private let record: String
  // Both made ahead: where descriptors or threads have run out, there are no more to be had.
  private let worker = Worker(name: "sound process")
  private let works: SoundWorks
  private var place = Place.nowhere
  /// What there is to be heard; nil, nothing.
  private var sound: SoundTask?
  /// What is wanted of the volume; nil before the first wish.
  private var volume: SoundTask?
  /// How many processes were lost over what there is to be heard, or to be turned up or put back.
  private var losses = 0
  private var nextTry: Source?
  private var patience: Source?
  private lazy var bell = Bell()

  private static let retryInterval = Duration.seconds(1)
  /// So long after it is to play the process has said how it goes, however busy the machine is.
  private static let mostSilence = Duration.seconds(5)

  /// So many of them lost, the volume is left as it is until it is to be put back, and then for the
  /// next agent.
  private static let mostLosses = 3
  /// So long after the volume is to be put back that is done, or a mixer is not there: see
  /// `VolumeLift`.
  private static let mostRestoring = Duration.seconds(90)

  /// `record` is the file that remembers what the output was set to.
  public init(_ part: Part, record: String) {
    (self.part, self.record) = (part, record)
    works = SoundWorks(record: record)
    works.onReport = { [weak self] in self?.heard($0) }
    works.onRest = { [weak self] in self?.rested() }
  }

  /// Opens the device for `request` and decodes its beginning, so that `play` only starts it. Ignored
  /// while another request plays.
  public func prime(_ request: Player.Request) {
    if case .play = sound { return }
    tell(sound: .prime(request))
  }

  /// Plays `request` in place of whatever plays; see `Player.play`.
  public func play(_ request: Player.Request, fadedFor elapsed: Duration = .zero) {
    if case .play(request, _, _) = sound { return }
    tell(sound: .play(request, asked: Clock.now().boot, fadedFor: elapsed))
    waitForWord()
  }

  /// Silent within 100 ms.
  public func stop() {
    guard sound != nil else { return }
    (sound, losses, patience, nextTry) = (nil, 0, nil, nil)
    bell.stop()
    pass(.stop)
  }

  /// Turns the output up, until `restore`; see `VolumeLift`.
  public func raise(_ wish: VolumeLift.Wish) {
    tell(volume: .raise(wish, asked: Clock.now().boot))
  }

  public func letGo() { pass(.letGo) }

  /// Puts back what was raised, by this program or by one that crashed.
  public func restore() {
    if case .restore = volume {} else { losses = 0 }
    tell(volume: .restore)
    guard case .child = place else { return }
    patience = MainLoop.after(Self.mostRestoring) { [weak self] in
      if case .child(let child) = self?.place { child.kill() }
    }
  }

  /// Waits until that is done, at most `limit`, for the end of the program.
  public func finish(within limit: Duration) {
    switch place {
    case .child(let child): child.finish(within: limit)
    case .here: works.finish(within: limit)
    case .nowhere, .starting: break
    }
  }

  // MARK: - To where it is done

  private func tell(sound task: SoundTask) {
    guard sound != task else { return }
    sound = task
    pass(task)
    beSomewhere()
  }

  private func tell(volume task: SoundTask) {
    volume = task
    pass(task)
    beSomewhere()
  }

  /// A process that does not take it is lost, which its end will say.
  private func pass(_ task: SoundTask) {
    switch place {
    case .child(let child): if !child.send(milder(task)) { child.kill() }
    case .here: works.perform(task)
    case .nowhere, .starting: break
    }
  }

  /// All that is wanted, for one who has just come.
  private func passAll() {
    for task in [sound, volume].compactMap(\.self) { pass(task) }
  }

  private var isAnythingWanted: Bool {
    if case .raise = volume { losses < Self.mostLosses } else { sound != nil }
  }

  /// Starts a process where there is none; for a volume that may be to put back, where it is.
  private func beSomewhere() {
    guard case .nowhere = place, nextTry == nil else { return }
    place = .starting
    let (part, record, isAnythingWanted) = (part.rawValue, record, isAnythingWanted)
    worker.perform { [weak self] in
      guard isAnythingWanted || Folder.hasFile(record) else {
        return Worker.onMain { self?.stayNowhere() }
      }
      let started = Result { () throws(SystemError) in try SoundChild.start(part, record: record) }
      Worker.onMain { SoundProcess.handOver(started, to: self) }
    }
  }

  private func stayNowhere() {
    guard case .starting = place else { return }
    place = .nowhere
    if isAnythingWanted { beSomewhere() }
  }

  /// A process that nobody wants any more leaves by itself.
  private static func handOver(
    _ started: Result<SoundChild.Started, SystemError>, to process: SoundProcess?
  ) {
    switch started {
    case .success(let started):
      let child = SoundChild(started)
      if let process { process.adopt(child) } else { child.letGo() }
    case .failure(let error): process?.beHere("no process can be started: \(error)")
    }
  }

  private func adopt(_ child: SoundChild) {
    guard case .starting = place else { return child.letGo() }
    place = .child(child)
    child.onNews = { [weak self] news in
      switch news {
      case .report(let report, _): self?.heard(report)
      case .rest: self?.rested()
      }
    }
    child.onEnd = { [weak self] in self?.lost($0) }
    passAll()
    if sound == nil, volume == nil { leaveChild() }
  }

  private func leaveChild() {
    if case .child(let child) = place { child.letGo() }
    place = .nowhere
  }

  /// Works the sound in this process, if there is something to work.
  private func beHere(_ reason: String) {
    leaveChild()
    guard sound != nil || volume != nil else { return }
    Log.error("the agent plays by itself: \(reason)")
    place = .here
    passAll()
  }

  private func rested() {
    guard !isAnythingWanted else { return }
    (patience, losses) = (sound == nil ? nil : patience, 0)
    leaveChild()
  }

  private func heard(_ report: Player.Report) {
    guard sound != nil else { return }
    patience = nil
    if case .started = report { bell.stop() }
    if report == .finished { sound = nil }
    onReport?(report)
  }
}

// MARK: - When the process is lost

extension SoundProcess {
  private func lost(_ reason: String) {
    place = .nowhere
    Log.error("the \(part.rawValue) process is lost: \(reason)")
    losses += 1
    guard sound != nil || volume != nil else { return }
    if sound == nil, losses >= Self.mostLosses {
      return Log.error("the volume is left as it is: the mixer crashes")
    }
    if losses == 1 { beSomewhere() } else { tryAgainLater() }
    guard let sound else { return }
    if case .play = sound { waitForWord() }
    onReport?(.trouble(.crashed))
  }

  private func tryAgainLater() {
    if case .play(let request, _, _) = sound, request.loops, request.volume > 0 { bell.ring() }
    nextTry = MainLoop.after(Self.retryInterval) { [weak self] in
      self?.nextTry = nil
      if self?.sound != nil || self?.volume != nil { self?.beSomewhere() }
    }
  }

  private func waitForWord() {
    patience = MainLoop.after(Self.mostSilence) { [weak self] in self?.heardNothing() }
  }

  /// A process that is held up in its start, or was stopped, is done without; but what has crashed
  /// others is not let into this one.
  private func heardNothing() {
    if case .here = place { return }
    if case .child(let child) = place { child.kill() }
    if losses == 0 { beHere("its sound process says nothing") } else { waitForWord() }
  }

  /// What ends a process again and again is avoided: first the files, then one device after another.
  private func milder(_ task: SoundTask) -> SoundTask {
    guard losses > 1 else { return task }
    func milder(_ request: Player.Request) -> Player.Request {
      var request = request
      request.files = []
      let devices = request.devices + ["sysdefault"]
      request.devices = Array(devices.dropFirst((losses - 2) % devices.count))
      return request
    }
    return switch task {
    case .prime(let request): .prime(milder(request))
    case .play(let request, let asked, let fadedFor):
      .play(milder(request), asked: asked, fadedFor: fadedFor)
    default: task
    }
  }
}
