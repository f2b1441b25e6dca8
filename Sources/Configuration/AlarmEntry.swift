// SPDX-License-Identifier: GPL-3.0-or-later
//
// `[[alarm]]`: its keys, what must be there, and what it is called. An alarm with an error is left
// out, but keeps its identifier, so that the others do not change theirs.

import Language
import Scheduling
import TOML

extension ConfigurationReader {
  mutating func readAlarms(_ entries: [Entry]) {
    let explicit = entries.compactMap { entry -> String? in
      if case .string(let id) = entry.table["id"]?.kind { id } else { nil }
    }
    var identifiers = Identifiers(explicit: explicit)
    for entry in entries { readAlarm(entry, &identifiers) }
  }

  private mutating func readAlarm(_ entry: Entry, _ identifiers: inout Identifiers) {
    let errorsBefore = diagnostics.errors
    var fields = EntryReader(entry, diagnostics)
    let explicit = fields.value("id", .identifier)
    let time = fields.required(
      "time", .timeOfDay, orElse: Message("this alarm has no time"),
      hint: Message("write time = 07:30"))
    let label = fields.value("label", .label) ?? nil
    let id = identifier(explicit, label, time, fields, &identifiers)
    let dates = dates(&fields)
    let except = except(&fields, dates)
    let zone = fields.value("timezone", .zone(zones))
    let enabled = fields.value("enabled", .flag) ?? true
    let ring = fields.ringSettings(over: reading.configuration.defaults, sounds)
    fields.warnOfTheRest()
    // What is no table has no name.
    while reading.alarmNames.count < entry.index { reading.alarmNames.append(nil) }
    reading.alarmNames.append(id)

    guard diagnostics.errors == errorsBefore, let id, let time else {
      if let id { reading.faultyAlarms.insert(id) } else { reading.hasNamelessFaults = true }
      return
    }
    let recurrence = Recurrence(time: time, dates: dates, except: except, zone: zone)
    reading.configuration.alarms.append(
      Alarm(id: id, label: label, recurrence: recurrence, enabled: enabled, ring: ring))
  }

  private mutating func dates(_ fields: inout EntryReader) -> Recurrence.Dates {
    let days = fields.value("days", .weekdays(weekdays))
    let date = fields.value("date", .date)
    if let later = fields.later(of: "days", "date") {
      diagnostics.error(later, Message("an alarm has either days or a date, not both"))
    }
    if let days { return .weekly(days) }
    return date.map { .on($0) } ?? .once
  }

  private func except(
    _ fields: inout EntryReader, _ dates: Recurrence.Dates
  ) -> Set<CivilDate> {
    let except = fields.value("except", .dates) ?? []
    if case .on(let date) = dates, except.contains(date), let place = fields.position(of: "except")
    {
      diagnostics.warning(place, Message("this alarm never rings: its only day is in except"))
    }
    return except
  }

  /// What the alarm is called; nil where that cannot be told.
  private func identifier(
    _ explicit: String?, _ label: String?, _ time: CivilTime?, _ fields: EntryReader,
    _ identifiers: inout Identifiers
  ) -> String? {
    guard let id = fields.position(of: "id") else {
      return fields.isWrong("label") ? nil : identifiers.make(label: label, time: time)
    }
    guard let explicit else { return nil }
    if let line = identifiers.claim(explicit, inLine: id.line) {
      diagnostics.error(id, Message("the id \"\(explicit)\" is taken by the alarm in line \(line)"))
      return nil
    }
    return explicit
  }
}
