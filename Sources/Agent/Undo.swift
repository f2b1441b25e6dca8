// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shows a notification with the button *Undo* when an alarm was skipped or added. If the command
// `belfry` did this, no notification is shown, because the command reports it itself. Next:
// `Answer.swift`.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Agent {
  /// The id of the notification. A new notification replaces the earlier one, so only the last
  /// action can be undone.
  static let undoNotice = "undo"

  /// Skips rings of the alarm `id`. If `showsNotice` is true and the skip changed something, shows
  /// a notification about it.
  func skip(
    _ id: String, _ rings: SkippedRings, showsNotice: Bool = true,
    then done: ((FileError?) -> Void)? = nil
  ) {
    let before = schedule.entry(id)?.state.skipped
    apply(.skip(id, rings), then: done)
    let after = schedule.entry(id)?.state.skipped
    guard showsNotice, before != after else { return }
    report(id) { [self] in
      if schedule.entry(id)?.state.skipped == after { apply(.undoSkip(id, to: before)) }
    }
  }

  /// Shows a notification that the alarm `id` was added to the config. The agent must have read the
  /// changed config before.
  func reportAdded(_ id: String) {
    let added = configuration.alarm(id)
    report(id) { [self] in
      if configuration.alarm(id) == added { return search.run(["remove", "--", id]) }
      show(LauncherService.notice) {
        $0.failed(tr("\(id) has been changed or removed since it was added"))
      }
    }
  }

  private func report(_ id: String, _ undo: @escaping () -> Void) {
    guard let alarm = overview.alarm(id) else { return }
    self.undo = undo
    show(Self.undoNotice) { $0.changed(alarm) }
  }
}

extension Wording {
  /// Returns the notification that a ring of `alarm` was skipped or, if none is skipped, that the
  /// alarm was set.
  fileprivate func changed(_ alarm: Status.Alarm) -> NotificationContent {
    let now = Clock.now().wall
    func line(_ words: String) -> String {
      Self.list([alarm.label, words].filter { !$0.isEmpty })
    }
    var (title, command) = (tr("Alarm set"), "belfry remove \(alarm.id)")
    var lines: [String?] = [line(long(alarm.standing, seenFrom: now))]
    if alarm.skipped == true, let due = alarm.at?.instant {
      let then = (alarm.resumesAt?.instant).map { tr("Next: \(moment($0, .given, seenFrom: now))") }
      // A one-time alarm has no other ring anyway.
      let isRepeating = alarm.days != nil || alarm.every != nil
      let never = isRepeating ? tr("It does not ring again until you undo this") : nil
      lines = [line(moment(due, .given, seenFrom: now)), then ?? never]
      (title, command) = (tr("Alarm skipped"), "belfry unskip \(alarm.id)")
    }
    let undo = NotificationContent.Action.undo
    var result = notice(title, lines, isTransient: true, buttons: [undo])
    result.bodyWithoutActions = Self.body(
      lines + [tr("\(undo.label): “\(command)”", context: "command")])
    return result
  }

  /// Returns the notification that something that the user asked for was not done. `reason` is the
  /// output of a command, or an error.
  func failed(_ reason: String) -> NotificationContent {
    let text = reason.hasPrefix("belfry: ") ? String(reason.dropFirst("belfry: ".count)) : reason
    return notice(tr("The action failed"), [text])
  }
}
