// SPDX-License-Identifier: GPL-3.0-or-later
//
// The clocks of the world at one moment, as values for the bus and for `--json`, and in words. How
// clocks stand to each other is reckoned in the core, sunrise and sunset in `Sun.swift`.

import Configuration
import Language
import Scheduling
import System

extension Overview {
  /// In the order of the config.
  public var clocks: [[Entry]] { configuration.clocks.map(clock) }

  private func clock(_ clock: WorldClock) -> [Entry] {
    var (name, country): (String?, String?) = (nil, nil)
    if case .city(let city, let typed) = clock.place { (name, country) = (typed, city?.country) }
    return Variant.entries([
      "label": .string(clock.label ?? ""), "city": text(name), "country": text(country),
    ]) + (clock.zone.map { time(in: $0) } ?? [])
      + (clock.city.map { sun(over: $0) } ?? [])
  }

  /// A city that was searched for; `city` is what the config takes.
  public func found(_ city: City) -> [Entry] {
    let names = [
      ("city", city.title), ("name", city.name), ("korean", city.korean), ("local", city.local),
      ("region", city.region), ("country", city.country), ("country_code", city.countryCode),
    ]
    return names.filter { !$0.1.isEmpty }.map { Entry($0.0, .string($0.1)) }
      + Variant.entries([
        "population": .int64(Int64(city.population)), "latitude": .double(city.latitude),
        "longitude": .double(city.longitude),
      ]) + time(in: city.zone)
  }

  /// What the clock of `zone` shows now.
  public func reading(of zone: String) -> ClockReading { zones.reading(of: zone, at: now.wall) }

  /// What the sun does today over `city`, the day of the calendar there; nil where that day has no
  /// noon.
  public func sun(of city: City) -> Sun? {
    let today = zones.civil(at: now.wall, in: city.zone).date
    guard let noon = CivilTime(hour: 12, minute: 0),
      let resolved = zones.resolve(CivilDateTime(today, noon), in: city.zone)
    else { return nil }
    return Sun(latitude: city.latitude, longitude: city.longitude, noon: resolved.instant)
  }

  private func time(in zone: String) -> [Entry] {
    let reading = reading(of: zone)
    return Variant.entries([
      "timezone": .string(zone), "at": .string(zones.rfc3339(now.wall, in: zone)),
      "offset": .int64(Int64(reading.offset)),
      "day": .string(Wording.dayName(reading.days).description),
    ])
  }

  private func sun(over city: City) -> [Entry] {
    switch sun(of: city) {
    case .rises(let rise, let set):
      Variant.entries([
        "sunrise": .string(zones.rfc3339(rise, in: city.zone)),
        "sunset": .string(zones.rfc3339(set, in: city.zone)),
      ])
    case .staysUp: Variant.entries(["sun": .string("up")])
    case .staysDown: Variant.entries(["sun": .string("down")])
    case nil: []
    }
  }
}

extension Wording {
  /// `yesterday`, `today`, `tomorrow`; between the two ends of the world there are two days.
  public static func day(_ days: Int) -> String { tr(dayName(days)) }

  fileprivate static func dayName(_ days: Int) -> Message {
    switch days {
    case 0: Message("today")
    case 1: Message("tomorrow")
    case -1: Message("yesterday")
    case 1...: Message("in \(days) day", plural: "in \(days) days", count: days)
    default: Message("\(-days) day ago", plural: "\(-days) days ago", count: -days)
    }
  }

  /// How far a clock is ahead, to the minute: `+5 h 45 min`, `-30 min`.
  public static func offset(_ seconds: Int) -> String {
    let minutes = Int(seconds.magnitude) / 60
    guard minutes > 0 else { return tr("same time") }
    return (seconds < 0 ? "-" : "+") + span(.minutes(Int64(minutes)))
  }

  /// `06:24 to 17:08`, as clocks there show it.
  public func sun(_ sun: Sun, in zone: String) -> String {
    switch sun {
    case .rises(let rise, let set): tr("\(minute(rise, in: zone)) to \(minute(set, in: zone))")
    case .staysUp: tr("does not set")
    case .staysDown: tr("does not rise")
    }
  }

  /// The time there, seconds left out.
  public func minute(_ instant: Instant, in zone: String) -> String {
    minute(zones.civil(at: instant, in: zone).time)
  }
}
