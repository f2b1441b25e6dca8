// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds an alarm to the config. The alarm gets an id that no other alarm has. An alarm that would
// never ring is refused. Next: `AlarmEdits.swift`, which edits existing alarms.

import Configuration
import Language
import Scheduling
import System
import TOML

@Blocking extension ConfigEditor {
  /// Adds an alarm with the keys and values in `settings`.
  public func add(_ settings: [Setting]) throws(Failure) -> Outcome {
    try check(label: settings.text("label"))
    return try outcome { before throws(Failure) in
      if let id = settings.text("id"), before.reading.alarmNames.contains(id) {
        throw Self.taken(id)
      }
      @Blocking func written(_ settings: [Setting]) throws(Failure) -> ConfigSnapshot {
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
    if rule.namesNoDay { return Message("there is no such day") }
    if rule.isExcepted { return Message("all its days are left out") }
    return if case .on = rule.dates { Message("its day is past") } else {
      Message("its last day is past")
    }
  }
}
