// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the name of a sound, as the config has it, to the files it may mean. Whether they can be
// played shows when they are.

import System

public nonisolated struct SoundLibrary: Sendable {
  /// Rings where nothing else is asked for.
  public static let defaultName = "Carillon"

  let locations: Locations

  public init(_ locations: Locations) { self.locations = locations }

  /// Paths that `name` may mean, to be tried in this order: a path, absolute or from the home
  /// folder; a path from the config's folder; a name in the `belfry/sounds` of the data folders;
  /// and a name in the freedesktop sound theme.
  public func candidates(_ name: String) -> [String] {
    guard !name.isEmpty else { return [] }
    let path = locations.path(of: name)
    if name.contains("/") { return [path] + renamed(path) }
    if name.utf8.count > Path.longestName { return [path] }
    let names = [name] + SoundFolder.endings.map { "\(name).\($0)" }
    return [path] + folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
  }

  /// The ringtones were FLAC files before 1.0, and a config may name one by its path.
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

  /// Every sound that a name leads to, by name; of two with one name, the one that is played.
  @Blocking public func all() -> [Sound] { sounds(in: folders) }

  /// Those made to ring, without the clicks and test signals of the sound theme.
  @Blocking public func ringtones() -> [Sound] { sounds(in: ringtoneFolders) }

  @Blocking private func sounds(in folders: [String]) -> [Sound] {
    var found: [String: String] = [:]
    let patience = Patience()
    for folder in folders {
      for path in sounds(in: folder, patience) {
        let parts = Path.name(of: path).split(separator: ".").map(String.init)
        // As `candidates` has them.
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

  /// Whether `name` leads to a file, or to a folder with sounds in it.
  @Blocking public func exists(_ name: String) -> Bool {
    candidates(name).contains { Folder.hasFile($0) || !SoundFolder.sounds(in: $0).isEmpty }
  }

  /// The same for a name that someone else chose, whose disk may hang: a sound that cannot be
  /// looked up may be there, which is no error.
  @Blocking public func exists(_ name: String, _ patience: Patience) -> Bool {
    do throws(FileError) {
      return try patience.wait(for: name) { exists(name) }
    } catch {
      Log.warning("whether there is a sound \(name) is not known yet: \(error.reason)")
      return true
    }
  }

  /// Whether it was by `name` that the file at `path` was found.
  public func leads(_ name: String, to path: String) -> Bool {
    candidates(name).contains { $0 == path || $0 == Path.folder(of: path) }
  }
}
