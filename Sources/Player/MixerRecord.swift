// SPDX-License-Identifier: GPL-3.0-or-later
//
// Remembers the volumes of mixers before and after they were raised, in a key file that outlives a
// crash. Changes no mixer. A damaged file counts as missing. Next: `VolumeLift.swift`.

import Sound
import System

nonisolated struct MixerRecord: Equatable {
  struct Raise: Equatable {
    /// The name of the mixer, as in `Output.control`.
    var control: String
    var key: Mixer.Key
    var original: Mixer.Level
    var raised: Mixer.Level

    /// Returns the level after the fraction `share`, 0...1, of the raise. A muted element is
    /// unmuted at the very beginning.
    func level(_ share: Double) -> Mixer.Level {
      let volumes = zip(original.volumes, raised.volumes).map {
        $0 + Int((Double($1 - $0) * share).rounded())
      }
      return Mixer.Level(volumes: volumes, switches: raised.switches)
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

  /// Reads the file at `path`. A missing file is an empty record.
  @Blocking static func read(_ path: String) -> MixerRecord {
    do throws(FileError) {
      let bytes = try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.read(path, limit: limit)
      }
      return KeyFile(bytes).map(MixerRecord.init) ?? MixerRecord()
    } catch {
      if !error.isMissing { Log.warning("what the mixer was set to is lost: \(error)") }
      return MixerRecord()
    }
  }

  /// Saves the record durably, or removes the file if the record is empty. A failure is only
  /// logged: that the alarm is heard matters more than that its volume is restored.
  @Blocking func write(_ path: String) {
    do throws(FileError) {
      let bytes = isEmpty ? nil : Array(text.utf8)
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

  init() {}

  private init(_ file: KeyFile) {
    // Records of Belfry's first release have one control for all elements.
    let common = file.value("control", in: "Mixer")
    var number = 0
    while case let group = "Element \(number)", !file.lines(of: group).isEmpty {
      number += 1
      let (original, raised) = (file.level("original", in: group), file.level("raised", in: group))
      guard let control = file.value("control", in: group) ?? common,
        let name = file.value("name", in: group), let index = file.list("index", in: group).first,
        original.volumes.count == raised.volumes.count,
        original.switches.count == raised.switches.count,
        zip(original.volumes, raised.volumes).allSatisfy({ $0 <= $1 })
      else { continue }
      let key = Mixer.Key(name: name, index: index)
      entries.append(Raise(control: control, key: key, original: original, raised: raised))
    }
  }

  private var text: String {
    entries.enumerated().map { number, entry in
      """
      [Element \(number)]
      control=\(entry.control)
      name=\(entry.key.name)
      index=\(entry.key.index)
      original-volumes=\(Self.list(entry.original.volumes))
      original-switches=\(Self.list(entry.original.switches.map { $0 ? 1 : 0 }))
      raised-volumes=\(Self.list(entry.raised.volumes))
      raised-switches=\(Self.list(entry.raised.switches.map { $0 ? 1 : 0 }))

      """
    }.joined()
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ";")
  }
}

nonisolated extension KeyFile {
  fileprivate func list(_ key: String, in group: String) -> [Int] {
    value(key, in: group)?.split(separator: ";").compactMap { Int32($0).map(Int.init) } ?? []
  }

  fileprivate func level(_ key: String, in group: String) -> Mixer.Level {
    Mixer.Level(
      volumes: list(key + "-volumes", in: group),
      switches: list(key + "-switches", in: group).map { $0 != 0 })
  }
}
