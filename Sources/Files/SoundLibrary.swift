// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the files that the name of a sound in the config may mean. Whether a file can be played is
// known to the program that plays it, which `judge` can ask.

import Configuration
import Language
import Sound
import System

public struct SoundLibrary: Sendable {
  /// The name of the sound for alarms and timers without the key `sound`.
  public static let defaultName = "Carillon"

  public typealias Problem = ReadingContext.SoundProblem

  let locations: Locations
  /// Returns why the file at a path cannot be played; nil if it can be played, or if that is not
  /// known. The agent and the commands that check sounds set this.
  public var judge: (@Sendable (_ path: String, Disk) -> Problem?)?

  public init(_ locations: Locations) { self.locations = locations }

  /// Returns the paths that `name` may mean, in the order in which they are tried. The name may be
  /// a path, absolute or relative to the home folder or the folder of the config. It may be a name
  /// in `belfry/sounds` of the data folders, or a name in the freedesktop sound theme.
  public func candidates(_ name: String) -> [String] {
    guard !name.isEmpty else { return [] }
    let path = locations.path(of: name)
    if OutsideText.hasSlash(name) { return [path] + renamed(path) }
    if name.utf8.count > Path.longestName { return [path] }
    let endings = SoundFolder.endings.flatMap { [$0, $0.uppercased()] }
    let names = [name] + endings.map { "\(name).\($0)" }
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

  /// The folder with the user's own sounds, which comes first.
  public var ownFolder: String { ringtoneFolders[0] }
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
  public func all(on disk: Disk) -> [Sound] { sounds(in: folders, on: disk) }

  /// Returns Belfry's ringtones, without the sound theme of the desktop.
  public func ringtones(on disk: Disk) -> [Sound] { sounds(in: ringtoneFolders, on: disk) }

  private func sounds(in folders: [String], on disk: Disk) -> [Sound] {
    var found: [String: String] = [:]
    let patience = Patience()
    for folder in folders {
      for path in sounds(in: folder, patience, on: disk) {
        let file = String(Path.name(of: path))
        guard let dot = file.lastIndex(of: ".") else { continue }
        let (name, ending) = (String(file[..<dot]), String(file[dot...].dropFirst()))
        // `candidates` finds endings in small letters and in capitals. A sound with another ending,
        // such as `.Mp3`, has the name of its file.
        let isFound = [ending.lowercased(), ending.uppercased()].contains(ending)
        if found[isFound ? name : file] == nil { found[isFound ? name : file] = path }
      }
    }
    return found.map { Sound(name: $0.key, path: $0.value) }.sorted { $0.name < $1.name }
  }

  private func sounds(in folder: String, _ patience: Patience, on disk: Disk) -> [String] {
    do throws(FileError) {
      return try patience.wait(for: folder, on: disk) { SoundFolder.sounds(in: folder, on: $0) }
    } catch {
      Log.warning("\(error)")
      return []
    }
  }

  /// Whether `name` means an existing file, or a folder with sounds. If the disk hangs, this waits
  /// only as long as `patience` lasts, and then returns true, because the sound may exist.
  public func exists(_ name: String, _ patience: Patience, on disk: Disk) -> Bool {
    do throws(FileError) {
      return try patience.wait(for: name, on: disk) { disk in
        candidates(name).contains { Self.hasSound($0, on: disk) }
      }
    } catch {
      Log.warning("whether there is a sound \(name) is not known yet: \(error.reason)")
      return true
    }
  }

  /// Returns what is wrong with the sound `name`: an address, a folder without sounds, or files
  /// that cannot be played. Nil if nothing is known to be wrong, or if there is no file and no
  /// folder with that name.
  public func problem(of name: String, _ patience: Patience, on disk: Disk) -> Problem? {
    if Locations.isAddress(name) { return Locations.problem(ofAddress: name) }
    let folder = locations.path(of: name)
    // The only error is that the disk does not answer.
    let isFolder = try? patience.wait(for: folder, on: disk) { Folder.isFolder(folder, on: $0) }
    guard isFolder == true, !exists(name, patience, on: disk) else {
      return unplayable(name, patience, on: disk)
    }
    let endings = SoundFolder.endings.joined(separator: ", ")
    return (
      Message("there is no sound in the folder \(TerminalText.quoted(name))"),
      Message("only files with these endings count, and none in a subfolder: \(endings)")
    )
  }

  /// How many sounds of a folder are checked at most.
  private static let mostJudged = 10

  /// Returns why none of the files that `name` means can be played; nil if one can, or if that is
  /// not known.
  public func unplayable(_ name: String, _ patience: Patience, on disk: Disk) -> Problem? {
    guard let judge else { return nil }
    var problem: Problem?
    for path in existing(name, patience, on: disk) {
      let inside =
        (try? patience.wait(for: path, on: disk) { SoundFolder.sounds(in: path, on: $0) }) ?? []
      for file in inside.isEmpty ? [path] : inside.prefix(Self.mostJudged) {
        guard let found = judge(file, disk) else { return nil }
        problem = problem ?? found
      }
    }
    return problem
  }

  /// Converts the name of a sound that a user typed to the name for the config. A word without a
  /// slash is the name of a sound if there is one with that name. Otherwise it may be a file or
  /// folder in the current folder. See also `Locations.typed`.
  public func typed(_ name: String, on disk: Disk) -> String {
    if OutsideText.hasSlash(name) || exists(name, Patience(), on: disk) {
      return Locations.typed(name)
    }
    let here = Locations.typed("./" + name)
    return exists(here, Patience(), on: disk) ? here : name
  }

  /// Returns the paths that `name` may mean and that lead to a file or a folder with sounds. Skips
  /// a path whose disk does not answer.
  public func existing(_ name: String, _ patience: Patience, on disk: Disk) -> [String] {
    candidates(name).filter { path in
      // The only error is that the disk does not answer.
      (try? patience.wait(for: path, on: disk) { Self.hasSound(path, on: $0) }) == true
    }
  }

  private static func hasSound(_ path: String, on disk: Disk) -> Bool {
    Folder.hasFile(path, on: disk) || !SoundFolder.sounds(in: path, on: disk).isEmpty
  }

  /// Whether `name` can mean the file at `path`.
  public func leads(_ name: String, to path: String) -> Bool {
    candidates(name).contains { $0 == path || $0 == Path.folder(of: path) }
  }
}
