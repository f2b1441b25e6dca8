// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads KClock: its agent stores alarms and timers in `kclockdrc`, its window stores presets and
// time zones in `kclockrc`, both as JSON in KConfig files. The agent's data are tested with a file
// of kclock 25.04. Presets and time zones follow older versions and are not tested.

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
    // The escapes of `KConfigIniBackend`. It has others, but JSON has already escaped the
    // characters that they are for.
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
    // Monday is the lowest bit.
    alarm.days = Set(Weekday.allCases.filter { days >> ($0.rawValue - 1) & 1 == 1 })
    alarm.isEnabled = item["enabled"]?.boolean ?? true
    alarm.snooze = Self.whole(item["snoozeDuration"]?.integer, 1...1440)
    // -1 means without end.
    alarm.ringFor = Self.whole(item["ringDuration"]?.integer, -1...1440)
    alarm.sound = item["audioPath"]?.string ?? ""
    add(alarm)
  }

  /// Adds a timer of the agent, or a preset of the window.
  private mutating func readKTimer(_ item: JSON) {
    let label = (item["label"] ?? item["presetName"])?.string ?? ""
    addTimer(label, seconds: (item["length"] ?? item["presetDuration"])?.integer)
    if let command = item["commandTimeout"]?.string, !command.isEmpty {
      remarks.append(tr("\(label): its command: \(command)"))
    }
    if item["looping"]?.boolean == true { remarks.append(tr("\(label): restarting by itself")) }
  }
}
