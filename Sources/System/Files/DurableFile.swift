// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads and writes files that must survive a crash. Reading is limited in size. Replacing a file is
// atomic: after a crash, the file has either the old text or the new text. Appending repairs a last
// line that a crash left incomplete. Only regular files are accepted, so that no call waits for a
// pipe. `DurableWriter`, at the end of this file, calls these functions on another thread, because
// they may wait for the disk. Next: FileWatch.swift.

import CGLib
import Glibc
import Scheduling
import Synchronization

/// Reads and writes whole files. Each function may wait for the disk.
public enum DurableFile {
  /// Reads the regular file at `path`. Throws `.tooLarge` if it has more than `limit` bytes.
  public static func read(_ path: String, limit: Int, on disk: Disk) throws(FileError) -> [UInt8] {
    try read(opened(path, on: disk), path, limit: limit, on: disk)
  }

  /// When the file at `path` was last written.
  public static func saved(_ path: String, on disk: Disk) -> Instant? {
    try? FileStatus(of: path, on: disk).written
  }

  public static func size(of path: String, on disk: Disk) -> Int? {
    try? FileStatus(of: path, on: disk).size
  }

  static func read(
    _ file: borrowing Descriptor, _ path: String, limit: Int, on disk: Disk
  ) throws(FileError) -> [UInt8] {
    let status = try file.status()
    try status.requireFile(path)
    guard status.size <= limit else { throw .tooLarge(path: path, limit: limit) }
    // Read to the end, not to the size: the file may be growing, and files in /proc report no size.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(status.size + 1)
    while try file.read(into: &bytes) {
      guard bytes.count <= limit else { throw .tooLarge(path: path, limit: limit) }
    }
    return bytes
  }

  /// Reads the regular file at `path` and passes it to `take` in pieces of whole lines, so that a
  /// large file is never completely in memory. Throws `.tooLarge` if a line is longer than `limit`
  /// bytes.
  public static func readLines(
    _ path: String, longest limit: Int, on disk: Disk, _ take: (Span<UInt8>) -> Void
  ) throws(FileError) {
    let file = try opened(path, on: disk)
    try file.status().requireFile(path)
    var bytes: [UInt8] = []
    while try file.read(into: &bytes) {
      let last = bytes.lastIndex(of: UInt8(ascii: "\n"))
      guard bytes.count - (last ?? 0) <= limit else { throw .tooLarge(path: path, limit: limit) }
      guard let last else { continue }
      take(bytes.span.extracting(...last))
      bytes.removeSubrange(...last)
    }
    if !bytes.isEmpty { take(bytes.span) }
  }

  /// Passes the first `limit` bytes of the regular file at `path` to `take`, piece by piece.
  public static func readPieces(
    _ path: String, atMost limit: Int, on disk: Disk, _ take: ([UInt8]) throws(SystemError) -> Void
  ) throws(FileError) {
    let file = try opened(path, on: disk)
    try file.status().requireFile(path)
    var left = limit
    var bytes: [UInt8] = []
    while left > 0, try file.read(into: &bytes) {
      do throws(SystemError) { try take(Array(bytes.prefix(left))) } catch {
        throw .system(error, path: path)
      }
      left -= bytes.count
      bytes.removeAll(keepingCapacity: true)
    }
  }

  private static func opened(_ path: String, on disk: Disk) throws(FileError) -> Descriptor {
    // Check that this is a regular file before opening it: merely opening a device can have an
    // effect.
    try FileStatus(of: path, on: disk).requireFile(path)
    return try Descriptor(path, O_RDONLY | O_NONBLOCK, on: disk)
  }

  /// Replaces the file at `path` atomically and durably: writes a temporary file beside it, then
  /// calls `fsync`, `rename`, and `fsync` for the folder. If `path` is a symbolic link, the file
  /// that it leads to is replaced. After that only the owner can read the file (0600), whatever its
  /// mode was. Missing folders are made with mode 0700. If a killed process left a temporary file,
  /// the next call overwrites it. The folder is locked, because all callers that replace the file
  /// use the same temporary file.
  public static func replace(_ path: String, with bytes: [UInt8], on disk: Disk) throws(FileError) {
    let target = try Path.destination(of: path, on: disk)
    do throws(FileError) { try FileStatus(of: target, on: disk).requireFile(target) } catch {
      if !error.isMissing { throw error }
    }
    let place = Path.folder(of: target)
    try makeFolder(place, on: disk)
    let folder = try Descriptor(place, O_RDONLY | O_DIRECTORY, on: disk)
    folder.lock()
    let temporary = Path.join(place, ".\(Path.name(of: target)).new")
    do throws(FileError) {
      let file = try Descriptor(
        temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, on: disk)
      try file.setMode(0o600)
      try file.write(bytes)
      try file.sync()
      try check(rename(temporary, target), "rename", target)
    } catch {
      unlink(temporary)
      // The user does not know the name of the temporary file.
      throw error.at(target)
    }
    try folder.sync()
  }

  /// Renames the file or folder at `path` to `other`, in the same folder. An existing file at
  /// `other` is replaced.
  public static func move(_ path: String, to other: String, on disk: Disk) throws(FileError) {
    try check(rename(path, other), "rename", path)
    try syncFolder(Path.folder(of: other), on: disk)
  }

  public static func remove(_ path: String, on disk: Disk) throws(FileError) {
    if unlink(path) != 0 {
      if errno == ENOENT { return }
      throw .system(SystemError("unlink"), path: path)
    }
    try syncFolder(Path.folder(of: path), on: disk)
  }

  /// Appends `line` and a line end to the file at `path` and makes that durable. A missing file is
  /// made with mode 0600. If a crash or a full disk left half a line in the file, that half line is
  /// ended first. Once the file has reached `limit` bytes, the older half of its lines is dropped.
  public static func append(
    _ line: String, to path: String, limit: Int = .max, on disk: Disk
  ) throws(FileError) {
    try makeFolder(Path.folder(of: path), on: disk)
    let file = try Descriptor(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, on: disk)
    let status = try file.status()
    try status.requireFile(path)
    // As with `replace`, only the owner may read the file.
    if status.mode & 0o077 != 0 { try file.setMode(0o600) }
    let last = status.size == 0 ? nil : try file.byte(at: status.size - 1)
    let lineEnd = UInt8(ascii: "\n")
    do throws(FileError) {
      try file.write((last ?? lineEnd == lineEnd ? [] : [lineEnd]) + line.utf8 + [lineEnd])
      try file.sync()
    } catch {
      // Remove the half line, because it is worse than none. If `truncate` fails too, the next call
      // ends the half line.
      try? file.truncate(to: status.size)
      throw error
    }
    if status.size == 0 { try syncFolder(Path.folder(of: path), on: disk) }
    if status.size >= limit {
      try replace(path, with: tail(path, atMost: limit / 2, on: disk), on: disk)
    }
  }

  /// Returns the last whole lines of the file at `path`, at most `limit` bytes in total. Does not
  /// read earlier content.
  public static func tail(
    _ path: String, atMost limit: Int, on disk: Disk
  ) throws(FileError) -> [UInt8] {
    let file = try opened(path, on: disk)
    let status = try file.status()
    try status.requireFile(path)
    guard status.size > limit else { return try read(path, limit: limit, on: disk) }
    // Read one byte more than `limit`, to see whether a line begins exactly at the limit.
    try file.seek(to: status.size - limit - 1)
    var bytes: [UInt8] = []
    while bytes.count <= limit, try file.read(into: &bytes) {}
    let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1
    return Array(bytes[(lineEnd + 1)...].prefix(limit))
  }

  public static func makeFolder(_ path: String, on disk: Disk) throws(FileError) {
    let parent = Path.folder(of: path)
    if mkdir(path, 0o700) != 0 {
      if errno == EEXIST { return }
      guard errno == ENOENT, parent != path else {
        throw .system(SystemError("mkdir"), path: path)
      }
      try makeFolder(parent, on: disk)
      // Another program that needs this folder may have made it in the meantime.
      if mkdir(path, 0o700) != 0, errno != EEXIST {
        throw .system(SystemError("mkdir"), path: path)
      }
    }
    try syncFolder(parent, on: disk)
  }

  /// Takes the access to the folder at `path` away from everyone but its owner. Does nothing if the
  /// folder is missing or belongs to another user.
  public static func closeFolder(_ path: String, on disk: Disk) throws(FileError) {
    do throws(FileError) {
      let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY, on: disk)
      let status = try folder.status()
      guard status.owner == geteuid(), status.mode & 0o077 != 0 else { return }
      try folder.setMode(status.mode & ~0o077)
    } catch {
      if !error.isMissing { throw error }
    }
  }

  static func syncFolder(_ path: String, on disk: Disk) throws(FileError) {
    try Descriptor(path, O_RDONLY | O_DIRECTORY, on: disk).sync()
  }
}

/// Writes files on another thread, so that the main loop never waits for the disk.
public final class DurableWriter: Sendable {
  public typealias Completion = @MainActor (Result<Void, FileError>) -> Void

  private struct File {
    /// The newest content that waits to be written; nil once writing it has begun.
    var bytes: (@Sendable () -> [UInt8])?
    var result: Result<Void, FileError> = .success(())
  }

  public typealias Check = @Sendable (Disk) throws(FileError) -> Void

  private let worker = Worker(name: "files")
  private let check: Check
  private let files = Mutex<[String: File]>([:])

  /// `check` is called before each write, on the writer's thread. If it throws, nothing is written.
  public init(_ check: @escaping Check = { _ in }) { self.check = check }

  /// Replaces the file at `path` as `DurableFile.replace` does. `bytes` is evaluated on the
  /// writer's thread too, because a large text takes time to make. If several contents wait for the
  /// same path, only the newest is written. `completion` is called on the main loop, once these
  /// bytes or newer ones are on the disk, or with the error.
  public func write(
    _ bytes: @autoclosure @escaping @Sendable () -> [UInt8], to path: String,
    completion: @escaping Completion = { _ in }
  ) {
    files.withLock { $0[path, default: File()].bytes = bytes }
    perform({ self.writeNewest(path, on: $0) }, then: completion)
  }

  /// Appends as `DurableFile.append` does, in the order of the calls.
  public func append(
    _ line: @autoclosure @escaping @Sendable () -> String, to path: String, limit: Int = .max,
    completion: @escaping Completion = { _ in }
  ) {
    let append: Check = { [check] disk throws(FileError) in
      try check(disk)
      try DurableFile.append(line(), to: path, limit: limit, on: disk)
    }
    perform({ disk in Result { () throws(FileError) in try append(disk) } }, then: completion)
  }

  /// Waits at most `limit` until everything is on the disk, and returns whether it is. Use this at
  /// the end of the program, when the main loop no longer runs. Completions are not called.
  public func finish(within limit: Duration) -> Bool { worker.finish(within: limit) }

  /// Writes the newest content. If an earlier call has already written that content, returns the
  /// result of the earlier call.
  private func writeNewest(_ path: String, on disk: Disk) -> Result<Void, FileError> {
    let file = files.withLock { files in
      defer { files[path]?.bytes = nil }
      return files[path] ?? File()
    }
    guard let bytes = file.bytes else { return file.result }
    let result = Result { () throws(FileError) in
      try check(disk)
      try DurableFile.replace(path, with: bytes(), on: disk)
    }
    files.withLock { $0[path]?.result = result }
    return result
  }

  private func perform(
    _ work: @escaping @Sendable (Disk) -> Result<Void, FileError>,
    then completion: @escaping Completion
  ) {
    worker.perform { disk in
      let result = work(disk)
      Worker.onMain { completion(result) }
    }
  }
}
