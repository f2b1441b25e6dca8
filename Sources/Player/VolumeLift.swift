// SPDX-License-Identifier: GPL-3.0-or-later
//
// Raises the volume of an output and later restores it exactly, even after a crash: the original
// volume is saved to disk before anything is changed. If a person sets the volume meanwhile, that
// volume stays. A mixer may hang with its sound server, so the work is done on a thread of a
// `Worker`. After a hang, only the newest target counts. `MixerRecord`, at the end of this file,
// has the saved volumes.

import Scheduling
import Sound
import Synchronization
import System
import Values

/// The main loop calls `raise`, `restore` and `finish`. Everything else runs on `worker`, one
/// closure at a time. Only those closures use the variables, so `@unchecked Sendable` is safe.
final class VolumeLift: @unchecked Sendable {
  private let worker = Worker(name: "mixer")
  /// The target and the time when its raise began; nil if the original volume is wanted.
  private let wanted = Mutex<(target: VolumeTarget, begin: ContinuousClock.Instant)?>(nil)

  private let path: String
  private var record: MixerRecord?
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
  private var next: Source?

  private static let stepInterval = Duration.milliseconds(250)

  /// `record` is the path of the file with the saved volumes.
  init(record: String) { path = record }

  /// Raises the volume of the output, in steps if `target` has a fade-in; `restore` undoes this. A
  /// volume that a person sets meanwhile stays. Calls `isSet` as soon as the mixer has been set for
  /// the first time or has failed.
  func raise(_ target: VolumeTarget, _ isSet: @escaping @MainActor @Sendable () -> Void = {}) {
    let begin = ContinuousClock.now - target.elapsed
    wanted.withLock { $0 = (target, begin) }
    worker.perform { disk in
      self.update(on: disk) {}
      Worker.onMain(isSet)
    }
  }

  /// Restores the volumes that this process, or an earlier process that crashed, has raised. Then
  /// calls `rested`. If a mixer is missing, its volumes stay saved for the next restore.
  func restore(_ rested: @escaping @MainActor @Sendable () -> Void = {}) {
    wanted.withLock { $0 = nil }
    worker.perform { self.update(on: $0, rested) }
  }

  /// Waits at most `limit` until the work in progress is done. Use this at the end of the program.
  func finish(within limit: Duration) { _ = worker.finish(within: limit) }

  // MARK: - Functions that run on the worker

  /// Sets the mixer as `wanted` demands now. Calls `rested` once the volumes are restored, as far
  /// as possible.
  private func update(on disk: Disk, _ rested: @escaping @MainActor @Sendable () -> Void) {
    next = nil
    var record = self.record ?? MixerRecord.read(path, on: disk)
    defer { self.record = record }
    let wanted = wanted.withLock { $0 }
    do throws(ALSAFailure) {
      if let wanted {
        let isDone = try raise(wanted.target, wanted.begin, &record, on: disk)
        if !isDone {
          next = worker.after(Self.stepInterval) { [weak self] disk in
            self?.update(on: disk, rested)
          }
        }
      } else {
        try restore(&record, except: nil, on: disk)
        (mixer, hasNoted) = (nil, false)
        Worker.onMain(rested)
      }
    } catch {
      // Many devices have no mixer, so a failure is a warning only if a volume is left to restore.
      let text = "the mixer \(control): \(error.call): \(error.text)"
      if record.isEmpty { Log.info(text) } else { Log.warning(text) }
      mixer = nil
      // The agent orders the raise again when the sound begins again or goes to another output.
      // What could not be restored stays in the record for the next restore.
      if wanted == nil { Worker.onMain(rested) }
    }
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
    _ target: VolumeTarget, _ begin: ContinuousClock.Instant, _ record: inout MixerRecord,
    on disk: Disk
  ) throws(ALSAFailure) -> Bool {
    if control != target.output.control {
      hasNoted = false
      // Restore the other outputs. A failure is ignored: an output that is missing now may be back
      // by the end of the ring.
      try? restore(&record, except: target.output.control, on: disk)
    }
    let mixer = try open(target.output.control)
    if let stream = target.output.stream, stream.index != unmuted {
      unmuted = stream.index
      try mixer.unmute(stream)
    }
    try saveLevels(floor: target.floor, on: mixer, in: &record, on: disk)
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
    floor: Int, on mixer: any OutputVolume, in record: inout MixerRecord, on disk: Disk
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

  private func restore(
    _ record: inout MixerRecord, except kept: String?, on disk: Disk
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

/// The volumes of mixers before and after they were raised, in a file that outlives a crash. A
/// damaged file counts as missing.
struct MixerRecord: Codable, Equatable {
  struct Raise: Codable, Equatable {
    var control: String
    var key: ALSAMixer.Key
    var original: ALSAMixer.Level
    var raised: ALSAMixer.Level

    /// Returns the level when the fraction `share`, 0...1, of the way from the original level to
    /// the raised level is done. A muted element is unmuted at the very beginning.
    func level(_ share: Double) -> ALSAMixer.Level {
      let volumes = zip(original.volumes, raised.volumes).map {
        $0 + Int((Double($1 - $0) * share).rounded())
      }
      return ALSAMixer.Level(volumes: volumes, switches: raised.switches)
    }

    fileprivate var isSensible: Bool {
      original.volumes.count == raised.volumes.count
        && original.switches.count == raised.switches.count
        && zip(original.volumes, raised.volumes).allSatisfy {
          Int(Int32.min) <= $0 && $0 <= $1 && $1 <= Int(Int32.max)
        }
    }
  }

  var entries: [Raise] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The mixers that have something to restore, in the order in which they were raised.
  var controls: [String] { entries.map(\.control).unique }

  private static let limit = 1 << 20
  /// How long to wait for the disk with the saved volumes. A disk that hangs must not keep the
  /// output muted.
  private static var patience: Patience { Patience(.seconds(1)) }

  static func read(_ path: String, on disk: Disk) -> MixerRecord {
    do throws(FileError) {
      var record = try patience.wait(for: path, on: disk) { disk throws(FileError) in
        do throws(FileError) {
          let text = String(
            decoding: try DurableFile.read(path, limit: limit, on: disk), as: UTF8.self)
          return Value(json: text)?.decoded(MixerRecord.self) ?? MixerRecord()
        } catch {
          guard error.isMissing else { throw error }
          return try readFormer(path, on: disk)
        }
      }
      record.entries.removeAll { !$0.isSensible }
      return record
    } catch {
      if !error.isMissing { Log.warning("the saved mixer settings are lost: \(error)") }
      return MixerRecord()
    }
  }

  /// Reads the file that release 1.0.0 left behind if it crashed: `mixer.ini`, in GVariant's text
  /// format.
  private static func readFormer(_ path: String, on disk: Disk) throws(FileError) -> MixerRecord {
    let bytes = try DurableFile.read(formerPath(path), limit: limit, on: disk)
    let variant = Variant(text: String(decoding: bytes, as: UTF8.self), type: "a{sv}")
    return variant.flatMap { Value($0).decoded() } ?? MixerRecord()
  }

  private static func formerPath(_ path: String) -> String {
    path.dropLast(".json".count) + ".ini"
  }

  /// Saves the record durably, or removes the file if the record is empty. A failure is only
  /// logged, because making the alarm heard matters more than restoring the volume afterwards.
  func write(_ path: String, on disk: Disk) {
    do throws(FileError) {
      let bytes = isEmpty ? nil : Array(Value(encoding: self).json.utf8)
      try Self.patience.wait(for: path, on: disk) { disk throws(FileError) in
        if let bytes {
          try DurableFile.replace(path, with: bytes, on: disk)
        } else {
          try DurableFile.remove(path, on: disk)
        }
        try DurableFile.remove(Self.formerPath(path), on: disk)
      }
    } catch {
      Log.warning("the mixer settings cannot be saved: \(error)")
    }
  }
}
