// SPDX-License-Identifier: GPL-3.0-or-later
//
// The content of Belfry's icon in the panel: the items of its menu, the lines of its tooltip, and
// the notification that follows a click. All of this is computed from the schedule; `Tray.swift`
// shows it.

import Language
import Notifications
import Presentation
import Scheduling
import System

struct TrayContent {
  /// A ring, a snoozed ring or a timer.
  struct Thing {
    var key: Notice.Key
    /// The title and the text of the notification in one line, such as "Tea: rings at 07:30".
    var line: String
    var answers: [Answer]
  }

  /// A timer that can be started again.
  struct Recent {
    var timer: RecentTimer
    /// The text of the menu's item, such as "Again: Tea, 4 min".
    var line: String
  }

  /// Never empty, the most urgent first.
  var things: [Thing]
  var recents: [Recent]
  /// A line about the alarm that rings next; nil if there is none.
  var next: String?

  var isRinging: Bool { things.contains { $0.key.kind == .ringing } }

  private static let most = 10
  private static let mostRecents = 3

  /// Returns nil if the panel needs no icon: nothing is ringing, being checked or snoozed, and no
  /// timer is set.
  init?(of schedule: Schedule, in wording: Wording, at now: Now) {
    let notices = schedule.notices(at: now)
    guard !notices.isEmpty else { return nil }
    things = notices.prefix(Self.most).map { wording.thing($0, now.wall) }
    let timers = schedule.timers
    recents = schedule.recents.filter { recent in
      !timers.contains { ($0.duration, $0.label) == (recent.duration, recent.label) }
    }.prefix(Self.mostRecents).map(wording.again)
    next = wording.next(schedule, now.wall)
  }
}

extension Wording {
  /// Describes a notification in a line that stays true as time passes.
  fileprivate func thing(_ notice: Notice, _ now: Instant) -> TrayContent.Thing {
    var content = notification(notice, remark: nil, now: now)
    content.body = content.steadyBody ?? content.body
    // Leave out the answer for a click on the notification, because the menu already has the button
    // "I'm up".
    let click = Answer.isUpByClick(notice.key.id)
    return TrayContent.Thing(
      key: notice.key, line: content.line, answers: notice.answers.filter { $0 != click })
  }

  fileprivate func again(_ timer: RecentTimer) -> TrayContent.Recent {
    let length =
      timer.until.map { tr("until \(time($0))", context: "timer") }
      ?? Self.span(timer.duration)
    let line = timer.name.map { tr("Again: \($0), \(length)") } ?? tr("Again: \(length)")
    return TrayContent.Recent(timer: timer, line: NotificationContent.line(line, atMost: 80))
  }

  /// Returns a line about the alarm that rings next; nil if there is none. A day other than today
  /// has its weekday or its date, and is never called `tomorrow`, so the line is still true after
  /// midnight.
  fileprivate func next(_ schedule: Schedule, _ now: Instant) -> String? {
    let coming = schedule.entries.compactMap { entry in entry.wanted.map { (entry.alarm, $0.due) } }
    return coming.min { $0.1 < $1.1 }.map { alarm, due in
      let words = [alarm.label, brief(due, seenFrom: now)].compactMap(\.self)
      return NotificationContent.line(tr("Next: \(Self.list(words))"), atMost: 80)
    }
  }

  /// Returns the notification that a click on the icon shows.
  func summary(of notices: [Notice], _ now: Instant) -> NotificationContent {
    let lines = notices.map { notification($0, remark: nil, now: now).line }
    return notice("Belfry", lines, isTransient: true)
  }
}

extension NotificationContent {
  fileprivate var line: String { Self.line("\(title): \(bodyLine)", atMost: 80) }

  /// The text of the notification in one line, without the full stop at its end.
  var bodyLine: String {
    let line = Self.line(body, atMost: .max)
    return line.hasSuffix(Wording.fullStop) ? String(line.dropLast()) : line
  }
}
