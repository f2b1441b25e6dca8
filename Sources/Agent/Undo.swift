// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shows a notification with the button *Undo* when another program has skipped, moved, added,
// changed, switched off or removed an alarm, or has paused or cancelled a timer. If the command
// `belfry` did this, no notification is shown, because the command reports it itself. Next:
// `Answer.swift`.

import Configuration
import Files
import Language
import Notifications
import Presentation
import Scheduling
import System

/// The changes that other programs make.
struct ForeignChanges {
  let callers: KnownCallers
  /// Undoes what the notification `undoNotice` reports; nil if it is not shown.
  var undo: (() -> Void)?
}

extension Agent {
  /// The id of the notification. A new notification replaces the earlier one, so only the last
  /// action can be undone.
  static let undoNotice = "undo"

  /// Skips or moves rings of the alarm `id`. Passes to `follow` a closure that shows a notification
  /// about it, if the event changes anything.
  func change(
    _ id: String, _ event: Event, then done: ((FileError?) -> Void)? = nil,
    _ follow: (_ report: @escaping () -> Void) -> Void
  ) {
    let before = schedule.entry(id)?.state
    apply(event, then: done)
    let after = schedule.entry(id)?.state
    guard let before, let after, (before.skipped, before.moves) != (after.skipped, after.moves)
    else { return }
    follow { [self] in
      report(id) { [self] in
        guard let state = schedule.entry(id)?.state, state.skipped == after.skipped,
          state.moves == after.moves
        else { return }
        apply(.restore(id, skipped: before.skipped, moves: before.moves))
      }
    }
  }

  /// Shows a notification that the alarm `id` was added to the config. The agent must have read the
  /// changed config before.
  func reportAdded(_ id: String) {
    let added = configuration.alarm(id)
    report(id) { [self] in
      if configuration.alarm(id) == added { return perform(.removeAlarm(id)) }
      reportFailure(tr("\(id) has been changed or removed since it was added"))
    }
  }

  private func report(_ id: String, _ undo: @escaping () -> Void) {
    let overview = overview
    guard let alarm = configuration.alarm(id) else { return }
    changes.undo = undo
    notify(Self.undoNotice) { $0.changed(alarm, overview.standing(of: alarm)) }
  }

  /// Shows a notification that the config was edited: `words` is its title, and `alarms` are the
  /// alarms that it names.
  func reportEdit(
    _ title: String, _ alarms: [Status.Alarm], _ revision: ConfigEditor.Revision
  ) {
    changes.undo = { [self] in undo(revision) }
    notify(Self.undoNotice) { $0.edited(title, alarms) }
  }

  /// Shows a notification that `timer` was paused or cancelled.
  func report(_ act: TimerAct, of timer: Timer) {
    let left = timer.left(at: Clock.now())
    let isPause = act == .pause
    changes.undo = { [self] in
      if isPause { return apply(.timer(timer.id, .resume)) }
      guard left > .zero, schedule.timers.count < Schedule.timersKept else { return }
      let recent = RecentTimer(
        duration: left, label: timer.label, preset: timer.preset, sound: timer.sound)
      apply(.startTimer(TimerOrder(id: schedule.timerID(for: timer.id) { _ in false }, recent)))
    }
    notify(Self.undoNotice) {
      $0.undoable(
        isPause ? tr("Timer paused") : tr("Timer cancelled"),
        [Wording.list([timer.label ?? timer.id, tr("\(Wording.span(left)) left")])],
        command: isPause ? "belfry timer resume \(timer.id)" : nil)
    }
  }
}

extension Wording {
  /// Returns the notification that a ring of `alarm` was skipped or moved or, if none is, that the
  /// alarm was set.
  fileprivate func changed(_ alarm: Alarm, _ standing: Standing) -> NotificationContent {
    let now = Clock.now().wall
    func line(_ words: String) -> String {
      Self.list([alarm.label ?? "", words].filter { !$0.isEmpty })
    }
    if standing.isSkipped, let due = standing.next?.due {
      let then = standing.wanted.map { tr("Next: \(moment($0, .given, seenFrom: now))") }
      // A one-time alarm has no other ring anyway.
      let never = standing.repeats ? tr("It does not ring again until you undo this") : nil
      return undoable(
        tr("Alarm skipped"), [line(moment(due, .given, seenFrom: now)), then ?? never],
        command: "belfry unskip \(alarm.id)")
    }
    let words = line(long(standing, seenFrom: now))
    if standing.next?.movedFrom != nil {
      return undoable(tr("Alarm moved"), [words], command: "belfry unskip \(alarm.id)")
    }
    return undoable(tr("Alarm set"), [words], command: "belfry remove \(alarm.id)")
  }

  /// How many alarms a notification names.
  private static let mostNamed = 4

  /// Returns the notification that `alarms`, as described before or after the edit, were edited.
  fileprivate func edited(_ title: String, _ alarms: [Status.Alarm]) -> NotificationContent {
    let now = Clock.now().wall
    let lines = alarms.prefix(Self.mostNamed).map { alarm in
      Self.list([alarm.name, long(alarm.standing, seenFrom: now)])
    }
    let others = alarms.count - lines.count
    return undoable(title, lines + (others > 0 ? [tr("and \(others) more")] : []), command: nil)
  }

  /// Returns a notification with the button *Undo*. On servers without buttons, the text names the
  /// `command` that undoes the change, if there is one.
  fileprivate func undoable(
    _ title: String, _ lines: [String?], command: String?
  ) -> NotificationContent {
    let undo = NotificationContent.Action.undo
    var result = notice(title, lines, isTransient: true, buttons: [undo])
    if let command {
      result.bodyWithoutActions = Self.body(
        lines + [tr("\(undo.label): “\(command)”", context: "command")])
    }
    return result
  }

  /// Returns the notification that something that the user asked for was not done.
  func failed(_ reason: String) -> NotificationContent {
    notice(tr("The action failed"), [reason])
  }
}
