// SPDX-License-Identifier: GPL-3.0-or-later
//
// Changes a file that the user's editor may save at any moment, without losing such a save. The
// steps are: read, edit, lock, compare, replace, and compare once more. The functions may wait for
// the disk and for an editor. `DurableFile.swift` is for files that only Belfry writes.

import CGLib
import Glibc

public enum SharedFile {
  public enum Failure<Refusal: Error>: Error {
    case file(FileError)
    /// The error that `edit` threw.
    case refused(Refusal)
    /// Other programs kept writing the file.
    case busy(path: String)
  }

  /// Replaces the content of the file with the result of `edit`, durably. `edit` gets the old
  /// content. If there is no file, `edit` gets nil, and the file is made. If `edit` returns nil,
  /// nothing is changed. If another program saves the file meanwhile, `edit` is called again with
  /// the new content, for a few seconds.
  ///
  /// Mode, owner, extended attributes and the symbolic links that lead to the file are kept. A new
  /// file has the mode that the umask gives it; missing folders are made with mode 0700. A file
  /// whose mode makes it read-only is not replaced.
  public static func revise<Refusal: Error>(
    _ path: String, limit: Int, on disk: Disk, _ edit: ([UInt8]?) throws(Refusal) -> [UInt8]?
  ) throws(Failure<Refusal>) {
    var refusal: Refusal?
    func ask(_ bytes: [UInt8]?) -> [UInt8]? {
      do throws(Refusal) { return try edit(bytes) } catch { refusal = error }
      return nil
    }
    var isDone = false
    do throws(FileError) {
      for _ in 0..<1000 where !isDone {
        isDone = try attempt(path, limit, on: disk, ask)
        if !isDone { usleep(5000) }
      }
    } catch {
      throw .file(error)
    }
    if let refusal { throw .refused(refusal) }
    if !isDone { throw .busy(path: path) }
  }

  /// Tries to edit the file once. Returns false if another program saved the file meanwhile. Then
  /// the file contains that program's save.
  private static func attempt(
    _ path: String, _ limit: Int, on disk: Disk, _ edit: ([UInt8]?) -> [UInt8]?
  ) throws(FileError) -> Bool {
    let target = try Path.destination(of: path, on: disk)
    do throws(FileError) { try FileStatus(of: target, on: disk).requireFile(target) } catch {
      guard error.isMissing else { throw error }
      if isBeingMade(target, on: disk) { return false }
      return try edit(nil).map { text throws(FileError) in try make(target, text, on: disk) }
        ?? true
    }
    do throws(FileError) {
      let file = try Descriptor(target, O_RDONLY | O_NONBLOCK, on: disk)
      let status = try file.status()
      let bytes = try DurableFile.read(file, target, limit: limit, on: disk)
      // A program that saves in place empties the file first, so an empty file may be in the middle
      // of a save. Try again later.
      if bytes.isEmpty, status.wasWritten(within: saving) { return false }
      guard let text = edit(bytes), text != bytes else { return true }
      // Respect a read-only mode. Write access to the folder alone would allow replacing the file.
      try check(access(target, W_OK), "open", target)
      guard let folder = try lockedFolder(of: target, on: disk) else { return false }
      let draft = try Draft(for: target, mode: status.mode, in: folder, on: disk)
      try draft.copyOwner(of: status, on: disk)
      draft.copyAttributes(of: file, on: disk)
      try draft.write(text, on: disk)
      // A file saved just now may be only half written, so wait, then check that the file is
      // unchanged.
      if status.wasWritten(within: saving) { usleep(stillness) }
      guard isUntouched(target, since: status, on: disk),
        try Path.destination(of: path, on: disk) == target
      else {
        return false
      }
      return try replace(target, by: draft, status, on: disk)
    } catch {
      // A program that deletes the file while saving will make it again, so try again.
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// How long a save takes at most. If a file was deleted or emptied less than this time ago, a
  /// program may be in the middle of saving it.
  private static let saving = Duration.seconds(2)

  /// How long a file that was saved just now must stay unchanged, in microseconds.
  private static let stillness: useconds_t = 50_000

  /// Whether a program may have just deleted the file and be about to make it again.
  private static func isBeingMade(_ target: String, on disk: Disk) -> Bool {
    // An error means that there is no folder, so there was no file a moment ago either.
    (try? FileStatus(of: Path.folder(of: target), on: disk))?.wasWritten(within: saving) ?? false
  }

  /// Makes the file with the content `text`. Returns false if another program made the file
  /// meanwhile.
  private static func make(
    _ target: String, _ text: [UInt8], on disk: Disk
  ) throws(FileError) -> Bool {
    try DurableFile.makeFolder(Path.folder(of: target), on: disk)
    guard let folder = try lockedFolder(of: target, on: disk) else { return false }
    let draft = try Draft(for: target, mode: 0o666, in: folder, on: disk)
    try draft.write(text, on: disk)
    guard rename(draft.path, target, .noReplace, on: disk) || link(draft.path, target) == 0 else {
      guard errno == EEXIST else { throw .system(SystemError("rename"), path: target) }
      return false
    }
    try DurableFile.syncFolder(Path.folder(of: target), on: disk)
    return true
  }

  /// Replaces the file at `target` by `draft`, unless another program has saved `target` since it
  /// was read. `status` is the status of `target` at that time. The two files are exchanged, so
  /// that the old file can be examined afterwards. If the old file turns out to be another
  /// program's save, that save is put back and the result is false.
  private static func replace(
    _ target: String, by draft: borrowing Draft, _ status: FileStatus, on disk: Disk
  ) throws(FileError) -> Bool {
    let new = try draft.file.status()
    guard rename(draft.path, target, .exchange, on: disk) else {
      let error = SystemError("rename")
      // Not every file system and kernel can exchange two files.
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else {
        throw .system(error, path: target)
      }
      guard isUntouched(target, since: status, on: disk) else { return false }
      try check(Glibc.rename(draft.path, target), "rename", target)
      try DurableFile.syncFolder(Path.folder(of: target), on: disk)
      return true
    }
    try DurableFile.syncFolder(Path.folder(of: target), on: disk)
    if isUntouched(draft.path, since: status, on: disk) { return true }
    // Put back the version that the other program saved, unless the file has been replaced again.
    // If it cannot be examined, someone has deleted it, and it stays deleted.
    if let now = try? FileStatus(of: target, on: disk), now.isSameFile(as: new) {
      try check(Glibc.rename(draft.path, target), "rename", target)
    }
    return false
  }

  /// Whether `path` still leads to the same file with the same content as when `status` was read.
  private static func isUntouched(_ path: String, since status: FileStatus, on disk: Disk) -> Bool {
    // An error means that the file is gone.
    (try? FileStatus(of: path, on: disk))?.isUnwritten(since: status) ?? false
  }

  private enum Renaming: UInt32 {
    /// The flag `RENAME_NOREPLACE` of renameat2(2): fails if the new name is taken.
    case noReplace = 1
    /// The flag `RENAME_EXCHANGE` of renameat2(2): exchanges two files.
    case exchange = 2
  }

  private static func rename(_ from: String, _ to: String, _ way: Renaming, on disk: Disk) -> Bool {
    belfry_rename(from, to, way.rawValue) == 0
  }

  /// Opens and locks the folder of `target`, so that only one writer works there at a time. Returns
  /// nil if another writer has the lock.
  private static func lockedFolder(
    of target: String, on disk: Disk
  ) throws(FileError) -> Descriptor? {
    let folder = try Descriptor(Path.folder(of: target), O_RDONLY | O_DIRECTORY, on: disk)
    if folder.tryLock() { return folder }
    return nil
  }

  /// The new content, in a temporary file beside the old file. The temporary file is removed when
  /// this value is destroyed. A temporary file that a killed process left is removed first.
  private struct Draft: ~Copyable {
    let path: String
    let file: Descriptor
    private let target: String
    private let folder: Descriptor

    /// `mode` is the mode of the new file, from which the bits of the umask are removed.
    init(
      for target: String, mode: mode_t, in folder: consuming Descriptor, on disk: Disk
    ) throws(FileError) {
      let path = Path.join(Path.folder(of: target), ".\(Path.name(of: target)).new")
      unlink(path)
      let file: Descriptor
      do throws(FileError) {
        file = try Descriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, on: disk)
      } catch {
        // The user does not know the name of this temporary file, so report an error of its folder.
        throw error.at(Path.folder(of: target))
      }
      // The properties are set only here: Swift 6.2 crashes if an initializer of this type throws
      // after some properties have been set.
      self.path = path
      self.file = file
      self.target = target
      self.folder = folder
    }

    deinit { unlink(path) }

    func write(_ text: [UInt8], on disk: Disk) throws(FileError) {
      do throws(FileError) {
        try file.write(text)
        try file.sync()
      } catch {
        throw error.at(target)
      }
    }

    /// Gives the new file the owner and mode of the old file, if this user may do so. If the old
    /// file belongs to another user, as in a shared folder, only its mode can be kept.
    func copyOwner(of status: FileStatus, on disk: Disk) throws(FileError) {
      _ = fchown(file.number, status.owner, status.group)
      try file.setMode(status.mode)
    }

    /// Copies the extended attributes: access control lists, tags, a security label (xattr(7)).
    /// Skips attributes that this user may not set or that the disk cannot store.
    func copyAttributes(of original: borrowing Descriptor, on disk: Disk) {
      var names = [CChar](repeating: 0, count: Self.mostAttributes)
      let length = flistxattr(original.number, &names, names.count)
      var value = [UInt8](repeating: 0, count: Self.mostAttributes)
      for name in names.prefix(max(0, length)).split(separator: 0) {
        let name = Array(name) + [0]
        let size = fgetxattr(original.number, name, &value, value.count)
        if size >= 0 { fsetxattr(file.number, name, value, size, 0) }
      }
    }

    /// The maximum size in bytes of the list of attribute names, and of one value (`XATTR_LIST_MAX`
    /// and `XATTR_SIZE_MAX` in linux/limits.h).
    private static let mostAttributes = 65536
  }
}
