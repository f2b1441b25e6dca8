// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a mixer was set to before it was touched, and what it is raised to, as a key file that
// outlives a crash. It changes no mixer. A file that is damaged is one that is not there. Next:
// `VolumeLift.swift`.

import CGLib
import Glibc
import Sound
import System

nonisolated struct MixerRecord: Equatable {
  struct Entry: Equatable {
    /// Of which mixer it is: see `Output.control`.
    var control: String
    var key: Mixer.Key
    var original: Mixer.Level
    var raised: Mixer.Level

    /// What it is to be when `share` of the raise, 0...1, is done. A mute ends at once.
    func level(_ share: Double) -> Mixer.Level {
      let volumes = zip(original.volumes, raised.volumes).map {
        $0 + Int((Double($1 - $0) * share).rounded())
      }
      return Mixer.Level(volumes: volumes, switches: raised.switches)
    }
  }

  var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// The mixers that there is something to put back of, in the order in which they were raised.
  var controls: [String] { entries.map(\.control).unique }

  private static let limit = 1 << 20
  /// A disk that hangs must not keep the output muted.
  private static var patience: Patience { Patience(.seconds(1)) }

  /// What the file at `path` remembers: nothing where there is none.
  @Blocking static func read(_ path: String) -> MixerRecord {
    do throws(FileError) {
      let bytes = try patience.wait(for: path) { () throws(FileError) in
        try DurableFile.read(path, limit: limit)
      }
      return MixerRecord(KeyFile(bytes))
    } catch {
      if !error.isMissing { Log.warning("what the mixer was set to is lost: \(error)") }
      return MixerRecord()
    }
  }

  /// Makes it durable; without entries there is no file. Where that fails the mixer is raised all
  /// the same: to be heard is worth more.
  @Blocking func write(_ path: String) {
    do throws(FileError) {
      let bytes = isEmpty ? nil : keyFile.bytes
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
    // As the first release wrote it, one control for all.
    let common = file.string("Mixer", "control")
    for group in file.groups {
      let (original, raised) = (file.level(group, "original"), file.level(group, "raised"))
      guard let control = file.string(group, "control") ?? common,
        let name = file.string(group, "name"), let index = file.numbers(group, "index").first,
        original.volumes.count == raised.volumes.count,
        original.switches.count == raised.switches.count,
        zip(original.volumes, raised.volumes).allSatisfy({ $0 <= $1 })
      else { continue }
      let key = Mixer.Key(name: name, index: index)
      entries.append(Entry(control: control, key: key, original: original, raised: raised))
    }
  }

  private var keyFile: KeyFile {
    let file = KeyFile()
    for (number, entry) in entries.enumerated() {
      let group = "Element \(number)"
      file.set(group, "control", entry.control)
      file.set(group, "name", entry.key.name)
      file.set(group, "index", [entry.key.index])
      file.set(group, "original", entry.original)
      file.set(group, "raised", entry.raised)
    }
    return file
  }
}

/// Text of groups of keys (`GKeyFile`).
private nonisolated final class KeyFile {
  private let file = g_key_file_new()

  init() {}

  /// Where the file is damaged, this has what could be understood.
  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    g_key_file_load_from_data(file, text, gsize(text.utf8.count), G_KEY_FILE_NONE, nil)
  }

  deinit { g_key_file_unref(file) }

  var bytes: [UInt8] {
    let text = g_key_file_to_data(file, nil, nil)
    defer { g_free(text) }
    return text.map { Array(String(cString: $0).utf8) } ?? []
  }

  var groups: [String] {
    var names: [String] = []
    let groups = g_key_file_get_groups(file, nil)
    defer { g_strfreev(groups) }
    while let name = groups?[names.count] { names.append(String(cString: name)) }
    return names
  }

  func string(_ group: String, _ key: String) -> String? {
    guard let text = g_key_file_get_string(file, group, key, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  func numbers(_ group: String, _ key: String) -> [Int] {
    var count: gsize = 0
    guard let numbers = g_key_file_get_integer_list(file, group, key, &count, nil) else {
      return []
    }
    defer { g_free(numbers) }
    return (0..<Int(count)).map { Int(numbers[$0]) }
  }

  func level(_ group: String, _ key: String) -> Mixer.Level {
    Mixer.Level(
      volumes: numbers(group, key + "-volumes"),
      switches: numbers(group, key + "-switches").map { $0 != 0 })
  }

  func set(_ group: String, _ key: String, _ text: String) {
    g_key_file_set_string(file, group, key, text)
  }

  func set(_ group: String, _ key: String, _ numbers: [Int]) {
    var list = numbers.map { gint(clamping: $0) }
    g_key_file_set_integer_list(file, group, key, &list, gsize(list.count))
  }

  func set(_ group: String, _ key: String, _ level: Mixer.Level) {
    set(group, key + "-volumes", level.volumes)
    set(group, key + "-switches", level.switches.map { $0 ? 1 : 0 })
  }
}
