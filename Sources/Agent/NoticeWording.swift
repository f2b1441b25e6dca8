// SPDX-License-Identifier: GPL-3.0-or-later
//
// The texts of the notifications of alarms and timers, and of the notification about the config.
// The core's `Announcement.swift` decides which notices are shown, and `Countdown.swift` how often
// the texts of a timer change. Next: `Answer.swift`, for the buttons.

import Configuration
import Language
import Notifications
import Presentation
import Scheduling
import System

extension Wording {
  /// Returns the notification for `notice`. `remark` is a problem with the sound of the ring, such
  /// as a file that could not be played; nil if there is none.
  func notification(_ notice: Notice, remark: String?, now: Instant) -> NotificationContent {
    var result = content(notice, remark, now)
    result.actions = notice.answers.map(\.button)
    result.isSilenced = notice.ring?.hushedUntil != nil
    return result
  }

  private func content(_ notice: Notice, _ remark: String?, _ now: Instant) -> NotificationContent {
    switch notice {
    case .ringing(let id, let label, let ring, let lengths):
      return ringing(
        label ?? time(given: ring.due), [ringingLine(label, ring, now), remark],
        lengths.isEmpty ? tr("To answer: “belfry stop \(id)”") : toAnswer(id))
    case .rehearsal(let id, let label, let ring):
      return ringing(
        label ?? time(given: ring.due), [tr("Rehearsal: this is how it will ring"), remark],
        tr("To answer: “belfry stop \(id)”"))
    case .snoozed(let id, let label, let due, let until, let lengths):
      let (title, line) = (label ?? time(given: due), snoozed(until, now))
      var result = quiet(title, line, "belfry stop \(id)", .stop(id))
      if !lengths.isEmpty { result.bodyWithoutActions = Self.body([line, toAnswer(id)]) }
      return gathered(result, tr("Alarms"), title, at: until)
    case .check(let id, let label, let due, let until):
      let time = time(until, .near, seenFrom: now)
      let line = tr("Are you up? It will ring again at \(time) unless you answer.")
      var result = quiet(
        label ?? self.time(given: due), line, "belfry stop \(id)", .isUp(id))
      // With low urgency, the user might not see this notification before the alarm rings again.
      result.urgency = .normal
      return result
    case .upcoming(let id, let label, let due, let before):
      let line = moved(rings(at: due, .given, seenFrom: now), from: before, seenFrom: now)
      let title = label ?? time(given: due)
      return gathered(
        quiet(title, line, "belfry skip \(id)", .skip(id)), tr("Alarms"), title, at: due)
    case .bedtime(let id, let label, let due, let before):
      let line = moved(sleep(label, until: due, now), from: before, seenFrom: now)
      let result = quiet(
        tr("Time to sleep"), line, "belfry skip \(id)", .skipAlarm(id))
      return gathered(result, tr("Alarms"), label ?? time(given: due), at: due)
    case .timer(let timer): return self.timer(timer, remark: remark, now: now)
    case .ending(_, let label, let round, let left): return ending(label, round, left)
    case .missed(let missed): return self.missed(missed, now: now)
    case .clockUnset: return clockUnset(now)
    }
  }

  private func toAnswer(_ id: String) -> String {
    tr("To answer: “belfry stop \(id)” or “belfry snooze \(id)”")
  }

  /// Returns the notification of a ring. On a notification server without buttons, its text also
  /// has `commands`, a line with the commands that stop or snooze the ring.
  func ringing(_ title: String, _ lines: [String?], _ commands: String) -> NotificationContent {
    var result = notice(title, lines, .critical, isPersistent: true, category: "alarm")
    result.bodyWithoutActions = Self.body(lines + [commands])
    result.isRinging = true
    return result
  }

  private func ringingLine(_ label: String?, _ ring: Ring, _ now: Instant) -> String {
    let line = label == nil ? tr("Alarm") : tr("Alarm, \(time(given: ring.due))")
    let movedLine = moved(line, from: ring.movedFrom, seenFrom: now)
    return quiet(Self.snoozed(movedLine, Int64(ring.snoozeCount)), ring, now)
  }

  /// If the ring is silenced, adds to `text` the time at which it will sound again. Users who do
  /// not hear the sound, for example because they are deaf, would not notice the silence otherwise.
  func quiet(_ text: String, _ ring: Ring, _ now: Instant) -> String {
    ring.hushedUntil.map { tr("\(text), quiet until \(time($0, .near, seenFrom: now))") } ?? text
  }

  /// Describes a ring in few words, for the media card, which is too small for the notification.
  func fewWords(of notice: Notice, now: Instant) -> String {
    if let until = notice.ring?.hushedUntil {
      return tr("Quiet until \(time(until, .near, seenFrom: now))")
    }
    return switch notice {
    case .ringing(_, .some, let ring, _): tr("Alarm, \(time(given: ring.due))")
    case .rehearsal: tr("Rehearsal")
    case .timer: tr("Time's up")
    default: tr("Alarm")
    }
  }

  func snoozed(_ until: Instant, _ now: Instant) -> String {
    tr("Snoozed until \(moment(until, .near, seenFrom: now))")
  }

  /// Returns a line that says how long the user can sleep. The length is rounded to the minute,
  /// because the notification stays on the screen for a while.
  private func sleep(_ label: String?, until due: Instant, _ now: Instant) -> String {
    let minutes = max(1, ((due - now).wholeSeconds + 30) / 60)
    let (moment, length) = (at(due, .given, seenFrom: now), Self.span(.minutes(minutes)))
    return label.map { tr("“\(brief($0))” rings \(moment), in \(length)") }
      ?? tr("The alarm rings \(moment), in \(length)")
  }

  /// Returns a notification of low urgency. On a notification server without buttons, its text
  /// names `command`, which does the same as the button `answer`.
  func quiet(
    _ title: String, _ line: String, _ command: String, _ answer: Answer
  ) -> NotificationContent {
    var result = notice(title, [line], .low, isPersistent: true, category: "alarm")
    result.bodyWithoutActions = Self.body([
      line, tr("\(answer.button.label): “\(command)”", context: "command"),
    ])
    return result
  }

  /// Returns `notice` with the texts that are needed to merge it with other notifications. If the
  /// notification server has room for only a few notifications, it gets one merged notification
  /// instead of several. The title of the merged notification is `kind`, and its lines are the
  /// labels of the notices, ordered by `moment`.
  func gathered(
    _ notice: NotificationContent, _ kind: String, _ label: String, at moment: Instant?
  ) -> NotificationContent {
    var result = notice
    result.gathering = NotificationContent.Gathering(
      title: kind, label: label, order: moment?.seconds ?? .max)
    return result
  }

  /// Returns the notification about missed rings. It has one line for each alarm and reason, the
  /// latest six at most, oldest first. If there are more, the last line says how to see them.
  private func missed(_ missed: [Missed], now: Instant) -> NotificationContent {
    let count = missed.reduce(0) { $0 + $1.count }
    let title =
      missed.allSatisfy(\.isTimer)
      ? tr("Missed timer", plural: "\(count) missed timers", count: count)
      : tr("Missed alarm", plural: "\(count) missed alarms", count: count)
    let lines = missed.suffix(6).map { missedLine($0, now) }
    let more = missed.count > lines.count ? tr("More: “belfry history”") : nil
    return notice(title, lines + [more], isPersistent: true, category: "alarm")
  }

  private func missedLine(_ entry: Missed, _ now: Instant) -> String {
    let name = brief(entry.label ?? (entry.isTimer ? tr("Timer") : tr("Alarm")))
    let when = Self.and(entry.count - 1, before: moment(entry.due, entry.seconds, seenFrom: now))
    return tr("\(name), \(when): \(Self.because(entry.reason))", context: "missed")
  }

  private func clockUnset(_ now: Instant) -> NotificationContent {
    let today = zones.civil(at: now, in: nil).date
    return notice(
      tr("No alarm can ring: the clock is not set"),
      [
        tr("It shows \(today). Once it is right, alarms will ring."),
        tr("To set it: “sudo timedatectl set-ntp true”"),
      ], .critical, isPersistent: true)
  }

  /// Shortens a label to one line of at most 60 characters, so that there is room for other text.
  private func brief(_ label: String) -> String {
    let line = label.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(59) + "…" : line
  }

  /// Returns the notification that the config has errors or warnings. It shows `first` with its
  /// place in the file. If `first` is an error, it also shows `result`, the consequence of the
  /// error.
  func configProblem(
    _ first: Diagnostic, of count: Int, _ result: Message
  ) -> NotificationContent {
    let isError = first.severity == .error
    let file = OutsideText.names(in: first.file).last ?? ""
    var lines = [tr("\(file):\(first.line):\(first.column): \(first.message)")]
    if let hint = first.hint { lines.append(tr(hint)) }
    if count > 1 {
      lines.append(
        tr(
          "\(count - 1) more; to see them: “belfry config check”",
          plural: "\(count - 1) more; to see them: “belfry config check”", count: count - 1))
    }
    if isError { lines.append(tr(result)) }
    return notice(
      isError ? tr("There is an error in your alarm settings") : tr("Check your alarm settings"),
      lines,
      isError ? .critical : .normal, isPersistent: true, buttons: [.openConfig])
  }
}

extension Wording {
  /// Returns the notification of a timer. `remark` is a problem with the timer's sound; nil if
  /// there is none.
  func timer(_ timer: TimerNotice, remark: String?, now: Instant) -> NotificationContent {
    switch timer.stand {
    case .running(let left):
      let line = tr("\(Self.span(left)) left of \(Self.span(timer.length))")
      return countdown(timer, left, line, .pause(timer.id), now)
    case .paused(let time, let isWaiting):
      let (left, length) = (Self.span(time), Self.span(timer.length))
      let line =
        isWaiting
        ? tr("Paused while the screen is locked, \(left) left of \(length)")
        : tr("Paused, \(left) left of \(length)")
      return countdown(timer, time, line, .resume(timer.id), now)
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

  /// Returns the notification that `timer` has ended and has paused the media players.
  func playersPaused(_ timer: TimerNotice) -> NotificationContent {
    notice(
      title(timer),
      [tr("Time's up (\(Self.span(timer.length)) timer)"), tr("The music is paused")],
      category: "alarm")
  }

  private func countdown(
    _ timer: TimerNotice, _ left: Duration, _ line: String, _ answer: Answer, _ now: Instant
  ) -> NotificationContent {
    var notice = quiet(
      title(timer), line, "belfry timer \(answer.button.key) \(timer.id)", answer)
    notice.value = Self.percent(timer.length - left, of: timer.length)
    notice.steadyBody = timer.ends.map { ends in
      Self.body([tr("Ends \(at(ends, seconds(timer), seenFrom: now))")])
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
        quiet(Self.snoozed(line, Int64(ring.snoozeCount)), ring, now),
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

  /// Returns `part` as a percentage of `whole`, 0...100, rounded down, so that a progress bar is
  /// full only at the end.
  static func percent(_ part: Duration, of whole: Duration) -> Int {
    guard whole > .zero else { return 0 }
    // A part of 285 years or less, times 100, fits in an Int64.
    let part = max(.zero, min(part, whole, .microseconds(1 << 53)))
    return Int(part.wholeMicroseconds * 100 / whole.wholeMicroseconds)
  }
}
