// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the state of the agent from disk, and keeps a state that cannot be read under another name.
// `Storage.swift` in Agent decides when to keep it, and writes the state.

import Configuration
import Language
import Persistence
import Scheduling
import System

public enum StateFile {
  /// The maximum size in bytes of a state file that is read. Belfry never writes a larger state.
  static let limit = 64 * 1024 * 1024

  /// Reads the state at `path`. `problem` describes the first problem with the file; nil if there
  /// is none. If `patience` is nil, waits for the disk without limit.
  public static func read(
    _ path: String, _ patience: Patience? = Patience(), on disk: Disk
  ) -> (state: State, problem: Message?) {
    do throws(FileError) {
      let bytes =
        if let patience { try patience.read(path, limit: limit, on: disk) } else {
          try DurableFile.read(path, limit: limit, on: disk)
        }
      let (state, problems) = StateText.parse(bytes)
      return (state, problems.first.map { Message("\(path): \($0)") })
    } catch {
      return error.isMissing ? (State(), nil) : (State(), error.message)
    }
  }

  /// Returns the settings in force that the agent stored; nil if they cannot be read, or belong to
  /// another config. If `patience` is nil, waits for the disk without limit.
  public static func settings(
    _ locations: Locations, _ patience: Patience? = nil, on disk: Disk
  ) -> SettingsInForce? {
    let path = locations.settings
    let bytes =
      if let patience { try? patience.read(path, limit: limit, on: disk) } else {
        try? DurableFile.read(path, limit: limit, on: disk)
      }
    return bytes.flatMap { SettingsText.parse($0) }
      .flatMap { $0.config == locations.config ? $0 : nil }
  }

  /// Returns the number of free bytes that are needed to write the state at `path` again, while the
  /// old file still exists.
  public static func size(_ path: String, on disk: Disk) -> Int {
    max(4096, DurableFile.size(of: path, on: disk) ?? 0)
  }

  /// Renames the state and the settings in force, because an agent crashes each time that it starts
  /// with them. Returns their new paths. Earlier files that were set aside are kept.
  static func setAside(_ locations: Locations, on disk: Disk) throws(FileError) -> [String] {
    var moved: [String] = []
    for path in [locations.state, locations.settings] where Folder.hasFile(path, on: disk) {
      let names = (1...9).map { $0 == 1 ? "\(path).crashed" : "\(path).crashed-\($0)" }
      let name = names.first { !Folder.hasFile($0, on: disk) } ?? names[0]
      try DurableFile.move(path, to: name, on: disk)
      moved.append(name)
    }
    return moved
  }

  /// Copies a state that cannot be read completely to another path, and returns that path. The file
  /// also stays in its place, because `read` may have found valid parts in it. Anything else, such
  /// as a folder, or a file that cannot be read now, is moved to that path instead.
  public static func keep(_ path: String, on disk: Disk) throws(FileError) -> String {
    let kept = path + ".unreadable"
    let bytes: [UInt8]
    do throws(FileError) { bytes = try DurableFile.read(path, limit: limit, on: disk) } catch {
      try DurableFile.move(path, to: kept, on: disk)
      return kept
    }
    try DurableFile.replace(kept, with: bytes, on: disk)
    return kept
  }
}
