// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists a folder, and checks whether it has room for more. `DurableFile.swift` makes folders.

import CGLib
import Glibc

public nonisolated enum Folder {
  /// How many names of a folder are read at most. No one puts more files into a folder by hand.
  private static let mostNames = 10_000

  /// Returns the names in the folder at `path`, sorted; empty if the folder cannot be read. Reads
  /// at most `mostNames` names.
  @Blocking public static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < mostNames, let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  @Blocking public static func hasFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns why the folder at `path` has no room for `size` more bytes; nil if it has room. The
  /// folder need not exist yet. To find out, writes the bytes to a file whose name has been
  /// removed, so that nothing stays behind.
  @Blocking public static func refusal(toKeep size: Int, in path: String) -> FileError? {
    do throws(FileError) {
      let name = Path.join(path, ".room-\(Environment.processID)")
      let file = try Descriptor(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      unlink(name)
      try file.write([UInt8](repeating: 0, count: size))
      try file.sync()
      return nil
    } catch {
      let parent = Path.folder(of: path)
      // If the folder is missing, it will be made later, so check its parent instead. `isMissing`
      // is also true for ENOTDIR: then `path` is a file, and that error is the reason to return.
      let isThere = (try? Status(of: path)) != nil
      guard error.isMissing, !isThere, parent != path else { return error.at(path) }
      return refusal(toKeep: size, in: parent)
    }
  }
}
