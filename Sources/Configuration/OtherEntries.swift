// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the entries `[[pause]]`, `[[timer]]`, `[[clock]]` and `[[chime]]` of a config. An entry
// with an error is left out.

import Cities
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
    let pause = fields.settings(PauseFields.keys, over: PauseFields(), known)
    judge(pause.from, pause.until, fields)
    fields.warnOfTheRest()
    if pause.group == nil, fields.isFaultless, let place = fields.position(of: "group") {
      diagnostics.error(
        place, Message(#""group" is empty"#),
        hint: Message("leave it out for a pause of all alarms"))
    }
    if let group = pause.group, let place = fields.position(of: "group") {
      warn(ofGroup: group, at: place)
    }
    let id = fields.isWrong("group") ? nil : pause.from.map { "\($0) \(pause.group ?? "")" }
    reading.recordTable("pause", entry.index, id, isFaulty: !fields.isFaultless)
    guard fields.isFaultless, let from = pause.from else { return }
    reading.configuration.pauses.append(
      Pause(from: from, until: pause.until, group: pause.group, label: pause.label))
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
    let base = TimerSettings(defaults: reading.configuration.defaults).ring
    var timer = fields.settings(
      TimerPreset.keys, over: TimerPreset(name: "", duration: .zero, ring: base), known)
    timer.ring = fields.ringSettings(of: .timer, over: base, known)
    let name = name(of: timer, fields, &lines)
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
  private func name(
    of timer: TimerPreset, _ fields: EntryReader, _ lines: inout [String: Int]
  ) -> String? {
    guard fields.isRight("name"), let position = fields.position(of: "name") else { return nil }
    let name = timer.name
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
    for entry in entries { readClock(entry, places.cities ?? [:]) }
  }

  private mutating func readClock(_ entry: EntryTable, _ cities: [String: City]) {
    var fields = EntryReader(entry, diagnostics)
    let clock = fields.settings(ClockFields.keys, over: ClockFields(), known)
    if let later = fields.later(of: "city", "timezone") {
      diagnostics.error(later, Message(#"a clock has either "city" or "timezone", not both"#))
    } else if !fields.has("city"), !fields.has("timezone") {
      diagnostics.error(
        entry.position, Message("this clock has neither a city nor a timezone"),
        hint: Message(#"write city = "Seoul""#))
    }
    fields.warnOfTheRest()

    reading.recordTable(
      "clock", entry.index, clock.city ?? clock.zone, isFaulty: !fields.isFaultless)
    guard fields.isFaultless else { return }
    let ofCity = clock.city.map { WorldClock(city: cities[$0], named: $0, label: clock.label) }
    let ofZone = clock.zone.map { WorldClock(zone: $0, label: clock.label) }
    if let clock = ofCity ?? ofZone { reading.configuration.clocks.append(clock) }
  }

  mutating func readChimes(_ entries: [EntryTable]) {
    for entry in entries {
      var fields = EntryReader(entry, diagnostics)
      let chime = fields.settings(
        Chime.keys, over: Chime(every: .hours(1), sounds: ["Clock"]), known)
      fields.warnOfTheRest()
      if fields.isFaultless, !chime.strikes {
        diagnostics.error(
          fields.position(of: "between") ?? entry.position,
          Message(
            "this chime never strikes: counted from midnight, no stroke is between these two"
          ),
          hint: Message(#"write a longer time in "between", or a shorter time in "every""#))
      }
      reading.recordTable(
        "chime", entry.index, fields.isRight("every") ? "\(chime.every)" : nil,
        isFaulty: !fields.isFaultless)
      if fields.isFaultless { reading.configuration.chimes.append(chime) }
    }
  }
}
