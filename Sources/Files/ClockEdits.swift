// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds, removes and moves clocks of the world clock in the config. Next: `ConfigEditor.swift`.

import Cities
import Configuration
import Language
import Scheduling
import System
import TOML

extension ConfigEditor {
  public struct ClockOutcome: Sendable {
    /// The clocks that were added, removed or moved.
    public var meant: [WorldClock]
    /// All clocks after the edit.
    public var clocks: [WorldClock]
    /// The alarms at sunrise or sunset for which the edit has changed the city, with the new city.
    /// Such an alarm, if it names no city, uses that of the first clock that has one.
    public var redirected: [(alarm: String, city: String)]
  }

  /// Adds a clock for a city or a time zone. A second clock for the same place needs a label.
  public func addClock(
    _ text: String, label: String?, on disk: Disk
  ) throws(Failure) -> ClockOutcome {
    var clock = try clock(text, on: disk)
    try check(label: label)
    clock.label = label
    return try edit(on: disk) { [clock] before throws(Failure) in
      if label == nil, before.configuration.clocks.contains(where: { $0.isSame(as: clock) }) {
        throw .refused(
          tr("\(TerminalText.escaped(clock.name)) is already in the config: give it a --label"))
      }
      let key = clock.city == nil ? "timezone" : "city"
      let settings =
        [Setting(key, text: clock.name)] + (label.map { [Setting("label", text: $0)] } ?? [])
      return ([clock], [.add(to: "clock", [settings])])
    }
  }

  public func removeClocks(_ text: String, on disk: Disk) throws(Failure) -> ClockOutcome {
    try edit(on: disk) { before throws(Failure) in
      let indices = try clocks(text, in: before.configuration.clocks, on: disk)
      let places = Set(indices.map { before.clockPlaces[$0] })
      return (indices.map { before.configuration.clocks[$0] }, [.remove(from: "clock", places)])
    }
  }

  /// Moves a clock to position `number`, counted from 1.
  public func moveClock(
    _ text: String, to number: Int, on disk: Disk
  ) throws(Failure) -> ClockOutcome {
    try edit(on: disk) { before throws(Failure) in
      let all = before.configuration.clocks
      let index = try clocks(text, in: all, on: disk)[0]
      guard number > 0 else { throw .refused(tr("places are counted from 1")) }
      guard number <= all.count else {
        throw .refused(
          tr(
            "there is only one clock", plural: "there are only \(all.count) clocks",
            count: all.count))
      }
      if index == number - 1 { return ([all[index]], []) }
      let places = before.clockPlaces
      let move = TOMLEdit.move(in: "clock", from: places[index], to: places[number - 1])
      return ([all[index]], [move])
    }
  }

  /// Edits the clocks. `plan` returns, for a given config, the clocks that are meant and the edits.
  private func edit(
    on disk: Disk, _ plan: (Reading) throws(Failure) -> (meant: [WorldClock], edits: [TOMLEdit])
  ) throws(Failure) -> ClockOutcome {
    var (meant, former): ([WorldClock], [Alarm]) = ([], [])
    let after = try revise(on: disk) { before throws(Failure) in
      let planned = try plan(before)
      (meant, former) = (planned.meant, before.configuration.alarms)
      return planned.edits
    }.configuration
    let suns = Dictionary(former.map { ($0.id, $0.recurrence.sun) }) { first, _ in first }
    let redirected = after.alarms.compactMap { alarm -> (alarm: String, city: String)? in
      guard let sun = alarm.recurrence.sun, let old = suns[alarm.id], old != sun else { return nil }
      return (alarm.id, sun.city)
    }
    return ClockOutcome(meant: meant, clocks: after.clocks, redirected: redirected)
  }

  /// Returns the clock of the city or time zone that `text` names.
  private func clock(_ text: String, on disk: Disk) throws(Failure) -> WorldClock {
    let file = CityFile(locations, on: disk)
    let found = file.find([text], on: disk)
    if let city = found?[text] { return WorldClock(city: city, named: city.title) }
    if Zones.exists(text) { return WorldClock(zone: text) }
    throw .missing(found == nil ? CityFile.unreadable : file.unknown(text, on: disk))
  }

  /// Returns the indices of the clocks that `text` names by their label, by the name in the config,
  /// by another name of the city, or by their zone. Throws if there is no such clock.
  private func clocks(
    _ text: String, in clocks: [WorldClock], on disk: Disk
  ) throws(Failure) -> [Int] {
    let city = CityFile(locations, on: disk).find([text], on: disk)?[text]
    let word = text.lowercased()
    let tests: [(WorldClock) -> Bool] = [
      { $0.label?.lowercased() == word }, { $0.name.lowercased() == word },
      { city != nil && $0.city == city },
      { clock in
        // If a city has no Korean or local name, that name is an empty text.
        let names = [clock.city?.name, clock.city?.korean, clock.city?.local]
        return !word.isEmpty && names.contains { $0?.lowercased() == word }
      },
      { $0.zone?.lowercased() == word },
    ]
    for test in tests {
      let indices = clocks.indices.filter { test(clocks[$0]) }
      if !indices.isEmpty { return indices }
    }
    let near = nearMatch(to: text, among: clocks.flatMap { [$0.label ?? $0.name, $0.name] })
    let hint = near.map(Message.didYouMean) ?? Message("belfry world shows them")
    throw .missing(complaint(tr("no clock is called \(TerminalText.quoted(text))"), hint: hint))
  }
}

extension WorldClock {
  /// Whether both clocks are of the same city, or both of the same zone.
  fileprivate func isSame(as other: WorldClock) -> Bool {
    zone != nil && (city, zone) == (other.city, other.zone)
  }
}
