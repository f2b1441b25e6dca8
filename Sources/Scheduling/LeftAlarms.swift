// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms that have left the config. A file may have lost them for a moment only, while it is being
// written, so what is known of them is kept for a while; some of them have only been given another
// name. Next: `ConfiguredAlarms.swift`, which takes over the alarms of a config.

extension Schedule {
  /// How long an alarm that has left the config is remembered, and goes on if it rings or is
  /// snoozed.
  public static let leftKept: Duration = .seconds(30)

  /// Notes which alarms have left the config, which has alarms of these `ids` now.
  mutating func noteLeft(_ ids: Set<String>, at now: Now) {
    left = left.filter { !ids.contains($0.key) }
    for id in entries.map(\.alarm.id) + remembered.keys where !ids.contains(id) {
      left[id] = left[id] ?? now.boot + Self.leftKept
    }
  }

  /// The alarms that ring or are snoozed and have left the config.
  var leftOpen: [Alarm] {
    entries.underway.map { entries[$0] }
      .filter { $0.openRing != nil && left[$0.alarm.id] != nil }.map(\.alarm)
  }

  /// Ends and forgets those of `ids` that have left the config.
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

  /// The former names of those of `alarms` that are new: an alarm was called so before if it is the
  /// only one that left and rings at the same times, and no other new alarm does. New is also an
  /// alarm with the name of another, as the second of a label is once the first is deleted. A
  /// once-only alarm that has rung has no new name: the new alarm has yet to ring.
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
