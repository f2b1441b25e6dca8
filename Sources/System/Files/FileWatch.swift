// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports when the file at a path may have changed, however it was changed, and even if parts of
// the path do not exist yet (inotify(7)). The file's content is not read, and nothing is polled. A
// file that is being written is reported when its writer closes it or has been quiet for a second.
// Another thread walks the path, because the path's disk may hang. This class itself belongs to the
// main loop. Next: `WatchedWay.swift`, for the path and the events.

import CGLib
import Glibc
import Language
import Scheduling

/// Watches a file, and every folder and symbolic link on the way to it.
@MainActor public final class FileWatch {
  /// How long to wait for further events before reporting a change: a save causes several events,
  /// and an editor that moves or deletes the old file makes the new file a moment later.
  private static let settling = Duration.milliseconds(60)
  /// How long to wait after the last write, if the writer has not closed the file.
  private static let patience = Duration.seconds(1)

  private enum Change: Hashable {
    /// A folder or link on the way to the file has changed.
    case way
    /// The last name in the path leads to another file, or the file's mode has changed.
    case file
    case created, written, closed
  }

  /// The result of examining the path on another thread.
  private struct Finding: Sendable {
    var way = WatchedWay()
    var problem: FileError?
    var status: FileStatus?
  }

  private let path: String
  private let isWritten: Bool
  private let onWatching: () -> Void
  private let onChange: () -> Void
  let inotify: Inotify
  private var way = WatchedWay()
  /// The status of the file at the last report. A change is reported only if it has changed this
  /// status.
  private var reported: FileStatus?
  /// The status of the file while a writer has not closed it yet; nil if there is no such writer.
  private var unfinished: FileStatus?
  /// The current wait, at whose end a change is reported.
  private var pending: (delay: Duration, source: Source)?

  /// Whether a thread is examining the path now. Events that arrive meanwhile wait.
  private var isExamining = false
  private var waitingEvents: [Inotify.Event] = []
  private var changes: [Change] = []
  private var wantsReport = false

  /// Whether the path has been walked once. From then on no change is missed, unless there is a
  /// `problem`.
  public private(set) var isWatching = false
  /// Why some changes cannot be seen, such as the user's limit of watches (`ENOSPC`); nil if all
  /// changes can be seen. `onChange` is called when the problem appears or disappears.
  public private(set) var problem: FileError?

  /// Watches `path`. A relative path starts at the process's current folder. Throws if the user's
  /// limit of inotify queues is reached (`EMFILE`).
  ///
  /// - Parameters:
  ///   - isWritten: Whether programs write the file. Pass false for a socket, a folder or a link.
  ///     Writes to other files of the same folder then do not wake this program; in `/dev`, each
  ///     write to `/dev/null` would.
  ///   - onWatching: Called once, when the path has been walked. Read the file then, because
  ///     earlier changes are not reported.
  ///   - onChange: Called at each later change of the file, and whenever `problem` changes, which
  ///     may be before `onWatching`.
  public init(
    path: String, isWritten: Bool = true, onWatching: @escaping () -> Void = {},
    onChange: @escaping () -> Void
  ) throws(FileError) {
    self.path =
      OutsideText.isAbsolute(path) ? path : Path.join(Environment.workingFolder ?? "/", path)
    (self.isWritten, self.onWatching, self.onChange) = (isWritten, onWatching, onChange)
    inotify = try Inotify()
    inotify.onEvents = { [weak self] in self?.handle($0) }
    examine()
  }

  /// Whether `onChange` may soon report a change that has already happened.
  public var isSettling: Bool { isExamining || pending != nil && unfinished == nil }

  // MARK: - Examining the path

  /// Lets another thread examine the path, unless one is already doing so. Events that arrive
  /// meanwhile are handled afterwards.
  private func examine() {
    guard !isExamining else { return }
    let (path, isWritten, inotify) = (path, isWritten, inotify.descriptor)
    isExamining = true
    Worker.once("watch") { [weak self] disk in
      var finding = Finding()
      do throws(FileError) {
        try finding.way.watch(path, isWritten: isWritten, by: inotify, on: disk)
      } catch {
        finding.problem = error
      }
      // An error counts as a missing file here. A reader learns the reason when it opens the file.
      finding.status = try? FileStatus(of: path, on: disk)
      Worker.onMain { self?.handle(finding) }
    }
  }

  private func handle(_ finding: Finding) {
    isExamining = false
    let (last, changes, reports) = (way.last, changes, wantsReport)
    (self.changes, wantsReport) = ([], false)
    way = finding.way
    inotify.keep(way.watches)
    if finding.problem != problem {
      problem = finding.problem
      onChange()
    }
    if !isWatching {
      (isWatching, reported) = (true, finding.status)
      onWatching()
    } else if !changes.isEmpty {
      record(changes, finding.status, lastBefore: last)
    }
    if reports { report(finding.status) }
    let events = waitingEvents
    waitingEvents = []
    if !events.isEmpty { handle(events) }
  }

  // MARK: - Events and changes

  private func handle(_ events: [Inotify.Event]) {
    guard !isExamining else {
      waitingEvents += events
      return
    }
    changes += events.compactMap(change)
    if !changes.isEmpty { examine() }
  }

  private func record(
    _ changes: [Change], _ status: FileStatus?, lastBefore: (folder: Int32, name: String)?
  ) {
    if let unfinished, status?.isSameFile(as: unfinished) != true { self.unfinished = nil }
    for change in changes {
      switch change {
      case .way, .file: break
      case .created:
        // A file that was just created is usually still being written. But if the new name is a
        // link, the file is complete. A hard link raises the number of links. A symbolic link leads
        // the path to another folder or name.
        let before = lastBefore ?? (-1, "")
        let isLink = status?.links != 1 || way.last ?? before != before
        unfinished = isLink ? nil : status
      case .written: unfinished = status
      case .closed: unfinished = nil
      }
    }
    debounce(changes, status)
  }

  private func change(by event: Inotify.Event) -> Change? {
    func did(_ flag: Int32) -> Bool { event.mask & UInt32(flag) != 0 }
    if did(IN_Q_OVERFLOW) { return .way }
    if event.watch == way.file, event.name.isEmpty {
      return did(IN_MODIFY) ? .written : did(IN_CLOSE_WRITE) ? .closed : .file
    }
    if event.watch == way.file,
      [IN_CREATE, IN_DELETE, IN_MOVED_FROM, IN_MOVED_TO].contains(where: did)
    {
      return .file
    }
    guard let names = way.names[event.watch] else { return nil }
    // An event without a name concerns the folder itself: it was moved, deleted or unmounted, or
    // its mode was set.
    if event.name.isEmpty { return .way }
    guard names.contains(event.name) else { return nil }
    let isLast = event.watch == way.last?.folder && event.name == way.last?.name
    if did(IN_CLOSE_WRITE) { return isLast ? .closed : nil }
    if !isLast { return .way }
    return did(IN_CREATE) ? .created : .file
  }

  /// Waits as long as `changes` require, then reports.
  private func debounce(_ changes: [Change], _ status: FileStatus?) {
    if unfinished != nil {
      let isWriting = changes.contains { $0 == .created || $0 == .written }
      if isWriting || isNews(status) { wait(Self.patience, again: isWriting) }
    } else if isNews(status) {
      wait(Self.settling, again: false)
    } else {
      pending = nil
    }
  }

  /// Reports after `delay`. If a wait of the same length has already begun, that wait goes on, so
  /// that a file that changes all the time is reported too. With `again`, the wait starts from the
  /// beginning.
  private func wait(_ delay: Duration, again: Bool) {
    if !again, pending?.delay == delay { return }
    let source = MainLoop.after(delay) { [weak self] in
      self?.lookAndReport()
    }
    pending = (delay, source)
  }

  private func lookAndReport() {
    (pending, wantsReport) = (nil, true)
    examine()
  }

  private func report(_ status: FileStatus?) {
    guard isNews(status) else { return }
    reported = status
    onChange()
  }

  /// If the writer of the file has finished, stops waiting for further events: examines the path on
  /// another thread, and then reports a pending change. Until then, `isSettling` is true.
  public func hurry() {
    inotify.drain()
    if pending != nil, unfinished == nil { lookAndReport() }
  }

  private func isNews(_ status: FileStatus?) -> Bool {
    switch (status, reported) {
    case (nil, nil): false
    case (let status?, let reported?): !status.isUnchanged(since: reported)
    default: true
    }
  }
}
