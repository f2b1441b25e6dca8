// SPDX-License-Identifier: GPL-3.0-or-later
//
// The agent's memory goes to the disk after every change of it. Where it cannot, the user is told, and it is
// tried again, less and less often. How the file is written is `DurableFile.swift`'s.

import Bus
import Files
import Language
import Notifications
import Persistence
import Presentation
import Scheduling
import System

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
    notice(
      tr("Alarms cannot be remembered"),
      [
        tr("A restart would forget what was stopped or snoozed: \(problem)"),
        tr("belfry doctor tells more."),
      ], isPersistent: true)
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
