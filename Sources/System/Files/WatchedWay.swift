// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way to a watched file: every folder and symbolic link that its path leads through. Walking it
// looks at each of them, and waits where a disk hangs. Next: `FileWatch.swift`, which has it
// walked.

import CGLib
import Glibc

/// Which kernel watch tells of which part of a path.
nonisolated struct WatchedWay: Sendable {
  /// The names looked up, by the watch of the folder that each is looked up in.
  var names: [Int32: Set<String>] = [:]
  /// Where the last name is looked up: the file itself, or a link that leads to nothing yet.
  var last: (folder: Int32, name: String)?
  var file: Int32?

  var watches: Set<Int32> { Set(names.keys).union([file].compactMap(\.self)) }

  private static let folderEvents =
    UInt32(
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
        | IN_MOVE_SELF)
    | UInt32(IN_ONLYDIR)
  /// Of a folder that is merely passed: what goes on in it must not wake the program.
  private static let passedEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let fileEvents = UInt32(
    IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Walks `path` as the kernel does (path_resolution(7)) and watches each step: a folder on the
  /// way by itself, because it tells when it is moved or deleted; a name that is missing, a link or
  /// the last one in the folder that it is looked up in. That folder is watched before the name is
  /// looked up, so that nothing can change unseen in between.
  ///
  /// - Throws: why a step cannot be watched, such as the user's limit of watches (`ENOSPC`). What
  ///   was watched before that stays watched.
  @Blocking mutating func follow(_ path: String, by inotify: OpenDescriptor) throws(FileError) {
    self = WatchedWay()
    var folder = "/"
    var rest = Array(path.split(separator: "/").reversed())
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = Path.folder(of: folder)
        continue
      }
      let place = Path.join(folder, name)
      if !rest.isEmpty, let passed = try Self.watch(place, Self.passedEvents, by: inotify) {
        if names[passed] == nil { names[passed] = [] }
        folder = place
        continue
      }
      guard try step(folder, name, isLast: rest.isEmpty, by: inotify) else { return }
      if let link = Path.link(at: place) {
        links += 1
        guard links <= Path.mostLinks else { return }
        if link.hasPrefix("/") { folder = "/" }
        rest += link.split(separator: "/").reversed()
      } else if rest.isEmpty {
        file = try Self.watch(place, Self.fileEvents, by: inotify)
      } else {
        folder = place
      }
    }
  }

  /// Notes that `name` is looked up in `folder`; false if there is no such folder.
  @Blocking private mutating func step(
    _ folder: String, _ name: Substring, isLast: Bool, by inotify: OpenDescriptor
  ) throws(FileError) -> Bool {
    let events = Self.folderEvents | (isLast ? UInt32(IN_CLOSE_WRITE) : 0)
    do throws(FileError) {
      let watch = try Inotify.watch(folder, events, by: inotify)
      names[watch, default: []].insert(String(name))
      if isLast { last = (watch, String(name)) }
      return true
    } catch  where error.isMissing {
      return false
    } catch  where error.isDenied {
      // A folder that may be passed but not listed cannot be watched.
      return true
    }
  }

  /// Nil if there is nothing to watch, or not for this user: the folder tells when that changes.
  /// Nor is a link a folder that is passed.
  @Blocking private static func watch(
    _ path: String, _ events: UInt32, by inotify: OpenDescriptor
  ) throws(FileError) -> Int32? {
    do throws(FileError) {
      return try Inotify.watch(path, events, by: inotify)
    } catch  where error.isMissing || error.isDenied {
      return nil
    }
  }
}
