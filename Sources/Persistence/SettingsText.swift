// SPDX-License-Identifier: GPL-3.0-or-later
//
// Converts the settings in force to text and back. The agent starts with these settings before it
// has read the config, because the disk of the config may hang. Each field is named once, in this
// file. Next: `Stored.swift`, which makes TOML of the fields; `StateText.swift`, the rest of the
// state.

import Configuration
import Scheduling
import TOML

/// Settings, and the config file that they were read from.
public struct SettingsInForce: Equatable, Sendable {
  /// The absolute path of the config. A config with another path has other alarms, so these
  /// settings do not apply to it.
  public var config: String
  public var configuration: Configuration

  public init(_ configuration: Configuration, of config: String) {
    (self.configuration, self.config) = (configuration, config)
  }
}

/// The text of `settings.toml`, which is in the same folder as the state. This file is written when
/// the settings change, not at each ring.
public enum SettingsText {
  static let version = 1

  public static func render(_ settings: SettingsInForce) -> String {
    let version = TOMLTable.Entry("version", version.stored)
    return "# The settings in force; belfryd writes this. Alarms are set in config.toml.\n"
      + TOMLTable(entries: [version] + settings.entries).text
  }

  /// Reads settings from `bytes`. Returns nil if they are not in the form that `render` writes. In
  /// that case nothing is lost, because the config still exists.
  public static func parse(_ bytes: [UInt8]) -> SettingsInForce? {
    guard let root = try? TOMLDocument.parse(bytes).root, root.value("version") == version,
      var settings = SettingsInForce(stored: .table(root))
    else { return nil }
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
    StoredField("wake_ahead", \.wakeAhead), StoredField("lock_screen", \.lockScreen),
  ]
}

extension AgentSettings.Clock: StoredCase {}
extension AgentSettings.OnClose: StoredCase {}
extension AgentSettings.Mixer: StoredCase {}
extension AgentSettings.LockScreen: StoredCase {}

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
  /// `paused` is not stored, because it is computed from the pauses.
  static let fields: [StoredField<Recurrence>] = [
    StoredField("time", \.time), StoredField("sun", \.sun), StoredField("dates", \.dates),
    StoredField("except", \.except), StoredField("calendars", \.calendars),
    StoredField("zone", \.zone), StoredField("from", \.from), StoredField("until", \.until),
  ]
}

extension HolidayFile: StoredRecord {
  static let blank = HolidayFile("")
  static let fields: [StoredField<HolidayFile>] = [
    StoredField("name", \.name), StoredField("days", \.days),
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
