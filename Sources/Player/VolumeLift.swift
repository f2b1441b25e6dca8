// SPDX-License-Identifier: GPL-3.0-or-later
//
// Turns the output up for a while and then puts it back exactly, also after a crash: what was there
// before is on the disk before anything is changed. What a person sets meanwhile stays. It works on
// a thread, since a mixer may hang as its sound server does; where that takes so long that another
// target is wanted by then, only that one is followed. Next: `MixerRecord.swift`, what it
// remembers.

import Scheduling
import Sound
import Synchronization
import System

final class VolumeLift {
  private let worker = Worker(name: "mixer")
  private let work: Work

  /// What is remembered is in the file at `record`. Nothing is done before `raise` or `restore`.
  init(record: String) { work = Work(record) }

  /// Raises the output, until `restore`; calls back once the mixer has been set, or could not be.
  func raise(_ target: VolumeTarget, _ isSet: @escaping @MainActor @Sendable () -> Void = {}) {
    let begin = ContinuousClock.now - target.elapsed
    work.wanted.withLock { $0 = (target, begin) }
    worker.perform { [work, worker] in
      work.follow(on: worker) {}
      Worker.onMain(isSet)
    }
  }

  /// Restores what was raised, by this program or by one that crashed, and calls back. If the mixer
  /// is not there, it is tried again for a minute, and then with the next raise.
  func restore(_ rested: @escaping @MainActor @Sendable () -> Void = {}) {
    work.wanted.withLock { $0 = nil }
    worker.perform { [work, worker] in
      work.follow(on: worker) { Worker.onMain(rested) }
    }
  }

  /// Waits until that is done, at most `limit`, for the end of the program. What is not done by
  /// then is remembered.
  func finish(within limit: Duration) { _ = worker.finish(within: limit) }
}

/// What the thread does. All but `wanted` is the thread's alone; hence `@unchecked`.
private nonisolated final class Work: @unchecked Sendable {
  let wanted = Mutex<(target: VolumeTarget, begin: ContinuousClock.Instant)?>(nil)

  private let path: String
  /// That of `control`.
  private var mixer: (any OutputVolume)?
  private var control = ""
  /// Nil until the file has been looked at.
  private var record: MixerRecord?
  /// What each element was last set to; what is otherwise now was set by somebody else.
  private var applied: [String: [Mixer.Key: Mixer.Level]] = [:]
  /// Whether what is too low has been noted; what a person turns down after that stays.
  private var hasNoted = false
  /// The stream that was put right; what a person mutes after that stays muted.
  private var righted: UInt32?
  private var next: Delayed?
  private var failures = 0

  private static let stepInterval = Duration.milliseconds(250)
  private static let retryInterval = Duration.seconds(5)
  private static let mostRetries = 12

  init(_ path: String) { self.path = path }

  /// Brings the mixer to what is wanted now; `rested` is called once nothing is, and nothing is
  /// left to do or to try.
  @Blocking func follow(on worker: Worker, rested: @escaping @Sendable () -> Void) {
    next = nil
    var record = self.record ?? MixerRecord.read(path)
    defer { self.record = record }
    let wanted = wanted.withLock { $0 }
    do throws(ALSAFailure) {
      if let wanted {
        let isDone = try raise(wanted.target, wanted.begin, &record)
        if !isDone { retry(after: Self.stepInterval, on: worker, rested) }
      } else {
        try restore(&record, allBut: nil)
        (mixer, hasNoted) = (nil, false)
        rested()
      }
      failures = 0
    } catch {
      // Many a device has none of its own.
      let text = "the mixer \(control): \(error.call): \(error.text)"
      if record.isEmpty { Log.info(text) } else { Log.warning(text) }
      mixer = nil
      failures += 1
      if failures <= Self.mostRetries, wanted == nil || hasNoted {
        retry(after: Self.retryInterval, on: worker, rested)
      } else if wanted == nil {
        rested()
      }
      // A raise that never began is asked for again when sound begins again.
    }
  }

  func letGo() { (mixer, applied, hasNoted, next) = (nil, [:], false, nil) }

  private func retry(
    after delay: Duration, on worker: Worker, _ rested: @escaping @Sendable () -> Void
  ) {
    next = worker.after(delay) { [weak self, weak worker] in
      if let worker { self?.follow(on: worker, rested: rested) }
    }
  }

  private func open(_ control: String) throws(ALSAFailure) -> any OutputVolume {
    if let mixer, control == self.control {
      do throws(ALSAFailure) {
        try mixer.update()
        return mixer
      } catch {
        Log.debug("the mixer \(control): \(error.call): \(error.text); opening it again")
        letGo()
      }
    }
    (mixer, self.control) = (nil, control)
    let opened = try Output.volume(of: control)
    mixer = opened
    return opened
  }

  /// One step on the way up; whether it was the last one.
  @Blocking private func raise(
    _ target: VolumeTarget, _ begin: ContinuousClock.Instant, _ record: inout MixerRecord
  ) throws(ALSAFailure) -> Bool {
    if control != target.control {
      hasNoted = false
      do throws(ALSAFailure) {
        try restore(&record, allBut: target.control)
      } catch {}  // It may be back by the end of the ring.
    }
    let mixer = try open(target.control)
    if let stream = target.stream, stream.index != righted {
      righted = stream.index
      try mixer.putRight(stream)
    }
    try note(what: target.floor, on: mixer, in: &record)
    let elapsed = begin.duration(to: .now)
    let share = target.fadeIn > .zero ? min(1, max(0, elapsed / target.fadeIn)) : 1
    for entry in record.entries where entry.control == control {
      guard let level = try mixer.level(entry.key) else { continue }
      guard isOurs(level, entry, mixer.range(entry.key)) else {
        Log.info("\(entry.key.name) was set by hand, and stays")
        forget(entry, in: &record)
        continue
      }
      let due = entry.level(share)
      if level != due { try mixer.set(due, entry.key) }
      // What the mixer made of it, which may be less.
      applied[control, default: [:]][entry.key] = try mixer.level(entry.key)
    }
    return share >= 1
  }

  /// Remembers the elements that are too low or mute, before any of them is touched. What is
  /// remembered of one that has been set otherwise since a crash counts no more.
  @Blocking private func note(
    what floor: Int, on mixer: any OutputVolume, in record: inout MixerRecord
  ) throws(ALSAFailure) {
    guard !hasNoted else { return }
    var noted = record
    for key in mixer.keys {
      guard let level = try mixer.level(key) else { continue }
      if let known = record.entries.first(where: { $0.control == control && $0.key == key }) {
        if isOurs(level, known, mixer.range(key)) { continue }
        noted.entries.removeAll { $0 == known }
      }
      let volume = mixer.volume(percent: floor, key)
      let raised = Mixer.Level(
        volumes: level.volumes.map { max($0, volume) }, switches: level.switches.map { _ in true })
      if raised == level { continue }
      noted.entries.append(
        MixerRecord.Raise(control: control, key: key, original: level, raised: raised))
    }
    hasNoted = true
    guard noted.entries != record.entries else { return }
    record = noted
    record.write(path)
  }

  /// Puts back all that is not of the mixer `kept`. What cannot be had now stays remembered.
  @Blocking private func restore(
    _ record: inout MixerRecord, allBut kept: String?
  ) throws(ALSAFailure) {
    var failure: ALSAFailure?
    for control in record.controls where control != kept {
      do throws(ALSAFailure) {
        let mixer = try open(control)
        for entry in record.entries where entry.control == control {
          guard let level = try mixer.level(entry.key) else { continue }
          if isOurs(level, entry, mixer.range(entry.key)) {
            try mixer.set(entry.original, entry.key)
          }
        }
        applied[control] = nil
        record.entries.removeAll { $0.control == control }
        record.write(path)
      } catch {
        Log.info("the mixer \(control): \(error.call): \(error.text)")
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Whether an element is as it was left here, and by no person. A sound server may round a
  /// little. After a crash nobody knows how far the raise had come.
  private func isOurs(
    _ level: Mixer.Level, _ entry: MixerRecord.Raise, _ range: ClosedRange<Int>
  ) -> Bool {
    let slack = (range.count - 1) / 100
    let (lowest, highest) =
      applied[entry.control]?[entry.key].map { ($0, $0) } ?? (entry.original, entry.raised)
    let isWithin = zip(level.volumes, zip(lowest.volumes, highest.volumes)).allSatisfy {
      ($1.0 - slack...$1.1 + slack).contains($0)
    }
    let isSwitched = level.switches == lowest.switches || level.switches == highest.switches
    return isWithin && isSwitched
  }

  @Blocking private func forget(_ entry: MixerRecord.Raise, in record: inout MixerRecord) {
    record.entries.removeAll { $0 == entry }
    record.write(path)
  }
}
