// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes dates, times and alarms from short texts, and turns effects into text, so that tests can
// compare them. If a text cannot be read, the test run ends, because the test itself is wrong.

import Scheduling

extension CivilDate {
  /// Reads a date such as `2026-11-23`.
  init(_ text: some StringProtocol) {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    else { fatalError("\(text) is no date") }
    self = date
  }
}

extension CivilTime {
  /// Reads a time of day such as `07:30` or `07:30:15`.
  init(_ text: some StringProtocol) {
    let parts = text.split(separator: ":").compactMap { Int($0) } + [0]
    guard parts.count > 2, let time = CivilTime(hour: parts[0], minute: parts[1], second: parts[2])
    else { fatalError("\(text) is no time") }
    self = time
  }
}

extension CivilDateTime {
  /// Reads a date with a time, such as `2026-11-23 07:30`.
  init(_ text: String) {
    let parts = text.split(separator: " ")
    self.init(CivilDate(parts[0]), CivilTime(parts[1]))
  }
}

extension Instant {
  /// Reads a time in UTC, such as `2026-11-23 06:30`.
  init(utc text: String) { self.init(seconds: CivilDateTime(text).localSeconds) }

  /// The instant as a time in UTC, such as `2026-11-23 06:30`.
  var utc: String { CivilDateTime(localSeconds: seconds).text }
}

extension CivilDateTime {
  var text: String { "\(date) \(time)" }
}

extension Weekday {
  var shortName: String { String("\(self)".prefix(3)) }

  /// Reads the short name of a weekday, such as `mon`.
  init?(_ text: some StringProtocol) {
    guard let found = Weekday.allCases.first(where: { $0.shortName == text }) else { return nil }
    self = found
  }
}

extension Set<Weekday> {
  static let daily = Set(Weekday.allCases)
  static let weekdays: Set = [.monday, .tuesday, .wednesday, .thursday, .friday]
}

extension Recurrence {
  /// Makes a rule from short texts. `days` is `daily`, `weekdays`, `once`, a list of weekdays such
  /// as `mon tue`, or a date.
  init(_ time: String, _ days: String, except: [String] = [], zone: String? = nil) {
    let dates: Dates =
      switch days {
      case "daily": .days(Days(.daily))
      case "weekdays": .days(Days(.weekdays))
      case "once": .once
      case _ where days.contains("-"): .on(CivilDate(days))
      default: .days(Days(Set(days.split(separator: " ").compactMap { Weekday($0) })))
      }
    self.init(
      time: CivilTime(time), dates: dates, except: Set(except.map { CivilDate($0) }), zone: zone)
  }

  /// Makes a rule that repeats every `count` days, weeks, months or years, counted from the day
  /// `from`. `days` are weekdays such as `mon`, or weekdays of a month such as `1/mon` and
  /// `last/fri`.
  init(
    _ time: String, every count: Int?, _ unit: Interval.Unit, _ days: String = "",
    from: String? = nil, until: String? = nil
  ) {
    var named = Days()
    for word in days.split(separator: " ") {
      let parts = word.split(separator: "/")
      guard let weekday = Weekday(parts[parts.count - 1]) else { fatalError("\(word) is no day") }
      if parts.count == 1 {
        named.weekdays.insert(weekday)
      } else {
        let place = Int(parts[0]).flatMap(Days.Ordinal.Place.init) ?? .last
        named.ordinals.insert(Days.Ordinal(place, weekday))
      }
    }
    let (from, until) = (from.map { CivilDate($0) }, until.map { CivilDate($0) })
    let every = count.flatMap { count in from.map { Interval(count, unit, from: $0) } }
    self.init(
      time: CivilTime(time), dates: every.map { .every($0, named) } ?? .days(named), from: from,
      until: until)
  }

  /// Makes a rule with a list of days, such as `mon wed last/fri`.
  init(_ time: String, days: String, from: String? = nil, until: String? = nil) {
    self.init(time, every: nil, .weeks, days, from: from, until: until)
  }
}

extension Alarm {
  init(
    _ id: String, _ time: String, _ days: String = "daily", except: [String] = [],
    zone: String? = nil, enabled: Bool = true, _ adjust: (inout RingSettings) -> Void = { _ in }
  ) {
    var ring = RingSettings()
    adjust(&ring)
    self.init(
      id: id, recurrence: Recurrence(time, days, except: except, zone: zone), enabled: enabled,
      ring: ring)
  }

  /// Returns an alarm that does not announce its rings, which keeps the list of expected effects
  /// short.
  static func quiet(_ id: String, _ time: String, _ days: String = "daily") -> Alarm {
    Alarm(id, time, days) { $0.upcoming = .zero }
  }
}

/// Turns effects and instants into text, such as `mon 07:30 post snoozed work until mon 07:40`.
struct Narrator {
  var zones: TestZones

  func time(_ instant: Instant) -> String {
    let civil = zones.civil(at: instant, in: nil)
    return "\(civil.date.weekday.shortName) \(civil.time)"
  }

  /// Returns the text of an effect as if it were carried out now.
  func text(_ effect: Effect, of schedule: Schedule) -> String {
    switch effect {
    case .sound: text(schedule.sound)
    case .stroke(let settings): "stroke \(settings.sounds.first ?? "")"
    case .chime(let chime): "chime \(chime.sounds.first ?? "")"
    case .notice(let key):
      schedule.notice(key).map { "post \(text($0))" }
        ?? "withdraw \(key.kind)" + (key.id.isEmpty ? "" : " \(key.id)")
    case .persist: "persist"
    case .ended(let outcome): "ended \(text(outcome))"
    case .began(let open, let due): "began \(open.id) \(time(due))"
    case .renamed(let open, let id): "renamed \(open.id) to \(id)"
    case .before(let ring): "before \(ring.id) \(time(ring.ring.due))"
    case .takenBack(let ring): "taken back \(ring.id)"
    case .checkUp(let id): "look \(id)"
    case .mixer: "mixer \(schedule.raising.map { "raised for \($0.id)" } ?? "restored")"
    case .players: "players \(schedule.ringing.isEmpty ? "resume" : "pause")"
    case .pausePlayers(let timer): "pause players \(timer.id)"
    case .tray: "tray"
    case .changed: "changed"
    }
  }

  private func text(_ sound: SoundOrder) -> String {
    switch sound {
    case .silent: "silence"
    case .ready(let id, _): "ready \(id)"
    case .playing(let id, _): "play \(id)"
    }
  }

  func text(_ outcome: Outcome) -> String {
    let again = outcome.open.map {
      ($0.ring.snoozeCount == 0 ? "" : " snoozed \($0.ring.snoozeCount)")
        + ($0.ring.checks == 0 ? "" : " again \($0.ring.checks)")
    }
    let silent = outcome.rang == nil ? " silent" : ""
    let end =
      switch outcome.answer {
      case .stopped: "stopped"
      case .snoozed(let until, let byItself):
        "snoozed \(byItself ? "by itself " : "")until \(time(until))"
      case .missed(let reason): "missed \(reason)"
      case .restarted: "restarted"
      case .removed: "removed"
      }
    return "\(outcome.id) \(time(outcome.due))\(silent)\(again ?? ""): \(end)"
  }

  private func text(_ notice: Notice) -> String {
    switch notice {
    case .upcoming(let id, _, let due, _): "upcoming \(id) \(time(due))"
    case .bedtime(let id, _, let due, _): "bedtime \(id) \(time(due))"
    case .ringing(let id, _, let ring, _): "ringing \(id)" + text(ring)
    case .rehearsal(let id, _, _): "rehearsal \(id)"
    case .snoozed(let id, _, _, let until, _): "snoozed \(id) until \(time(until))"
    case .check(let id, _, _, let until): "check \(id) until \(time(until))"
    case .timer(let timer): text(timer)
    case .ending(let id, _, _, let left): "ending \(id) \(left.text)"
    case .missed(let missed): "missed " + missed.map(text).joined(separator: ", ")
    case .clockUnset: "clock unset"
    }
  }

  private func text(_ timer: TimerNotice) -> String {
    switch timer.stand {
    case .running(let left): "countdown \(timer.id) \(left.text)"
    case .paused(let left, let isWaiting):
      "countdown \(timer.id) \(isWaiting ? "waits" : "paused") \(left.text)"
    case .ringing(let ring, let overtime):
      "ringing \(timer.id)" + text(ring) + (overtime == .zero ? "" : " over \(overtime.text)")
    case .snoozed(let until): "snoozed \(timer.id) until \(time(until))"
    }
  }

  private func text(_ ring: Ring) -> String {
    (ring.movedFrom == nil ? "" : " moved")
      + (ring.snoozeCount == 0 ? "" : " snoozed \(ring.snoozeCount)")
      + (ring.checks == 0 ? "" : " again \(ring.checks)")
      + (ring.hushedUntil.map { " hushed until \(time($0))" } ?? "")
  }

  private func text(_ missed: Missed) -> String {
    let count = missed.count == 1 ? "" : "\(missed.count) times, last "
    return "\(missed.id) \(count)\(time(missed.due)) \(missed.reason)"
  }
}
