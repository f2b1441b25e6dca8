// SPDX-License-Identifier: GPL-3.0-or-later
//
// The settings in force as part of the state: with them an agent is armed before it has read the
// config, whose disk may hang. Each field is named once, below. Next: `Stored.swift`, which makes TOML
// of them; `StateText.swift`, the file that they are in.

import Configuration
import Scheduling
import TOML

/// Settings, and the config that they came from.
public struct SettingsInForce: Equatable, Sendable {
  /// Absolute path of the config: another one has other alarms.
  public var config: String
  public var configuration: Configuration

  public init(_ configuration: Configuration, of config: String) {
    (self.configuration, self.config) = (configuration, config)
  }
}

enum SettingsText {
  static let table = "settings"

  /// A table of its own, one alarm, timer or clock in a line.
  static func render(_ settings: SettingsInForce) -> [String] {
    guard case .table(let table) = settings.stored else { return [] }
    return ["", "[\(Self.table)]"] + table.entries.map { "\($0.key) = \(text($0.value.kind))" }
  }

  private static func text(_ value: TOMLValue.Kind) -> String {
    guard case .array(let values) = value, !values.isEmpty else { return value.text }
    return "[\n" + values.map { "  \($0.kind.text),\n" }.joined() + "]"
  }

  /// Nil if `value` is not what `render` makes.
  static func parse(_ value: TOMLValue) -> SettingsInForce? {
    guard var settings = SettingsInForce(stored: value.kind) else { return nil }
    for index in settings.configuration.alarms.indices {
      settings.configuration.alarms[index].take(settings.configuration.pauses)
    }
    return settings
  }
}

// MARK: - Records, and their fields

extension SettingsInForce: StoredRecord {
  static var blank: SettingsInForce { SettingsInForce(Configuration(), of: "") }
  static var fields: [StoredField<SettingsInForce>] {
    [
      StoredField("config", \.config),
      StoredField("defaults", \.configuration.defaults),
      StoredField("agent", \.configuration.agent),
      StoredField("alarms", \.configuration.alarms),
      StoredField("pauses", \.configuration.pauses),
      StoredField("timers", \.configuration.timers),
      StoredField("clocks", \.configuration.clocks),
      StoredField("chimes", \.configuration.chimes),
    ]
  }
}

extension RingSettings: StoredRecord {
  static let blank = RingSettings()
  static let fields: [StoredField<RingSettings>] = [
    StoredField("sounds", \.sounds), StoredField("devices", \.devices),
    StoredField("volume", \.volume), StoredField("fade_in", \.fadeIn),
    StoredField("snooze", \.snooze), StoredField("snoozes", \.snoozes),
    StoredField("check", \.check), StoredField("ring_for", \.ringFor),
    StoredField("unanswered", \.unanswered), StoredField("auto_snoozes", \.autoSnoozes),
    StoredField("late", \.late), StoredField("upcoming", \.upcoming), StoredField("wake", \.wake),
    StoredField("on_ring", \.onRing), StoredField("on_stop", \.onStop),
    StoredField("before", \.before), StoredField("on_before", \.onBefore),
    StoredField("bedtime", \.bedtime),
  ]
}

extension RingSettings.Unanswered: StoredCase {}

extension AgentSettings: StoredRecord {
  static let blank = AgentSettings()
  static let fields: [StoredField<AgentSettings>] = [
    StoredField("clock", \.clock), StoredField("on_close", \.onClose),
    StoredField("devices", \.devices), StoredField("mixer", \.mixer),
    StoredField("mixer_floor", \.mixerFloor), StoredField("pause_media", \.pauseMedia),
    StoredField("countdown", \.countdown), StoredField("tray", \.tray),
    StoredField("wake_ahead", \.wakeAhead),
  ]
}

extension AgentSettings.Clock: StoredCase {}
extension AgentSettings.OnClose: StoredCase {}
extension AgentSettings.Mixer: StoredCase {}

extension Alarm: StoredRecord {
  static let blank = Alarm(id: "", recurrence: .blank)
  static let fields: [StoredField<Alarm>] = [
    StoredField("id", \.id), StoredField("label", \.label), StoredField("group", \.group),
    StoredField("recurrence", \.recurrence), StoredField("enabled", \.enabled),
    StoredField("ring", \.ring),
  ]
}

extension Recurrence: StoredRecord {
  static let blank = Recurrence(time: .midnight, dates: .once)
  /// `paused` comes from the pauses.
  static let fields: [StoredField<Recurrence>] = [
    StoredField("time", \.time), StoredField("sun", \.sun), StoredField("dates", \.dates),
    StoredField("except", \.except), StoredField("holidays", \.holidays),
    StoredField("calendars", \.calendars), StoredField("zone", \.zone),
    StoredField("from", \.from), StoredField("until", \.until),
  ]
}

extension SunTime: StoredRecord {
  static let blank = SunTime(.sunrise, city: "", latitude: 0, longitude: 0)
  static let fields: [StoredField<SunTime>] = [
    StoredField("event", \.event), StoredField("offset", \.offset), StoredField("city", \.city),
    StoredField("latitude", \.latitude), StoredField("longitude", \.longitude),
  ]
}

extension SunTime.Event: StoredCase {}

extension Pause: StoredRecord {
  static let blank = Pause(from: CivilDate(daysSinceEpoch: 0))
  static let fields: [StoredField<Pause>] = [
    StoredField("from", \.from), StoredField("until", \.until), StoredField("group", \.group),
    StoredField("label", \.label),
  ]
}

extension TimerPreset: StoredRecord {
  static let blank = TimerPreset(name: "", duration: .zero, ring: RingSettings())
  static let fields: [StoredField<TimerPreset>] = [
    StoredField("name", \.name), StoredField("duration", \.duration), StoredField("label", \.label),
    StoredField("ring", \.ring), StoredField("then", \.then), StoredField("flow", \.flow),
    StoredField("repeat", \.rounds), StoredField("warn", \.warn),
  ]
}

extension Chime: StoredRecord {
  static let blank = Chime(every: .hours(1))
  static let fields: [StoredField<Chime>] = [
    StoredField("every", \.every), StoredField("between", \.between), StoredField("days", \.days),
    StoredField("sounds", \.sounds),
  ]
}

extension Chime.Hours: StoredRecord {
  static let blank = Chime.Hours(.midnight, .midnight)
  static let fields: [StoredField<Chime.Hours>] = [
    StoredField("first", \.first), StoredField("last", \.last),
  ]
}

extension WorldClock: StoredRecord {
  static let blank = WorldClock(place: .zone(""))
  static let fields: [StoredField<WorldClock>] = [
    StoredField("place", \.place), StoredField("label", \.label),
  ]
}

extension City: StoredRecord {
  static let blank = City(
    title: "", name: "", country: "", countryCode: "", latitude: 0, longitude: 0, population: 0,
    zone: "")
  static let fields: [StoredField<City>] = [
    StoredField("title", \.title), StoredField("name", \.name), StoredField("korean", \.korean),
    StoredField("local", \.local), StoredField("region", \.region),
    StoredField("country", \.country), StoredField("korean_country", \.koreanCountry),
    StoredField("country_code", \.countryCode), StoredField("latitude", \.latitude),
    StoredField("longitude", \.longitude), StoredField("population", \.population),
    StoredField("zone", \.zone),
  ]
}

// MARK: - Values of a form of their own

/// `["2026-12-25", "2026-12-28..2027-01-02"]`
extension ExceptedDays: Stored {
  var stored: TOMLValue.Kind {
    ranges.map {
      $0.lowerBound == $0.upperBound
        ? "\($0.lowerBound)" : "\($0.lowerBound)..\($0.upperBound)"
    }.stored
  }

  init?(stored: TOMLValue.Kind) {
    guard let texts = [String](stored: stored) else { return nil }
    var ranges: [ClosedRange<CivilDate>] = []
    for text in texts {
      guard let (first, last) = Self.days(text) else { return nil }
      ranges.append(first...last)
    }
    self.init(ranges)
  }

  private static func days(_ text: String) -> (CivilDate, CivilDate)? {
    let (first, last) = (text.prefix(10), text.suffix(10))
    guard text.utf8.count == 10 || text.utf8.count == 22, let first = CivilDate(iso: first),
      let last = CivilDate(iso: last), first <= last
    else { return nil }
    return (first, last)
  }
}

extension CivilDate {
  fileprivate init?(iso text: Substring) {
    let parts = text.split(separator: "-")
    guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

/// `[1, 4]` for Mondays and Thursdays, `[[1, 2]]` for the first Tuesday of a month.
extension Days: Stored {
  var stored: TOMLValue.Kind {
    let plain = weekdays.sorted().map { TOMLValue($0.rawValue.stored) }
    let ordinals = ordinals.sorted().map {
      TOMLValue([$0.place.rawValue, $0.weekday.rawValue].stored)
    }
    return .array(plain + ordinals)
  }

  init?(stored: TOMLValue.Kind) {
    guard case .array(let values) = stored else { return nil }
    self.init()
    for value in values {
      if let number = Int(stored: value.kind), let weekday = Weekday(rawValue: number) {
        weekdays.insert(weekday)
      } else if let pair = [Int](stored: value.kind), pair.count == 2,
        let place = Ordinal.Place(rawValue: pair[0]), let weekday = Weekday(rawValue: pair[1])
      {
        ordinals.insert(Ordinal(place, weekday))
      } else {
        return nil
      }
    }
  }
}

/// `"once"`, `{on = 2026-12-24}`, `{days = [1, 4]}`, or with `count`, `unit` and `start` as well.
extension Recurrence.Dates: Stored {
  var stored: TOMLValue.Kind {
    switch self {
    case .once: return "once".stored
    case .on(let date): return Self.table([("on", date.stored)])
    case .days(let days): return Self.table([("days", days.stored)])
    case .every(let interval, let days):
      return Self.table([
        ("count", interval.count.stored), ("unit", interval.unit.rawValue.stored),
        ("start", interval.start.stored), ("days", days.stored),
      ])
    }
  }

  init?(stored: TOMLValue.Kind) {
    if stored == .string("once") {
      self = .once
      return
    }
    guard case .table(let table) = stored else { return nil }
    if let date = table["on"].flatMap({ CivilDate(stored: $0.kind) }) {
      self = .on(date)
      return
    }
    guard let days = table["days"].flatMap({ Days(stored: $0.kind) }) else { return nil }
    guard let count = table["count"].flatMap({ Int(stored: $0.kind) }) else {
      if days.isEmpty { return nil }
      self = .days(days)
      return
    }
    guard (1...Interval.most).contains(count),
      let word = table["unit"].flatMap({ String(stored: $0.kind) }),
      let unit = Interval.Unit(rawValue: word),
      let start = table["start"].flatMap({ CivilDate(stored: $0.kind) })
    else { return nil }
    self = .every(Interval(count, unit, from: start), days)
  }

  private static func table(_ entries: [(String, TOMLValue.Kind)]) -> TOMLValue.Kind {
    .table(TOMLTable(entries: entries.map { TOMLTable.Entry($0.0, $0.1) }))
  }
}

/// `"Asia/Seoul"` for a zone, else `{city = {…}, name = "Seoul"}`.
extension WorldClock.Place: Stored {
  var stored: TOMLValue.Kind {
    switch self {
    case .zone(let zone): return zone.stored
    case .city(let city, let name):
      let entries = [
        TOMLTable.Entry("name", name.stored), TOMLTable.Entry("city", city.stored),
      ]
      return .table(TOMLTable(entries: entries))
    }
  }

  init?(stored: TOMLValue.Kind) {
    if let zone = String(stored: stored) {
      self = .zone(zone)
      return
    }
    guard case .table(let table) = stored,
      let name = table["name"].flatMap({ String(stored: $0.kind) }),
      let city = table["city"].flatMap({ City?(stored: $0.kind) })
    else { return nil }
    self = .city(city, as: name)
  }
}
