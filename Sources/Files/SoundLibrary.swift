// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the files that the name of a sound in the config may mean. Whether a file can be played
// becomes known only when it is played.

import System

public nonisolated struct SoundLibrary: Sendable {
  /// The name of the sound for alarms and timers without the key `sound`.
  public static let defaultName = "Carillon"

  let locations: Locations

  public init(_ locations: Locations) { self.locations = locations }

  /// Returns the paths that `name` may mean, in the order in which they are tried. The name may be
  /// a path, absolute or relative to the home folder or the folder of the config. It may be a name
  /// in `belfry/sounds` of the data folders, or a name in the freedesktop sound theme.
  public func candidates(_ name: String) -> [String] {
    guard !name.isEmpty else { return [] }
    let path = locations.path(of: name)
    if name.contains("/") { return [path] + renamed(path) }
    if name.utf8.count > Path.longestName { return [path] }
    let names = [name] + SoundFolder.endings.map { "\(name).\($0)" }
    return [path] + folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
  }

  /// Before version 1.0, ringtones were FLAC files. A config may still have the path of such a
  /// file.
  private func renamed(_ path: String) -> [String] {
    guard path.hasSuffix(".flac"), ringtoneFolders.contains(Path.folder(of: path)) else {
      return []
    }
    return [String(path.dropLast("flac".utf8.count)) + "ogg"]
  }

  private var folders: [String] { ringtoneFolders + themeFolders }
  private var ringtoneFolders: [String] { locations.dataFolders.map { $0 + "/belfry/sounds" } }
  private var themeFolders: [String] {
    locations.dataFolders.map { $0 + "/sounds/freedesktop/stereo" }
  }

  public struct Sound: Hashable, Sendable {
    public var name: String
    public var path: String
  }

  /// Returns all sounds, sorted by name. If several sounds have the same name, only the sound that
  /// would be played is returned.
  @Blocking public func all() -> [Sound] { sounds(in: folders) }

  /// Returns Belfry's ringtones, without the sound theme of the desktop.
  @Blocking public func ringtones() -> [Sound] { sounds(in: ringtoneFolders) }

  @Blocking private func sounds(in folders: [String]) -> [Sound] {
    var found: [String: String] = [:]
    let patience = Patience()
    for folder in folders {
      for path in sounds(in: folder, patience) {
        let parts = Path.name(of: path).split(separator: ".").map(String.init)
        guard let ending = parts.last, SoundFolder.endings.contains(ending) else { continue }
        let name = parts.dropLast().joined(separator: ".")
        if found[name] == nil { found[name] = path }
      }
    }
    return found.map { Sound(name: $0.key, path: $0.value) }.sorted { $0.name < $1.name }
  }

  @Blocking private func sounds(in folder: String, _ patience: Patience) -> [String] {
    do throws(FileError) {
      return try patience.wait(for: folder) { SoundFolder.sounds(in: folder) }
    } catch {
      Log.warning("\(error)")
      return []
    }
  }

  /// Whether `name` means an existing file, or a folder with sounds. If the disk hangs, this waits
  /// only as long as `patience` lasts, and then returns true, because the sound may exist.
  @Blocking public func exists(_ name: String, _ patience: Patience) -> Bool {
    do throws(FileError) {
      return try patience.wait(for: name) { candidates(name).contains(where: Self.hasSound) }
    } catch {
      Log.warning("whether there is a sound \(name) is not known yet: \(error.reason)")
      return true
    }
  }

  /// Returns the paths that `name` may mean and that lead to a file or a folder with sounds. Skips
  /// a path whose disk does not answer.
  @Blocking public func existing(_ name: String, _ patience: Patience) -> [String] {
    candidates(name).filter { path in
      // The only error is that the disk does not answer.
      (try? patience.wait(for: path) { Self.hasSound(path) }) == true
    }
  }

  @Blocking private static func hasSound(_ path: String) -> Bool {
    Folder.hasFile(path) || !SoundFolder.sounds(in: path).isEmpty
  }

  /// Whether `name` can mean the file at `path`.
  public func leads(_ name: String, to path: String) -> Bool {
    candidates(name).contains { $0 == path || $0 == Path.folder(of: path) }
  }
}
