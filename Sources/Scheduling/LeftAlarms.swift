// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms that have left the config. The config file may lack them only for a moment, while it is
// being written, so their states are kept for a while. Some of these alarms were only renamed.
// Next: `ConfiguredAlarms.swift`, which applies the alarms of a new config.

extension Schedule {
  /// How long an alarm that has left the config is remembered. If the alarm is ringing or snoozed,
  /// its ring goes on for this long.
  public static let leftKept: Duration = .seconds(30)

  /// Notes which alarms have left the config. `ids` has the ids of all alarms in the new config.
  mutating func noteLeft(_ ids: Set<String>, at now: Now) {
    left = left.filter { !ids.contains($0.key) }
    for id in entries.map(\.alarm.id) + remembered.keys where !ids.contains(id) {
      left[id] = left[id] ?? now.boot + Self.leftKept
    }
  }

  /// Forgets the alarms in `ids` that have left the config, and ends their rings.
  mutating func forget(_ ids: Set<String>, at now: Now) {
    let gone = ids.intersection(left.keys)
    if gone.isEmpty { return }
    for id in gone {
      let open = entry(id)?.openRing ?? remembered[id]?.openRing(id)
      if let open { end(open, .removed, at: now.wall) }
      (left[id], remembered[id]) = (nil, nil)
    }
    entries.removeAll { gone.contains($0.alarm.id) }
    findPlaces()
    isUnsaved = true
  }

  /// Returns the former ids of renamed alarms, by their new ids. An alarm counts as renamed if it
  /// is the only new alarm with its times, and exactly one alarm with these times left the config.
  /// An alarm whose times changed counts as new even if its id is known: if two alarms share a
  /// label and the first is deleted, the second takes over its id. A once-only alarm that has rung
  /// does not count as having left, because the new alarm has yet to ring.
  func formerNames(of alarms: [Alarm]) -> [String: String] {
    let new = alarms.filter { alarm in
      let (id, rule) = (alarm.id, alarm.recurrence)
      guard let i = places[id] else { return remembered[id]?.signature != rule.signature }
      return entries[i].alarm.recurrence != rule && entries[i].state.signature != rule.signature
    }
    if new.isEmpty || left.isEmpty { return [:] }
    var gone: [String: [String]] = [:]
    for id in left.keys {
      guard let state = entry(id)?.state ?? remembered[id], state.phase != .over else { continue }
      gone[state.signature, default: []].append(id)
    }
    return Dictionary(grouping: new, by: \.recurrence.signature).reduce(into: [:]) { names, group in
      guard let old = gone[group.key], old.count == 1, group.value.count == 1 else { return }
      names[group.value[0].id] = old[0]
    }
  }
}
