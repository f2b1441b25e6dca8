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

  /// What this process has written into the file.
  private let content = Mutex<[UInt8]>([])

  /// How many bytes of the file are read at most.
  private static let longest = 16_384

  private init(_ file: OpenDescriptor, _ path: String) {
    (self.file, self.path) = (file, path)
    formerBytes = Self.bytes(of: file)
  }

  /// Takes the lock of the file at `path`, which is made if it is missing, with mode 0600. Returns
  /// nil if another process holds the lock. With `waits`, waits instead until that process ends.
  public static func acquire(
    _ path: String, waits: Bool, on disk: Disk
  ) throws(FileError) -> FileLock? {
    try DurableFile.makeFolder(Path.folder(of: path), on: disk)
    let file = try open(path, O_RDWR | O_CREAT, on: disk)
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
  public static func heldBytes(_ path: String, on disk: Disk) throws(FileError) -> [UInt8]? {
    let file: OpenDescriptor
    do throws(FileError) { file = try open(path, O_RDONLY, on: disk) } catch {
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
  public func write(_ text: String, on disk: Disk) throws(FileError) {
    let bytes = Array(text.utf8)
    try check(lseek(file.number, 0, SEEK_SET) < 0 ? -1 : 0, "lseek", path)
    do throws(SystemError) { try file.write(bytes) } catch { throw .system(error, path: path) }
    try check(ftruncate(file.number, off_t(bytes.count)), "ftruncate", path)
    content.withLock { $0 = bytes }
  }

  /// Holds the lock until the process ends. If a signal of a crash ends the process, such as
  /// SIGSEGV, a line like `signal 11` is added to the file first, until `stopNotingCrashes`.
  public func keep() {
    Self.kept.withLock { $0 = self }
    belfry_note_crashes(file.number)
  }

  /// Makes sure that the file whose lock this process keeps is still at its path. Throws
  /// `.replaced` if the path leads to another folder, as after the folder's disk was unmounted:
  /// what is written there would be lost when the disk is back, and would not be encrypted like the
  /// disk. If the file was removed, it is made again. Does nothing if this process keeps no lock.
  public static func requireInPlace(on disk: Disk) throws(FileError) {
    guard let lock = kept.withLock({ $0 }), try !lock.isInPlace(on: disk) else { return }
    guard let again = try acquire(lock.path, waits: false, on: disk) else {
      throw .replaced(path: Path.folder(of: lock.path))
    }
    try again.write(String(decoding: lock.content.withLock { $0 }, as: UTF8.self), on: disk)
    // The signal handlers have the descriptor that is closed now.
    stopNotingCrashes()
    kept.withLock { $0 = again }
  }

  /// Returns false if the file has to be locked again: if it was removed, or if its disk was
  /// unmounted and mounted again. In the second case, the content identifies the file, because its
  /// numbers may have changed.
  private func isInPlace(on disk: Disk) throws(FileError) -> Bool {
    var status = stat()
    // This fails if the program behind a file system has ended (FUSE).
    let isReadable = fstat(file.number, &status) == 0
    if isReadable, status.st_nlink == 0 { return false }
    // If nothing can be opened there, the file has gone together with its folder.
    if let other = try? Self.open(path, O_RDONLY, on: disk) {
      var found = stat()
      if isReadable, fstat(other.number, &found) == 0,
        FileStatus(found).isSameFile(as: FileStatus(status))
      {
        return true
      }
      let content = content.withLock { $0 }
      if !content.isEmpty, Self.bytes(of: other) == content { return false }
    }
    throw .replaced(path: Path.folder(of: path))
  }

  public static func stopNotingCrashes() { belfry_stop_noting_crashes() }

  private static let kept = Mutex<FileLock?>(nil)

  /// A lock for writing, on the whole file. Only one process can hold it.
  private static var wholeFile: flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    return lock
  }

  private static func open(
    _ path: String, _ flags: Int32, on disk: Disk
  ) throws(FileError) -> OpenDescriptor {
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
