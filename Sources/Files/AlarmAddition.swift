// SPDX-License-Identifier: GPL-3.0-or-later
//
// A new alarm, as an edit of the config: under a name of its own, and only where it would ring. Next:
// `AlarmEdits.swift`, for those that are there.

import Configuration
import Language
import Scheduling
import System
import TOML

@Blocking extension ConfigEditor {
  /// Writes an alarm; `spelled` is how the user knows a key.
  public func add(
    _ settings: [Setting], spelled: @escaping (String) -> String = { $0 }
  ) throws(Failure) -> Outcome {
    let draft = try judge(settings, ofNewAlarm: true, spelled: spelled)
    return try outcome(draft.diagnostics) { before throws(Failure) in
      let settings = try named(settings, draft.configuration.alarms.first, in: before)
      var after = try apply([.add(to: "alarm", [settings])], to: before)
      let place = after.places.last ?? 0
      // What is right by itself may have no place to be.
      if after.alarm(place) == nil { try check(before, after) }
      if after.isFloating(place) { after = try armed([place], after) }
      let id = after.id(place) ?? ""
      if let alarm = after.alarm(place), let reason = silence(of: alarm) {
        throw .neverRings(reason)
      }
      return Edited(after: after, ids: [id])
    }
  }

  /// With an id where the one made from label or time would be shared: with another alarm, or with
  /// one that is remembered, as over perhaps.
  private func named(
    _ settings: [Setting], _ draft: Alarm?, in config: ConfigSnapshot
  ) throws(Failure) -> [Setting] {
    var taken = Set(config.reading.alarmNames.compactMap(\.self))
    if let id = settings.text("id") {
      if taken.contains(id) { throw .taken(id) }
      return settings
    }
    guard let draft else { return settings }
    let name = Identity.name(label: draft.label, time: AlarmTime(draft.recurrence))
    taken.formUnion(state.alarms.keys)
    let id = Self.free(name, &taken)
    return id == name ? settings : settings + [Setting("id", text: id)]
  }

  /// Why a new alarm would never ring.
  private func silence(of alarm: Alarm) -> Message? {
    let rule = alarm.recurrence
    guard schedule(of: [alarm.unpaused]).entry(alarm.id)?.isOver ?? false else { return nil }
    if case .on(let date) = rule.dates, rule.excepts(date) {
      return Message("its only day is left out")
    }
    if rule.namesNoDay { return Message("there is no such day") }
    if rule.isAllExcepted { return Message("all its days are left out") }
    return if case .on = rule.dates { Message("its day is past") } else {
      Message("its last day is past")
    }
  }
}
