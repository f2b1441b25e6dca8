// SPDX-License-Identifier: GPL-3.0-or-later
//
// Encodes alarms and timers as the keys of a status: their settings, and how they stand. Decodes
// these keys again, for a program that received a status. Next: `StandingWording.swift`, which puts
// the values into words.

import Configuration
import Scheduling
import System

extension Status.Alarm {
  public init(_ alarm: Alarm, _ standing: Standing, in zones: Zones) {
    let rule = alarm.recurrence
    self.init(
      id: alarm.id, label: alarm.label ?? "", time: AlarmTime(rule).text, city: rule.sun?.city,
      from: rule.from?.description, group: alarm.group, timezone: rule.zone,
      enabled: alarm.enabled, until: rule.until?.description)
    switch rule.dates {
    case .days(let days): self.days = days.isEmpty ? nil : days.names
    case .every(let interval, let days):
      (self.days, every) = (days.isEmpty ? nil : days.names, interval.text)
    case .on(let day): date = day.description
    case .once: break
    }
    except = rule.exceptions.isEmpty ? nil : rule.exceptions
    encode(standing, in: zones)
  }

  /// The rule of the alarm, as far as words need it; nil for an alarm whose settings have an error.
  /// The place of a sunrise and the days of calendars are not known here.
  public var rule: Recurrence? {
    let dates: Recurrence.Dates
    let named = (days ?? []).compactMap { WeekdayNames().days($0) }
    let days = named.reduce(Days()) { $0.union($1) }
    let start = from.flatMap { CivilDate($0) }
    if let step = every.flatMap({ Interval.parse($0) }), let start {
      dates = .every(Interval(step.count, step.unit, from: start), days)
    } else if let day = date.flatMap({ CivilDate($0) }) {
      dates = .on(day)
    } else {
      dates = days.isEmpty ? .once : .days(days)
    }
    var rule = Recurrence(
      time: .midnight, dates: dates, zone: timezone, from: start,
      until: until.flatMap { CivilDate($0) })
    rule.setExceptions(except ?? [])
    switch AlarmTime(sun: time) {
    case .sun(let event, let offset)?:
      rule.sun = SunTime(event, offset: offset, city: city ?? "", latitude: 0, longitude: 0)
    default:
      guard let time = TimeText.parse(time) else { return nil }
      rule.time = time
    }
    return rule
  }
}

extension Recurrence {
  /// The days on which the alarm does not ring, as the config writes them: dates, ranges of dates,
  /// and names of calendar files.
  var exceptions: [String] { except.ranges.map(\.text) + calendars.map(\.name) }

  fileprivate mutating func setExceptions(_ texts: [String]) {
    var ranges: [ClosedRange<CivilDate>] = []
    for text in texts {
      if let date = CivilDate(text) {
        ranges.append(date...date)
      } else if let (first, last) = ExceptedDays.range(text), first <= last {
        ranges.append(first...last)
      } else {
        calendars.append(HolidayFile(text))
      }
    }
    except = ExceptedDays(ranges)
  }
}

// MARK: - How an alarm stands

extension Status.Alarm {
  private mutating func encode(_ standing: Standing, in zones: Zones) {
    func moment(_ instant: Instant?) -> Moment? { instant.map { Moment($0, zones) } }
    switch standing.state {
    case .off, .running, .halted, .overdue: state = .off
    case .scheduled: state = .scheduled
    case .ringing: state = .ringing
    case .snoozed(let until): (state, snoozedUntil) = (.snoozed, moment(until))
    case .checking(let check):
      (state, asks, asked) = (.checking, moment(check.asks), check.isAsked)
      ringsAgain = moment(check.ringsAgain)
    case .over: state = .over
    }
    if let pause = standing.pause {
      (paused, pausedUntil) = (true, pause.until?.description)
      pausedRing = moment(pause.due)
    }
    (at, note) = (moment(standing.next?.due), standing.next?.note?.rawValue)
    movedFrom = moment(standing.next?.movedFrom)
    if standing.isSkipped { (skipped, resumesAt) = (true, moment(standing.wanted)) }
  }

  public var standing: Standing {
    let next = (at?.instant).map {
      Standing.Next(due: $0, note: note.flatMap(ZoneNote.init), movedFrom: movedFrom?.instant)
    }
    let pause =
      paused == true
      ? Standing.Pause(due: pausedRing?.instant, until: pausedUntil.flatMap { CivilDate($0) }) : nil
    let check = (asks?.instant).map { asks in
      Standing.Check(
        asks: asks, ringsAgain: ringsAgain?.instant ?? asks + StopCheck.patience,
        isAsked: asked == true)
    }
    let quiet: Standing.State = next == nil && pause == nil ? .over : .scheduled
    let state: Standing.State =
      switch self.state {
      case .off: .off
      case .ringing: .ringing
      case .snoozed: (snoozedUntil?.instant).map { .snoozed(until: $0) } ?? quiet
      case .checking: check.map { .checking($0) } ?? quiet
      case .over: .over
      case .scheduled, nil: quiet
      }
    return Standing(
      state: state, next: next, wanted: skipped == true ? resumesAt?.instant : next?.due,
      pause: pause, repeats: days != nil || every != nil)
  }
}

// MARK: - How a timer stands

extension Status.Timer {
  init(_ timer: Timer, _ standing: Standing, at now: Now, in zones: Zones) {
    self.init(
      id: timer.id, label: timer.label ?? "", preset: timer.preset,
      length: timer.length.wholeSeconds)
    switch standing.state {
    case .halted(let left, _, let isLocked):
      (state, self.left, reason) = (.paused, left.secondsRoundedUp, isLocked ? "locked" : nil)
    case .overdue(let since, let by):
      (state, at, overtime) = (.ringing, Moment(since, zones), by.wholeSeconds)
    case .snoozed(let until):
      (state, at) = (.snoozed, Moment(until, zones))
      left = max(.zero, until - now.wall).secondsRoundedUp
    case .running(let left, _, let ends):
      (self.left, at) = (left.secondsRoundedUp, Moment(ends, zones))
    case .off, .scheduled, .ringing, .checking, .over: break
    }
  }

  /// How the timer stood at the moment at which the status was made.
  public var standing: Standing {
    let (left, length) = (Duration(told: left), Duration(told: length))
    let end = at?.instant ?? Instant(seconds: 0)
    let state: Standing.State =
      switch state {
      case .running: .running(left: left, of: length, ends: end)
      case .paused: .halted(left: left, of: length, isLocked: reason != nil)
      case .ringing: .overdue(since: end, by: Duration(told: overtime ?? 0))
      case .snoozed: .snoozed(until: end)
      }
    return Standing(state: state)
  }
}
