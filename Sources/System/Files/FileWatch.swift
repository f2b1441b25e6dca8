// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells when what a path leads to may have changed, however it was changed and whatever is missing
// of the path yet (inotify(7)). It reads nothing and polls nothing, and it reports a file that is
// being written when it is closed or has been quiet for a second. A thread looks at the path,
// because its disk may hang; this class lives on the main loop. Next: `WatchedWay.swift`, the path;
// `Inotify.swift`, the events.

import CGLib
import Glibc
import Scheduling

/// Watches every folder and symbolic link on the way to a file, and the file.
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
    /// Since the last write of a writer that does not close the file.
    static let open = Duration.seconds(1)
  }

  private enum Change: Hashable {
    /// Something on the way to the file is another.
    case way
    /// The last name is another, or the file's mode.
    case file
    case created, written, closed
  }

  /// What a look at the path found.
  private nonisolated struct Finding: Sendable {
    /// Nil if the way was not walked again.
    var way: WatchedWay?
    var problem: FileError?
    var status: Status?
  }

  private let path: String
  private let onWatching: () -> Void
  private let onChange: () -> Void
  let inotify: Inotify
  private var way = WatchedWay()
  private var told: Status?
  /// The file that a writer has not closed yet.
  private var unfinished: Status?
  private var pending: (delay: Duration, source: Source)?

  /// Whether a thread looks at the path now, and what has come meanwhile.
  private var isLooking = false
  private var waitingEvents: [Inotify.Event] = []
  private var changes: [Change] = []
  private var wantsWalk = true
  private var wantsTelling = false

  /// Whether the path has been walked, so that no change is missed from then on.
  public private(set) var isWatching = false
  /// What keeps some changes from being seen, such as the user's limit of watches (`ENOSPC`).
  /// `onChange` is called when it comes and when it goes.
  public private(set) var problem: FileError?

  /// Watches `path`, which may be relative to the folder that the process is in now. Throws if the
  /// user's limit of inotify is reached (`EMFILE`).
  ///
  /// - Parameters:
  ///   - onWatching: Called once, when no change is missed any more: read the file then.
  ///   - onChange: Called at each change after that.
  public init(
    path: String, onWatching: @escaping () -> Void = {}, onChange: @escaping () -> Void
  ) throws(FileError) {
    self.path = path.hasPrefix("/") ? path : Path.join(Environment.workingFolder ?? "/", path)
    (self.onWatching, self.onChange) = (onWatching, onChange)
    inotify = try Inotify()
    inotify.onEvents = { [weak self] in self?.take($0) }
    look()
  }

  /// Whether `onChange` may be called soon for what has happened already.
  public var isSettling: Bool { isLooking || pending != nil && unfinished == nil }

  // MARK: - Looking at the path

  /// Has a thread look at the path, after the look under way.
  private func look() {
    guard !isLooking else { return }
    let (path, inotify, walks) = (path, inotify.descriptor, wantsWalk)
    isLooking = true
    wantsWalk = false
    Worker.once("watch") { [weak self] in
      var finding = Finding()
      if walks {
        var way = WatchedWay()
        do throws(FileError) { try way.follow(path, by: inotify) } catch { finding.problem = error }
        finding.way = way
      }
      // Whatever the reason, to a reader there is no file; its own attempt tells it which.
      finding.status = try? Status(of: path)
      Worker.onMain { self?.take(finding) }
    }
  }

  private func take(_ finding: Finding) {
    isLooking = false
    let (last, changes, tells) = (way.last, changes, wantsTelling)
    (self.changes, wantsTelling) = ([], false)
    if let way = finding.way {
      self.way = way
      inotify.keep(way.watches)
      if finding.problem != problem {
        problem = finding.problem
        onChange()
      }
    }
    if !isWatching {
      (isWatching, told) = (true, finding.status)
      onWatching()
    } else if !changes.isEmpty {
      note(changes, finding.status, lastBefore: last)
    }
    if tells { tell(finding.status) }
    let events = waitingEvents
    waitingEvents = []
    if !events.isEmpty { take(events) }
  }

  // MARK: - What happened

  private func take(_ events: [Inotify.Event]) {
    guard !isLooking else {
      waitingEvents += events
      return
    }
    changes += events.compactMap(change)
    guard !changes.isEmpty else { return }
    if changes.contains(where: { $0 != .written && $0 != .closed }) { wantsWalk = true }
    look()
  }

  private func note(
    _ changes: [Change], _ status: Status?, lastBefore: (folder: Int32, name: String)?
  ) {
    if let unfinished, status?.isSameFile(as: unfinished) != true { self.unfinished = nil }
    for change in changes {
      switch change {
      case .way, .file: break
      case .created:
        // Linked, with a second name or by a symbolic link, rather than opened for writing?
        let before = lastBefore ?? (-1, "")
        let isLink = status?.links != 1 || way.last ?? before != before
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
    if event.watch == way.file, event.name.isEmpty {
      return did(IN_MODIFY) ? .written : did(IN_CLOSE_WRITE) ? .closed : .file
    }
    guard let names = way.names[event.watch] else { return nil }
    // Without a name it is about the folder itself: moved, deleted, unmounted, its mode set.
    if event.name.isEmpty { return .way }
    guard names.contains(event.name) else { return nil }
    let isLast = event.watch == way.last?.folder && event.name == way.last?.name
    if did(IN_CLOSE_WRITE) { return isLast ? .closed : nil }
    if !isLast { return .way }
    return did(IN_CREATE) ? .created : .file
  }

  /// Waits for as long as `changes` ask for, and tells then.
  private func settle(_ changes: [Change], _ status: Status?) {
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
    let source = MainLoop.after(delay) { [weak self] in
      self?.pending = nil
      self?.lookAndTell()
    }
    pending = (delay, source)
  }

  private func lookAndTell() {
    wantsTelling = true
    look()
  }

  private func tell(_ status: Status?) {
    guard isNews(status) else { return }
    told = status
    onChange()
  }

  /// Tells at once what it would tell soon, if the writer of the file is done; see `isSettling`.
  public func hurry() {
    inotify.drain()
    guard pending != nil, unfinished == nil else { return }
    pending = nil
    lookAndTell()
  }

  private func isNews(_ status: Status?) -> Bool {
    switch (status, told) {
    case (nil, nil): false
    case (let status?, let told?): !status.isUnchanged(since: told)
    default: true
    }
  }
}
