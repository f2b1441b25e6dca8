// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from GNOME Clocks. Its alarms, timers and world clocks are lists of dictionaries, stored
// with GSettings. Tested with a file of gnome-clocks 48. The keys follow `alarm-item.vala` of
// gnome-clocks 51: up to version 43 each alarm has the key `active`, and from version 50 on the key
// `sound_uri`. Next: `StoredSettings.swift`.

import Cities
import Configuration
import Files
import Language
import Scheduling
import System

extension Import {
  private static let gnomeClocks = "org.gnome.clocks"

  mutating func readGnomeClocks(on disk: Disk) throws(Failure) {
    let paths = StoredSettings.paths(configHome, home: locations.home, flatpak: Self.gnomeClocks)
    try readFiles(paths, of: "GNOME Clocks", on: disk) { found, path, bytes throws(Failure) in
      let settings = try StoredSettings(path, bytes)
      for alarm in found.items("alarms", settings) { found.readGnomeAlarm(alarm, on: disk) }
      for timer in found.items("timers", settings) { found.readGnomeTimer(timer) }
      for clock in found.items("world-clocks", settings) { found.readGnomeClock(clock, on: disk) }
    }
  }

  private mutating func items(_ key: String, _ settings: StoredSettings) -> [Variant] {
    let items = value(settings, "/org/gnome/clocks/" + key, type: "aa{sv}", \.dictionaries) ?? []
    return items.map(Variant.dictionary)
  }

  /// Returns what `form` makes of the value of `key`; nil if `item` does not have the key. If the
  /// value has another type, adds a remark and returns nil.
  private mutating func field<Value>(
    _ key: String, of item: Variant, _ form: (Variant) -> Value?
  ) -> Value? {
    read(item[key], of: Self.name(of: item), key, form)
  }

  /// Returns how remarks name an alarm or timer: by its label, its time or its length.
  private static func name(of item: Variant) -> String {
    if let name = item["name"]?.string, !name.isEmpty { return name }
    if let length = number(item["duration"]) { return DurationText.format(.seconds(length)) }
    let time = CivilTime(
      hour: Int(clamping: number(item["hour"]) ?? -1),
      minute: Int(clamping: number(item["minute"]) ?? -1))
    return time?.description ?? "?"
  }

  /// Adds a remark for each key of `item` that is not in `known`.
  private mutating func remark(unknownOf item: Variant, known: [String]) {
    for entry in item.dictionary ?? [] where !known.contains(entry.key) {
      remarks.append(tr("\(Self.name(of: item)): the unknown setting \(entry.key)"))
    }
  }

  private static func number(_ value: Variant?) -> Int64? {
    value?.int32.map(Int64.init) ?? value?.uint32.map(Int64.init) ?? value?.int64
  }

  /// Returns a number of minutes that Belfry accepts; nil, with a remark, for any other value.
  private mutating func minutes(_ key: String, of item: Variant) -> Int? {
    field(key, of: item) { Self.whole(Self.number($0), 1...1440) }
  }

  private mutating func readGnomeAlarm(_ item: Variant, on disk: Disk) {
    let hour = field("hour", of: item, Self.number) ?? -1
    let minute = field("minute", of: item, Self.number) ?? -1
    var alarm = Alarm(
      time: CivilTime(hour: Int(clamping: hour), minute: Int(clamping: minute)),
      label: field("name", of: item, \.string) ?? "")
    // GNOME Clocks numbers the weekdays from 1 for Monday, as in ISO 8601.
    let days: [Weekday]? = field("days", of: item) { value in
      let days = value.elements.map {
        Self.whole(Self.number($0), 1...7).flatMap(Weekday.init(rawValue:))
      }
      guard case .array = value, !days.contains(nil) else { return nil }
      return days.compactMap(\.self)
    }
    alarm.days = Set(days ?? [])
    alarm.snooze = minutes("snooze_minutes", of: item)
    alarm.ringFor = minutes("ring_minutes", of: item)
    alarm.isEnabled = isOn(item, alarm)
    if let uri = field("sound_uri", of: item, \.string) { readGnomeSound(uri, &alarm, on: disk) }
    remark(
      unknownOf: item,
      known: [
        "name", "id", "hour", "minute", "days", "snooze_minutes", "ring_minutes", "active",
        "ring_time", "sound_uri",
      ])
    add(alarm, on: disk)
  }

  /// Returns whether the alarm is on. Versions after 43 do not store `active`. They store the next
  /// ring only for an alarm that is on. An alarm without days whose next ring is over was missed
  /// while GNOME Clocks was not running. GNOME Clocks switches it off when it starts.
  private mutating func isOn(_ item: Variant, _ alarm: Alarm) -> Bool {
    let isActive = field("active", of: item, \.boolean)
    let next = field("ring_time", of: item) { $0.string.flatMap(Self.moment) }
    guard let next else { return isActive ?? false }
    let end = next.seconds + Int64(alarm.ringFor ?? 5) * 60
    return isActive ?? true && !(alarm.days.isEmpty && end < now.seconds)
  }

  /// Reads a moment as GLib writes it, such as `2025-03-02T05:15:00+01`.
  private static func moment(_ text: String) -> Instant? {
    let sign = text.dropLast(2).last
    let isShort = text.contains("T") && (sign == "+" || sign == "-")
    return InstantText.parse(isShort ? text + ":00" : text, in: nil, Zones())
  }

  private mutating func readGnomeSound(_ uri: String, _ alarm: inout Alarm, on disk: Disk) {
    if uri.hasPrefix("resource:") {
      remarks.append(tr("\(alarm.name): its sound, which is a part of that program: \(uri)"))
    } else {
      alarm.sound = outside(Self.path(of: uri), of: Self.gnomeClocks, on: disk)
    }
  }

  private mutating func readGnomeTimer(_ item: Variant) {
    addTimer(
      field("name", of: item, \.string) ?? "",
      seconds: field("duration", of: item, Self.number))
    remark(unknownOf: item, known: ["name", "duration", "id"])
  }

  /// Reads a world clock. Its place has a name, the code of a weather station, and a position in
  /// radians. Belfry's table of cities may lack the place, and another town may have the same name.
  /// So a city with that name is used only if it is near the position.
  private mutating func readGnomeClock(_ item: Variant, on disk: Disk) {
    let place = item["location"]?.elements.last?.elements ?? []
    guard place.count == 5, let name = place[0].string, let code = place[1].string else {
      remarks.append(tr("a world clock of an unknown form"))
      return
    }
    if code == "@UTC" { return addClock("timezone", "UTC") }
    let degrees = (place[3].elements.first ?? place[4].elements.first)?.elements
      .compactMap { $0.double.map { $0 * 180 / .pi } }
    let near = (CityFile(locations, on: disk).search(name, count: 50, on: disk) ?? []).filter {
      city in
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
