// SPDX-License-Identifier: GPL-3.0-or-later
//
// Remembers the volumes of mixers before and after they were raised, in a file that outlives a
// crash. Changes no mixer. A damaged file counts as missing. Next: `VolumeLift.swift`.

import Sound
import System

nonisolated struct MixerRecord: Codable, Equatable {
  struct Raise: Codable, Equatable {
    var control: String
    var key: Mixer.Key
    var original: Mixer.Level
    var raised: Mixer.Level

    /// Returns the level when the fraction `share`, 0...1, of the way from the original level to
    /// the raised level is done. A muted element is unmuted at the very beginning.
    func level(_ share: Double) -> Mixer.Level {
      let volumes = zip(original.volumes, raised.volumes).map {
        $0 + Int((Double($1 - $0) * share).rounded())
      }
      return Mixer.Level(volumes: volumes, switches: raised.switches)
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
  /// How long to wait for the disk with the record. A disk that hangs must not keep the output
  /// muted.
  private static var patience: Patience { Patience(.seconds(1)) }

  @Blocking static func read(_ path: String) -> MixerRecord {
    do throws(FileError) {
      let bytes = try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.read(path, limit: limit)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      var record: MixerRecord = Variant(text: text, type: "a{sv}")?.decoded() ?? MixerRecord()
      record.entries.removeAll { !$0.isSensible }
      return record
    } catch {
      if !error.isMissing { Log.warning("what the mixer was set to is lost: \(error)") }
      return MixerRecord()
    }
  }

  /// Saves the record durably, or removes the file if the record is empty. A failure is only
  /// logged: that the alarm is heard matters more than that its volume is restored.
  @Blocking func write(_ path: String) {
    do throws(FileError) {
      let bytes = isEmpty ? nil : Array(Variant(encoding: self).text.utf8)
      try Self.patience.wait(for: path) { () throws(FileError) in
        if let bytes {
          try DurableFile.replace(path, with: bytes)
        } else {
          try DurableFile.remove(path)
        }
      }
    } catch {
      Log.warning("what the mixer was set to is not saved: \(error)")
    }
  }
}
