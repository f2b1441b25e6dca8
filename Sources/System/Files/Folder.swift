// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lists a folder, checks whether it has room for more, and reads files of the system itself.
// `DurableFile.swift` makes folders.

import CGLib
import Glibc

public enum Folder {
  /// How many names of a folder are read at most. No one puts more files into a folder by hand.
  private static let mostNames = 10_000

  /// Returns the names in the folder at `path`, sorted; empty if the folder cannot be read. Reads
  /// at most `mostNames` names.
  public static func names(in path: String, on disk: Disk) -> [String] {
    guard let folder = g_dir_open(path, 0, nil) else { return [] }
    defer { g_dir_close(folder) }
    var names: [String] = []
    while names.count < mostNames, let name = g_dir_read_name(folder) {
      names.append(String(cString: name))
    }
    return names.sorted()
  }

  public static func hasFile(_ path: String, on disk: Disk) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  public static func isFolder(_ path: String, on disk: Disk) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a name in the folder at `path` was made, removed or changed less than `span` ago; nil
  /// if there is no such folder.
  public static func wasChanged(_ path: String, within span: Duration, on disk: Disk) -> Bool? {
    guard isFolder(path, on: disk) else { return nil }
    return (try? FileStatus(of: path, on: disk))?.wasWritten(within: span)
  }

  /// Returns why the folder at `path` has no room for `size` more bytes; nil if it has room. The
  /// folder need not exist yet. To find out, writes the bytes to a file whose name has been
  /// removed, so that nothing stays behind.
  public static func refusal(toKeep size: Int, in path: String, on disk: Disk) -> FileError? {
    do throws(FileError) {
      let name = Path.join(path, ".room-\(Environment.processID)")
      let file = try Descriptor(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, on: disk)
      unlink(name)
      try file.write([UInt8](repeating: 0, count: size))
      try file.sync()
      return nil
    } catch {
      let parent = Path.folder(of: path)
      // If the folder is missing, it will be made later, so check its parent instead. `isMissing`
      // is also true for ENOTDIR: then `path` is a file, and that error is the reason to return.
      let isThere = (try? FileStatus(of: path, on: disk)) != nil
      guard error.isMissing, !isThere, parent != path else { return error.at(path) }
      return refusal(toKeep: size, in: parent, on: disk)
    }
  }
}

/// Files of the system itself: the kernel's files in /proc, /sys and /dev, the tz database, and
/// programs in /usr. The main loop may read these files: users do not choose these paths, and on a
/// machine whose system disk hangs, nothing runs anyway.
public enum SystemFile {
  /// The first line of a file; nil if it cannot be read.
  public static func line(_ path: String) -> String? {
    guard let bytes = try? read(path, limit: 4096) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try Disk.here { disk throws(FileError) in try DurableFile.read(path, limit: limit, on: disk) }
  }

  /// Opens a device in /dev or another file of the system itself.
  public static func open(_ path: String, _ flags: Int32) throws(SystemError) -> OpenDescriptor {
    let number = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY)
    if number < 0 { throw SystemError("open \(path)") }
    return OpenDescriptor(adopting: number)
  }

  public static func exists(_ path: String) -> Bool { Disk.here { Folder.hasFile(path, on: $0) } }

  public static func names(in path: String) -> [String] {
    Disk.here { Folder.names(in: path, on: $0) }
  }

  public static func link(at path: String) -> String? { Disk.here { Path.link(at: path, on: $0) } }
}
