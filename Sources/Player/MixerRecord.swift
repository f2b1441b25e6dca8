// SPDX-License-Identifier: GPL-3.0-or-later
//
// The volumes to restore after a ring, in a file. `VolumeLift.swift` saves them before it raises
// anything, and reads them after a crash.

import Sound
import System
import Values

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
