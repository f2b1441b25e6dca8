// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from KAlarm. Its alarms are events in iCalendar files, with additional properties. The
// file `kalarmresources` lists these files. Archived alarms will not ring again, so they are not
// read. Tested with a file of kalarm 24.12. Properties that are not in the tested file are read in
// the form in which `kaevent.cpp` of kalarm 26.08 writes them. Next: `CalendarAlarms.swift`.

import Configuration
import Files
import ICalendar
import Language
import Scheduling
import System
import TOML

extension Import {
  mutating func readKAlarm(on disk: Disk) throws(Failure) {
    let flatpak = "\(locations.home)/.var/app/org.kde.kalarm"
    var calendars: [Calendar] = []
    for (config, data) in [(configHome, dataHome), ("\(flatpak)/config", "\(flatpak)/data")] {
      let path = data + "/kalarm/calendar.ics"
      let named = listed(in: config + "/kalarmresources", on: disk)
      // KAlarm's own calendar is also read if the list of calendars is missing.
      if !named.contains(where: { $0.path == path }) { calendars.append(Calendar(path: path)) }
      calendars += named
    }
    let there = calendars.unique.filter { DurableFile.size(of: $0.path, on: disk) != nil }
    if there.isEmpty { throw Self.noData(of: "KAlarm", calendars.map(\.path)) }
    var failures: [Failure] = []
    for calendar in there {
      let count = entries.count
      do throws(Failure) { try readCalendar(calendar.path, on: disk) } catch {
        failures.append(error)
      }
      // KAlarm rings no alarm of a calendar that is switched off.
      if calendar.isEnabled { continue }
      for index in count..<entries.count { Self.switchOff(&entries[index]) }
    }
    if let first = failures.first, failures.count == there.count { throw first }
    remarks += failures.map(\.message)
  }

  private struct Calendar: Hashable {
    var path: String
    var isEnabled = true
  }

  /// Returns the calendars with active alarms that the file at `path` lists.
  private mutating func listed(in path: String, on disk: Disk) -> [Calendar] {
    guard let bytes = try? DurableFile.read(path, limit: Self.largestFile, on: disk),
      let file = KeyFile(bytes)
    else {
      if DurableFile.size(of: path, on: disk) != nil {
        remarks.append(Self.damaged(path, "UTF-8").message)
      }
      return []
    }
    func isActive(_ key: String, _ group: String) -> Bool {
      (file.value(key, in: group) ?? "").split(separator: ",").contains { $0 == "Active" }
    }
    var calendars: [Calendar] = []
    // The groups of `kalarmresources` are numbered, but some numbers may be missing, so try all
    // numbers.
    for group in (1...999).map({ "Resource_\($0)" }) where isActive("AlarmTypes", group) {
      let value = file.value("Path[$e]", in: group) ?? file.value("Path", in: group) ?? ""
      var path = Self.path(of: Self.unescaped(value, ["s": " ", "t": "\t", "n": "\n"]))
      for home in ["$HOME/", "~/"] where path.hasPrefix(home) {
        path = locations.home + "/" + path.dropFirst(home.count)
      }
      if ["Dir", "Directory"].contains(file.value("Type", in: group)) {
        remarks.append(tr("a folder of calendars: \(path)"))
      } else if DurableFile.size(of: path, on: disk) == nil {
        remarks.append(tr("a calendar that is missing: \(path)"))
      } else {
        calendars.append(Calendar(path: path, isEnabled: isActive("Enabled", group)))
      }
    }
    return calendars
  }

  /// Returns whether this alarm should ring. KAlarm also attaches other alarms to an event, such as
  /// a reminder, which do not ring by themselves.
  mutating func isKAlarmRing(
    _ alarm: [CalendarItem.Property], of item: CalendarItem, _ label: String
  ) -> Bool {
    let kinds = (item["X-KDE-KALARM-TYPE", in: alarm]?.value ?? "").split(separator: ",")
    for kind in kinds {
      switch kind {
      case "FILE": remarks.append(tr("\(label): its file"))
      // A reminder becomes the setting `upcoming` of its alarm.
      case "REMINDER": return false
      case "LOGIN":
        remarks.append(tr("\(label): ringing at login"))
        return false
      case "DEFERRAL", "DATE_DEFERRAL", "DISPLAYING": return false
      default: break
      }
    }
    return true
  }

  mutating func readKAlarm(
    _ item: CalendarItem, _ alarms: [[CalendarItem.Property]], _ alarm: inout Alarm
  ) {
    guard item["X-KDE-KALARM-TYPE"] != nil else { return }
    if item["STATUS"]?.value == "DISABLED" { alarm.isEnabled = false }
    var flags = (item["X-KDE-KALARM-FLAGS"]?.value ?? "").split(separator: ";")[...]
    while let flag = flags.popFirst() { readFlag(flag, &flags, &alarm) }
    if item["X-KDE-KALARM-REPEAT"] != nil {
      remarks.append(tr("\(alarm.name): its automatic repeats"))
    }
    let isSpoken = alarms.contains { properties in
      item["X-KDE-KALARM-FLAGS", in: properties]?.value.split(separator: ";").contains("SPEAK")
        ?? false
    }
    if isSpoken { remarks.append(tr("\(alarm.name): reading its text aloud")) }
    readReminder(item, &alarm)
    let volume = alarms.compactMap { item["X-KDE-KALARM-VOLUME", in: $0]?.value }.first
    if let volume { readVolume(volume, &alarm) }
  }

  /// Reads one of the event's flags. The values that belong to it follow it, and are removed from
  /// `values`.
  private mutating func readFlag(
    _ flag: Substring, _ values: inout ArraySlice<Substring>, _ alarm: inout Alarm
  ) {
    switch flag {
    case "EXHOLIDAYS": remarks.append(tr("\(alarm.name): skipping holidays"))
    case "WORKTIME": remarks.append(tr("\(alarm.name): ringing only in working hours"))
    case "ACKCONF": remarks.append(tr("\(alarm.name): asking again before it is closed"))
    case "SKIP": skip(to: values.popFirst() ?? "", &alarm)
    case "LATECANCEL", "LATECLOSE":
      // KAlarm takes a number that it cannot read, or 0, as one minute.
      let number = values.first.flatMap { UInt32($0) }
      if number != nil { values.removeFirst() }
      let minutes = max(1, Int(number ?? 1))
      alarm.settings.append(ConfigEditor.Setting("late", text: Self.duration(minutes)))
    // `REMINDER` is followed by a length, which `readReminder` reads.
    case "REMINDER":
      if values.first == "ONCE" { values.removeFirst() }
      values = values.dropFirst()
    case "DEFER":
      // The length that KAlarm suggests for a snooze, in minutes.
      let text = values.popFirst() ?? ""
      if let minutes = Int(text), (1...1440).contains(minutes) {
        alarm.snooze = minutes
      } else {
        remarks.append(tr("\(alarm.name): the length of its snooze: \(String(text))"))
      }
    case "TMPLAFTTIME", "KMAIL": values = values.dropFirst()
    // These flags say how KAlarm stores or shows the alarm, or ask for what Belfry does anyway:
    // KAlarm's WAKESUSPEND wakes the machine.
    case "LOCAL", "DATE", "BCC", "KORG", "NOINHIBIT", "WAKESUSPEND", "NOTIFY", "ARCHIVE", "LOGIN":
      break
    default: remarks.append(tr("\(alarm.name): the unknown setting \(String(flag))"))
    }
  }

  /// Lets the alarm begin at the moment `text`: KAlarm does not ring before that moment.
  private mutating func skip(to text: Substring, _ alarm: inout Alarm) {
    typealias Setting = ConfigEditor.Setting
    let isCounted = alarm.settings.contains { ["every", "date"].contains($0.key) }
    guard let moment = EventTime(text), let time = alarm.time, !isCounted else {
      // Another `from` would change the days of a rule that is counted from it.
      return remarks.append(tr("\(alarm.name): skipping its rings until \(String(text))"))
    }
    var from = moment.local.date
    if time < moment.local.time { from = from.adding(days: 1) }
    let begin = alarm.settings.first { $0.key == "from" }?.value?.text
    if let begin, begin >= from.description { return }
    alarm.settings.removeAll { $0.key == "from" }
    alarm.settings.append(Setting("from", date: from))
  }

  /// Reads the reminder, which KAlarm writes as a flag of the event, such as `REMINDER;-15M` or
  /// `REMINDER;ONCE;-2D`. Earlier versions write only an alarm with the trigger of the reminder. A
  /// reminder before the alarm becomes the setting `upcoming`.
  private mutating func readReminder(_ item: CalendarItem, _ alarm: inout Alarm) {
    let flags = (item["X-KDE-KALARM-FLAGS"]?.value ?? "").split(separator: ";")
    var values = flags.drop { $0 != "REMINDER" }.dropFirst()
    let isOnce = values.first == "ONCE"
    if isOnce { values.removeFirst() }
    let triggers = item.alarms.filter {
      item["X-KDE-KALARM-TYPE", in: $0]?.value.includes("REMINDER") == true
    }.map { item["TRIGGER", in: $0]?.value ?? "" }
    guard let text = values.first.map(String.init) ?? triggers.first else { return }
    let length = Self.reminder(text) ?? (values.isEmpty ? Self.before(text) : nil)
    guard let length, length >= 0 else {
      return remarks.append(tr("\(alarm.name): its reminder: \(text)"))
    }
    if isOnce { remarks.append(tr("\(alarm.name): a reminder of its first ring only")) }
    alarm.settings.append(
      ConfigEditor.Setting("upcoming", text: DurationText.format(.seconds(length))))
  }

  /// Returns how many seconds before the alarm the reminder comes, from the text of the flag;
  /// negative if it comes after the alarm, and nil if the text is not a length.
  private static func reminder(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["M": 60, "H": 3600, "D": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()),
      number.magnitude < 1_000_000
    else { return nil }
    return -number * unit
  }

  /// Returns how many seconds before the alarm a trigger is; nil if it is not before the alarm.
  private static func before(_ trigger: String) -> Int64? {
    guard let span = EventSpan(ofOneYear: trigger), span.days <= 0, span.seconds <= 0 else {
      return nil
    }
    return -(Int64(span.days) * 86_400 + span.seconds)
  }

  /// Reads KAlarm's volume and fade, such as `0.80;0.10;30`: the volume, the volume at which the
  /// sound begins, and how many seconds it takes to become louder. Belfry's sounds always begin
  /// nearly silent. Without a fade, KAlarm writes -1 and 0.
  private mutating func readVolume(_ text: String, _ alarm: inout Alarm) {
    typealias Setting = ConfigEditor.Setting
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let share = parts.first.flatMap({ Double($0) }), (0...1).contains(share) else {
      // A negative volume means that KAlarm does not set one.
      let isUnset = parts.first.flatMap { Double($0) }.map { $0 < 0 } ?? false
      if !isUnset { remarks.append(tr("\(alarm.name): its volume: \(text)")) }
      return
    }
    alarm.settings.append(Setting("volume", number: Int64((share * 100).rounded())))
    guard parts.count > 2, let seconds = Int64(parts[2]), seconds != 0 else { return }
    guard let initial = Double(parts[1]), initial >= 0, (1...86_400).contains(seconds) else {
      return remarks.append(tr("\(alarm.name): its fade-in: \(text)"))
    }
    alarm.settings.append(Setting("fade_in", text: DurationText.format(.seconds(seconds))))
  }
}
