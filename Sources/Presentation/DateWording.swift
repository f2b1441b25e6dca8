// SPDX-License-Identifier: GPL-3.0-or-later
//
// How Belfry says when and how long: times of day, dates, lengths. In which order that is said is a
// message of each language's catalogue. Next: `Wording.swift`.

import Configuration
import Language
import Scheduling
import System

extension Wording {
  /// Whether the seconds of a moment are said. A person who set an alarm for 07:30 does not want to
  /// read that its snooze ends at 07:41:14.
  public nonisolated enum Seconds: Sendable {
    /// The moment was given by a person, with seconds or without: say those that it has.
    case given
    /// The moment was counted, as the end of a snooze is: say them if it is less than two minutes
    /// ahead. Otherwise they are left off, as on any clock that shows none.
    case near
    /// Leave them off: the text stays on the screen while the moment comes nearer.
    case never
  }

  /// Nearer than this, the seconds of a moment matter.
  public static let near: Duration = .minutes(2)

  private static func isNear(_ instant: Instant, seenFrom now: Instant) -> Bool {
    // To the nearest second: a text about a moment two minutes ahead is made a little later.
    let left = (instant - now + .milliseconds(500)).wholeSeconds
    return left > 0 && left < near.wholeSeconds
  }

  /// `07:30`, or `7:30 am` where the clock has twelve hours; seconds only where there are any.
  public func time(_ time: CivilTime) -> String {
    let digits = digits(time)
    guard hasTwelveHours else { return digits }
    return time.hour < 12 ? tr("\(digits) am") : tr("\(digits) pm")
  }

  /// The time of day at `instant`.
  public func time(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let time = zones.civil(at: instant, in: nil).time
    return switch seconds {
    case .given: self.time(time)
    case .near where Self.isNear(instant, seenFrom: now): self.time(time)
    case .near, .never: minute(time)
    }
  }

  /// The time of day at `instant`, which a person gave.
  public func time(given instant: Instant) -> String {
    time(zones.civil(at: instant, in: nil).time)
  }

  /// `time` without which half of the day it is in.
  public func digits(_ time: CivilTime) -> String {
    guard hasTwelveHours else { return time.description }
    let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
    let full = CivilTime(hour: hour, minute: time.minute, second: time.second) ?? time
    let digits = full.description
    return digits.hasPrefix("0") ? String(digits.dropFirst()) : digits
  }

  /// `am` or `pm`, to stand beside the digits; empty where the clock has twenty-four hours.
  public func half(_ time: CivilTime) -> String {
    guard hasTwelveHours else { return "" }
    return time.hour < 12 ? tr("am") : tr("pm")
  }

  private var hasTwelveHours: Bool {
    clock == .twelveHours || clock == .automatic && Locale.usesTwelveHours
  }

  /// The day of `instant`, how many days that is ahead of the day of `now`, and its name.
  private func calendar(
    _ instant: Instant, seenFrom now: Instant
  ) -> (date: CivilDate, ahead: Int, name: String) {
    let then = zones.civil(at: instant, in: nil).date
    let today = zones.civil(at: now, in: nil).date
    let ahead = then.daysSinceEpoch - today.daysSinceEpoch
    return (then, ahead, date(then, seenFrom: today))
  }

  /// The time, and the day if that is not the day of `now`: `tomorrow 07:30`, `Tue 24 Nov 07:30`.
  public func moment(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, seconds, seenFrom: now), calendar(instant, seenFrom: now))
    return switch day.ahead {
    case 0: time
    case 1: tr("tomorrow \(time)")
    case -1: tr("yesterday \(time)")
    default: tr("\(day.name) \(time)", context: "date and time")
    }
  }

  /// The same behind a verb: rings `at 07:30`, `tomorrow at 07:30`, `on Tue 24 Nov at 07:30`.
  public func at(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, seconds, seenFrom: now), calendar(instant, seenFrom: now))
    return switch day.ahead {
    case 0: tr("at \(time)")
    case 1: tr("tomorrow at \(time)")
    default: tr("on \(day.name) at \(time)")
    }
  }

  /// The same of something that goes on until then: `ends at 07:30`, `ends tomorrow at 07:30`. In
  /// Korean the verb and the moment are one word.
  public func ends(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, seconds, seenFrom: now), calendar(instant, seenFrom: now))
    return switch day.ahead {
    case 0: tr("ends at \(time)")
    case 1: tr("ends tomorrow at \(time)")
    default: tr("ends on \(day.name) at \(time)")
    }
  }

  /// The time to the minute.
  public func minute(_ time: CivilTime) -> String {
    self.time(CivilTime(hour: time.hour, minute: time.minute) ?? time)
  }

  /// A moment in few columns: `07:30` today, `Sun 07:30` within a week, else `24 Dec 07:30`. It has
  /// no seconds, for it stays on a bar, or stands beside a count of the time left.
  public func brief(_ instant: Instant, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, .never, seenFrom: now), calendar(instant, seenFrom: now))
    let (date, month) = (day.date, Self.month(day.date))
    return switch day.ahead {
    case 0: time
    case -6...6: tr("\(Self.name(date.weekday)) \(time)", context: "weekday and time")
    case _ where date.year == zones.civil(at: now, in: nil).date.year:
      tr("\(date.day) \(month) \(time)", context: "date and time")
    default: tr("\(date.day) \(month) \(date.year) \(time)", context: "date and time")
    }
  }

  /// `today`, `tomorrow`, else `Tue 24 Nov`.
  public func day(_ instant: Instant, seenFrom now: Instant) -> String {
    let day = calendar(instant, seenFrom: now)
    return (0...1).contains(day.ahead) ? Self.day(day.ahead) : day.name
  }

  /// `Tue 24 Nov`, with the year where that is another.
  public func date(_ date: CivilDate, seenFrom today: CivilDate) -> String {
    let (weekday, month) = (Self.name(date.weekday), Self.month(date))
    return date.year == today.year
      ? tr("\(weekday) \(date.day) \(month)", context: "date")
      : tr("\(weekday) \(date.day) \(month) \(date.year)", context: "date")
  }

  /// `Mon`.
  public static func name(_ weekday: Weekday) -> String { tr(days[weekday.rawValue - 1]) }

  /// `Nov`.
  public static func month(_ date: CivilDate) -> String { tr(months[date.month - 1]) }

  private static let days = [
    Message("Mon"), Message("Tue"), Message("Wed"), Message("Thu"), Message("Fri"),
    Message("Sat"), Message("Sun"),
  ]
  private static let months = [
    Message("Jan", context: "date"), Message("Feb", context: "date"),
    Message("Mar", context: "date"), Message("Apr", context: "date"),
    Message("May", context: "date"), Message("Jun", context: "date"),
    Message("Jul", context: "date"), Message("Aug", context: "date"),
    Message("Sep", context: "date"), Message("Oct", context: "date"),
    Message("Nov", context: "date"), Message("Dec", context: "date"),
  ]

  /// The largest units of a length that matter, two of them or fewer: `8 h 20 min`, `3 d 4 h`,
  /// `45 s`.
  public static func span(_ length: Duration, units: Int = 2) -> String {
    let seconds = max(0, length.wholeSeconds)
    let counts = [seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    let first = counts.firstIndex { $0 > 0 } ?? counts.count - 1
    let words = counts.indices[first...].prefix(units)
      .filter { counts[$0] > 0 || $0 == first }.map { span(counts[$0], unit: $0) }
    return words.count > 1 ? tr("\(words[0]) \(words[1])", context: "length") : words[0]
  }

  private static func span(_ count: Int64, unit: Int) -> String {
    switch unit {
    case 0: tr("\(count) d")
    case 1: tr("\(count) h")
    case 2: tr("\(count) min")
    default: tr("\(count) s")
    }
  }

  /// `Mon, Wed`.
  public static func list(_ items: [String]) -> String {
    items.joined(separator: tr(", ", context: "list"))
  }
}
