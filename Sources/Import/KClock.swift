// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from KClock. Its background program stores alarms and timers in `kclockdrc`. Its window
// stores presets and time zones in `kclockrc`. Both are KConfig files with JSON in them. Reading
// alarms and timers is tested with a file of kclock 25.04. Presets and time zones are read as older
// versions wrote them, which is not tested.

import Language
import Persistence
import Scheduling
import System

@Blocking extension Import {
  mutating func readKClock() throws(Failure) {
    let paths = ["/kclockdrc", "/kclockrc"].map { configHome + $0 }
    for (path, bytes) in try Self.files(paths, of: "KClock") {
      guard let file = KeyFile(bytes) else { throw Self.damaged(path, "UTF-8") }
      for line in file.lines(of: "Alarms") {
        readKAlarmClock(try Self.json(line, path))
      }
      for line in file.lines(of: "Timers") + file.lines(of: "TimerPresets") {
        for timer in try Self.json(line, path).array ?? [] { readKTimer(timer) }
      }
      for line in file.lines(of: "Timezones") { addClock("timezone", line.key) }
    }
  }

  private static func json(_ line: KeyFile.Line, _ path: String) throws(Failure) -> JSON {
    // `KConfigIniBackend` writes these escapes. Its other escapes are for characters that JSON has
    // already escaped.
    guard let value = JSON(unescaped(line.value, ["s": " ", "t": "\t", "n": "\n"])) else {
      throw damaged(path, line.key)
    }
    return value
  }

  private mutating func readKAlarmClock(_ item: JSON) {
    let hour = Self.whole(item["hours"]?.integer, 0...23) ?? -1
    let minute = Self.whole(item["minutes"]?.integer, 0...59) ?? -1
    var alarm = Alarm(
      time: CivilTime(hour: hour, minute: minute), label: item["name"]?.string ?? "")
    let days = Self.whole(item["daysOfWeek"]?.integer, 0...127) ?? 0
    // In `daysOfWeek`, the lowest bit stands for Monday.
    alarm.days = Set(Weekday.allCases.filter { days >> ($0.rawValue - 1) & 1 == 1 })
    alarm.isEnabled = item["enabled"]?.boolean ?? true
    alarm.snooze = Self.whole(item["snoozeDuration"]?.integer, 1...1440)
    // A ring duration of -1 means that the alarm rings until it is stopped.
    alarm.ringFor = Self.whole(item["ringDuration"]?.integer, -1...1440)
    alarm.sound = item["audioPath"]?.string ?? ""
    add(alarm)
  }

  /// Adds a timer from KClock's background program, or a preset from KClock's window.
  private mutating func readKTimer(_ item: JSON) {
    let label = (item["label"] ?? item["presetName"])?.string ?? ""
    addTimer(label, seconds: (item["length"] ?? item["presetDuration"])?.integer)
    if let command = item["commandTimeout"]?.string, !command.isEmpty {
      remarks.append(tr("\(label): its command: \(command)"))
    }
    if item["looping"]?.boolean == true { remarks.append(tr("\(label): restarting by itself")) }
  }
}
