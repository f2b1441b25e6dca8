// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts times of day, dates and durations into words. As in GNOME, the names and the order of the
// parts of a date come from `LC_TIME`, and the words around them from `LC_MESSAGES`. Next:
// `Wording.swift`.

import Configuration
import Language
import Scheduling
import System

extension Wording {
  /// When a moment is shown with its seconds. Someone who set an alarm for 07:30 does not want to
  /// read that its snooze ends at 07:41:14.
  public enum Seconds: Sendable {
    /// A moment that a person chose: show its seconds unless they are 0.
    case given
    /// A moment that was computed, such as the end of a snooze: show its seconds only if it is less
    /// than two minutes ahead.
    case near
    /// Show no seconds. This is for a short text, and for a text that may be read long after it was
    /// written, when its moment may have come near.
    case never
  }

  /// A moment is near if it is less than two minutes ahead. A computed moment is shown with its
  /// seconds only if it is near.
  public static let near: Duration = .minutes(2)

  private static func isNear(_ instant: Instant, seenFrom now: Instant) -> Bool {
    // Round to seconds. If a moment was computed as exactly two minutes ahead, it is slightly less
    // than two minutes ahead by the time its text is made.
    let left = (instant - now + .milliseconds(500)).wholeSeconds
    return left > 0 && left < near.wholeSeconds
  }

  /// Returns `07:30` or, on a 12-hour clock, `7:30 am`. Shows the seconds unless they are 0.
  public func time(_ time: CivilTime) -> String {
    let (digits, half) = (digits(time), half(time))
    if half.isEmpty { return digits }
    return Locale.halves.areFirst ? "\(half) \(digits)" : "\(digits) \(half)"
  }

  public func time(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let time = zones.civil(at: instant, in: nil).time
    return switch seconds {
    case .given: self.time(time)
    case .near where Self.isNear(instant, seenFrom: now): self.time(time)
    case .near, .never: minute(time)
    }
  }

  /// Returns the time of day of a moment that a person chose.
  public func time(given instant: Instant) -> String {
    time(zones.civil(at: instant, in: nil).time)
  }

  /// Returns `time` without am or pm.
  public func digits(_ time: CivilTime) -> String {
    guard hasTwelveHours else { return time.description }
    let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
    let full = CivilTime(hour: hour, minute: time.minute, second: time.second) ?? time
    let digits = full.description
    return digits.hasPrefix("0") ? String(digits.dropFirst()) : digits
  }

  /// Returns the locale's word for the half of the day, such as `am` or `PM`; empty on a 24-hour
  /// clock.
  public func half(_ time: CivilTime) -> String {
    guard hasTwelveHours else { return "" }
    return time.hour < 12 ? Locale.halves.am : Locale.halves.pm
  }

  private var hasTwelveHours: Bool {
    clock == .twelveHours || clock == .automatic && Locale.usesTwelveHours
  }

  /// Returns the date of `instant`, how many days it is after today, and the date in words.
  private func calendar(
    _ instant: Instant, seenFrom now: Instant
  ) -> (date: CivilDate, ahead: Int, name: String) {
    let then = zones.civil(at: instant, in: nil).date
    let today = zones.civil(at: now, in: nil).date
    let ahead = then.daysSinceEpoch - today.daysSinceEpoch
    return (then, ahead, Self.date(then, seenFrom: today))
  }

  /// Returns the time, and the day unless it is today: `07:30`, `tomorrow 07:30`,
  /// `Tue 24 Nov 07:30`.
  public func moment(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, seconds, seenFrom: now), calendar(instant, seenFrom: now))
    return switch day.ahead {
    case 0: time
    case 1: tr("tomorrow \(time)")
    case -1: tr("yesterday \(time)")
    default: tr("\(day.name) \(time)", context: "date and time")
    }
  }

  /// Returns a moment that can follow a verb: `at 07:30`, `tomorrow at 07:30`,
  /// `on Tue 24 Nov at 07:30`.
  public func at(_ instant: Instant, _ seconds: Seconds, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, seconds, seenFrom: now), calendar(instant, seenFrom: now))
    return switch day.ahead {
    case 0: tr("at \(time)")
    case 1: tr("tomorrow at \(time)")
    default: tr("on \(day.name) at \(time)")
    }
  }

  /// Returns `time` without its seconds.
  public func minute(_ time: CivilTime) -> String {
    self.time(CivilTime(hour: time.hour, minute: time.minute) ?? time)
  }

  /// Returns a short moment without seconds: `07:30` today, `Sun 07:30` within a week, and
  /// otherwise `24 Dec 07:30`.
  public func brief(_ instant: Instant, seenFrom now: Instant) -> String {
    let (time, day) = (time(instant, .never, seenFrom: now), calendar(instant, seenFrom: now))
    if day.ahead == 0 { return time }
    let name =
      (-6...6).contains(day.ahead)
      ? Self.nameAlone(day.date.weekday)
      : Self.date(day.date, named: nil, seenFrom: zones.civil(at: now, in: nil).date)
    return tr("\(name) \(time)", context: "date and time")
  }

  /// Returns a date such as `Tue 24 Nov`, with the year unless it is the year of `today`.
  public static func date(_ date: CivilDate, seenFrom today: CivilDate) -> String {
    self.date(date, named: Locale.dateForm.weekday(name(date.weekday)), seenFrom: today)
  }

  /// Returns a date with this name of its weekday, or without one if `weekday` is nil.
  public static func date(
    _ date: CivilDate, named weekday: String?, seenFrom today: CivilDate?
  ) -> String {
    Locale.dateForm.text(
      weekday: weekday, day: date.day, month: month(date),
      year: date.year == today?.year ? nil : date.year)
  }

  /// Returns the short name of a weekday, such as `Mon`.
  public static func name(_ weekday: Weekday) -> String {
    Locale.weekdayNames[weekday.rawValue - 1][1]
  }

  private static func nameAlone(_ weekday: Weekday) -> String {
    let names = Locale.weekdayNames[weekday.rawValue - 1]
    return Locale.dateForm.weekdayAlone(names[0], short: names[1])
  }

  /// Returns the short name of the month of `date`, such as `Nov`.
  public static func month(_ date: CivilDate) -> String { Locale.monthNames[date.month - 1] }

  /// Returns a duration, rounded down to its `units` largest units, 1 or 2: `8 h 20 min`,
  /// `3 d 4 h`, `45 s`. A negative duration counts as 0 s.
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

  /// Joins words to a list, such as `Mon, Wed`.
  public static func list(_ items: [String]) -> String {
    items.joined(separator: tr(", ", context: "list"))
  }
}
