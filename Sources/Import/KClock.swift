// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from KClock. Its background program stores alarms and timers in `kclockdrc`. Its window
// stores presets and time zones in `kclockrc`. Both are KConfig files with JSON in them. Reading
// alarms and timers is tested with a file of kclock 25.04. The other keys are read as the sources
// of kclock 26.08 write them: `alarm.cpp`, `timermodel.cpp` and `timerpresetmodel.cpp`.

import Files
import Language
import Scheduling
import System
import Values

extension Import {
  mutating func readKClock(on disk: Disk) throws(Failure) {
    let folders = [configHome, "\(locations.home)/.var/app/org.kde.kclock/config"]
    let paths = folders.flatMap { folder in ["/kclockdrc", "/kclockrc"].map { folder + $0 } }
    // All timers have the same sound. It is stored beside the timers and not beside the presets.
    var sound: String?
    try readFiles(paths, of: "KClock", on: disk) { found, path, bytes throws(Failure) in
      guard let file = KeyFile(bytes) else { throw Self.damaged(path, "UTF-8") }
      for line in file.lines(of: "Alarms") {
        if let item = found.json(line, path) { found.readKAlarmClock(item, on: disk) }
      }
      let timers = file.lines(of: "Timers")
      if let line = timers.last(where: { $0.key == "defaultAudio" }) {
        sound = found.sound(Self.path(of: Self.text(line)), of: tr("timers"), on: disk)
      }
      for line in timers + file.lines(of: "TimerPresets") where line.key != "defaultAudio" {
        guard ["timersList", "timerPresets"].contains(line.key) else {
          found.remarks.append(tr("\(path): the unknown setting \(line.key)"))
          continue
        }
        for timer in found.json(line, path)?.list ?? [] { found.readKTimer(timer, sound) }
      }
      for line in file.lines(of: "Timezones") { found.addClock("timezone", line.key) }
    }
  }

  /// Returns the value of `line` without KConfig's escapes. KConfig has other escapes, too, but
  /// they are for characters that JSON has already escaped.
  private static func text(_ line: KeyFile.Line) -> String {
    unescaped(line.value, ["s": " ", "t": "\t", "n": "\n"])
  }

  private mutating func json(_ line: KeyFile.Line, _ path: String) -> Value? {
    if let value = Value(json: Self.text(line)) { return value }
    remarks.append(tr("\(path): its \(line.key) cannot be read"))
    return nil
  }

  /// Returns what `form` makes of the value of `key`; nil if `item` does not have the key. If the
  /// value has another form, adds a remark and returns nil.
  private mutating func field<Form>(
    _ key: String, of item: Value, _ form: (Value) -> Form?
  ) -> Form? {
    read(item[key], of: Self.name(of: item), key, form)
  }

  /// Returns how remarks name an alarm or timer: by its label or, without a label, by its time.
  private static func name(of item: Value) -> String {
    for key in ["name", "label", "presetName"] {
      if let name = item[key]?.string, !name.isEmpty { return name }
    }
    let (hour, minute) = (item["hours"]?.integer ?? -1, item["minutes"]?.integer ?? -1)
    let time = CivilTime(hour: Int(clamping: hour), minute: Int(clamping: minute))
    return time?.description ?? tr("timer", context: "import")
  }

  /// Adds a remark for each key of `item` that is not in `known`.
  private mutating func remark(unknownOf item: Value, known: [String]) {
    guard case .table(let members) = item else { return }
    for member in members where !known.contains(member.key) {
      remarks.append(tr("\(Self.name(of: item)): the unknown setting \(member.key)"))
    }
  }

  private mutating func readKAlarmClock(_ item: Value, on disk: Disk) {
    let hour = field("hours", of: item) { Self.whole($0.integer, 0...23) } ?? -1
    let minute = field("minutes", of: item) { Self.whole($0.integer, 0...59) } ?? -1
    var alarm = Alarm(
      time: CivilTime(hour: hour, minute: minute),
      label: field("name", of: item, \.string) ?? "")
    let days = field("daysOfWeek", of: item) { Self.whole($0.integer, 0...127) } ?? 0
    // In `daysOfWeek`, the lowest bit stands for Monday.
    alarm.days = Set(Weekday.allCases.filter { days >> ($0.rawValue - 1) & 1 == 1 })
    alarm.isEnabled = field("enabled", of: item, \.boolean) ?? true
    alarm.snooze = field("snoozeDuration", of: item) { Self.whole($0.integer, 1...1440) }
    // A ring duration of -1 means that the alarm rings until it is stopped.
    alarm.ringFor = field("ringDuration", of: item) { Self.whole($0.integer, -1...1440) }
    alarm.sound = Self.path(of: field("audioPath", of: item, \.string) ?? "")
    // `snoozedLength` belongs to a ring that is snoozed now.
    remark(
      unknownOf: item,
      known: [
        "uuid", "name", "enabled", "hours", "minutes", "daysOfWeek", "audioPath", "ringDuration",
        "snoozeDuration", "snoozedLength",
      ])
    add(alarm, on: disk)
  }

  /// Adds a timer from KClock's background program, or a preset from KClock's window.
  private mutating func readKTimer(_ item: Value, _ sound: String?) {
    let label = field(item["label"] == nil ? "presetName" : "label", of: item, \.string) ?? ""
    let length = item["length"] == nil ? "presetDuration" : "length"
    addTimer(label, seconds: field(length, of: item, \.integer), sound: sound)
    if let command = field("commandTimeout", of: item, \.string), !command.isEmpty {
      remarks.append(tr("\(label): its command: \(command)"))
    }
    if field("looping", of: item, \.boolean) == true {
      remarks.append(tr("\(label): restarting by itself"))
    }
    remark(
      unknownOf: item,
      known: [
        "uuid", "label", "length", "looping", "commandTimeout", "presetName", "presetDuration",
      ])
  }
}
