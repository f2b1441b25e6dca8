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

@Blocking extension Import {
  mutating func readAlarmClockApplet() throws(Failure) {
    let paths = StoredSettings.paths(
      configHome, home: locations.home, flatpak: "io.github.alarm-clock-applet")
    let root = "/io/github/alarm-clock-applet/"
    for file in try Self.files(paths, of: "Alarm Clock Applet") {
      let settings = try StoredSettings(file.path, file.bytes)
      guard let list = try settings.value(root + "alarms", type: "au") else { continue }
      for number in list.elements.compactMap(\.uint32) {
        try readApplet(settings, "\(root)alarm-\(number)/")
      }
    }
  }

  private mutating func readApplet(
    _ settings: StoredSettings, _ folder: String
  ) throws(Failure) {
    func text(_ key: String) throws(Failure) -> String? {
      try settings.value(folder + key, type: "s")?.string
    }
    let label = try text("message") ?? ""
    // For an alarm, the value of `time` is the number of seconds since midnight. For a timer, it is
    // the length in seconds. A setting that equals its default is not stored.
    let seconds = try settings.value(folder + "time", type: "x")?.int64 ?? 0
    if try text("type") == "timer" { return addTimer(label, seconds: seconds) }
    let time = Self.whole(seconds, 0...86_399).flatMap {
      CivilTime(hour: $0 / 3600, minute: $0 / 60 % 60, second: $0 % 60)
    }
    var alarm = Alarm(time: time, label: label)
    let days = try settings.value(folder + "repeat", type: "as")?.strings ?? []
    alarm.days = Set(Weekday.allCases.filter { days.contains($0.shortName) })
    alarm.isEnabled = try settings.value(folder + "active", type: "b")?.boolean ?? false
    if time != nil, try text("notify-type") == "command" {
      let command = try text("command") ?? "rhythmbox-client --play"
      remarks.append(tr("\(alarm.name): its command: \(command)"))
    } else {
      alarm.sound = Self.path(of: try text("sound-file") ?? "")
    }
    add(alarm)
  }

  /// Returns the path of a `file:` URI. Any other text is returned unchanged.
  static func path(of uri: String) -> String { Path.of(uri: uri) ?? uri }
}
