// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds the sounds in a folder, by the endings of their names. `SoundLibrary.swift` in Files finds
// sounds by their names in several folders.

import System

public enum SoundFolder {
  /// The endings of sound files. Other files in a folder of sounds, such as album covers, are
  /// ignored.
  public static let endings = ["flac", "oga", "ogg", "opus", "wav", "mp3"]

  /// The paths of the sounds in the folder at `path`, sorted by name, without subfolders; empty if
  /// there is no folder.
  public static func sounds(in path: String, on disk: Disk) -> [String] {
    Folder.names(in: path, on: disk).filter(isSound).map { Path.join(path, $0) }
  }

  public static func isSound(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    return parts.count > 1 && endings.contains(parts[parts.count - 1].lowercased())
  }
}
