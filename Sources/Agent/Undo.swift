// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports that an alarm was set or skipped without a terminal, in a notification with the button
// *Undo*. Next: `Answer.swift`.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Agent {
  /// The id of the notification. Each one replaces the one before it, so only the last action can
  /// be undone.
  static let undoNotice = "undo"

  /// Skips rings of the alarm `id`, and reports this unless a terminal shows it already.
  func skip(
    _ id: String, _ rings: SkippedRings, isReported: Bool = true,
    then done: ((FileError?) -> Void)? = nil
  ) {
    let before = schedule.entry(id)?.state.skipped
    apply(.skip(id, rings), then: done)
    let after = schedule.entry(id)?.state.skipped
    guard isReported, before != after else { return }
    report(id) { [self] in
      if schedule.entry(id)?.state.skipped == after { apply(.undoSkip(id, to: before)) }
    }
  }

  /// Reports that the alarm `id` was added to the config, which has been read since.
  func reportAdded(_ id: String) {
    let added = configuration.alarm(id)
    report(id) { [self] in
      if configuration.alarm(id) == added { return search.run(["remove", "--", id]) }
      show(LauncherService.notice) { $0.failed(tr("\(id) has been changed since")) }
    }
  }

  private func report(_ id: String, _ undo: @escaping () -> Void) {
    guard let alarm = overview.alarm(id) else { return }
    self.undo = undo
    show(Self.undoNotice) { $0.changed(alarm) }
  }
}

extension Wording {
  /// Returns the notification that `alarm` was skipped or, if it is not skipped, set.
  fileprivate func changed(_ alarm: Status.Alarm) -> NotificationContent {
    let now = Clock.now().wall
    func line(_ words: String) -> String {
      Self.list([alarm.label, words].filter { !$0.isEmpty })
    }
    guard alarm.skipped == true, let due = alarm.at?.instant else {
      return notice(
        tr("Alarm set"), [line(long(alarm.standing, seenFrom: now))], isTransient: true,
        buttons: [.undo])
    }
    let then = (alarm.resumesAt?.instant).map {
      tr("Next: \(moment($0, .given, seenFrom: now))")
    }
    return notice(
      tr("Alarm skipped"), [line(moment(due, .given, seenFrom: now)), then], isTransient: true,
      buttons: [.undo])
  }

  /// Returns the notification that something that the user asked for was not done. `reason` is the
  /// output of a command, or an error.
  func failed(_ reason: String) -> NotificationContent {
    let text = reason.hasPrefix("belfry: ") ? String(reason.dropFirst("belfry: ".count)) : reason
    return notice(tr("The action failed"), [text])
  }
}
