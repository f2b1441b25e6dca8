// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernel shows in /proc, /sys and /dev, the tz database and programs in /usr. Nobody
// chooses these paths for Belfry, and a machine whose system disk hangs runs nothing at all: so the
// main loop may read them.

import Glibc

/// Files of the system itself, which answer at once.
public nonisolated enum SystemFile {
  /// The first line of a file; nil if it cannot be read.
  public static func line(_ path: String) -> String? {
    guard let bytes = try? read(path, limit: 4096) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The content of the file at `path`, of at most `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try Blocking.here { () throws(FileError) in try DurableFile.read(path, limit: limit) }
  }

  /// Opens a device of the kernel's.
  public static func open(_ path: String, _ flags: Int32) throws(SystemError) -> OpenDescriptor {
    let number = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY)
    if number < 0 { throw SystemError("open \(path)") }
    return OpenDescriptor(adopting: number)
  }

  /// Whether a regular file is there.
  public static func exists(_ path: String) -> Bool { Blocking.here { Folder.hasFile(path) } }

  /// See `Folder.names`.
  public static func names(in path: String) -> [String] {
    Blocking.here { Folder.names(in: path) }
  }

  /// See `Path.link`.
  public static func link(at path: String) -> String? { Blocking.here { Path.link(at: path) } }
}
