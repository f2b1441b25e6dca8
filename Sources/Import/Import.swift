// SPDX-License-Identifier: GPL-3.0-or-later
//
// What other alarm clocks have on disk, as entries of a config, and what of it has no place there.
// They need not be installed, nothing of theirs is changed, and each is a file of its own here. Who
// writes the entries is `NewEntries.swift` of Files.

import Configuration
import Files
import Language
import Scheduling
import System
import TOML

public nonisolated struct Import: Sendable {
  public var entries: [ConfigEditor.NewEntry] = []
  /// What cannot be taken over, in words.
  public var remarks: [String] = []

  /// Why there is nothing to take over, or why an alarm has no place in a config; in words.
  public struct Failure: Error, Sendable {
    public var message: String
  }

  /// The clocks whose files are known by themselves.
  public static let programs = ["gnome-clocks", "kclock", "kalarm", "alarm-clock-applet"]

  let locations: Locations
  let now = Clock.wall

  init(_ locations: Locations) { self.locations = locations }

  /// What an iCalendar file has.
  @Blocking public static func from(
    calendar path: String, _ locations: Locations
  ) throws(Failure) -> Import {
    var found = Import(locations)
    try found.readCalendar(path)
    (found.entries, found.remarks) = (found.entries.unique, found.remarks.unique)
    return found
  }

  /// What the program of that name has.
  @Blocking public static func from(
    _ program: String, _ locations: Locations
  ) throws(Failure) -> Import {
    var found = Import(locations)
    switch program {
    case "gnome-clocks": try found.readGnomeClocks()
    case "kclock": try found.readKClock()
    case "kalarm": try found.readKAlarm()
    default: try found.readAlarmClockApplet()
    }
    // Who has moved to the sandboxed one may have all of it twice.
    (found.entries, found.remarks) = (found.entries.unique, found.remarks.unique)
    return found
  }

  // MARK: - For all of them

  /// No clock's file comes near it.
  static let largestFile = 4 << 20

  /// The files among `paths` that are there; none is a failure.
  @Blocking static func files(
    _ paths: [String], of program: String
  ) throws(Failure) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    for path in paths {
      do throws(FileError) {
        files.append((path, try DurableFile.read(path, limit: largestFile)))
      } catch {
        if !error.isMissing { throw Failure(message: tr(error.message)) }
      }
    }
    if files.isEmpty {
      throw Failure(
        message: tr("nothing of \(program) is here: there is no \(paths.joined(separator: ", "))"))
    }
    return files
  }

  static func damaged(_ path: String, _ place: String) -> Failure {
    Failure(message: tr("\(path) is damaged, or of a version that nobody here knows: \(place)"))
  }

  var configHome: String { Locations.folder("XDG_CONFIG_HOME", locations.home + "/.config") }
  var dataHome: String { Locations.folder("XDG_DATA_HOME", locations.home + "/.local/share") }

  /// What an alarm is, in any of the clocks.
  struct Alarm {
    /// Nil if the file has none that can be read.
    var time: CivilTime?
    var days: Set<Weekday> = []
    var label = ""
    var isEnabled = true
    /// In minutes.
    var snooze: Int?
    var ringFor: Int?
    /// A path.
    var sound = ""
    /// What else there is to it.
    var settings: [ConfigEditor.Setting] = []

    /// What it is called in a remark.
    var name: String { label.isEmpty ? time?.description ?? "" : label }
  }

  @Blocking mutating func add(_ alarm: Alarm) {
    typealias Setting = ConfigEditor.Setting
    guard let time = alarm.time else {
      remarks.append(tr("an alarm without a time: \(alarm.label)"))
      return
    }
    var settings = [SettingText.setting("time", [time.description])]
    if !alarm.days.isEmpty {
      settings.append(SettingText.setting("days", Days(alarm.days).names))
    }
    if !alarm.label.isEmpty { settings.append(Setting("label", text: alarm.label)) }
    if !alarm.isEnabled { settings.append(Setting("enabled", flag: false)) }
    if let sound = sound(alarm.sound, of: alarm.name) {
      settings.append(Setting("sound", text: sound))
    }
    if let minutes = alarm.snooze {
      settings.append(Setting("snooze", text: Self.duration(minutes)))
    }
    if let minutes = alarm.ringFor {
      let text = minutes > 0 ? Self.duration(minutes) : "forever"
      settings.append(Setting("ring_for", text: text))
    }
    settings += alarm.settings
    settings.sort { Self.place(of: $0) < Self.place(of: $1) }
    entries.append(ConfigEditor.NewEntry("alarm", settings))
  }

  private static func place(of setting: ConfigEditor.Setting) -> Int {
    SettingText.keys.firstIndex(of: setting.key) ?? SettingText.keys.count
  }

  static func duration(_ minutes: Int) -> String {
    DurationText.format(.seconds(Int64(minutes) * 60))
  }

  /// A preset, which is called by its label, or what of that can be a name.
  mutating func addTimer(_ label: String, seconds: Int64?) {
    typealias Setting = ConfigEditor.Setting
    guard let seconds, (1..<1 << 31).contains(seconds) else {
      remarks.append(tr("a timer without a duration: \(label)"))
      return
    }
    let length = DurationText.format(.seconds(seconds))
    var name = Identity.fault(of: label) == nil ? label : Identity.slug(label)
    if name.isEmpty { name = length }
    // A duration alone is no name.
    if DurationText.isDuration(name) { name = "timer-\(name)" }
    var settings = [Setting("name", text: name), Setting("duration", text: length)]
    if !label.isEmpty, label != name { settings.append(Setting("label", text: label)) }
    entries.append(ConfigEditor.NewEntry("timer", settings))
  }

  mutating func addClock(_ key: String, _ place: String) {
    entries.append(ConfigEditor.NewEntry("clock", [ConfigEditor.Setting(key, text: place)]))
  }

  /// The file, where it is there.
  @Blocking mutating func sound(_ path: String, of name: String) -> String? {
    if path.isEmpty { return nil }
    if path.hasPrefix("/"), Folder.hasFile(path) { return path }
    remarks.append(tr("\(name): its sound \(path) is not there"))
    return nil
  }

  /// `text` without its backslashes: a character behind one stands for what `escapes` has for it,
  /// or for itself.
  static func unescaped(_ text: String, _ escapes: [Character: Character]) -> String {
    var (result, isEscaped) = ("", false)
    for character in text {
      if !isEscaped, character == "\\" {
        isEscaped = true
        continue
      }
      result.append(isEscaped ? escapes[character] ?? character : character)
      isEscaped = false
    }
    return result
  }

  /// The number that `value` is, where a file has it in `limits`.
  static func whole(_ value: Int64?, _ limits: ClosedRange<Int64>) -> Int? {
    value.flatMap { limits.contains($0) ? Int($0) : nil }
  }
}
