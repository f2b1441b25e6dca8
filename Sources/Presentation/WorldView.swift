// SPDX-License-Identifier: GPL-3.0-or-later
//
// The clocks of other cities at one moment, as values and in words. `Sun.swift` in System computes
// sunrise and sunset.

import Cities
import Configuration
import Language
import Scheduling
import System

extension Overview {
  public var clocks: [Status.City] { configuration.clocks.map(clock) }

  public func clock(_ clock: WorldClock) -> Status.City {
    var status = Status.City()
    status.label = clock.label ?? ""
    if clock.city != nil || clock.zone == nil {
      (status.city, status.country) = (clock.name, clock.city?.country)
    }
    if let zone = clock.zone {
      let reading = reading(of: zone)
      (status.timezone, status.at) = (zone, Moment(now.wall, zones, in: zone))
      status.offset = Int64(reading.offset)
      status.relativeDay = Wording.dayName(reading.days).description
    }
    guard let city = clock.city, let sun = sun(of: city) else { return status }
    switch sun {
    case .rises(let rise, let set):
      status.sunrise = Moment(rise, zones, in: city.zone)
      status.sunset = Moment(set, zones, in: city.zone)
    case .staysUp: status.sun = "up"
    case .staysDown: status.sun = "down"
    }
    return status
  }

  public func found(_ city: City) -> Status.FoundCity {
    func known(_ text: String) -> String? { text.isEmpty ? nil : text }
    let reading = reading(of: city.zone)
    return Status.FoundCity(
      city: city.title, name: city.name, korean: known(city.korean), local: known(city.local),
      region: known(city.region), country: known(city.country),
      countryCode: known(city.countryCode), population: Int64(city.population),
      latitude: city.latitude, longitude: city.longitude, timezone: city.zone,
      at: Moment(now.wall, zones, in: city.zone), offset: Int64(reading.offset),
      relativeDay: Wording.dayName(reading.days).description)
  }

  /// Returns the time in `zone`, compared with the time here.
  public func reading(of zone: String) -> ClockReading { zones.reading(of: zone, at: now.wall) }

  /// Returns today's sunrise and sunset in `city`. The result is nil only if the city's time zone
  /// skipped the date, which cannot be true of today.
  public func sun(of city: City) -> Sun? {
    let today = zones.civil(at: now.wall, in: city.zone).date
    guard let noon = CivilTime(hour: 12, minute: 0),
      let resolved = zones.resolve(CivilDateTime(today, noon), in: city.zone)
    else { return nil }
    return Sun(latitude: city.latitude, longitude: city.longitude, noon: resolved.instant)
  }
}

extension Wording {
  /// Returns the day in another city, compared with the day here: `yesterday`, `today`, `tomorrow`,
  /// or a number of days. The dates of two cities can be two days apart.
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

  /// Returns how far the time in another zone is ahead of the time here, to the minute:
  /// `+5 h 45 min`. If it is behind, the text begins with a minus: `-30 min`.
  public static func offset(_ seconds: Int) -> String {
    let minutes = Int(seconds.magnitude) / 60
    guard minutes > 0 else { return tr("same time") }
    return (seconds < 0 ? "-" : "+") + span(.minutes(Int64(minutes)))
  }

  /// Returns the times of sunrise and sunset in the time zone `zone`, such as `06:24 to 17:08`.
  public func sun(_ sun: Sun, in zone: String) -> String {
    switch sun {
    case .rises(let rise, let set): tr("\(minute(rise, in: zone)) to \(minute(set, in: zone))")
    case .staysUp: tr("does not set")
    case .staysDown: tr("does not rise")
    }
  }

  /// Returns the time of day in the time zone `zone`, without seconds.
  public func minute(_ instant: Instant, in zone: String) -> String {
    minute(zones.civil(at: instant, in: zone).time)
  }
}
