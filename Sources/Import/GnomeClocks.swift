// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from GNOME Clocks. Its alarms, timers and world clocks are lists of dictionaries, stored
// with GSettings. Tested with a file of gnome-clocks 48. Up to version 43, each alarm also has the
// key `active`. Next: `StoredSettings.swift`.

import Files
import Language
import Scheduling
import System

@Blocking extension Import {
  mutating func readGnomeClocks() throws(Failure) {
    let paths = StoredSettings.paths(
      configHome, home: locations.home, flatpak: "org.gnome.clocks")
    for file in try Self.files(paths, of: "GNOME Clocks") {
      let settings = try StoredSettings(file.path, file.bytes)
      for alarm in try Self.items("alarms", settings) { readGnomeAlarm(alarm) }
      for timer in try Self.items("timers", settings) {
        addTimer(timer["name"]?.string ?? "", seconds: timer["duration"]?.int32.map(Int64.init))
      }
      for clock in try Self.items("world-clocks", settings) { readGnomeClock(clock) }
    }
  }

  private static func items(
    _ key: String, _ settings: StoredSettings
  ) throws(Failure) -> [Variant] {
    let key = "/org/gnome/clocks/" + key
    guard let value = try settings.value(key, type: "aa{sv}") else { return [] }
    guard let items = value.dictionaries else { throw damaged(settings.path, key) }
    return items.map(Variant.dictionary)
  }

  private mutating func readGnomeAlarm(_ item: Variant) {
    let (hour, minute) = (item["hour"]?.int32 ?? -1, item["minute"]?.int32 ?? -1)
    var alarm = Alarm(
      time: CivilTime(hour: Int(hour), minute: Int(minute)), label: item["name"]?.string ?? "")
    // GNOME Clocks numbers the weekdays from 1 for Monday, as in ISO 8601.
    alarm.days = Set(
      (item["days"]?.elements ?? []).compactMap { $0.int32.flatMap { Weekday(rawValue: Int($0)) } })
    // Versions after 43 do not store `active`. They store the next ring only for enabled alarms.
    alarm.isEnabled = item["active"]?.boolean ?? (item["ring_time"] != nil)
    alarm.snooze = Self.whole(item["snooze_minutes"]?.int32.map(Int64.init), 1...1440)
    alarm.ringFor = Self.whole(item["ring_minutes"]?.int32.map(Int64.init), 1...1440)
    add(alarm)
  }

  /// Reads a world clock. Its place has a name, the code of a weather station, and a position in
  /// radians. Belfry's table of cities may lack the place, and another town may have the same name.
  /// So a city with that name is used only if it is near the position.
  private mutating func readGnomeClock(_ item: Variant) {
    let place = item["location"]?.elements.last?.elements ?? []
    guard place.count == 5, let name = place[0].string, let code = place[1].string else {
      remarks.append(tr("a world clock of an unknown form"))
      return
    }
    if code == "@UTC" { return addClock("timezone", "UTC") }
    let degrees = (place[3].elements.first ?? place[4].elements.first)?.elements
      .compactMap { $0.double.map { $0 * 180 / .pi } }
    let near = (CityFile(locations).search(name, count: 50) ?? []).filter { city in
      guard let degrees, degrees.count == 2 else { return true }
      return abs(city.latitude - degrees[0]) < 0.7 && abs(city.longitude - degrees[1]) < 1
    }
    guard let city = near.first else {
      remarks.append(tr("the world clock \(name): belfry world search knows no such city"))
      return
    }
    addClock("city", city.title)
  }
}
