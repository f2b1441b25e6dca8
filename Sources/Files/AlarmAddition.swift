// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds an alarm to the config. The alarm gets an id that no other alarm has. An alarm that would
// never ring is refused. Next: `AlarmEdits.swift`, which edits existing alarms.

import Configuration
import Language
import Scheduling
import System
import TOML

extension ConfigEditor {
  /// Adds an alarm with the keys and values in `settings`.
  public func add(_ settings: [Setting], on disk: Disk) throws(Failure) -> Outcome {
    try check(label: settings.text("label"))
    return try outcome(on: disk) { before throws(Failure) in
      if let id = settings.text("id"), before.reading.alarmNames.contains(id) {
        throw Self.taken(id)
      }
      func written(_ settings: [Setting]) throws(Failure) -> ConfigSnapshot {
        try apply([.add(to: "alarm", [settings])], to: before)
      }
      var after = try written(settings)
      let place = after.reading.alarmNames.count - 1
      if let id = id(for: after.alarm(place), settings, in: before) {
        after = try written(settings + [Setting("id", text: id)])
      }
      let warnings = after.complaints
      if after.isFloating(place) { after = try armed([place], after) }
      if let alarm = after.alarm(place), let reason = silence(of: alarm) {
        throw .invalid([Diagnostic(file: name, error: Message("it would never ring: \(reason)"))])
      }
      return Edited(after: after, ids: [after.id(place) ?? ""], warnings: warnings)
    }
  }

  /// Returns an id to write into the entry of a new alarm; nil if none is needed. An alarm without
  /// an id in the config gets an id made from its label or time. That id cannot be used if another
  /// alarm has it, or if the state remembers an alarm with it.
  private func id(
    for alarm: Alarm?, _ settings: [Setting], in config: ConfigSnapshot
  ) -> String? {
    guard let alarm, !settings.sets("id") else { return nil }
    let name = Identity.name(label: alarm.label, time: AlarmTime(alarm.recurrence))
    var taken = Set(config.reading.alarmNames.compactMap(\.self)).union(state.alarms.keys)
    let id = Self.free(name, &taken)
    return id == name ? nil : id
  }

  /// Returns the reason why a new alarm would never ring; nil if it would ring.
  private func silence(of alarm: Alarm) -> Message? {
    let rule = alarm.recurrence
    guard schedule(of: [alarm.unpaused]).entry(alarm.id)?.isOver ?? false else { return nil }
    if rule.isExcepted, !rule.namesNoDay { return Message("all its days are left out") }
    let zones = Zones()
    let today = zones.civil(at: now.wall, in: rule.zone).date
    let last = if case .on(let date) = rule.dates { date } else { rule.until }
    if let last, last < today {
      return rule.repeats ? Message("its last day is past") : Message("its day is past")
    }
    if let sun = rule.sun, rule.clockTime(on: last ?? today, in: zones) == nil {
      return sun.event == .sunrise
        ? Message("the sun does not rise there on that day")
        : Message("the sun does not set there on that day")
    }
    if let last, rule.firstDay(from: today) == nil {
      return Message("none of its days is between today and \(last), its last day")
    }
    if last == today { return Message("its time is past today") }
    return Message("there is no such day")
  }
}
