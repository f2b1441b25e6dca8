// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from KAlarm. Its alarms are events in iCalendar files, with additional properties. The
// file `kalarmresources` lists these files. Archived alarms will not ring again, so they are not
// read. Tested with a file of kalarm 24.12. Properties that are not in the tested file are read in
// the form in which KAlarm's source `kaevent.cpp` writes them. Next: `CalendarAlarms.swift`.

import Configuration
import Files
import Language
import System
import TOML

@Blocking extension Import {
  mutating func readKAlarm() throws(Failure) {
    var paths = [dataHome + "/kalarm/calendar.ics"]
    if let bytes = try? DurableFile.read(configHome + "/kalarmresources", limit: Self.largestFile),
      let file = KeyFile(bytes)
    {
      // The groups of `kalarmresources` are numbered, but some numbers may be missing, so try all
      // numbers.
      for group in (1...99).map({ "Resource_\($0)" })
      where file.value("AlarmTypes", in: group)?.includes("Active") == true {
        let value = file.value("Path[$e]", in: group) ?? file.value("Path", in: group) ?? ""
        var path = Self.path(of: value)
        if path.hasPrefix("$HOME") { path = locations.home + path.dropFirst(5) }
        if file.value("Type", in: group) == "Directory" {
          remarks.append(tr("a folder of calendars: \(path)"))
        } else if !paths.contains(path) {
          paths.append(path)
        }
      }
    }
    let there = paths.filter { DurableFile.size(of: $0) != nil }
    if there.isEmpty { throw Self.noData(of: "KAlarm", paths) }
    for path in there { try readCalendar(path) }
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
    typealias Setting = ConfigEditor.Setting
    alarm.isEnabled = item["STATUS"]?.value != "DISABLED"
    let flags = (item["X-KDE-KALARM-FLAGS"]?.value ?? "").split(separator: ";")
    for (flag, next) in zip(flags, flags.dropFirst() + [""]) {
      switch flag {
      case "EXHOLIDAYS": remarks.append(tr("\(alarm.name): skipping holidays"))
      case "WORKTIME": remarks.append(tr("\(alarm.name): ringing only in working hours"))
      case "LATECANCEL", "LATECLOSE":
        if let minutes = Self.whole(Int64(next), 1...10_000) {
          alarm.settings.append(Setting("late", text: Self.duration(minutes)))
        }
      default: break
      }
    }
    if item["X-KDE-KALARM-REPEAT"] != nil {
      remarks.append(tr("\(alarm.name): its automatic repeats"))
    }
    for reminder in item.alarms
    where item["X-KDE-KALARM-TYPE", in: reminder]?.value.includes("REMINDER") == true {
      let trigger = item["TRIGGER", in: reminder]?.value ?? ""
      if let span = CalendarSpan(trigger), span.days <= 0, span.seconds <= 0 {
        let length = -(Int64(span.days) * 86_400 + span.seconds)
        alarm.settings.append(Setting("upcoming", text: DurationText.format(.seconds(length))))
      } else {
        remarks.append(tr("\(alarm.name): its reminder: \(trigger)"))
      }
    }
    let volume = alarms.compactMap { item["X-KDE-KALARM-VOLUME", in: $0]?.value }.first
    if let part = volume?.split(separator: ";").first, let share = Double(part),
      (0...1).contains(share)
    {
      alarm.settings.append(Setting("volume", number: Int64((share * 100).rounded())))
    }
  }
}
