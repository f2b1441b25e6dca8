// SPDX-License-Identifier: GPL-3.0-or-later
//
// A folder of sounds, of which one rings at a time: by chance, and not the one that did before.

public nonisolated enum SoundFolder {
  /// By these endings files are told from what else is in such a folder, as covers of albums are.
  public static let endings = ["flac", "oga", "ogg", "opus", "wav", "mp3"]

  /// Paths of the sounds in the folder at `path` itself, by name; none where it is no folder.
  @Blocking public static func sounds(in path: String) -> [String] {
    Folder.names(in: path).filter(isSound).map { Path.join(path, $0) }
  }

  public static func isSound(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    return parts.count > 1 && endings.contains(parts[parts.count - 1].lowercased())
  }
}
