// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads files of the system itself: the kernel's files in /proc, /sys and /dev, the tz database,
// and programs in /usr. The main loop may read these files. Users do not choose these paths, and on
// a machine whose system disk hangs, nothing runs anyway.

import Glibc

public nonisolated enum SystemFile {
  /// The first line of a file; nil if it cannot be read.
  public static func line(_ path: String) -> String? {
    guard let bytes = try? read(path, limit: 4096) else { return nil }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try Blocking.here { () throws(FileError) in try DurableFile.read(path, limit: limit) }
  }

  /// Opens a device, such as one in /dev.
  public static func open(_ path: String, _ flags: Int32) throws(SystemError) -> OpenDescriptor {
    let number = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY)
    if number < 0 { throw SystemError("open \(path)") }
    return OpenDescriptor(adopting: number)
  }

  public static func exists(_ path: String) -> Bool { Blocking.here { Folder.hasFile(path) } }

  public static func names(in path: String) -> [String] {
    Blocking.here { Folder.names(in: path) }
  }

  public static func link(at path: String) -> String? { Blocking.here { Path.link(at: path) } }
}
