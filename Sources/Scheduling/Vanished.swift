// SPDX-License-Identifier: GPL-3.0-or-later
//
// Alarms that are not in the config any more: which of them are there under another name, and which
// are kept for a while since the config may not be what the user meant. It reads no file. Next:
// `ConfiguredAlarms.swift`, which takes over the alarms.

extension Schedule {
  /// How long what rings goes on, and everything is remembered, where a config has lost all alarms.
  public static let vanishedKept: Duration = .seconds(30)

  /// Takes note of what the config lost, which has these `alarms` now: all of them at once, or some.
  mutating func noteVanished(_ ids: Set<String>, keeping unread: Set<String>, at now: Now) {
    vanished = vanished.filter { !ids.contains($0.key) }
    // Several that give way to several are an edit.
    guard ids.count < 2 else { return }
    let known = Set(entries.map(\.alarm.id)).union(remembered.keys).subtracting(unread)
    // So is a single one that gives way to another. Where several do, a command may have added one to
    // a file that was empty for a moment.
    guard ids.isEmpty || known.count > 1 && known.isDisjoint(with: ids) else { return }
    // Lost already, it is not lost once more: else one that is deleted would be kept by the others.
    for id in known where vanished[id] == nil { vanished[id] = now.boot + Self.vanishedKept }
  }

  /// The alarms that ring or are snoozed and are kept though no config has them.
  var stillOpen: [Alarm] {
    entries.underway.map { entries[$0] }
      .filter { $0.openRing != nil && vanished[$0.alarm.id] != nil }.map(\.alarm)
  }

  /// The user meant it, or the time for second thoughts is over: of `ids` those that are still kept
  /// end, and are forgotten.
  mutating func letGo(of ids: Set<String>) {
    let gone = ids.intersection(vanished.keys)
    if gone.isEmpty { return }
    for id in gone { vanished[id] = nil }
    entries.removeAll { gone.contains($0.alarm.id) }
    findPlaces()
    remembered = remembered.filter { !gone.contains($0.key) }
    isUnsaved = true
  }

  /// What alarms of `alarms` that are new were called before: of those that are gone the only one that
  /// rings at the same times, for which no other of the new ones could be it. New is also what has the
  /// name of another, as the second of a label has once the first is deleted. One that rang its only
  /// time is none: what is new has yet to ring.
  func formerNames(
    of alarms: [Alarm], among ids: Set<String>, besides unread: Set<String>
  ) -> [String: String] {
    let new = alarms.filter { alarm in
      let (id, rule) = (alarm.id, alarm.recurrence)
      guard let i = places[id] else { return remembered[id]?.signature != rule.signature }
      return entries[i].alarm.recurrence != rule && entries[i].state.signature != rule.signature
    }
    if new.isEmpty { return [:] }
    var gone: [String: [String]] = [:]
    func consider(_ id: String, _ state: AlarmState) {
      guard !ids.contains(id), !unread.contains(id), state.phase != .over else { return }
      gone[state.signature, default: []].append(id)
    }
    for i in entries.indices { consider(entries[i].alarm.id, entries[i].state) }
    for (id, state) in remembered { consider(id, state) }
    if gone.isEmpty { return [:] }
    return Dictionary(grouping: new, by: \.recurrence.signature).reduce(into: [:]) { names, group in
      guard let old = gone[group.key], old.count == 1, group.value.count == 1 else { return }
      names[group.value[0].id] = old[0]
    }
  }
}
