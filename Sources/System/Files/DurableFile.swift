// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that must stay whole: read with a limit, replaced so that a crash leaves the old text or
// the new one, appended to line by line. It refuses whatever is not a regular file and never waits
// for a pipe. `DurableWriter` at the end does the waiting on a thread. Next: FileWatch.swift.

import CGLib
import Glibc

/// Whole files, read and written at once. Each function may wait for the disk.
public nonisolated enum DurableFile {
  /// The content of the regular file at `path`, of at most `limit` bytes.
  @Blocking public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    try read(opened(path), path, limit: limit)
  }

  /// In bytes; nil where there is no file.
  @Blocking public static func size(of path: String) -> Int? { try? Status(of: path).size }

  /// The content of a file that is open.
  @Blocking static func read(
    _ file: borrowing Descriptor, _ path: String, limit: Int
  ) throws(FileError) -> [UInt8] {
    let status = try file.status()
    try status.requireFile(path)
    guard status.size <= limit else { throw .tooLarge(path: path, limit: limit) }
    // Read to the end rather than to the size: it may be growing, and /proc has no sizes.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(status.size + 1)
    while try file.read(into: &bytes) {
      guard bytes.count <= limit else { throw .tooLarge(path: path, limit: limit) }
    }
    return bytes
  }

  /// Hands over the regular file at `path` in pieces of whole lines, so that a large one is never
  /// held. No line may be longer than `limit`.
  @Blocking public static func readLines(
    _ path: String, longest limit: Int, _ take: (Span<UInt8>) -> Void
  ) throws(FileError) {
    let file = try opened(path)
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

  /// Hands over the first `limit` bytes of the regular file at `path`, piece by piece.
  @Blocking public static func readPieces(
    _ path: String, atMost limit: Int, _ take: ([UInt8]) throws(SystemError) -> Void
  ) throws(FileError) {
    let file = try opened(path)
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

  @Blocking private static func opened(_ path: String) throws(FileError) -> Descriptor {
    // Looked at before it is opened: opening a device can already do something.
    try Status(of: path).requireFile(path)
    return try Descriptor(path, O_RDONLY | O_NONBLOCK)
  }

  /// Puts `bytes` in the place of the file at `path`, or of the file that a symbolic link there
  /// leads to: a temporary file beside it, `fsync`, `rename`, `fsync` of the folder. It is for its
  /// owner alone then (0600), whoever could read it before. Folders that are missing are made,
  /// 0700. A temporary file that a killed process left is used up by the next call.
  @Blocking public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let target = try Path.destination(of: path)
    do throws(FileError) { try Status(of: target).requireFile(target) } catch {
      if !error.isMissing { throw error }
    }
    let folder = Path.folder(of: target)
    try makeFolder(folder)
    let temporary = Path.join(folder, ".\(Path.name(of: target)).new")
    let file = try lockedFile(temporary)
    do throws(FileError) {
      try file.truncate(to: 0)
      try file.setMode(0o600)
      try file.write(bytes)
      try file.sync()
      try check(rename(temporary, target), "rename", target)
    } catch {
      unlink(temporary)
      throw error
    }
    try syncFolder(folder)
  }

  /// Gives what is at `path`, whatever it is, the name `other` in the same folder. A file that has
  /// that name is replaced.
  @Blocking public static func move(_ path: String, to other: String) throws(FileError) {
    try check(rename(path, other), "rename", path)
    try syncFolder(Path.folder(of: other))
  }

  /// Removes the file at `path`; it need not be there.
  @Blocking public static func remove(_ path: String) throws(FileError) {
    if unlink(path) != 0 {
      if errno == ENOENT { return }
      throw .system(SystemError("unlink"), path: path)
    }
    try syncFolder(Path.folder(of: path))
  }

  /// Adds `line` and a line end to the file at `path`, which is made where it is missing, and is
  /// 0600 then, and makes it durable. What a crash or a full disk cut short before stays a line of
  /// its own. From `limit` bytes on, the older half of the lines is dropped.
  @Blocking public static func append(
    _ line: String, to path: String, limit: Int = .max
  ) throws(FileError) {
    try makeFolder(Path.folder(of: path))
    let file = try Descriptor(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK)
    let status = try file.status()
    try status.requireFile(path)
    // As with what is replaced: it is for its owner alone.
    if status.mode & 0o077 != 0 { try file.setMode(0o600) }
    let last = status.size == 0 ? nil : try file.byte(at: status.size - 1)
    let lineEnd = UInt8(ascii: "\n")
    do throws(FileError) {
      try file.write((last ?? lineEnd == lineEnd ? [] : [lineEnd]) + line.utf8 + [lineEnd])
      try file.sync()
    } catch {
      // Half a line is worse than none; where even this fails, the next call ends the half line.
      try? file.truncate(to: status.size)
      throw error
    }
    if status.size == 0 { try syncFolder(Path.folder(of: path)) }
    if status.size >= limit { try replace(path, with: tail(path, atMost: limit / 2)) }
  }

  /// The last lines of the file at `path`, whole ones, at most `limit` bytes of them: what it holds
  /// before these is not looked at.
  @Blocking public static func tail(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8]
  {
    let file = try opened(path)
    let status = try file.status()
    try status.requireFile(path)
    guard status.size > limit else { return try read(path, limit: limit) }
    // One byte more: a line that begins right there is whole.
    try file.seek(to: status.size - limit - 1)
    var bytes: [UInt8] = []
    while bytes.count <= limit, try file.read(into: &bytes) {}
    let lineEnd = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex - 1
    return Array(bytes[(lineEnd + 1)...].prefix(limit))
  }

  /// Opens the temporary file for this caller alone. Another that replaces the same file at this
  /// moment holds the lock until it has renamed the file, which is then no longer the one locked.
  @Blocking private static func lockedFile(_ path: String) throws(FileError) -> Descriptor {
    while true {
      let file = try Descriptor(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
      file.lock()
      let opened = try file.status()
      // An error means that it is gone by now, as another file means: try again with what is there.
      if let named = try? Status(of: path), named.isSameFile(as: opened) { return file }
    }
  }

  @Blocking public static func makeFolder(_ path: String) throws(FileError) {
    let parent = Path.folder(of: path)
    if mkdir(path, 0o700) != 0 {
      if errno == EEXIST { return }
      guard errno == ENOENT, parent != path else {
        throw .system(SystemError("mkdir"), path: path)
      }
      try makeFolder(parent)
      // Another program that needs it too may have been faster.
      if mkdir(path, 0o700) != 0, errno != EEXIST {
        throw .system(SystemError("mkdir"), path: path)
      }
    }
    try syncFolder(parent)
  }

  /// Takes all rights to the folder at `path` from everybody but its owner, if that is this user.
  /// It need not be there.
  @Blocking public static func closeFolder(_ path: String) throws(FileError) {
    do throws(FileError) {
      let folder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
      let status = try folder.status()
      guard status.owner == geteuid(), status.mode & 0o077 != 0 else { return }
      try folder.setMode(status.mode & ~0o077)
    } catch {
      if !error.isMissing { throw error }
    }
  }

  @Blocking static func syncFolder(_ path: String) throws(FileError) {
    try Descriptor(path, O_RDONLY | O_DIRECTORY).sync()
  }
}

/// Writes files on a thread, so that the main loop never waits for the disk.
public final class DurableWriter {
  public typealias Completion = @MainActor (Result<Void, FileError>) -> Void

  /// What waits for one path while an earlier content of it is being written.
  private struct Waiting {
    var bytes: @Sendable () -> [UInt8]
    var completions: [Completion]
  }

  private let worker = Worker(name: "files")
  /// The paths that are being written, each with what is to come after.
  private var paths: [String: Waiting?] = [:]

  public init() {}

  /// Replaces the file at `path` as `DurableFile.replace` does. `bytes` are made on the thread too:
  /// a large text takes its time. Of several that wait for the same path only the newest is
  /// written; `completion` is called, on the main loop, once its bytes or newer ones are on the
  /// disk, or with what kept them from it.
  public func write(
    _ bytes: @autoclosure @escaping @Sendable () -> [UInt8], to path: String,
    completion: @escaping Completion = { _ in }
  ) {
    if let waiting = paths[path] {
      let completions = (waiting?.completions ?? []) + [completion]
      paths[path] = Waiting(bytes: bytes, completions: completions)
    } else {
      paths[path] = .some(nil)
      start(Waiting(bytes: bytes, completions: [completion]), path)
    }
  }

  /// Appends as `DurableFile.append` does, in the order of the calls.
  public func append(
    _ line: @autoclosure @escaping @Sendable () -> String, to path: String, limit: Int = .max,
    completion: @escaping Completion = { _ in }
  ) {
    perform(
      { () throws(FileError) in try DurableFile.append(line(), to: path, limit: limit) },
      then: completion)
  }

  /// Waits until all of it is on the disk, at most `limit`: for the end of the program, when the
  /// main loop runs no more and completions are not called. Returns whether all of it is.
  public func finish(within limit: Duration) -> Bool {
    for (path, waiting) in paths {
      if let waiting { start(waiting, path) }
    }
    paths.removeAll()
    return worker.finish(within: limit)
  }

  private func start(_ waiting: Waiting, _ path: String) {
    let bytes = waiting.bytes
    perform(
      { () throws(FileError) in try DurableFile.replace(path, with: bytes()) },
      then: { [weak self] result in
        self?.startNext(path)
        for completion in waiting.completions { completion(result) }
      })
  }

  private func startNext(_ path: String) {
    if let waiting = paths.removeValue(forKey: path), let waiting {
      paths[path] = .some(nil)
      start(waiting, path)
    }
  }

  private func perform(
    _ work: @escaping @Blocking @Sendable () throws(FileError) -> Void,
    then completion: @escaping Completion
  ) {
    worker.perform {
      let result = Result(catching: work)
      Worker.onMain { completion(result) }
    }
  }
}
