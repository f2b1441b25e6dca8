// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells when what a path leads to may have changed, however it was changed and whatever is missing
// of the path yet (inotify(7)). It reads nothing and polls nothing, and it says nothing of a file
// that is still being written. Next: Inotify.swift, and
// DurableFile.swift, which reads and writes.

import CGLib
import Glibc
import Scheduling

/// Watches every folder and symbolic link on the way to a file, and the file. Make it first and
/// read the file then: so no change falls between the two.
public final class FileWatch {
  /// How long to wait for more before telling.
  private enum Settling {
    /// A save is several events.
    static let saved = Duration.milliseconds(20)
    /// A file found in a folder that was not watched when it was made: nobody saw whether its
    /// writer is done. A writer that goes on shows within this time.
    static let found = Duration.milliseconds(60)
    /// Editors that move the old file away, or delete it, make the new one at once.
    static let gone = Duration.milliseconds(100)
    /// Since the last write of a writer that does not close the file. Whether it can be read then,
    /// the reader finds out.
    static let open = Duration.seconds(1)
  }

  /// The names that the path leads through, and the file at its end.
  private struct Route {
    /// The names looked up, by the watch of the folder that each is looked up in.
    var names: [Int32: Set<String>] = [:]
    /// Where the last name is looked up: the file itself, or a link that leads to nothing yet.
    var last: (folder: Int32, name: String)?
    var file: Int32?
  }

  private enum Change: Hashable {
    /// Something on the way to the file is another.
    case way
    /// The last name is another, or the file's mode.
    case file
    case created, written, closed
  }

  private let path: String
  private let onChange: () -> Void
  private let inotify: Inotify
  private var route = Route()
  private var told: Status?
  /// The file that a writer has not closed yet.
  private var unfinished: Status?
  private var pending: (delay: Duration, source: Source)?
  /// What was told could not be read, and how long the next attempt waits.
  private var isOwed = false
  private var patience = Settling.saved

  /// What keeps some changes from being seen, such as the user's limit of watches (`ENOSPC`).
  /// `onChange` is called when it comes and when it goes.
  public private(set) var problem: FileError?

  /// `path` may be relative to the folder that the process is in now. Throws where nothing can be
  /// watched: the user's limits of inotify are reached (`EMFILE`, `ENOSPC`).
  public init(path: String, onChange: @escaping () -> Void) throws(FileError) {
    self.path = path.hasPrefix("/") ? path : Path.join(Environment.workingFolder ?? "/", path)
    self.onChange = onChange
    inotify = try Inotify()
    try follow()
    told = status
    inotify.onEvents = { [weak self] in self?.take($0) }
  }

  /// Whether a writer was seen who has not closed the file.
  public var isOpen: Bool { unfinished != nil }

  private var status: Status? {
    // Whatever the reason, to a reader there is no file; its own attempt tells it which.
    try? Status(of: path)
  }

  // MARK: - The way to the file

  private static let folderEvents =
    UInt32(
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF
        | IN_MOVE_SELF)
    | UInt32(IN_ONLYDIR)
  /// Of a folder that is merely passed: what goes on in it must not wake the program.
  private static let passedEvents = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
  private static let fileEvents = UInt32(
    IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

  /// Walks the path as the kernel does (path_resolution(7)) and watches each step: a folder on the
  /// way by itself, for it tells when it is moved or deleted; a name that is missing, a link or the
  /// last one in the folder that it is looked up in. That folder is watched before the name is
  /// looked up, so that nothing can change unseen in between.
  private func follow() throws(FileError) {
    var route = Route()
    defer {
      self.route = route
      inotify.keep(Set(route.names.keys).union([route.file].compactMap(\.self)))
    }
    var folder = "/"
    var rest = Array(path.split(separator: "/").reversed())
    var links = 0
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = Path.folder(of: folder)
        continue
      }
      if !rest.isEmpty, let passed = try watch(Path.join(folder, name), Self.passedEvents) {
        if route.names[passed] == nil { route.names[passed] = [] }
        folder = Path.join(folder, name)
        continue
      }
      let events = Self.folderEvents | (rest.isEmpty ? UInt32(IN_CLOSE_WRITE) : 0)
      guard try step(folder, events, name, isLast: rest.isEmpty, in: &route) else { return }
      let place = Path.join(folder, name)
      if let link = Path.link(at: place) {
        links += 1
        guard links <= Path.mostLinks else { return }
        if link.hasPrefix("/") { folder = "/" }
        rest += link.split(separator: "/").reversed()
      } else if rest.isEmpty {
        route.file = try watch(place, Self.fileEvents)
      } else {
        folder = place
      }
    }
  }

  /// Notes that `name` is looked up in `folder`; false where there is no such folder.
  private func step(
    _ folder: String, _ events: UInt32, _ name: Substring, isLast: Bool, in route: inout Route
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      let watch = try inotify.watch(folder, events)
      route.names[watch, default: []].insert(String(name))
      if isLast { route.last = (watch, String(name)) }
      return true
    } catch  where error.isMissing {
      return false
    } catch  where error.isDenied {
      // A folder that may be passed but not listed cannot be watched.
      return true
    }
  }

  /// Nil where there is nothing to watch, or not for this user: the folder tells when that changes. Nor is a
  /// link a folder that is passed.
  private func watch(_ path: String, _ events: UInt32) throws(FileError) -> Int32? {
    do throws(FileError) {
      return try inotify.watch(path, events)
    } catch  where error.isMissing || error.isDenied {
      return nil
    }
  }

  // MARK: - What happened

  private func take(_ events: [Inotify.Event]) {
    let changes = events.compactMap(change)
    guard !changes.isEmpty else { return }
    let last = route.last ?? (-1, "")
    if changes.contains(where: { $0 != .written && $0 != .closed }) { followAgain() }
    let status = status
    if let unfinished, status?.isSameFile(as: unfinished) != true { self.unfinished = nil }
    for change in changes {
      switch change {
      case .way, .file: break
      case .created:
        // Linked, with a second name or by a symbolic link, rather than opened for writing?
        let isLink = status?.links != 1 || route.last ?? last != last
        unfinished = isLink ? nil : status
      case .written: unfinished = status
      case .closed: unfinished = nil
      }
    }
    settle(changes, status)
  }

  private func change(by event: Inotify.Event) -> Change? {
    func did(_ flag: Int32) -> Bool { event.mask & UInt32(flag) != 0 }
    if did(IN_Q_OVERFLOW) { return .way }
    if event.watch == route.file, event.name.isEmpty {
      return did(IN_MODIFY) ? .written : did(IN_CLOSE_WRITE) ? .closed : .file
    }
    guard let names = route.names[event.watch] else { return nil }
    // Without a name it is about the folder itself: moved, deleted, unmounted, its mode set.
    if event.name.isEmpty { return .way }
    guard names.contains(event.name) else { return nil }
    let isLast = event.watch == route.last?.folder && event.name == route.last?.name
    if did(IN_CLOSE_WRITE) { return isLast ? .closed : nil }
    if !isLast { return .way }
    return did(IN_CREATE) ? .created : .file
  }

  private func followAgain() {
    let former = problem
    do throws(FileError) {
      try follow()
      problem = nil
    } catch {
      problem = error
    }
    if problem != former { onChange() }
  }

  /// Waits for as long as `changes` ask for, and tells then.
  private func settle(_ changes: [Change], _ status: Status?) {
    patience = Settling.saved
    if unfinished != nil {
      let isWriting = changes.contains { $0 == .created || $0 == .written }
      if isWriting || isNews(status) { wait(Settling.open, again: isWriting) }
    } else if isNews(status) {
      let onlyWay = changes.allSatisfy { $0 == .way }
      wait(status == nil ? Settling.gone : onlyWay ? Settling.found : Settling.saved, again: false)
    } else {
      pending = nil
    }
  }

  /// A wait of the same length goes on unless `again`: a file that changes all the time is told.
  private func wait(_ delay: Duration, again: Bool) {
    if !again, pending?.delay == delay { return }
    pending = (delay, MainLoop.after(delay) { [weak self] in self?.tell() })
  }

  private func tell() {
    pending = nil
    let status = status
    guard isNews(status) else { return }
    (told, isOwed) = (status, false)
    onChange()
  }

  /// What was told could not be read, since somebody writes it: tells again when he is done. In case
  /// that goes unseen, also soon, and then less and less often.
  public func tellAgain() {
    isOwed = true
    guard pending == nil else { return }
    wait(patience, again: true)
    patience = patience * 2
  }

  /// Tells now what it would tell soon, where the writer of the file is done.
  public func hurry() {
    inotify.drain()
    if pending != nil, unfinished == nil, let status, isNews(status) { tell() }
  }

  private func isNews(_ status: Status?) -> Bool {
    if isOwed { return true }
    return switch (status, told) {
    case (nil, nil): false
    case (let status?, let told?): !status.isUnchanged(since: told)
    default: true
    }
  }
}
