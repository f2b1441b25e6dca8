// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way to a watched file: every folder and symbolic link that its path leads through, and the
// kernel's queue of events about them (inotify(7)). Walking the way reads each of them and may wait
// for a disk that hangs. `FileWatch.swift` decides what the events mean for a file.

import CGLib
import Glibc
import Language

/// Records which kernel watch (inotify(7)) reports on which part of a path.
struct WatchedWay: Sendable {
  /// For each watch of a folder, the names that the path looks up in that folder.
  var names: [Int32: Set<String>] = [:]
  /// The watch of the last folder, and the name in that folder that leads to the file or to a link
  /// whose target is missing.
  var last: (folder: Int32, name: String)?
  var file: Int32?

  var watches: Set<Int32> { Set(names.keys).union([file].compactMap(\.self)) }

  private static let folderEvents =
    UInt32(
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
        | IN_MOVE_SELF)
    | UInt32(IN_ONLYDIR)
  /// The events of a folder that the path only passes through. Files that change in such a folder
  /// must not wake the program.
  private static let passedEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  /// The last four events happen only in a folder: if the path leads to a folder, the names in it
  /// are watched, too.
  private static let fileEvents = UInt32(
    IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)

  /// Walks `path` as the kernel does (path_resolution(7)) and watches each step. A folder on the
  /// way is watched itself, because it reports its own move or deletion. If the step is a link, a
  /// missing name or the last name of the path, the folder that contains the name is watched. That
  /// watch begins before the name is looked up, so no change in between goes unseen.
  ///
  /// If `isWritten`, the last folder also reports when a writer closes a file in it.
  ///
  /// - Throws: The error if a step cannot be watched, such as the user's limit of watches
  ///   (`ENOSPC`). Steps watched before that stay watched.
  mutating func watch(
    _ path: String, isWritten: Bool, by inotify: OpenDescriptor, on disk: Disk
  ) throws(FileError) {
    self = WatchedWay()
    var folder = "/"
    var rest = Array(OutsideText.names(in: path).reversed())
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = Path.folder(of: folder)
        continue
      }
      let place = Path.join(folder, name)
      if !rest.isEmpty, let passed = try Self.watch(place, Self.passedEvents, by: inotify, on: disk)
      {
        if names[passed] == nil { names[passed] = [] }
        folder = place
        continue
      }
      let isLast = rest.isEmpty
      guard
        try step(folder, name, isLast: isLast, isWritten: isWritten, by: inotify, on: disk)
      else { return }
      if let link = Path.link(at: place, on: disk) {
        links += 1
        guard links <= Path.mostLinks else { return }
        if OutsideText.isAbsolute(link) { folder = "/" }
        rest += OutsideText.names(in: link).reversed()
      } else if rest.isEmpty {
        file = try Self.watch(place, Self.fileEvents, by: inotify, on: disk)
      } else {
        folder = place
      }
    }
  }

  /// Watches `folder` for changes of `name`. Returns false if `folder` is missing: the walk then
  /// ends.
  private mutating func step(
    _ folder: String, _ name: String, isLast: Bool, isWritten: Bool, by inotify: OpenDescriptor,
    on disk: Disk
  ) throws(FileError) -> Bool {
    let events = Self.folderEvents | (isLast && isWritten ? UInt32(IN_CLOSE_WRITE) : 0)
    do throws(FileError) {
      let watch = try Self.add(folder, events, to: inotify, on: disk)
      names[watch, default: []].insert(name)
      if isLast { last = (watch, name) }
      return true
    } catch  where error.isMissing {
      return false
    } catch  where error.isDenied {
      // A folder that may be entered but not listed cannot be watched. The walk goes on without
      // that watch.
      return true
    }
  }

  /// Watches `path`. Returns nil if `path` is missing, if this user may not watch it, or if
  /// `events` asks for a folder and `path` is a file or a link. If `path` appears, is replaced or
  /// becomes readable later, the watch of the folder that contains it reports that.
  private static func watch(
    _ path: String, _ events: UInt32, by inotify: OpenDescriptor, on disk: Disk
  ) throws(FileError) -> Int32? {
    do throws(FileError) {
      return try Self.add(path, events, to: inotify, on: disk)
    } catch  where error.isMissing || error.isDenied {
      return nil
    }
  }

  /// Watches the file, folder or symbolic link at `path`, without following the link
  /// (`inotify_add_watch`). A file or folder that is already watched under another path gets the
  /// same watch.
  private static func add(
    _ path: String, _ mask: UInt32, to inotify: OpenDescriptor, on disk: Disk
  ) throws(FileError) -> Int32 {
    let flags = mask | UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)
    let watch = inotify_add_watch(inotify.number, path, flags)
    try check(watch, "inotify_add_watch", path)
    return watch
  }
}

/// A queue of the kernel's file events (`inotify_init1`).
@MainActor final class Inotify {
  struct Event {
    let watch: Int32
    let mask: UInt32
    let name: String
  }

  var onEvents: (([Event]) -> Void)?
  /// The descriptor of the queue. The thread that adds watches holds this `OpenDescriptor` too, so
  /// the queue stays open as long as that thread uses it.
  let descriptor: OpenDescriptor
  private var source: Source?
  private var watches: Set<Int32> = []

  init() throws(FileError) {
    let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    try check(number, "inotify_init1", "")
    descriptor = OpenDescriptor(adopting: number)
    source = MainLoop.onReadable(number) { [weak self] in self?.drain() }
  }

  /// Passes the events that have arrived to `onEvents`.
  func drain() { onEvents?(events()) }

  // Release the main loop's source first, because it must not outlive the descriptor.
  deinit { source = nil }

  /// Ends all watches except `kept` (`inotify_rm_watch`).
  func keep(_ kept: Set<Int32>) {
    // This fails, without harm, if the kernel has already ended the watch because the file or
    // folder is gone.
    for watch in watches.subtracting(kept) { inotify_rm_watch(descriptor.number, watch) }
    watches = kept
  }

  private func events() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 65536)
    var events: [Event] = []
    // At the end of the queue, `read` fails with EAGAIN.
    while case let count = read(descriptor.number, &bytes, bytes.count), count > 0 {
      events += Self.events(in: bytes[..<count])
    }
    return events
  }

  private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
    let header = MemoryLayout<inotify_event>.size
    var events: [Event] = []
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + header <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let end = offset + header + Int(event.len)
        let name = bytes[offset + header..<end].prefix { $0 != 0 }
        events.append(
          Event(
            watch: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
        offset = end
      }
    }
    return events
  }
}
