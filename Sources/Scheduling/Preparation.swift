// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prepares the next ring that the user has not skipped: runs the commands of `on_before`, once for
// each due time, and shows a notice that it is time to sleep. If a ring is skipped, paused or
// removed, no commands run and no notice is shown. If a ring is moved, the commands and the notice
// come before its new time. If the agent is late, the commands still run before the ring. The
// notice is then shown late as well, but disappears an hour after its proper time, as always. Next:
// `Hooks.swift` in the agent.

extension Schedule.Entry {
  /// When the commands of `on_before` are to run; nil if they ran already, or if there are none.
  var preparation: Instant? {
    guard alarm.ring.before > .zero, !alarm.ring.onBefore.isEmpty, let due = wanted?.due,
      state.prepared != due
    else { return nil }
    return due - alarm.ring.before
  }

  /// When the notice that it is time to sleep is shown; nil if the user closed the notice or did
  /// not ask for it. A skipped ring shows no notices, so it has no bedtime notice.
  var bedtime: Range<Instant>? {
    guard alarm.ring.bedtime > .zero, let due = next?.due, !isSkipped, state.bedtimeClosed != due
    else { return nil }
    let begin = due - alarm.ring.bedtime
    return begin..<min(due, begin + Schedule.bedtimeFor)
  }
}

extension Schedule {
  /// How long the bedtime notice is shown. If someone is not in bed an hour later, the notice does
  /// not help any more.
  static let bedtimeFor: Duration = .hours(1)

  /// Returns, for each ring that was cancelled after its `on_before` commands had been started, the
  /// effect that ends these commands.
  mutating func takeBackPreparations(at now: Instant) -> [Effect] {
    let gone = preparing.filter { id, ring in
      entry(id)?.wanted?.due != ring.due
    }
    for id in gone.keys { preparing[id] = nil }
    return gone.sorted { $0.key < $1.key }
      .compactMap { $1.due ?? now > now ? .takenBack($1) : nil }
  }

  /// Returns an effect for each ring whose commands should run now, and notes in the state that
  /// they ran. The state is saved before the commands run, because commands that are lost in a
  /// crash do less harm than commands that run twice.
  mutating func prepare(at now: Now) -> [Effect] {
    guard now.wall.isPlausible else { return [] }
    return entries.indices.compactMap { i in
      let entry = entries[i]
      guard let moment = entry.preparation, moment <= now.wall, let due = entry.wanted?.due,
        due > now.wall
      else { return nil }
      entries[i].state.prepared = due
      let ring = OpenRing(
        kind: .alarm, id: entry.alarm.id, label: entry.alarm.label, settings: entry.alarm.ring,
        ring: Ring(due: due, since: now.wall))
      preparing[entry.alarm.id] = ring.key
      return .before(ring)
    }
  }
}
