// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file of the user's that an editor may save at any moment, changed so that no save is lost:
// read, edit, lock, compare, replace, and compare once more. Files that are ours alone are
// `DurableFile.swift`'s. It may wait for the disk, and for an editor.

import CGLib
import Glibc

public nonisolated enum SharedFile {
  public enum Failure<Refusal: Error>: Error {
    case file(FileError)
    /// What `edit` threw.
    case refused(Refusal)
    /// Others kept writing it.
    case busy(path: String)
  }

  /// Replaces the file by what `edit` makes of its content, and makes that durable. The content is
  /// nil if there is no file, which is then made; a result of nil changes nothing. If somebody else
  /// saves the file meanwhile, `edit` is asked again with what is there then, for a few seconds.
  ///
  /// Mode, owner, extended attributes and the symbolic links that lead to it are kept. A new file
  /// has the mode that the umask gives it, missing folders 0700. A file that its mode makes
  /// read-only is not replaced.
  @Blocking public static func revise<Refusal: Error>(
    _ path: String, limit: Int, _ edit: @Blocking ([UInt8]?) throws(Refusal) -> [UInt8]?
  ) throws(Failure<Refusal>) {
    var refusal: Refusal?
    @Blocking func ask(_ bytes: [UInt8]?) -> [UInt8]? {
      do throws(Refusal) { return try edit(bytes) } catch { refusal = error }
      return nil
    }
    var isDone = false
    do throws(FileError) {
      for _ in 0..<1000 where !isDone {
        isDone = try attempt(path, limit, ask)
        if !isDone { usleep(5000) }
      }
    } catch {
      throw .file(error)
    }
    if let refusal { throw .refused(refusal) }
    if !isDone { throw .busy(path: path) }
  }

  /// False if somebody else saved the file meanwhile; then their save is in its place.
  @Blocking private static func attempt(
    _ path: String, _ limit: Int, _ edit: ([UInt8]?) -> [UInt8]?
  ) throws(FileError) -> Bool {
    let target = try Path.destination(of: path)
    do throws(FileError) { try Status(of: target).requireFile(target) } catch {
      guard error.isMissing else { throw error }
      if isBeingMade(target) { return false }
      return try edit(nil).map { text throws(FileError) in try make(target, text) } ?? true
    }
    do throws(FileError) {
      let file = try Descriptor(target, O_RDONLY | O_NONBLOCK)
      let status = try file.status()
      let bytes = try DurableFile.read(file, target, limit: limit)
      // Who saves in place empties the file first.
      if bytes.isEmpty, status.wasWritten(within: saving) { return false }
      guard let text = edit(bytes), text != bytes else { return true }
      // By its mode alone: whoever may write the folder could replace it all the same.
      try check(access(target, W_OK), "open", target)
      guard let folder = try lockedFolder(of: target) else { return false }
      let draft = try Draft(for: target, mode: status.mode, in: folder)
      try draft.take(ownerOf: status)
      draft.take(attributesOf: file)
      try draft.write(text)
      // What was saved just now may be half of it.
      if status.wasWritten(within: saving) { usleep(stillness) }
      guard isUntouched(target, since: status), try Path.destination(of: path) == target else {
        return false
      }
      return try replace(target, by: draft, status)
    } catch {
      // Whoever deletes it meanwhile makes it again.
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// If the file was deleted or emptied this recently, whoever did so to save it has done it by
  /// then.
  private static let saving = Duration.seconds(2)

  /// In microseconds, for which a file that was saved just now has to keep still.
  private static let stillness: useconds_t = 50_000

  /// Whether somebody may be about to make the file who has just deleted it.
  @Blocking private static func isBeingMade(_ target: String) -> Bool {
    // An error means that there is no folder, and was no file a moment ago.
    (try? Status(of: Path.folder(of: target)))?.wasWritten(within: saving) ?? false
  }

  /// Makes a file if there is none.
  @Blocking private static func make(_ target: String, _ text: [UInt8]) throws(FileError) -> Bool {
    try DurableFile.makeFolder(Path.folder(of: target))
    guard let folder = try lockedFolder(of: target) else { return false }
    let draft = try Draft(for: target, mode: 0o666, in: folder)
    try draft.write(text)
    guard rename(draft.path, target, .noReplace) || link(draft.path, target) == 0 else {
      guard errno == EEXIST else { throw .system(SystemError("rename"), path: target) }
      return false
    }
    try DurableFile.syncFolder(Path.folder(of: target))
    return true
  }

  /// Puts `draft` in the place of the file that had `status` when it was read. The exchange shows
  /// what was there at that very moment: if that is somebody's save, it goes back.
  @Blocking private static func replace(
    _ target: String, by draft: borrowing Draft, _ status: Status
  ) throws(FileError) -> Bool {
    let new = try draft.file.status()
    guard rename(draft.path, target, .exchange) else {
      let error = SystemError("rename")
      // Not every file system can exchange two files, nor every kernel.
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else {
        throw .system(error, path: target)
      }
      guard isUntouched(target, since: status) else { return false }
      try check(Glibc.rename(draft.path, target), "rename", target)
      try DurableFile.syncFolder(Path.folder(of: target))
      return true
    }
    try DurableFile.syncFolder(Path.folder(of: target))
    if isUntouched(draft.path, since: status) { return true }
    // Unless there is a newer save already. An error means that somebody deleted ours.
    if let now = try? Status(of: target), now.isSameFile(as: new) {
      try check(Glibc.rename(draft.path, target), "rename", target)
    }
    return false
  }

  /// Whether `path` leads to the file that had `status` when it was read, and it was not written
  /// since.
  @Blocking private static func isUntouched(_ path: String, since status: Status) -> Bool {
    // An error means that it is not there.
    (try? Status(of: path))?.isUnwritten(since: status) ?? false
  }

  private enum Renaming: UInt32 {
    /// `RENAME_NOREPLACE`
    case noReplace = 1
    /// `RENAME_EXCHANGE`
    case exchange = 2
  }

  @Blocking private static func rename(_ from: String, _ to: String, _ way: Renaming) -> Bool {
    belfry_rename(from, to, way.rawValue) == 0
  }

  /// For one writer at a time; nil if another has it.
  @Blocking private static func lockedFolder(of target: String) throws(FileError) -> Descriptor? {
    let folder = try Descriptor(Path.folder(of: target), O_RDONLY | O_DIRECTORY)
    if folder.tryLock() { return folder }
    return nil
  }

  /// The new content in a file beside the old one; gone at the end of its life. One that a killed
  /// process left is used up.
  private struct Draft: ~Copyable {
    let path: String
    let file: Descriptor
    private let folder: Descriptor

    /// `mode` is that of the new file, less the umask.
    @Blocking init(for target: String, mode: mode_t, in folder: consuming Descriptor)
      throws(FileError)
    {
      path = Path.join(Path.folder(of: target), ".\(Path.name(of: target)).new")
      unlink(path)
      do throws(FileError) {
        file = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
      } catch {
        // Nobody knows of this file: it is the folder that refuses it.
        throw error.at(Path.folder(of: target))
      }
      self.folder = folder
    }

    deinit { unlink(path) }

    @Blocking func write(_ text: [UInt8]) throws(FileError) {
      try file.write(text)
      try file.sync()
    }

    /// As far as this user may: who edits another's file in a folder of both can only keep its
    /// mode.
    @Blocking func take(ownerOf status: Status) throws(FileError) {
      _ = fchown(file.number, status.owner, status.group)
      try file.setMode(status.mode)
    }

    /// What else is attached to a file, as access control lists, tags and a security label
    /// (xattr(7)): as far as this user may and the disk can.
    @Blocking func take(attributesOf original: borrowing Descriptor) {
      var names = [CChar](repeating: 0, count: Self.mostAttributes)
      let length = flistxattr(original.number, &names, names.count)
      var value = [UInt8](repeating: 0, count: Self.mostAttributes)
      for name in names.prefix(max(0, length)).split(separator: 0) {
        let name = Array(name) + [0]
        let size = fgetxattr(original.number, name, &value, value.count)
        if size >= 0 { fsetxattr(file.number, name, value, size, 0) }
      }
    }

    /// Of a list of names and of a value, in bytes (`XATTR_LIST_MAX` and `XATTR_SIZE_MAX` of
    /// linux/limits.h).
    private static let mostAttributes = 65536
  }
}
