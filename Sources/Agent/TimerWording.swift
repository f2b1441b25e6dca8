// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts of timers' notifications: the countdown of a running timer, and the notification when
// the time is up. `Countdown.swift` in the core decides how often these texts change.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Wording {
  /// Returns the notification of a timer. `remark` is a problem with its sound, if there is one.
  func timer(_ timer: TimerNotice, remark: String?, now: Instant) -> NotificationContent {
    switch timer.stand {
    case .running(let left):
      let line = tr("\(Self.span(left)) left of \(Self.span(timer.length))")
      return countdown(timer, left, line, .pause(timer.id), now)
    case .paused(let left):
      let line = tr("Paused, \(Self.span(left)) left of \(Self.span(timer.length))")
      return countdown(timer, left, line, .resume(timer.id), now)
    case .ringing(let ring, let overtime): return ringing(timer, ring, overtime, remark, now)
    case .snoozed(let until):
      let title = title(timer)
      return gathered(
        quiet(title, snoozed(until, now), "belfry stop \(timer.id)", .stop(timer.id)),
        tr("Timers"), title, at: until)
    }
  }

  private func title(_ timer: TimerNotice) -> String {
    Self.name(timer.label ?? timer.preset ?? tr("Timer"), timer.round)
  }

  func ending(_ label: String?, _ round: Round?, _ left: Duration) -> NotificationContent {
    notice(
      Self.name(label ?? tr("Timer"), round), [tr("\(Self.span(left)) left")], isTransient: true,
      category: "alarm")
  }

  private func countdown(
    _ timer: TimerNotice, _ left: Duration, _ line: String, _ answer: Answer, _ now: Instant
  ) -> NotificationContent {
    var notice = quiet(
      title(timer), line, "belfry timer \(answer.button.key) \(timer.id)", answer)
    notice.value = Self.percent(timer.length - left, of: timer.length)
    notice.steadyBody = timer.ends.map { ends in
      Self.body([rings(at: ends, seconds(timer), seenFrom: now)])
    }
    return gathered(
      notice, tr("Timers"), timer.label ?? timer.preset ?? Self.span(timer.length), at: timer.ends)
  }

  private func ringing(
    _ timer: TimerNotice, _ ring: Ring, _ overtime: Duration, _ remark: String?, _ now: Instant
  ) -> NotificationContent {
    let length = Self.span(timer.length)
    func lines(_ line: String) -> [String?] {
      [
        quiet(Self.snoozed(line, Int64(ring.snoozes)), ring, now),
        timer.next.map { tr("Then: \($0)") }, remark,
      ]
    }
    let over =
      overtime > .zero
      ? tr("Time's up, \(Self.span(overtime)) ago (\(length) timer)")
      : tr("Time's up (\(length) timer)")
    let since = time(ring.due, .never, seenFrom: now)
    var notice = ringing(
      title(timer), lines(over),
      tr("To answer: “belfry stop \(timer.id)” or “belfry timer restart \(timer.id)”"))
    notice.steadyBody = Self.body(lines(tr("Time's up since \(since) (\(length) timer)")))
    return notice
  }

  /// Returns whether the end of a timer is shown with seconds. This depends on the timer's length
  /// and not on the time left, so that the notification does not change when the end comes near.
  func seconds(_ timer: TimerNotice) -> Seconds { timer.length < Self.near ? .given : .never }

  /// Returns `part` as a percentage of `whole`, 0...100, rounded down, so that a bar is full only
  /// at the end.
  static func percent(_ part: Duration, of whole: Duration) -> Int {
    guard whole > .zero else { return 0 }
    return Int(max(0, min(100, part.wholeMicroseconds * 100 / whole.wholeMicroseconds)))
  }
}
