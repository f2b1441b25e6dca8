// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Belfry says: times, lengths and the texts of its notifications. It decides nothing; what is
// said when is `Announcement.swift`'s in the core.

import Configuration
import Desktop
import Language
import Persistence
import Scheduling

/// Words for moments and lengths, in the zone of the machine.
public struct Wording {
  public var zones: Zones
  public var clock: AgentSettings.Clock
  /// A name in the icon theme, or a path.
  public var icon: String

  public init(zones: Zones, clock: AgentSettings.Clock, icon: String = "alarm-symbolic") {
    (self.zones, self.clock, self.icon) = (zones, clock, icon)
  }

  /// `07:30`, or `7:30 am` where the clock has twelve hours; seconds only where there are any.
  public func time(_ time: CivilTime) -> String {
    guard clock == .twelveHours || clock == .automatic && Locale.usesTwelveHours else {
      return time.description
    }
    let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
    let full = CivilTime(hour: hour, minute: time.minute, second: time.second) ?? time
    let digits = full.description
    return (digits.hasPrefix("0") ? String(digits.dropFirst()) : digits)
      + (time.hour < 12 ? " am" : " pm")
  }

  /// The time of day at `instant`.
  public func time(_ instant: Instant) -> String { time(zones.civil(at: instant, in: nil).time) }

  /// The time, and the day where that is not the day of `now`: `tomorrow 07:30`, `Tue 24 Nov 07:30`.
  public func moment(_ instant: Instant, seenFrom now: Instant) -> String {
    let (then, today) = (
      zones.civil(at: instant, in: nil), zones.civil(at: now, in: nil).date
    )
    let day =
      switch then.date.daysSinceEpoch - today.daysSinceEpoch {
      case 0: ""
      case 1: "tomorrow "
      case -1: "yesterday "
      default: date(then.date, seenFrom: today) + " "
      }
    return day + time(then.time)
  }

  /// `Tue 24 Nov`, with the year where that is another.
  public func date(_ date: CivilDate, seenFrom today: CivilDate) -> String {
    let year = date.year == today.year ? "" : " \(date.year)"
    return
      "\(Self.days[date.weekday.rawValue - 1]) \(date.day) \(Self.months[date.month - 1])\(year)"
  }

  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The two largest units of a length that matter: `8 h 20 min`, `3 d 4 h`, `45 s`.
  public static func span(_ length: Duration) -> String {
    let seconds = max(0, length.wholeSeconds)
    let parts: [(Int64, String)] = [
      (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"),
      (seconds % 60, "s"),
    ]
    guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0 s" }
    return parts[first...].prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      .joined(separator: " ")
  }

  /// `weekdays`, `Mon, Wed`, `24 Dec`, `once`.
  public func dates(_ recurrence: Recurrence, seenFrom today: CivilDate) -> String {
    switch recurrence.dates {
    case .once: "once"
    case .on(let date): self.date(date, seenFrom: today)
    case .weekly(let days):
      switch days {
      case Set(Weekday.allCases): "daily"
      case [.saturday, .sunday]: "weekends"
      case Set(Weekday.allCases).subtracting([.saturday, .sunday]): "weekdays"
      default: days.sorted().map { Self.days[$0.rawValue - 1] }.joined(separator: ", ")
      }
    }
  }
}

// MARK: - Notifications

extension Wording {
  /// The notification for `notice`. `remark` is something that the user should know about how it
  /// rings, such as a sound that could not be played.
  func notification(_ notice: Scheduling.Notice, remark: String?, now: Instant) -> Desktop.Notice {
    switch notice {
    case .ringing(let id, let label, let ring, let lengths):
      var lines = [ringingLine(label, ring)]
      if let remark { lines.append(remark) }
      var result = Desktop.Notice(
        title: title(label, ring.due), body: lines.joined(separator: "\n"), icon: icon)
      result.bodyWithoutActions =
        (lines + ["To answer: belfry stop \(id), or belfry snooze \(id)"]).joined(separator: "\n")
      result.urgency = .critical
      result.isPersistent = true
      result.category = "alarm"
      let answers = [Answer.hush] + lengths.map(Answer.snooze) + [.stop]
      result.actions = answers.map { Desktop.Notice.Action(key: $0.key, label: $0.label) }
      return result
    case .snoozed(let id, let label, let until):
      let line = "Snoozed until \(moment(until, seenFrom: now))"
      return quiet(label ?? "Alarm", line, "belfry stop \(id)", [.stop])
    case .upcoming(let id, let label, let due):
      let line = "Rings at \(moment(due, seenFrom: now))"
      return quiet(label ?? "Alarm", line, "belfry skip \(id)", [.skip])
    case .timer(let timer): return self.timer(timer, remark: remark, now: now)
    case .missed(let missed): return self.missed(missed, now: now)
    case .clockUnset: return clockUnset(now)
    }
  }

  private func title(_ label: String?, _ due: Instant) -> String { label ?? time(due) }

  private func ringingLine(_ label: String?, _ ring: Ring) -> String {
    (label == nil ? "Alarm" : "Alarm, \(time(ring.due))") + Self.snoozed(Int64(ring.snoozes))
  }

  /// `, snoozed twice`; nothing for what was not.
  public static func snoozed(_ times: Int64) -> String {
    switch times {
    case ...0: ""
    case 1: ", snoozed once"
    case 2: ", snoozed twice"
    default: ", snoozed \(times) times"
    }
  }

  func quiet(
    _ title: String, _ line: String, _ command: String, _ answers: [Answer]
  ) -> Desktop.Notice {
    var result = Desktop.Notice(title: title, body: line, icon: icon)
    result.bodyWithoutActions = "\(line)\n\(answers[0].label): \(command)"
    result.urgency = .low
    result.isPersistent = true
    result.category = "alarm"
    result.actions = answers.map { Desktop.Notice.Action(key: $0.key, label: $0.label) }
    return result
  }

  /// One line for each alarm and reason, the latest last.
  private func missed(_ missed: [Missed], now: Instant) -> Desktop.Notice {
    let count = missed.reduce(0) { $0 + $1.count }
    let kind = missed.allSatisfy(\.isTimer) ? "timer" : "alarm"
    let lines = missed.map { entry in
      let times = entry.count > 1 ? " and \(entry.count - 1) before" : ""
      return
        "\(brief(entry.label ?? (entry.isTimer ? "Timer" : "Alarm"))), \(moment(entry.due, seenFrom: now))\(times): "
        + Self.because(entry.reason)
    }
    var result = Desktop.Notice(
      title: count == 1 ? "Missed \(kind)" : "\(count) missed \(kind)s",
      body: lines.suffix(6).joined(separator: "\n"), icon: icon)
    result.isPersistent = true
    result.category = "alarm"
    result.actions = [
      Desktop.Notice.Action(key: Answer.acknowledge.key, label: Answer.acknowledge.label)
    ]
    return result
  }

  private func clockUnset(_ now: Instant) -> Desktop.Notice {
    let today = zones.civil(at: now, in: nil).date
    var result = Desktop.Notice(
      title: "No alarm can ring: the clock is not set",
      body: "It says \(today). Once it is right, alarms ring.\n"
        + "sudo timedatectl set-ntp true, or date --set", icon: icon)
    result.urgency = .critical
    result.isPersistent = true
    return result
  }

  /// A label among others, each on its line: one that is long or has lines of its own must not push
  /// the others out.
  private func brief(_ label: String) -> String {
    let line = label.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? line.prefix(59) + "…" : line
  }

  /// Why an alarm was missed, for people.
  public static func because(_ reason: Missed.Reason) -> String {
    switch reason {
    case .unanswered: "nobody answered"
    case .asleep: "the computer was asleep"
    case .off: "Belfry was not running"
    case .clockSet: "the clock was set"
    case .zoneChanged: "the time zone was changed"
    }
  }

  /// What became of a ring.
  public func end(of line: HistoryLine, seenFrom now: Instant) -> String {
    switch line.answer {
    case .stopped where line.rang == nil: return "stopped while snoozed"
    case .stopped: return "stopped after \(Self.span(line.answered - (line.rang ?? line.due)))"
    case .restarted: return "ran again"
    case .snoozed(let until, let byItself):
      let who = byItself ? "snoozed by itself" : "snoozed"
      return "\(who) until \(time(until))"
    case .missed(let reason): return "missed: \(Self.because(reason))"
    case .removed: return "ended: it was deleted, disabled or changed"
    }
  }

  /// The config has a mistake: the first, and where it is.
  func configProblem(_ first: Diagnostic, of count: Int) -> Desktop.Notice {
    let more = count > 1 ? "\nand \(count - 1) more: belfry config check" : ""
    let hint = first.hint.map { "\n\(tr($0))" } ?? ""
    let isError = first.severity == .error
    var result = Desktop.Notice(
      title: isError ? "The alarms' config has a mistake" : "Is the alarms' config right?",
      body: "\(first.file.split(separator: "/").last ?? ""):\(first.line):\(first.column): "
        + tr(first.message) + hint + more
        + (isError ? "\nWhat was read before stays in force." : ""), icon: icon)
    result.urgency = isError ? .critical : .normal
    result.isPersistent = true
    result.actions = [
      Desktop.Notice.Action(key: Answer.openConfig.key, label: Answer.openConfig.label)
    ]
    return result
  }
}
