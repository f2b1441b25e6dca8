// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done ahead of the next ring that is wanted: commands, once for each moment at which one
// is due, and a word when it is time to sleep. A ring that is skipped, moved, paused or not there
// any more has none, for the moment follows the ring; what is found late is done as long as the
// ring is ahead, and said for an hour.

extension Schedule.Entry {
  /// When the commands of `on_before` are to run; nil: they did, or there are none.
  var preparation: Instant? {
    guard alarm.ring.before > .zero, !alarm.ring.onBefore.isEmpty, let due = wanted?.due,
      state.prepared != due
    else { return nil }
    return due - alarm.ring.before
  }

  /// When it is said that it is time to sleep; nil: the user closed that, or does not want it. A
  /// ring that is skipped has none, as it has no other notice.
  var bedtime: Range<Instant>? {
    guard alarm.ring.bedtime > .zero, let due = next?.due, !isSkipped, state.bedtimeClosed != due
    else { return nil }
    let begin = due - alarm.ring.bedtime
    return begin..<min(due, begin + Schedule.bedtimeFor)
  }
}

extension Schedule {
  /// Who is not in bed so long after it was time to is not helped by being told.
  static let bedtimeFor: Duration = .hours(1)

  /// Says which of the rings that were prepared are not to come any more, though their time is not
  /// past: what still runs ahead of them is for nothing. One that has left the config may come
  /// back.
  mutating func takeBackPreparations(at now: Instant) -> [Effect] {
    let gone = preparing.filter { id, ring in
      guard let entry = entry(id) else { return remembered[id].map(\.handled) ?? .unset == .unset }
      return entry.wanted?.due != ring.due
    }
    for id in gone.keys { preparing[id] = nil }
    return gone.sorted { $0.key < $1.key }
      .compactMap { $1.due ?? now > now ? .takenBack($1) : nil }
  }

  /// Notes of what is to be prepared now that it is, and says so. It follows the record of that:
  /// better no coffee after a crash than twice.
  mutating func prepare(at now: Now) -> [Effect] {
    guard now.wall.isPlausible else { return [] }
    return entries.stirring(at: now.wall).compactMap { i in
      let entry = entries[i]
      guard let moment = entry.preparation, moment <= now.wall, let due = entry.wanted?.due,
        due > now.wall
      else { return nil }
      entries[i].state.prepared = due
      isUnsaved = true
      let ring = OpenRing(
        kind: .alarm, id: entry.alarm.id, label: entry.alarm.label, settings: entry.alarm.ring,
        ring: Ring(due: due, since: now.wall))
      preparing[entry.alarm.id] = ring.key
      return .before(ring)
    }
  }
}
