// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Belfry says of timers: the countdown of a running one, and what it says when it rings. How
// often that changes is `Countdown.swift`'s in the core.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Wording {
  /// The notification of a timer. `remark` is as for alarms.
  func timer(_ timer: TimerNotice, remark: String?, now: Instant) -> NotificationContent {
    switch timer.stand {
    case .running(let left):
      let line = tr("\(Self.span(left)) left of \(Self.span(timer.length))")
      return countdown(timer, left, line, .pause, now)
    case .paused(let left):
      let line = tr("Paused, \(Self.span(left)) left of \(Self.span(timer.length))")
      return countdown(timer, left, line, .resume, now)
    case .ringing(let ring, let overtime): return ringing(timer, ring, overtime, remark, now)
    case .snoozed(let until):
      let title = title(timer)
      return gathered(
        quiet(title, snoozed(until, now), "belfry stop \(timer.id)", .stop), tr("Timers"), title,
        at: until)
    }
  }

  private func title(_ timer: TimerNotice) -> String {
    Self.name(timer.label ?? timer.preset ?? tr("Timer"), timer.round)
  }

  /// That a timer is soon over, said once.
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
      Self.body([
        tr("\(Self.span(timer.length)), \(self.ends(ends, seconds(timer), seenFrom: now))")
      ])
    }
    return gathered(
      notice, tr("Timers"), timer.label ?? timer.preset ?? Self.span(timer.length), at: timer.ends)
  }

  private func ringing(
    _ timer: TimerNotice, _ ring: Ring, _ overtime: Duration, _ remark: String?, _ now: Instant
  ) -> NotificationContent {
    let length = Self.span(timer.length)
    func told(_ line: String) -> [String?] {
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
      title(timer), told(over),
      tr("To answer: “belfry stop \(timer.id)” or “belfry timer restart \(timer.id)”"))
    notice.steadyBody = Self.body(told(tr("Time's up since \(since) (\(length) timer)")))
    return notice
  }

  /// A countdown is not shown anew because its end has come near: a timer of less than two minutes
  /// tells the second from the start.
  func seconds(_ timer: TimerNotice) -> Seconds { timer.length < Self.near ? .given : .never }

  /// 0...100, rounded down: a bar is full when all is over.
  static func percent(_ part: Duration, of whole: Duration) -> Int {
    guard whole > .zero else { return 0 }
    return Int(max(0, min(100, part.wholeMicroseconds * 100 / whole.wholeMicroseconds)))
  }
}
