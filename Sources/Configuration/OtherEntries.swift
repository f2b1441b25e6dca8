// SPDX-License-Identifier: GPL-3.0-or-later
//
// `[[pause]]`, `[[timer]]` and `[[clock]]`: their keys and what must be there. One with an error is left out.

import Language
import Scheduling
import TOML

extension ConfigurationReader {
  /// After the alarms, which are told of them. One with an error pauses nothing: better a ring too many.
  mutating func readPauses(_ entries: [Entry]) {
    for entry in entries { readPause(entry) }
    for index in reading.configuration.alarms.indices {
      reading.configuration.alarms[index].take(reading.configuration.pauses)
    }
  }

  private mutating func readPause(_ entry: Entry) {
    let errorsBefore = diagnostics.errors
    var fields = EntryReader(entry, diagnostics)
    let from = fields.required(
      "from", .date, orElse: Message("this pause has no first day"),
      hint: Message("write from = 2026-12-24"))
    let until = fields.value("until", .date)
    let group = fields.value("group", .label) ?? nil
    let label = fields.value("label", .label) ?? nil
    judge(from, until, fields)
    fields.warnOfTheRest()
    if let group, let place = fields.position(of: "group") { warn(ofGroup: group, at: place) }
    guard diagnostics.errors == errorsBefore, let from else { return }
    reading.configuration.pauses.append(
      Pause(from: from, until: until, group: group, label: label))
    reading.pausePlaces.append(entry.index)
  }

  private func warn(ofGroup group: String, at place: TOMLPosition) {
    let groups = reading.configuration.alarms.compactMap(\.group)
    guard !groups.contains(group) else { return }
    diagnostics.warning(
      place, Message("no alarm is in the group \(TerminalText.quoted(group))"),
      hint: nearMatch(to: group, among: groups).map(Message.didYouMean))
  }

  mutating func readTimers(_ entries: [Entry]) {
    var lines: [String: Int] = [:]
    for entry in entries { readTimer(entry, &lines) }
  }

  private mutating func readTimer(_ entry: Entry, _ lines: inout [String: Int]) {
    let errorsBefore = diagnostics.errors
    var fields = EntryReader(entry, diagnostics)
    let name = name(&fields, &lines)
    let duration = fields.required(
      "duration", .duration(from: .seconds(1)), orElse: Message("this timer has no duration"),
      hint: Message(#"write duration = "4m""#))
    let label = fields.value("label", .label) ?? nil
    // An alarm wakes gently; who set a timer is awake. So only a timer's own `fade_in` counts.
    var base = reading.configuration.defaults
    base.fadeIn = .zero
    let ring = fields.ownSettings(over: base, sounds)
    fields.warnOfTheRest()

    guard diagnostics.errors == errorsBefore, let name, let duration else {
      if let name { reading.faultyTimers.insert(name) } else { reading.hasNamelessFaults = true }
      return
    }
    reading.configuration.timers.append(
      TimerPreset(name: name, duration: duration, label: label, ring: ring))
  }

  /// What the timer is called; nil where that cannot be told.
  private func name(_ fields: inout EntryReader, _ lines: inout [String: Int]) -> String? {
    let name = fields.required(
      "name", .identifier, orElse: Message("this timer has no name"),
      hint: Message(#"write name = "tea""#))
    guard let name, let position = fields.position(of: "name") else { return nil }
    if (try? DurationText.parse(name)) != nil {  // Only whether it is one matters.
      diagnostics.error(
        position, Message("a timer cannot be called \"\(name)\", which is a duration"))
      return nil
    }
    if let line = lines[name] {
      diagnostics.error(
        position, Message("the name \"\(name)\" is taken by the timer in line \(line)"))
      return nil
    }
    lines[name] = position.line
    return name
  }

  mutating func readClocks(_ entries: [Entry]) {
    let names = entries.compactMap { entry -> String? in
      if case .string(let name) = entry.table["city"]?.kind { name } else { nil }
    }
    let found = names.isEmpty ? [:] : cities(Set(names))
    let known = found.map { found in KnownNames({ found[$0] != nil }, cityNames) }
    for entry in entries { readClock(entry, known, found ?? [:]) }
  }

  /// `known` is nil where there is no table of cities: then nobody can tell.
  private mutating func readClock(_ entry: Entry, _ known: KnownNames?, _ cities: [String: City]) {
    let errorsBefore = diagnostics.errors
    var fields = EntryReader(entry, diagnostics)
    let city = fields.value("city", .city(known))
    let zone = fields.value("timezone", .zone(zones))
    let label = fields.value("label", .label) ?? nil
    if let later = fields.later(of: "city", "timezone") {
      diagnostics.error(later, Message("a clock has either a city or a timezone, not both"))
    } else if !fields.has("city"), !fields.has("timezone") {
      diagnostics.error(
        entry.position, Message("this clock has neither a city nor a timezone"),
        hint: Message(#"write city = "Seoul""#))
    }
    fields.warnOfTheRest()

    let place = city.map { WorldClock.Place.city(cities[$0], as: $0) }
    guard diagnostics.errors == errorsBefore, let place = place ?? zone.map(WorldClock.Place.zone)
    else { return }
    reading.configuration.clocks.append(WorldClock(place: place, label: label))
    reading.clockPlaces.append(entry.index)
  }
}
