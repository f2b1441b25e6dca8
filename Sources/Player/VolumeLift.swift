// SPDX-License-Identifier: GPL-3.0-or-later
//
// Raises the volume of an output and later restores it exactly, even after a crash: the original
// volume is saved to disk before anything is changed. If a person sets the volume meanwhile, that
// volume stays. A mixer may hang with its sound server, so the work is done on a thread of a
// `Worker`. After a hang, only the newest target counts. Next: `MixerRecord.swift`, the saved
// volumes.

import Scheduling
import Sound
import Synchronization
import System

/// Passes the wanted volume to the worker. The main loop calls `raise`, `restore` and `finish`.
final class VolumeLift: Sendable {
  private let worker = Worker(name: "mixer")
  private let volumes: Confined<RaisedVolumes>
  /// The target and the time when its raise began; nil if the original volume is wanted.
  private let wanted = Mutex<(target: VolumeTarget, begin: ContinuousClock.Instant)?>(nil)

  private static let stepInterval = Duration.milliseconds(250)

  /// `record` is the path of the file with the saved volumes.
  init(record: String) { volumes = Confined(on: worker, RaisedVolumes(record: record)) }

  /// Raises the volume of the output, in steps if `target` has a fade-in; `restore` undoes this. A
  /// volume that a person sets meanwhile stays. Calls `isSet` as soon as the mixer has been set for
  /// the first time or has failed.
  func raise(_ target: VolumeTarget, _ isSet: @escaping @MainActor @Sendable () -> Void = {}) {
    let begin = ContinuousClock.now - target.elapsed
    wanted.withLock { $0 = (target, begin) }
    volumes.perform { volumes, disk in
      self.update(volumes, on: disk) {}
      Worker.onMain(isSet)
    }
  }

  /// Restores the volumes that this process, or an earlier process that crashed, has raised. Then
  /// calls `rested`. If a mixer is missing, its volumes stay saved for the next restore.
  func restore(_ rested: @escaping @MainActor @Sendable () -> Void = {}) {
    wanted.withLock { $0 = nil }
    volumes.perform { volumes, disk in self.update(volumes, on: disk, rested) }
  }

  /// Waits at most `limit` until the work in progress is done. Use this at the end of the program.
  func finish(within limit: Duration) { _ = worker.finish(within: limit) }

  /// Sets the volumes as `wanted` demands now, and again after each step of a fade-in. Calls
  /// `rested` once the volumes are restored, as far as possible. Runs on the worker.
  private func update(
    _ volumes: RaisedVolumes, on disk: Disk, _ rested: @escaping @MainActor @Sendable () -> Void
  ) {
    volumes.nextStep = nil
    // The disk may hang, so read the newest target only after this.
    volumes.readRecord(on: disk)
    guard let wanted = wanted.withLock({ $0 }) else {
      volumes.restore(on: disk)
      return Worker.onMain(rested)
    }
    if volumes.raise(to: wanted.target, since: wanted.begin, on: disk) { return }
    volumes.nextStep = self.volumes.after(Self.stepInterval) { [weak self] volumes, disk in
      self?.update(volumes, on: disk, rested)
    }
  }
}

/// The volumes that were raised, and the mixer that is open. Its functions wait for the sound
/// server.
private final class RaisedVolumes {
  /// The next step of a fade-in.
  var nextStep: Source?

  private let path: String
  /// The volumes to restore. They are read from the file at `path` once, and written to it at each
  /// change.
  private var record = MixerRecord()
  private var hasReadRecord = false
  private var mixer: (any OutputVolume)?
  private var control = ""
  /// The level that each element was last set to. If an element has another level now, a person has
  /// set it.
  private var applied: [String: [ALSAMixer.Key: ALSAMixer.Level]] = [:]
  /// Whether the original levels of the elements to be raised have been saved. After that, an
  /// element that a person turns down stays down.
  private var hasNoted = false
  /// The stream that this raise has unmuted. If a person mutes the stream after that, it stays
  /// muted.
  private var unmuted: UInt32?

  /// `record` is the path of the file with the saved volumes.
  init(record: String) { path = record }

  /// Reads what an earlier process left behind if it crashed.
  func readRecord(on disk: Disk) {
    if hasReadRecord { return }
    hasReadRecord = true
    record = MixerRecord.read(path, on: disk)
  }

  /// Raises the volume as far as it should be now, if its raise began at `begin`. Returns true if
  /// there is no further step, also after a failure: the agent orders the raise again when the
  /// sound begins again or goes to another output.
  func raise(
    to target: VolumeTarget, since begin: ContinuousClock.Instant, on disk: Disk
  ) -> Bool {
    do throws(ALSAFailure) { return try raise(target, begin, on: disk) } catch {
      failed(error)
      return true
    }
  }

  /// Restores all volumes, as far as possible. What could not be restored stays in the record for
  /// the next restore.
  func restore(on disk: Disk) {
    do throws(ALSAFailure) {
      try restore(except: nil, on: disk)
      (mixer, hasNoted) = (nil, false)
    } catch {
      failed(error)
    }
  }

  private func failed(_ error: ALSAFailure) {
    // Many devices have no mixer, so a failure is a warning only if a volume is left to restore.
    let text = "the mixer \(control): \(error.call): \(error.text)"
    if record.isEmpty { Log.info(text) } else { Log.warning(text) }
    mixer = nil
  }

  private func open(_ control: String) throws(ALSAFailure) -> any OutputVolume {
    if let mixer, control == self.control {
      do throws(ALSAFailure) {
        try mixer.update()
        return mixer
      } catch {
        Log.debug("the mixer \(control): \(error.call): \(error.text); opening it again")
        (applied, hasNoted) = ([:], false)
      }
    }
    (mixer, self.control) = (nil, control)
    let opened = try Output.volume(of: control)
    mixer = opened
    return opened
  }

  /// Raises the volume by one step. Returns whether that was the last step.
  private func raise(
    _ target: VolumeTarget, _ begin: ContinuousClock.Instant, on disk: Disk
  ) throws(ALSAFailure) -> Bool {
    if control != target.output.control {
      hasNoted = false
      // Restore the other outputs. A failure is ignored: an output that is missing now may be back
      // by the end of the ring.
      try? restore(except: target.output.control, on: disk)
    }
    let mixer = try open(target.output.control)
    if let stream = target.output.stream, stream.index != unmuted {
      unmuted = stream.index
      try mixer.unmute(stream)
    }
    try saveLevels(of: mixer, floor: target.floor, on: disk)
    let elapsed = begin.duration(to: .now)
    let share = target.fadeIn > .zero ? min(1, max(0, elapsed / target.fadeIn)) : 1
    for entry in record.entries where entry.control == control {
      guard let level = try mixer.level(entry.key) else { continue }
      guard isOurs(level, entry, mixer.range(entry.key)) else {
        Log.info("\(entry.key.name) was set by hand, and stays")
        record.entries.removeAll { $0 == entry }
        record.write(path, on: disk)
        continue
      }
      let due = entry.level(share)
      if level != due { try mixer.set(due, entry.key) }
      // Read the level back, because the mixer may have rounded it.
      applied[control, default: [:]][entry.key] = try mixer.level(entry.key)
    }
    return share >= 1
  }

  /// Saves the levels of the elements that are below `floor` or muted, before any element is
  /// changed. If a person has set an element since a crash, replaces the element's entry from
  /// before the crash.
  private func saveLevels(
    of mixer: any OutputVolume, floor: Int, on disk: Disk
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
      let raised = ALSAMixer.Level(
        volumes: level.volumes.map { max($0, volume) }, switches: level.switches.map { _ in true })
      if raised == level { continue }
      noted.entries.append(
        MixerRecord.Raise(control: control, key: key, original: level, raised: raised))
    }
    hasNoted = true
    guard noted.entries != record.entries else { return }
    record = noted
    record.write(path, on: disk)
  }

  /// Restores the volumes of all mixers except `kept`. Throws the last failure.
  private func restore(except kept: String?, on disk: Disk) throws(ALSAFailure) {
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
        record.write(path, on: disk)
      } catch {
        Log.info("the mixer \(control): \(error.call): \(error.text)")
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Whether an element still has the level that Belfry set. The level may differ by a hundredth of
  /// `range`, because a sound server rounds levels. After a crash, any level between the original
  /// and the raised level counts as set by Belfry.
  private func isOurs(
    _ level: ALSAMixer.Level, _ entry: MixerRecord.Raise, _ range: ClosedRange<Int>
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
}
