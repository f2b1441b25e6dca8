// SPDX-License-Identifier: GPL-3.0-or-later
//
// A lock on a file, which a process holds until it ends, however it ends. The process also writes
// into the file what others need to know about it. This is a lock of an open file (`F_OFD_SETLK`,
// fcntl_locking(2)), because other processes can query such a lock without taking it. Next:
// `AgentFile.swift`, for the content of the agent's file.

import CGLib
import CProcess
import Glibc
import Synchronization

public final class FileLock: Sendable {
  private let file: OpenDescriptor
  private let path: String
  /// The content of the file when the lock was taken, written by the former holder of the lock.
  public let formerBytes: [UInt8]

  /// How many bytes of the file are read at most.
  private static let longest = 16_384

  private init(_ file: OpenDescriptor, _ path: String) {
    (self.file, self.path) = (file, path)
    formerBytes = Self.bytes(of: file)
  }

  /// Takes the lock of the file at `path`, which is made if it is missing, with mode 0600. Returns
  /// nil if another process holds the lock. With `waits`, waits instead until that process ends.
  @Blocking public static func acquire(_ path: String, waits: Bool) throws(FileError) -> FileLock? {
    try DurableFile.makeFolder(Path.folder(of: path))
    let file = try open(path, O_RDWR | O_CREAT)
    var lock = wholeFile
    let command = Int32(waits ? BELFRY_OFD_SETLKW : BELFRY_OFD_SETLK)
    while fcntl(file.number, command, &lock) < 0 {
      switch errno {
      case EINTR: continue
      case EAGAIN, EACCES: return nil
      default: throw .system(SystemError("fcntl"), path: path)
      }
    }
    return FileLock(file, path)
  }

  /// Returns the content of the file at `path` if a process holds its lock; nil if none does. Also
  /// nil if the file belongs to another user.
  @Blocking public static func heldBytes(_ path: String) throws(FileError) -> [UInt8]? {
    let file: OpenDescriptor
    do throws(FileError) { file = try open(path, O_RDONLY) } catch {
      if error.isMissing { return nil }
      throw error
    }
    var status = stat()
    try check(fstat(file.number, &status), "fstat", path)
    guard status.st_uid == geteuid() else { return nil }
    var lock = wholeFile
    try check(fcntl(file.number, Int32(BELFRY_OFD_GETLK), &lock), "fcntl", path)
    return lock.l_type == Int16(F_UNLCK) ? nil : bytes(of: file)
  }

  /// Replaces the content of the file. Writes first and cuts off the rest afterwards, so that a
  /// full disk does not matter: the file keeps the block that it has.
  @Blocking public func write(_ text: String) throws(FileError) {
    let bytes = Array(text.utf8)
    try check(lseek(file.number, 0, SEEK_SET) < 0 ? -1 : 0, "lseek", path)
    do throws(SystemError) { try file.write(bytes) } catch { throw .system(error, path: path) }
    try check(ftruncate(file.number, off_t(bytes.count)), "ftruncate", path)
  }

  /// Holds the lock until the process ends. If a signal of a crash ends the process, such as
  /// SIGSEGV, a line like `signal 11` is added to the file first, until `stopNotingCrashes`.
  public func keep() {
    Self.kept.withLock { $0 = self }
    belfry_note_crashes(file.number)
  }

  public static func stopNotingCrashes() { belfry_stop_noting_crashes() }

  private static let kept = Mutex<FileLock?>(nil)

  /// A lock for writing, on the whole file. Only one process can hold it.
  private static var wholeFile: flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    return lock
  }

  @Blocking private static func open(_ path: String, _ flags: Int32) throws(FileError)
    -> OpenDescriptor
  {
    let number = Glibc.open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    try check(number, "open", path)
    return OpenDescriptor(adopting: number)
  }

  private static func bytes(of file: OpenDescriptor) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = pread(file.number, &bytes, longest, 0)
    return Array(bytes.prefix(max(0, count)))
  }
}
