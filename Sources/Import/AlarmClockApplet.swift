// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from Alarm Clock Applet. The applet stores a list of numbers and, for each number, a
// folder with the settings of one alarm. This code follows
// `io.github.alarm-clock-applet.gschema.xml` and `alarm.c` of alarm-clock-applet 0.4. Older
// versions kept their settings in GConf. Those need not be read, because version 0.4 has already
// imported them. Next: `StoredSettings.swift`.

import Configuration
import Files
import Language
import Scheduling
import System

extension Import {
  mutating func readAlarmClockApplet(on disk: Disk) throws(Failure) {
    let root = "/io/github/alarm-clock-applet/"
    let paths = StoredSettings.paths(
      configHome, home: locations.home, flatpak: "io.github.alarm-clock-applet")
    try readFiles(paths, of: "Alarm Clock Applet", on: disk) { found, path, bytes throws(Failure) in
      let settings = try StoredSettings(path, bytes)
      let list = found.value(settings, root + "alarms", type: "au") { value in
        if case .array(of: "u", let numbers) = value { numbers.compactMap(\.uint32) } else { nil }
      }
      for number in list ?? [] { found.readApplet(settings, "\(root)alarm-\(number)/", on: disk) }
    }
  }

  private mutating func readApplet(_ settings: StoredSettings, _ folder: String, on disk: Disk) {
    func text(_ key: String, _ found: inout Import) -> String? {
      found.value(settings, folder + key, type: "s", \.string)
    }
    let label = text("message", &self) ?? ""
    // For an alarm, the value of `time` is the number of seconds since midnight. For a timer, it is
    // the length in seconds. A setting that equals its default is not stored.
    let seconds = value(settings, folder + "time", type: "x", \.int64) ?? 0
    let isTimer = text("type", &self) == "timer"
    let time = Self.whole(seconds, 0...86_399).flatMap {
      CivilTime(hour: $0 / 3600, minute: $0 / 60 % 60, second: $0 % 60)
    }
    var alarm = Alarm(time: time, label: label)
    let days = value(settings, folder + "repeat", type: "as", \.strings) ?? []
    alarm.days = Set(Weekday.allCases.filter { days.contains($0.shortName) })
    alarm.isEnabled = value(settings, folder + "active", type: "b", \.boolean) ?? false
    let name = isTimer && label.isEmpty ? DurationText.format(.seconds(seconds)) : alarm.name
    if text("notify-type", &self) == "command" {
      let command = text("command", &self) ?? "rhythmbox-client --play"
      if isTimer || time != nil { remarks.append(tr("\(name): its command: \(command)")) }
    } else {
      alarm.sound = Self.path(of: text("sound-file", &self) ?? "")
      if value(settings, folder + "sound-repeat", type: "b", \.boolean) == false {
        remarks.append(tr("\(name): playing its sound only once"))
      }
    }
    for key in settings.keys(in: folder) where !Self.appletKeys.contains(key) {
      remarks.append(tr("\(name): the unknown setting \(key)"))
    }
    if !isTimer { return add(alarm, on: disk) }
    addTimer(label, seconds: seconds, sound: sound(alarm.sound, of: name, on: disk))
  }

  /// The keys of an alarm. `timestamp` is the moment of its next ring.
  private static let appletKeys: Set = [
    "active", "command", "message", "notify-type", "repeat", "sound-file", "sound-repeat", "time",
    "timestamp", "type",
  ]

  /// Returns the path of a `file:` URI. Any other text is returned unchanged.
  static func path(of uri: String) -> String { Path.of(uri: uri) ?? uri }
}
