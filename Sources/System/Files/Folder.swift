// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is in a folder, and whether there is room for more. Folders are made by `DurableFile.swift`.

import CGLib
import Glibc

public nonisolated enum Folder {
  /// In a folder with more than this nobody has put things by hand.
  private static let mostNames = 10_000

  /// Names of what is in the folder at `path`, sorted, the first few thousand that the disk has;
  /// none where it cannot be read.
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

  /// Whether `path` leads to a regular file.
  @Blocking public static func hasFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Why `size` bytes more cannot be kept in the folder at `path`, which need not be there yet; nil
  /// where they can. They are written, to a file that has no name any more.
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
      // It will be made. Not a folder, it will not: of a file's name the same is said as of
      // nothing.
      let isThere = (try? Status(of: path)) != nil
      guard error.isMissing, !isThere, parent != path else { return error.at(path) }
      return refusal(toKeep: size, in: parent)
    }
  }
}
