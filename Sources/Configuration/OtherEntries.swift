// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the entries `[[pause]]`, `[[timer]]`, `[[clock]]` and `[[chime]]` of a config. An entry
// with an error is left out.

import Language
import Scheduling
import TOML

extension ConfigurationReader {
  /// Reads the pauses, after the alarms, and applies them to the alarms.
  mutating func readPauses(_ entries: [EntryTable]) {
    for entry in entries { readPause(entry) }
    for index in reading.configuration.alarms.indices {
      reading.configuration.alarms[index].apply(reading.configuration.pauses)
    }
  }

  private mutating func readPause(_ entry: EntryTable) {
    var fields = EntryReader(entry, diagnostics)
    let from = fields.required(
      "from", .date, means: "The first day of the pause, such as 2026-12-24.",
      orElse: Message("this pause has no first day"),
      hint: Message("write from = 2026-12-24"))
    let until = fields.value(
      "until", .date,
      means:
        """
        The last day of the pause, such as 2027-01-03. \
        Without a last day, the pause lasts until you remove it.
        """)
    let label = fields.label("label", means: #"A name for the pause, such as "Christmas"."#)
    let group = fields.label(
      "group",
      means:
        """
        The group of alarms to which the pause applies. \
        Without a group, the pause applies to all alarms.
        """)
    judge(from, until, fields)
    fields.warnOfTheRest()
    if group == nil, fields.isFaultless, let place = fields.position(of: "group") {
      diagnostics.error(
        place, Message(#""group" is empty"#),
        hint: Message("leave it out for a pause of all alarms"))
    }
    if let group, let place = fields.position(of: "group") { warn(ofGroup: group, at: place) }
    let id = fields.isWrong("group") ? nil : from.map { "\($0) \(group ?? "")" }
    reading.recordTable("pause", entry.index, id, isFaulty: !fields.isFaultless)
    guard fields.isFaultless, let from else { return }
    reading.configuration.pauses.append(
      Pause(from: from, until: until, group: group, label: label))
  }

  private func warn(ofGroup group: String, at place: TOMLPosition) {
    guard !groups.contains(group) else { return }
    diagnostics.warning(
      place, Message("no alarm is in the group \(TerminalText.quoted(group))"),
      hint: nearMatch(to: group, among: groups.sorted()).map(Message.didYouMean))
  }

  mutating func readTimers(_ entries: [EntryTable]) {
    var lines: [String: Int] = [:]
    var links: [String: Link] = [:]
    for entry in entries { readTimer(entry, &lines, &links) }
    judgeLinks(links, among: Array(lines.keys))
  }

  /// The value of a timer's `then`, which names the next timers, and the position of that value.
  private typealias Link = (then: [String], place: TOMLPosition)

  /// Reports each name in `then` that no timer of the config has. Timers with an error count as
  /// timers of the config here, so `then` may name them.
  private mutating func judgeLinks(_ links: [String: Link], among names: [String]) {
    for (name, (then, place)) in links where !context.isOfSettingsInForce {
      for missing in Set(then).subtracting(names).sorted() {
        diagnostics.error(
          place, Message("no timer is called \(TerminalText.quoted(missing))"),
          hint: nearMatch(to: missing, among: names.sorted()).map(Message.didYouMean)
            ?? Message("write the name of a [[timer]] of this config"))
        for index in reading.tables["timer", default: []].indices
        where reading.tables["timer"]?[index].id == name {
          reading.tables["timer"]?[index].isFaulty = true
        }
      }
    }
    let faulty = reading.faultyTimers
    reading.configuration.timers.removeAll { faulty.contains($0.name) }
    warnOfCircles(links)
  }

  /// Warns about a chain of timers that leads back to its beginning if none of these timers has
  /// `repeat`. The chain runs only once, but its author probably wanted more than one round. If
  /// `then` is a list, only its first name is followed, because a single round uses only this name.
  private mutating func warnOfCircles(_ links: [String: Link]) {
    let timers = Dictionary(
      reading.configuration.timers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var settled: Set<String> = []
    for timer in reading.configuration.timers {
      var (path, name): ([String], String?) = ([], timer.name)
      while let step = name, settled.insert(step).inserted {
        path.append(step)
        name = timers[step]?.then.first
      }
      guard let end = name, let start = path.firstIndex(of: end), let last = path.last,
        path[start...].allSatisfy({ timers[$0]?.rounds == 1 }), let place = links[last]?.place
      else { continue }
      diagnostics.warning(
        place, Message("these timers lead back to \(TerminalText.quoted(end)), and end there"),
        hint: Message("write repeat = 4, or repeat = \"forever\", at \(TerminalText.quoted(end))"))
    }
  }

  private mutating func readTimer(
    _ entry: EntryTable, _ lines: inout [String: Int], _ links: inout [String: Link]
  ) {
    var fields = EntryReader(entry, diagnostics)
    let name = name(&fields, &lines)
    let duration = fields.required(
      "duration", .duration(from: .seconds(1), to: Timer.longest),
      means: #"How long the timer runs, such as "4m" or "1h30m": from "1s" to "366d"."#,
      orElse: Message("this timer has no duration"),
      hint: Message(#"write duration = "4m""#))
    let base = TimerSettings(defaults: reading.configuration.defaults).ring
    var timer = TimerPreset(name: name ?? "", duration: duration ?? .zero, ring: base)
    timer = fields.settings(TimerPreset.keys, over: timer, sounds)
    timer.ring = fields.ringSettings(of: .timer, over: base, sounds)
    judge(timer, fields)
    fields.warnOfTheRest()
    if let name, let place = fields.position(of: "then") { links[name] = (timer.then, place) }

    reading.recordTable("timer", entry.index, name, isFaulty: !fields.isFaultless)
    if fields.isFaultless { reading.configuration.timers.append(timer) }
  }

  private func judge(_ timer: TimerPreset, _ fields: EntryReader) {
    guard timer.warn >= timer.duration, timer.warn > .zero, timer.duration > .zero,
      let place = fields.position(of: "warn")
    else { return }
    diagnostics.error(
      place,
      Message(
        """
        "warn" is \(DurationText.format(timer.warn)), \
        and the timer only \(DurationText.format(timer.duration))
        """),
      hint: Message("write how long before the end, such as warn = \"30s\""))
  }

  /// Returns the name of the timer; nil if the name is unknown because of an error.
  private func name(_ fields: inout EntryReader, _ lines: inout [String: Int]) -> String? {
    let name = fields.required(
      "name", .identifier, means: #"The name that starts the timer, as in "belfry timer tea"."#,
      orElse: Message("this timer has no name"),
      hint: Message(#"write name = "tea""#))
    guard let name, let position = fields.position(of: "name") else { return nil }
    if DurationText.isDuration(name) {
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

  mutating func readClocks(_ entries: [EntryTable]) {
    for entry in entries { readClock(entry, places.known, places.cities ?? [:]) }
  }

  /// `known` is nil if the table of cities cannot be read. In that case, every name is accepted.
  private mutating func readClock(
    _ entry: EntryTable, _ known: KnownNames?, _ cities: [String: City]
  ) {
    var fields = EntryReader(entry, diagnostics)
    let city = fields.value(
      "city", .city(known), means: #"The name of a city that "belfry world search" finds."#)
    let zone = fields.value(
      "timezone", .zone(zones), means: #"A time zone instead of a city, such as "Asia/Seoul"."#)
    let label = fields.label(
      "label", means: "A name that is shown instead of the city or the time zone.")
    if let later = fields.later(of: "city", "timezone") {
      diagnostics.error(later, Message(#"a clock has either "city" or "timezone", not both"#))
    } else if !fields.has("city"), !fields.has("timezone") {
      diagnostics.error(
        entry.position, Message("this clock has neither a city nor a timezone"),
        hint: Message(#"write city = "Seoul""#))
    }
    fields.warnOfTheRest()

    let ofCity = city.map { WorldClock(city: cities[$0], named: $0, label: label) }
    reading.recordTable("clock", entry.index, city ?? zone, isFaulty: !fields.isFaultless)
    guard fields.isFaultless, let clock = ofCity ?? zone.map({ WorldClock(zone: $0, label: label) })
    else { return }
    reading.configuration.clocks.append(clock)
  }

  mutating func readChimes(_ entries: [EntryTable]) {
    for entry in entries {
      var fields = EntryReader(entry, diagnostics)
      let every = fields.required(
        "every", .chimeStep,
        means:
          """
          The time between two strokes: a duration that divides an hour evenly, such as "20m", \
          or from 1 to 24 whole hours.
          """,
        orElse: Message("this chime does not say how often"),
        hint: Message(#"write every = "1h""#))
      let between = fields.value(
        "between", .timesOfDay,
        means:
          """
          The first and the last time of day at which the chime may strike, \
          such as [09:00, 18:00]. \
          Without this key, the chime strikes all day.
          """)
      let days = fields.value(
        "days", .days(context.weekdays),
        means:
          """
          The days on which the chime strikes, such as "weekdays" or ["mon", "fri"], \
          written as for an alarm.
          """
      )
      let sounds = fields.value(
        "sound", .sounds(sounds),
        means:
          """
          The name of a sound that "belfry sounds" lists, the path of a file or folder, \
          or a list of these.
          """)
      fields.warnOfTheRest()
      let chime = every.map {
        Chime(
          every: $0, between: between.map { Chime.Hours($0[0], $0[1]) },
          days: days ?? Days(Set(Weekday.allCases)), sounds: sounds ?? ["Clock"])
      }
      if fields.isFaultless, chime?.strikes == false {
        diagnostics.error(
          fields.position(of: "between") ?? entry.position,
          Message(
            "this chime never strikes: counted from midnight, no stroke is between these two"
          ),
          hint: Message(#"write a longer time in "between", or a shorter time in "every""#))
      }
      reading.recordTable(
        "chime", entry.index, every.map { "\($0)" }, isFaulty: !fields.isFaultless)
      if fields.isFaultless, let chime { reading.configuration.chimes.append(chime) }
    }
  }
}
