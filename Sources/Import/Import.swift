// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports the alarms of other alarm clocks as entries for a config, and makes remarks about
// everything that cannot be imported. The other programs need not be installed, and their files are
// not changed. This folder has a file for each of these programs. `NewEntries.swift` in Files
// writes the entries.

import Configuration
import Files
import Language
import Scheduling
import System
import TOML

public struct Import: Sendable {
  public var entries: [ConfigEditor.NewEntry] = []
  /// Sentences about what could not be imported.
  public var remarks: [String] = []

  /// The reason why there is nothing to import, or why an alarm cannot be expressed as settings of
  /// Belfry.
  public struct Failure: Error, Sendable {
    public var message: String
  }

  /// The programs that a user can name instead of a file, because Belfry knows where their files
  /// are.
  public static let programs = ["gnome-clocks", "kclock", "kalarm", "alarm-clock-applet"]

  let locations: Locations
  let now = Clock.wall

  init(_ locations: Locations) { self.locations = locations }

  /// Imports the alarms of `source`: either one of `programs`, or the path of an iCalendar file.
  public static func from(
    _ source: String, _ locations: Locations, on disk: Disk
  ) throws(Failure) -> Import {
    var found = Import(locations)
    switch source {
    case "gnome-clocks": try found.readGnomeClocks(on: disk)
    case "kclock": try found.readKClock(on: disk)
    case "kalarm": try found.readKAlarm(on: disk)
    case "alarm-clock-applet": try found.readAlarmClockApplet(on: disk)
    default: try found.readCalendar(source, on: disk)
    }
    // A user who has moved from the system's package of a program to its Flatpak may have every
    // alarm twice.
    (found.entries, found.remarks) = (found.entries.unique, found.remarks.unique)
    return found
  }

  // MARK: - Shared by the imports from all programs

  /// The size in bytes of the largest file that is read. The real files of alarm clocks are far
  /// smaller.
  static let largestFile = 4 << 20

  /// Reads the files of `paths` that exist and passes each of them to `read`. If a file cannot be
  /// read, adds a remark and goes on. Throws if there is no file, or if none of them can be read.
  mutating func readFiles(
    _ paths: [String], of program: String,
    on disk: Disk, _ read: (inout Import, _ path: String, _ bytes: [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var (failures, count): ([Failure], Int) = ([], 0)
    for path in paths {
      do throws(FileError) {
        let bytes = try DurableFile.read(path, limit: Self.largestFile, on: disk)
        do throws(Failure) {
          try read(&self, path, bytes)
          count += 1
        } catch { failures.append(error) }
      } catch {
        if !error.isMissing { failures.append(Failure(message: tr(error.message))) }
      }
    }
    guard count > 0 else { throw failures.first ?? Self.noData(of: program, paths) }
    remarks += failures.map(\.message)
  }

  /// Returns what `form` makes of `value`; nil if there is no value. If the value has another form,
  /// adds a remark that names the key and the alarm or timer, and returns nil.
  mutating func read<Stored, Value>(
    _ value: Stored?, of name: @autoclosure () -> String, _ key: String, _ form: (Stored) -> Value?
  ) -> Value? {
    guard let value else { return nil }
    if let result = form(value) { return result }
    remarks.append(tr("\(name()): its \(key) cannot be read"))
    return nil
  }

  static func noData(of program: String, _ paths: [String]) -> Failure {
    Failure(
      message: tr("no data of \(program) found: there is no \(paths.joined(separator: ", "))"))
  }

  static func damaged(_ path: String, _ place: String) -> Failure {
    Failure(message: tr("\(path) is damaged or has an unknown format: \(place)"))
  }

  var configHome: String { Locations.folder("XDG_CONFIG_HOME", locations.home + "/.config") }
  var dataHome: String { Locations.folder("XDG_DATA_HOME", locations.home + "/.local/share") }

  /// An alarm of another program, before it becomes an entry of the config.
  struct Alarm {
    /// The time of the alarm; nil if the file has no time, or a time that cannot be read.
    var time: CivilTime?
    var days: Set<Weekday> = []
    var label = ""
    var isEnabled = true
    /// The length of a snooze in minutes; nil if the file has none that Belfry accepts.
    var snooze: Int?
    /// How many minutes the alarm rings; 0 or less: until someone stops it. Nil if the file has no
    /// such number that Belfry accepts.
    var ringFor: Int?
    var sound = ""
    /// Settings for which this struct has no property, because only some of the other programs have
    /// them.
    var settings: [ConfigEditor.Setting] = []

    /// The name of the alarm in remarks.
    var name: String { label.isEmpty ? time?.description ?? "" : label }
  }

  mutating func add(_ alarm: Alarm, on disk: Disk) {
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
    if let sound = sound(alarm.sound, of: alarm.name, on: disk) {
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

  static func switchOff(_ entry: inout ConfigEditor.NewEntry) {
    guard entry.list == "alarm" else { return }
    entry.settings.removeAll { $0.key == "enabled" }
    entry.settings.append(ConfigEditor.Setting("enabled", flag: false))
    entry.settings.sort { place(of: $0) < place(of: $1) }
  }

  private static func place(of setting: ConfigEditor.Setting) -> Int {
    SettingText.keys.firstIndex(of: setting.key) ?? SettingText.keys.count
  }

  static func duration(_ minutes: Int) -> String {
    DurationText.format(.seconds(Int64(minutes) * 60))
  }

  /// Adds a timer preset. The name of the preset is the label if the label is valid as a name.
  /// Otherwise, the name is a simplified form of the label.
  mutating func addTimer(_ label: String, seconds: Int64?, sound: String? = nil) {
    typealias Setting = ConfigEditor.Setting
    guard let seconds, (1..<1 << 31).contains(seconds) else {
      remarks.append(tr("a timer without a duration: \(label)"))
      return
    }
    let length = DurationText.format(.seconds(seconds))
    var name = Identity.fault(of: label) == nil ? label : Identity.slug(label)
    if name.isEmpty { name = length }
    // The name of a timer must not look like a duration.
    if DurationText.isDuration(name) { name = "timer-\(name)" }
    var settings = [Setting("name", text: name), Setting("duration", text: length)]
    if !label.isEmpty, label != name { settings.append(Setting("label", text: label)) }
    if let sound { settings.append(Setting("sound", text: sound)) }
    entries.append(ConfigEditor.NewEntry("timer", settings))
  }

  mutating func addClock(_ key: String, _ place: String) {
    entries.append(ConfigEditor.NewEntry("clock", [ConfigEditor.Setting(key, text: place)]))
  }

  /// Returns `path` if the sound file exists, and nil otherwise. If there is a path but no file,
  /// adds a remark.
  mutating func sound(_ path: String, of name: String, on disk: Disk) -> String? {
    if path.isEmpty { return nil }
    if OutsideText.isAbsolute(path), Folder.hasFile(path, on: disk) { return path }
    remarks.append(tr("\(name): its sound \(path) is missing"))
    return nil
  }

  /// Returns where a file of the Flatpak `id` is for other programs. The Flatpak's own files are in
  /// `/app` only for itself. Any other path is returned unchanged.
  func outside(_ path: String, of id: String, on disk: Disk) -> String {
    guard path.hasPrefix("/app/"), !Folder.hasFile(path, on: disk) else { return path }
    let places = ["\(dataHome)/flatpak", "/var/lib/flatpak"].map { folder in
      "\(folder)/app/\(id)/current/active/files" + path.dropFirst("/app".count)
    }
    return places.first { Folder.hasFile($0, on: disk) } ?? path
  }

  /// Removes the backslashes from `text`. A character after a backslash is replaced by its value in
  /// `escapes`, or kept if it is not in `escapes`.
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

  /// Returns `value` as an `Int`, or nil if the value is missing or outside `limits`.
  static func whole(_ value: Int64?, _ limits: ClosedRange<Int64>) -> Int? {
    value.flatMap { limits.contains($0) ? Int($0) : nil }
  }
}
