// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's memory on disk. What cannot be read is kept beside it under another name and said;
// the agent then begins anew rather than not at all.

import Bus
import Language
import Notifications
import Persistence
import Scheduling
import System

public nonisolated enum StateFile {
  /// Larger is no state of ours: a hundred thousand alarms take 16 MB.
  static let limit = 64 * 1024 * 1024

  /// What is remembered at `path`, and what was wrong with it, in words.
  public static func read(_ path: String) -> (state: State, problem: Message?) {
    do throws(FileError) {
      let bytes = try DurableFile.read(path, limit: limit)
      let (state, problems) = StateText.parse(bytes)
      return (state, problems.isEmpty ? nil : Message("\(path):\(problems[0].message)"))
    } catch {
      return error.isMissing ? (State(), nil) : (State(), error.message)
    }
  }

  /// How many bytes are written for a state like that at `path`: it is written anew beside the old.
  static func size(_ path: String) -> Int { max(4096, DurableFile.size(of: path) ?? 0) }

  /// Keeps what could not be read under the name that it returns: a copy of a file, in which there
  /// may be something that can be relied on; anything else itself, so that there is room for a file.
  static func keep(_ path: String) throws(FileError) -> String {
    let kept = path + ".unreadable"
    let bytes: [UInt8]
    do throws(FileError) { bytes = try DurableFile.read(path, limit: limit) } catch {
      try DurableFile.move(path, to: kept)
      return kept
    }
    try DurableFile.replace(kept, with: bytes)
    return kept
  }
}

/// The agent could not save its memory. What it does is done, but a restart would take it back.
struct Unsaved {
  /// How long the next attempt waits; an attempt is also made with each change, and at leaving.
  var delay: Duration = .seconds(1)
  var attempt: Source?

  static let longestDelay: Duration = .minutes(5)
}

extension Agent {
  private static let unsavedNotice = "unsaved"

  /// Makes the state durable, and calls back when it is, or with what kept it from that. It is tried
  /// again then, less and less often.
  func remember(then done: @escaping (FileError?) -> Void = { _ in }) {
    // What it remembers of a hundred thousand alarms is gathered beside the main loop.
    let schedule = schedule
    writer.write(Array(StateText.render(schedule.state).utf8), to: locations.state) {
      [weak self] result in
      var problem: FileError?
      if case .failure(let error) = result { problem = error }
      self?.attempted(problem)
      done(problem)
    }
  }

  private func attempted(_ problem: FileError?) {
    guard let problem else {
      if unsaved != nil {
        Log.info("the state is saved again")
        untell(Self.unsavedNotice)
      }
      unsaved = nil
      return
    }
    if unsaved == nil {
      Log.error("the state is not saved: \(problem)")
      tell(Self.unsavedNotice) { $0.unsaved(problem) }
    }
    var unsaved = unsaved ?? Unsaved()
    if unsaved.attempt == nil {
      unsaved.attempt = MainLoop.after(unsaved.delay) { [weak self] in
        self?.unsaved?.attempt = nil
        self?.remember()
      }
      unsaved.delay = min(unsaved.delay * 2, Unsaved.longestDelay)
    }
    self.unsaved = unsaved
  }
}

extension Wording {
  func unsaved(_ problem: FileError) -> NotificationContent {
    var notice = NotificationContent(
      title: tr("Alarms cannot be remembered"),
      body: [
        tr("A restart would forget what was stopped or snoozed: \(problem)"),
        tr("belfry doctor tells more."),
      ].joined(separator: "\n"), icon: icon)
    notice.isPersistent = true
    return notice
  }
}

extension Bus.Call {
  /// Replies that it is done, or that it is done and `problem` kept it from the disk.
  func reply(_ values: [Variant] = [], unless problem: FileError?) {
    guard let problem else { return reply(values) }
    fail(
      .notSaved,
      tr(
        """
        done, but a restart will take it back, for it is not saved: \(problem)
        make room, or see belfry doctor; it is saved as soon as that can be
        """))
  }
}
