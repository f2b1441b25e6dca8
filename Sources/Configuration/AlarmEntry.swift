// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the `[[alarm]]` entries of a config. An alarm with an error is left out. It still keeps its
// id, so that the ids of the other alarms stay the same.

import Cities
import Language
import Scheduling
import TOML

extension ConfigurationReader {
  mutating func readAlarms(_ entries: [EntryTable]) {
    var identifiers = Identifiers(explicit: entries.compactMap { $0.table["id"]?.kind.string })
    for entry in entries { readAlarm(entry, &identifiers) }
  }

  private mutating func readAlarm(_ entry: EntryTable, _ identifiers: inout Identifiers) {
    var fields = EntryReader(entry, diagnostics)
    let alarm = fields.settings(AlarmFields.keys, over: AlarmFields(), known)
    if let group = alarm.group { groups.insert(group) }
    let id = identifier(alarm, fields, &identifiers)
    let recurrence = recurrence(alarm, fields)
    let ring = fields.ringSettings(of: .alarm, over: reading.configuration.defaults, known)
    judgePreparation(ring, fields)
    fields.warnOfTheRest()
    let isValid = fields.isFaultless && recurrence != nil
    reading.recordTable("alarm", entry.index, id, isFaulty: !isValid)
    guard isValid, let id, let recurrence else { return }
    reading.configuration.alarms.append(
      Alarm(
        id: id, label: alarm.label, group: alarm.group, recurrence: recurrence,
        enabled: alarm.enabled, ring: ring))
  }

  /// `before` and `on_before` only work together. Warns if this alarm has one of them, but neither
  /// the alarm nor `[defaults]` has the other.
  private func judgePreparation(_ ring: RingSettings, _ fields: EntryReader) {
    if let place = fields.position(of: "before"), ring.before > .zero, ring.onBefore.isEmpty {
      diagnostics.warning(
        place, Message(#""before" has no effect here: there is no "on_before""#),
        hint: Message(#"write on_before = ["program", "argument"] too"#))
    }
    if let place = fields.position(of: "on_before"), !ring.onBefore.isEmpty, ring.before == .zero,
      !fields.has("before")
    {
      diagnostics.warning(
        place,
        Message(
          #""on_before" has no effect here: the key "before", which says how early, is missing"#
        ),
        hint: Message(#"write before = "10m" too"#))
    }
  }

  /// Returns the id of the alarm; nil if the id is unknown because of an error.
  private func identifier(
    _ alarm: AlarmFields, _ fields: EntryReader, _ identifiers: inout Identifiers
  ) -> String? {
    guard let id = fields.position(of: "id") else {
      return fields.isWrong("label")
        ? nil : identifiers.make(label: alarm.label, time: alarm.time)
    }
    guard let explicit = alarm.id else { return nil }
    if let line = identifiers.claim(explicit, inLine: id.line) {
      diagnostics.error(id, Message("the id \"\(explicit)\" is taken by the alarm in line \(line)"))
      return nil
    }
    return explicit
  }
}

// MARK: - When it rings

extension ConfigurationReader {
  /// Returns the rule that says when the alarm rings. Returns nil if the alarm has no valid time,
  /// or if its time depends on the sun and its city is unknown.
  private func recurrence(_ alarm: AlarmFields, _ fields: EntryReader) -> Recurrence? {
    let (every, from, until) = (alarm.every, alarm.from, alarm.until)
    if let later = fields.later(of: "days", "date") {
      diagnostics.error(later, Message(#"an alarm has either "days" or "date", not both"#))
    }
    if let later = fields.later(of: "date", "every") {
      diagnostics.error(later, Message(#"an alarm has either "date" or "every", not both"#))
    }
    judge(every, alarm.days, fields)
    judge(from, until, fields)
    guard let time = alarm.time else { return nil }
    let dates: Recurrence.Dates =
      if let every, let from {
        .every(Interval(every.count, every.unit, from: from), alarm.days ?? Days())
      } else {
        alarm.days.map { .days($0) } ?? alarm.date.map { .on($0) } ?? .once
      }
    var recurrence = Recurrence(
      time: .midnight, dates: dates, zone: alarm.zone, from: from, until: until)
    recurrence.except = alarm.except.days
    switch time {
    case .clock(let time): recurrence.time = time
    case .sun(let event, let offset):
      guard let city = place(alarm.city, fields) else { return nil }
      recurrence.sun = SunTime(
        event, offset: offset, city: city.name, latitude: city.latitude, longitude: city.longitude)
      if alarm.zone == nil, known.zones.contains(city.zone) { recurrence.zone = city.zone }
    }
    if case .clock = time, alarm.city != nil, let place = fields.position(of: "city") {
      diagnostics.warning(
        place, Message(#""city" has no effect here: the time is not sunrise or sunset"#),
        hint: Message(#"write time = "sunrise", or timezone = "Asia/Seoul""#))
    }
    read(alarm.except.calendars, for: &recurrence)
    if fields.isFaultless { warnOfSilence(recurrence, fields) }
    return recurrence
  }

  /// Returns the city that decides when the sun rises for an alarm; nil after reporting an error.
  private func place(_ name: String?, _ fields: EntryReader) -> City? {
    if fields.isWrong("city") { return nil }
    if let city = name.map({ places.cities?[$0] }) ?? places.own { return city }
    let place = fields.position(of: "time") ?? .start
    if places.cities == nil {
      diagnostics.error(
        place, Message("the table of cities cannot be read, so sunrise and sunset are unknown"),
        hint: Message("write a time of day, such as 07:30"))
    } else {
      diagnostics.error(
        place,
        Message("sunrise and sunset need a city, and neither this alarm nor a [[clock]] has one"),
        hint: diagnostics.isTyped("time")
          ? Message("add --city with the name of a city, such as Seoul")
          : Message(#"write city = "Seoul" too"#))
    }
    return nil
  }

  /// Adds the iCalendar files `calendars`, on whose days the alarm does not ring. An error in a
  /// file is only a warning, because the alarm must still ring on other days.
  private func read(
    _ calendars: [(name: String, position: TOMLPosition)], for rule: inout Recurrence
  ) {
    for (name, position) in calendars {
      let found = context.calendar(name, rule.zone)
      if let problem = found.problem { diagnostics.warning(position, problem, hint: found.hint) }
      for remark in context.calendarRemarks(name) { diagnostics.warning(position, remark) }
      let unread = context.unreadCalendars(name, rule.zone)
      rule.calendars.append(HolidayFile(name, in: rule.zone, found.days, unread: unread))
    }
  }

  func judge(_ from: CivilDate?, _ until: CivilDate?, _ fields: EntryReader) {
    guard let from, let until, until < from, let place = fields.position(of: "until") else {
      return
    }
    diagnostics.error(
      place, Message(#""until" is before "from": the last day is \#(until), the first \#(from)"#))
  }

  /// Reports keys that cannot be combined with `every`.
  private func judge(
    _ every: IntervalStep?, _ days: Days?, _ fields: EntryReader
  ) {
    let isTyped = diagnostics.isTyped("every")
    let names =
      isTyped ? (every: "--every", from: "--from") : (every: #""every""#, from: #""from""#)
    if fields.lacks("from", neededBy: "every"), let place = fields.position(of: "every") {
      diagnostics.error(
        place,
        Message("\(names.every) also needs \(names.from), the day that it is counted from"),
        hint: isTyped
          ? Message("add --from with the first day on which it rings")
          : Message("write from = 2026-11-23 too"))
    }
    guard let every, let place = fields.position(of: "days") else { return }
    switch every.unit {
    case .days:
      diagnostics.error(
        place,
        Message(
          #"an interval in days is counted from the date in "from", so "days" cannot be set too"#),
        hint: diagnostics.isTyped("every") || diagnostics.isTyped("days")
          ? Message(#"leave out --days, or use --every "2 weeks""#)
          : Message(#"leave out the key "days", or write every = "2 weeks""#))
    case .weeks where days?.areOfMonth == true:
      diagnostics.error(
        place, Message(#"a day such as "1st mon" is of a month, and "every" is in weeks"#),
        hint: diagnostics.isTyped("every") || diagnostics.isTyped("days")
          ? Message(#"use --every "2 months", or weekdays alone"#)
          : Message(#"write every = "2 months", or weekdays alone"#))
    case .weeks, .months, .years: break
    }
  }

  private func warnOfSilence(_ rule: Recurrence, _ fields: EntryReader) {
    func warn(_ keys: [String], _ message: Message) {
      let place = keys.lazy.compactMap { fields.position(of: $0) }.first
      diagnostics.warning(place ?? .start, message)
    }
    if rule.namesNoDay {
      warn(
        ["date", "until", "days", "every"],
        rule.until == nil && !fields.has("date")
          ? Message("this alarm never rings: there is no such day")
          : Message(
            #"this alarm never rings: no such day is between the dates in "from" and "until""#))
    } else if rule.isExcepted {
      warn(["except"], Message(#"this alarm never rings: all of its days are in the key "except""#))
    }
  }
}
