// SPDX-License-Identifier: GPL-3.0-or-later
//
// Saves the agent's state after every change, and shows a notification if saving fails. Next:
// `Storage.swift`, which writes the files.

import Bus
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Agent {
  static let unsavedNotice = "unsaved"
  static let setAsideNotice = "set-aside"

  /// Saves the state. Calls `done` once: with nil when the state is on the disk, or with the error
  /// if writing fails or takes too long.
  func remember(then done: @escaping (FileError?) -> Void = { _ in }) {
    storage.save(schedule, then: done)
  }

  func perform(_ act: Storage.Act) {
    switch act {
    case .failed(let problem): notify(Self.unsavedNotice) { $0.unsaved(problem) }
    case .recovered: notifier.withdraw(Self.unsavedNotice)
    case .tryAgain: remember()
    }
  }

  /// Says that the stored state was set aside after repeated crashes.
  func reportSetAside(_ paths: [String]) {
    Log.error(
      "the last two agents crashed soon after their start, so this one starts without their "
        + "state, which is kept as \(paths.joined(separator: " and "))")
    notify(Self.setAsideNotice) { $0.setAside(paths) }
  }
}

extension Wording {
  func unremembered() -> NotificationContent {
    notice(
      tr("Timers and snoozes cannot be read yet"),
      [
        tr("The saved state is on a disk that does not respond. Alarms ring as the config says."),
        tr("More: “belfry doctor”"),
      ], isPersistent: true)
  }

  func setAside(_ paths: [String]) -> NotificationContent {
    notice(
      tr("Timers and snoozes were set aside"),
      [
        tr("Belfry crashed twice in a row. Alarms ring as the config says."),
        tr("The old state is kept: \(paths.joined(separator: ", "))"),
      ], isPersistent: true)
  }

  func unsaved(_ problem: FileError) -> NotificationContent {
    notice(
      tr("The state of alarms cannot be saved"),
      [
        tr("A restart would forget what was stopped or snoozed: \(problem)"),
        tr("More: “belfry doctor”"),
      ], isPersistent: true)
  }
}

extension Bus.Call {
  /// Replies that the call succeeded. If there is a `problem`, replies with an error instead, which
  /// says that the change was made but could not be saved.
  func reply(_ values: [Variant] = [], unless problem: FileError?) {
    guard let problem else { return reply(values) }
    let remedy =
      problem.isFull
      ? tr("free some disk space, or run belfry doctor; Belfry saves as soon as it can")
      : tr("run belfry doctor; Belfry saves as soon as it can")
    fail(
      .notSaved,
      tr("done, but not saved, so a restart will undo it: \(problem)") + "\n"
        + tr("hint: \(remedy)"))
  }
}
