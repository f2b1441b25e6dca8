// SPDX-License-Identifier: GPL-3.0-or-later
//
// Imports from iCalendar files. Each alarm of an event or task becomes an alarm at the same time.
// An event or task without an alarm is named in a remark. `KAlarm.swift` reads the properties that
// only KAlarm has. `CalendarRule.swift` decides on which days an alarm rings.

import Configuration
import Files
import ICalendar
import Language
import Scheduling
import System
import TOML

extension CalendarItem {
  subscript(_ name: String) -> Property? { properties.first { $0.name == name } }
  subscript(_ name: String, in alarm: [Property]) -> Property? { alarm.first { $0.name == name } }
}

extension CalendarItem.Property {
  /// The value of the property as a text in one line.
  var text: String {
    let text = Import.unescaped(value, ["n": " ", "N": " "])
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

extension Import {
  mutating func readCalendar(_ path: String, on disk: Disk) throws(Failure) {
    let found: (items: [CalendarItem], remarks: [Message])
    do throws(CalendarItem.Failure) { found = try CalendarItem.read(path, at: now, on: disk) } catch
    {
      let hint = error.hint.map { "; " + tr($0) } ?? ""
      throw Failure(message: tr(error.message) + hint)
    }
    remarks += found.remarks.map { tr($0) }
    let imported = found.items.filter { item in
      let count = entries.count
      read(item, on: disk)
      return entries.count > count
    }
    remark(unreadOf: imported)
  }

  /// The properties that `read` and `readKAlarm` read, and those that are of no use outside the
  /// calendar, such as an identifier or the time of the last change.
  private static let known: Set = [
    "ACTION", "ATTACH", "COMPLETED", "CREATED", "DTEND", "DTSTAMP", "DTSTART", "DUE", "DURATION",
    "EXDATE", "EXRULE", "LAST-MODIFIED", "RDATE", "RECURRENCE-ID", "REPEAT", "RRULE", "SEQUENCE",
    "STATUS", "SUMMARY", "TRANSP", "TRIGGER", "UID", "X-KDE-KALARM-FLAGS",
    "X-KDE-KALARM-NEXTRECUR", "X-KDE-KALARM-NEXTREPEAT", "X-KDE-KALARM-REPEAT",
    "X-KDE-KALARM-TYPE", "X-KDE-KALARM-VOLUME", "X-KDE-KCALCORE-ENABLED",
  ]
  private static let mostNames = 20

  /// Adds a remark with the names of all properties of the imported items that are not read, and
  /// how often the file has them. The description of an alarm is read if the item has no title.
  private mutating func remark(unreadOf items: [CalendarItem]) {
    var counts: [String: Int] = [:]
    for item in items {
      let (title, isOfKAlarm) = (item["SUMMARY"]?.text, item["X-KDE-KALARM-TYPE"] != nil)
      let others = item.alarms.joined().filter { property in
        property.name != "DESCRIPTION" || (title ?? property.text) != property.text && !isOfKAlarm
      }
      for property in item.properties + others where !Self.known.contains(property.name) {
        counts[property.name, default: 0] += 1
      }
    }
    if counts.isEmpty { return }
    let names = counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    let rest = names.count > Self.mostNames ? ", …" : ""
    let list = names.prefix(Self.mostNames).joined(separator: ", ") + rest
    remarks.append(tr("properties for which an alarm has no setting: \(list)"))
  }

  private mutating func read(_ item: CalendarItem, on disk: Disk) {
    let title = Self.name(of: item, item.alarms.first ?? [])
    let status = item["STATUS"]?.value
    if status == "CANCELLED" { return remarks.append(tr("\(title): it is cancelled")) }
    if item.isTask, status == "COMPLETED" || item["COMPLETED"] != nil {
      return remarks.append(tr("\(title): it is done"))
    }
    if let kind = item["X-KDE-KALARM-TYPE"]?.value, !kind.hasPrefix("ACTIVE") {
      return remarks.append(tr("\(title): it is an archived alarm, or a template"))
    }
    // Apple's calendars write the action NONE to say that there is no alarm.
    let alarms = item.alarms.filter { item["ACTION", in: $0]?.value != "NONE" }
    if alarms.isEmpty { return remarks.append(tr("\(title): it has no alarm")) }
    for problem in item.problems { remarks.append("\(title): \(tr(problem))") }
    // An event may have an alarm that shows a text and an alarm that plays a sound at the same
    // time. These become one alarm.
    func trigger(_ alarm: [CalendarItem.Property]) -> String {
      let trigger = item["TRIGGER", in: alarm]
      return "\(trigger?.value ?? "") \(trigger?.related ?? "")"
    }
    var rings: [[CalendarItem.Property]] = []
    for alarm in alarms where isRing(alarm, of: item) { rings.append(alarm) }
    for each in rings.map(trigger).unique {
      add(item, rings.filter { trigger($0) == each }, on: disk)
    }
  }

  /// Returns whether this alarm should ring. If it does something else, such as sending an e-mail,
  /// adds a remark that says so.
  private mutating func isRing(_ alarm: [CalendarItem.Property], of item: CalendarItem) -> Bool {
    let label = Self.name(of: item, alarm)
    switch item["ACTION", in: alarm]?.value {
    case "EMAIL": remarks.append(tr("\(label): its e-mail"))
    case "PROCEDURE":
      let words = [item["ATTACH", in: alarm]?.value, item["DESCRIPTION", in: alarm]?.text]
      let command = words.compactMap(\.self).joined(separator: " ")
      remarks.append(tr("\(Self.name(of: item, [])): its command: \(command)"))
    case "DISPLAY", "AUDIO", nil: return isKAlarmRing(alarm, of: item, label)
    case let other?: remarks.append(tr("\(label): its action: \(other)"))
    }
    return false
  }

  private mutating func add(
    _ item: CalendarItem, _ alarms: [[CalendarItem.Property]], on disk: Disk
  ) {
    let texts = ["SUMMARY", "DESCRIPTION"]
    let first = alarms.first { alarm in alarm.contains { texts.contains($0.name) } } ?? alarms[0]
    let name = Self.name(of: item, first)
    do throws(Failure) {
      guard let trigger = alarms.compactMap({ item["TRIGGER", in: $0] }).first else {
        throw Failure(message: tr("its time cannot be read"))
      }
      // KAlarm has alarms for a date without a time, and shows them at the beginning of that day.
      // They are not imported, because no one wants to be woken at midnight.
      if item["X-KDE-KALARM-FLAGS"]?.value.split(separator: ";").contains("DATE") == true {
        throw Failure(message: tr("it has a date but no time"))
      }
      let (time, settings) = try when(item, trigger)
      var alarm = Alarm(
        time: time, label: Self.label(of: item, first), settings: settings)
      if let sound = alarms.compactMap({ item["ATTACH", in: $0] }).first {
        alarm.sound = Self.path(of: sound.value)
      }
      // KOrganizer and KAlarm can switch off an alarm.
      alarm.isEnabled = alarms.contains { item["X-KDE-KCALCORE-ENABLED", in: $0]?.value != "FALSE" }
      readKAlarm(item, alarms, &alarm)
      add(alarm, on: disk)
      readRepeats(item, alarms, name)
    } catch {
      remarks.append(tr("\(name): \(error.message)"))
    }
  }

  /// Adds a remark if the alarm or its sound repeats, because repeats are not imported.
  private mutating func readRepeats(
    _ item: CalendarItem, _ alarms: [[CalendarItem.Property]], _ name: String
  ) {
    for alarm in alarms {
      switch item["REPEAT", in: alarm]?.value {
      // KAlarm writes -1 for a sound that plays again until someone stops it, as Belfry's do. For
      // a sound that pauses before it plays again, KAlarm writes -2.
      case nil, "0", "-1": break
      case "-2": remarks.append(tr("\(name): the pauses between the repeats of its sound"))
      default: remarks.append(tr("\(name): its automatic repeats"))
      }
    }
  }

  /// Returns the title of the event or task or, if it has no title, the text of its alarm.
  private static func label(of item: CalendarItem, _ alarm: [CalendarItem.Property]) -> String {
    let title = item["SUMMARY"]?.text ?? ""
    let message = (item["SUMMARY", in: alarm] ?? item["DESCRIPTION", in: alarm])?.text ?? ""
    if title.isEmpty { return message }
    // In KAlarm, an alarm may have a name in addition to the text that it shows. The import keeps
    // both.
    let isNamed = item["X-KDE-KALARM-TYPE"] != nil && !message.isEmpty && message != title
    return isNamed ? "\(title): \(message)" : title
  }

  /// Returns how remarks name the event or task: by its label or, without a label, by its time.
  private static func name(of item: CalendarItem, _ alarm: [CalendarItem.Property]) -> String {
    let label = label(of: item, alarm)
    return label.isEmpty ? (item["DTSTART"] ?? item["DUE"])?.value ?? "" : label
  }

  /// Returns the time of the alarm, and the settings that decide on which days the alarm rings.
  private func when(
    _ item: CalendarItem, _ trigger: CalendarItem.Property
  ) throws(Failure) -> (CivilTime, [ConfigEditor.Setting]) {
    func unreadable(_ value: String) -> Failure {
      Failure(message: tr("its time cannot be read: \(value)"))
    }
    if let moment = EventTime(trigger.value) {
      return try CalendarRing(moment, trigger.zone, trigger.seconds).once(after: .init())
    }
    guard let span = EventSpan(ofOneYear: trigger.value) else { throw unreadable(trigger.value) }
    let start = item["DTSTART"] ?? item["DUE"]
    var (base, length) = (start, EventSpan())
    if trigger.related == "END" {
      base = item["DTEND"] ?? item["DUE"] ?? start
      if base?.name == "DTSTART", let text = item["DURATION"]?.value {
        guard let duration = EventSpan(ofOneYear: text) else { throw unreadable(text) }
        length = duration
      }
    }
    guard let base, let moment = EventTime(base.value) else {
      throw unreadable(base?.value ?? "")
    }
    let ring = try CalendarRing(moment, base.zone, base.seconds)
    let after = EventSpan(days: span.days + length.days, seconds: span.seconds + length.seconds)
    guard item["RRULE"] != nil || item["RDATE"] != nil else { return try ring.once(after: after) }
    return try ring.repeated(by: CalendarRule(item, now), after: after)
  }
}
