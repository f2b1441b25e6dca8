// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of POSIX that the other files of this folder use: open descriptors, the status of a
// file, and paths as text. Every error contains the failed call, the path and the error code. Next:
// DurableFile.swift.

import CGLib
import Glibc
import Language
import Scheduling

func check(_ result: Int32, _ call: String, _ path: String) throws(FileError) {
  if result < 0 { throw .system(SystemError(call), path: path) }
}

/// Writes all of `bytes` (`write`). If a non-blocking descriptor has no room, waits for room.
/// Throws `EAGAIN` if there is still no room after `patience`.
func writeAll(
  _ bytes: [UInt8], to number: Int32, patience: Duration = .seconds(1 << 20)
) throws(SystemError) {
  let limit = Int32(clamping: patience.wholeMicroseconds / 1000)
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
    if count < 0, errno == EAGAIN {
      var writable = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
      if poll(&writable, 1, limit) == 0 { throw SystemError("write", code: EAGAIN) }
    } else if count < 0, errno != EINTR {
      throw SystemError("write")
    }
    rest = rest.dropFirst(max(0, count))
  }
}

/// An open descriptor of, for example, a socket, a pipe, or a file received over the bus. It is
/// closed when this object is released.
public final class OpenDescriptor: Sendable {
  public let number: Int32
  public init(adopting number: Int32) { self.number = number }
  deinit { close(number) }

  /// Creates two connected sockets (`socketpair`). `kind` has the type and flags of a socket, such
  /// as `SOCK_STREAM`. No started program inherits the sockets.
  public static func socketPair(
    _ kind: __socket_type...
  ) throws(SystemError) -> (OpenDescriptor, OpenDescriptor) {
    var ends: [Int32] = [-1, -1]
    let bits = kind.reduce(SOCK_CLOEXEC.rawValue) { $0 | $1.rawValue }
    guard socketpair(AF_UNIX, Int32(bits), 0, &ends) == 0 else { throw SystemError("socketpair") }
    return (OpenDescriptor(adopting: ends[0]), OpenDescriptor(adopting: ends[1]))
  }

  /// Writes all of `bytes`, without waiting for room.
  public func write(_ bytes: [UInt8]) throws(SystemError) {
    try writeAll(bytes, to: number, patience: .zero)
  }
}

/// An open file (`open`). It is closed when this value is destroyed (`close`), and other programs
/// do not inherit it.
public struct Descriptor: ~Copyable {
  public let number: Int32
  private let path: String

  /// Opens `path`. With `O_CREAT`, a new file gets `mode`, without the bits of the umask.
  public init(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600, on disk: Disk
  ) throws(FileError) {
    self.path = path
    number = Glibc.open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
    try check(number, "open", path)
  }

  deinit { if number >= 0 { close(number) } }

  func status() throws(FileError) -> FileStatus {
    var status = stat()
    try check(fstat(number, &status), "fstat", path)
    return FileStatus(status)
  }

  /// Does one `read` and appends the result to `bytes`. Returns false at the end of the file.
  func read(into bytes: inout [UInt8]) throws(FileError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    var count = -1
    repeat { count = Glibc.read(number, &chunk, chunk.count) } while count < 0 && errno == EINTR
    try check(Int32(clamping: count), "read", path)
    bytes += chunk.prefix(count)
    return count > 0
  }

  func byte(at offset: Int) throws(FileError) -> UInt8 {
    var byte: UInt8 = 0
    try check(Int32(pread(number, &byte, 1, off_t(offset))), "pread", path)
    return byte
  }

  func seek(to offset: Int) throws(FileError) {
    try check(lseek(number, off_t(offset), SEEK_SET) < 0 ? -1 : 0, "lseek", path)
  }

  public func write(_ bytes: [UInt8]) throws(FileError) {
    do { try writeAll(bytes, to: number) } catch { throw .system(error, path: path) }
  }

  func truncate(to size: Int) throws(FileError) {
    try check(ftruncate(number, off_t(size)), "ftruncate", path)
  }

  func setMode(_ mode: mode_t) throws(FileError) {
    try check(fchmod(number, mode), "fchmod", path)
  }

  func sync() throws(FileError) {
    // EINVAL means that the file system has no `fsync`. Then the file or folder is as durable as it
    // can be.
    if fsync(number) < 0, errno != EINVAL {
      throw .system(SystemError("fsync"), path: path)
    }
  }

  /// Waits for the lock on this file. If the file system has no locks, continues without a lock,
  /// because writing matters more.
  func lock() {
    while flock(number, LOCK_EX) < 0, errno == EINTR {}
  }

  /// Takes the lock if no one else has it, and returns whether it did. If the file system has no
  /// locks, returns true.
  func tryLock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }
}

/// The attributes of a file (stat(2)).
struct FileStatus: Sendable {
  private let raw: stat

  init(_ raw: stat) { self.raw = raw }

  /// Reads the status of the file that `path` leads to. Follows symbolic links.
  init(of path: String, on disk: Disk) throws(FileError) {
    var status = stat()
    try check(stat(path, &status), "stat", path)
    raw = status
  }

  public var size: Int { Int(raw.st_size) }
  var mode: mode_t { raw.st_mode & 0o7777 }
  var owner: uid_t { raw.st_uid }
  var group: gid_t { raw.st_gid }
  /// How many names (hard links) the file has.
  var links: Int { Int(raw.st_nlink) }

  func isSameFile(as other: FileStatus) -> Bool {
    raw.st_dev == other.raw.st_dev && raw.st_ino == other.raw.st_ino
  }

  /// Whether this is the same file with the same content, mode and names. Changing any of them
  /// changes `ctime`, so `ctime` is compared.
  func isUnchanged(since other: FileStatus) -> Bool {
    isSameFile(as: other) && raw.st_ctim.tv_sec == other.raw.st_ctim.tv_sec
      && raw.st_ctim.tv_nsec == other.raw.st_ctim.tv_nsec
  }

  /// Whether this is the same file with the same content, judged by its size and modification time.
  func isUnwritten(since other: FileStatus) -> Bool { version == other.version }

  /// Which file this is, its size, and when it was modified.
  var version: [Int64] {
    [
      Int64(bitPattern: UInt64(raw.st_dev)), Int64(bitPattern: UInt64(raw.st_ino)),
      Int64(raw.st_size), Int64(raw.st_mtim.tv_sec), Int64(raw.st_mtim.tv_nsec),
    ]
  }

  /// When the content was last changed, by the wall clock; nil if the time is far out of range.
  var written: Instant? {
    let seconds = raw.st_mtim.tv_sec
    guard (0...1 << 40).contains(seconds) else { return nil }
    return Instant(seconds: Int64(seconds)) + .nanoseconds(raw.st_mtim.tv_nsec)
  }

  /// Whether the content was last changed less than `span` ago by the wall clock. A modification
  /// time in the future, by less than `span`, counts too.
  func wasWritten(within span: Duration) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // A file system in memory keeps any time, so the difference may be too large for an integer.
    let age =
      Duration.seconds(now.tv_sec) - .seconds(raw.st_mtim.tv_sec)
      + .nanoseconds(now.tv_nsec - raw.st_mtim.tv_nsec)
    return age < span && .zero - span < age
  }

  public func requireFile(_ path: String) throws(FileError) {
    let kind = raw.st_mode & S_IFMT
    if kind != S_IFREG { throw .notAFile(path: path, isFolder: kind == S_IFDIR) }
  }
}

/// Splits and joins paths as text. Only `link` and `destination` read the disk.
public enum Path {
  /// The maximum length of a name in a folder, in bytes (`NAME_MAX`).
  public static let longestName = 255

  /// Returns the folder part of a path: "/a" for "/a/b", "/" for "/a", "." for "a".
  public static func folder(of path: String) -> String {
    guard let slash = OutsideText.lastSlash(in: path) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the path of a `file:` URI; nil for any other text.
  public static func of(uri: String) -> String? {
    guard let path = g_filename_from_uri(uri, nil, nil) else { return nil }
    defer { g_free(path) }
    return String(cString: path)
  }

  /// Returns the last part of a path: "b" for "/a/b".
  public static func name(of path: String) -> Substring {
    path[(OutsideText.lastSlash(in: path).map(path.utf8.index(after:)) ?? path.startIndex)...]
  }

  /// Whether both paths lead to the same file; false if there is no file at one of them.
  public static func isOneFile(_ path: String, _ other: String, on disk: Disk) -> Bool {
    (try? FileStatus(of: path, on: disk).isSameFile(as: FileStatus(of: other, on: disk))) ?? false
  }

  public static func join(_ folder: String, _ name: some StringProtocol) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// The target of the symbolic link at `path`; nil if there is no link (`g_file_read_link`).
  public static func link(at path: String, on disk: Disk) -> String? {
    guard let text = g_file_read_link(path, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// How many symbolic links in a row the kernel follows (path_resolution(7)).
  static let mostLinks = 40

  /// Follows the symbolic links at the end of `path`. The result need not exist.
  static func destination(of path: String, on disk: Disk) throws(FileError) -> String {
    var destination = path
    for _ in 0...mostLinks {
      guard let link = link(at: destination, on: disk) else { return destination }
      destination = OutsideText.isAbsolute(link) ? link : join(folder(of: destination), link)
    }
    throw .system(SystemError("open", code: ELOOP), path: path)
  }
}

/// Identifies the content of a file. Another version means that the file was written or replaced.
public struct FileVersion: Hashable, Sendable {
  private let numbers: [Int64]

  /// Nil if there is no file at `path`.
  public init?(of path: String, on disk: Disk) {
    guard let status = try? FileStatus(of: path, on: disk) else { return nil }
    numbers = status.version
  }
}
