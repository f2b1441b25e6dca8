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

  /// Returns the former ids of alarms whose id has changed, by their new ids. It searches twice:
  /// 1. Among ids that differ only in the number at the end: if a block is added, deleted or moved
  ///    in the file, the numbers of all alarms with the same label may change.
  /// 2. Among the alarms that have left the config.
  ///
  /// Each search matches two alarms with the same times, if no other alarm matches either of them.
  /// A once-only alarm that has rung does not count as having left, because the new alarm has yet
  /// to ring.
  func formerNames(of alarms: [Alarm]) -> [String: String] {
    var names: [String: String] = [:]
    func match<Key: Hashable>(
      _ former: (String) -> Key?, _ key: (Alarm) -> Key, unless isSame: (Alarm) -> Bool
    ) {
      let taken = Set(names.values)
      let new = alarms.filter { names[$0.id] == nil && (taken.contains($0.id) || !isSame($0)) }
      if new.isEmpty { return }
      let free = Set(new.map(\.id)).union(names.keys).union(left.keys).subtracting(taken)
      var old: [Key: [String]] = [:]
      for id in free { if let key = former(id) { old[key, default: []].append(id) } }
      if old.isEmpty { return }
      for (key, group) in Dictionary(grouping: new.filter(\.enabled), by: key) {
        if let old = old[key], old.count == 1, group.count == 1 { names[group[0].id] = old[0] }
      }
    }
    if entries.isEmpty && remembered.isEmpty { return names }
    match(
      { id in state(of: id).map { "\(Self.stem(id)) \($0.signature)" } },
      { "\(Self.stem($0.id)) \($0.recurrence.signature)" }, unless: hasFormerTimes)
    if left.isEmpty { return names }
    match(
      { left[$0] == nil ? nil : state(of: $0)?.signature }, \.recurrence.signature,
      unless: hasFormerTimes)
    return names
  }

  /// The state that was kept under `id` before the config changed; nil if there is none, or if a
  /// new alarm must not take it over.
  private func state(of id: String) -> AlarmState? {
    let state = entry(id)?.state ?? remembered[id]
    return left[id] != nil && state?.phase == .over ? nil : state
  }

  private func hasFormerTimes(_ alarm: Alarm) -> Bool {
    let (id, rule) = (alarm.id, alarm.recurrence)
    guard let i = places[id] else { return remembered[id]?.signature == rule.signature }
    return entries[i].alarm.recurrence == rule || entries[i].state.signature == rule.signature
  }

  /// Returns `id` without the number at its end: `pills` for `pills-2`.
  private static func stem(_ id: String) -> Substring {
    let digits = id.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let stem = id.utf8.dropLast(digits.count)
    let isNumbered = !digits.isEmpty && stem.last == UInt8(ascii: "-")
    return isNumbered ? Substring(stem.dropLast()) : id[...]
  }
}
