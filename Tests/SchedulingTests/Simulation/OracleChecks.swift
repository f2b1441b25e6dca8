// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks the schedule after each event: finds the rings that are to come, and compares them with
// what the schedule did. Next: `Oracle.swift`, which records the events.

import Scheduling

/// An error of the schedule that the oracle found.
struct Violation: Error, Hashable {
  var text: String
}

extension Oracle {
  /// Checks the schedule after an event. `onTime` means that the agent was awake until the event.
  mutating func look(at world: World, onTime: Bool) throws(Violation) {
    guard world.now.wall >= Schedule.earliestPlausible else { return }
    for i in records.keys.sorted() {
      guard var record = records[i], let entry = world.schedule.entry(alarms[i].id) else {
        continue
      }
      let listed = world.schedule.missed.filter { $0.id == alarms[i].id }
      let missed = listed.flatMap(\.dues)
      func complain(_ text: String, _ due: Instant) -> Violation {
        let shown = world.zones.civil(at: due, in: nil).text
        return Violation(text: "alarm \(alarms[i].id) of \(shown) \(text)")
      }
      guard Set(missed).count == missed.count else { throw complain("is missed twice", missed[0]) }
      if let due = missed.first(where: { $0 > world.now.wall + Schedule.staysSettled }) {
        throw complain("is listed as missed, but will still ring", due)
      }
      try Self.check(entry, &record, missed, at: world.elapsed, world.now.wall, complain)
      let silent = Set(listed.filter { $0.reason != .unanswered }.flatMap(\.dues))
      try settle(i, &record, missed: silent, world, onTime, complain)
      records[i] = record
    }
    (seen, hasMoved) = (world.now.wall, false)
    try checkSound(world)
  }

  /// Checks that no answered ring comes back, and that no ring both rings and is missed.
  private static func check(
    _ entry: Schedule.Entry, _ record: inout Record, _ missed: [Instant], at elapsed: Duration,
    _ now: Instant, _ complain: (String, Instant) -> Violation
  ) throws(Violation) {
    switch entry.state.phase {
    case .scheduled, .over: record.open = nil
    case .checking(let ring, let check):
      record.open = ring.due
      if record.ended.contains(ring.due) { throw complain("is checked after its answer", ring.due) }
      if now >= check.end { throw complain("was stopped, and its check is overdue", ring.due) }
    case .open(let ring):
      // If a ring began too early, because the clock was ahead, a later ring may replace it. If the
      // replaced ring is due by then, it counts as rung.
      if let before = record.open, before < ring.due, before <= now { record.rang.insert(before) }
      defer { record.open = ring.due }
      if record.ended.contains(ring.due) { throw complain("was answered, and returned", ring.due) }
      // The schedule must not begin a skipped ring. But if a ring began too early, because the
      // clock was ahead, the user may have skipped it while it was ringing. Such a ring continues,
      // and may come back after the check whether the user is up.
      if record.passedOver.contains(ring.due), record.open != ring.due {
        throw complain("was skipped, and rings", ring.due)
      }
      if missed.contains(ring.due) { throw complain("both rings and is missed", ring.due) }
      if ring.due <= record.rearmed, record.open != ring.due, !record.rang.contains(ring.due),
        record.rang.contains(where: { $0 > ring.due })
      {
        throw complain("rings after a later ring, because the clock was set back", ring.due)
      }
      // If a ring began too early, because the clock was ahead, it does not count as rung yet.
      if ring.due <= now { record.rang.insert(ring.due) }
    }
    if let ring = entry.ring, let snoozed = record.snoozed, snoozed.due == ring.due {
      if elapsed < snoozed.until { throw complain("rings before its snooze is over", ring.due) }
    }
    if let ring = entry.ring, let checked = record.checked, checked.due == ring.due {
      if elapsed < checked.until { throw complain("rings again too early", ring.due) }
      record.checked = nil
    }
    record.ended.formUnion(record.rang.intersection(missed))
  }

  /// Checks that no due ring is lost: an occurrence that came due since the last check must ring,
  /// or must be listed as missed if it is too late. `missed` leaves out rings that were not
  /// answered: if such a ring began while the clock was ahead, it stays listed after the clock was
  /// set back, but its occurrence is to come once more.
  private func settle(
    _ i: Int, _ record: inout Record, missed: Set<Instant>, _ world: World, _ onTime: Bool,
    _ complain: (String, Instant) -> Violation
  ) throws(Violation) {
    let (now, late) = (world.now.wall, max(alarms[i].ring.late, Schedule.promptness))
    let oldest = hasMoved ? now - Schedule.lookBack : min(seen, now - late - .microseconds(1))
    let dues = dues(i, record, world.zones, after: max(oldest, now - Schedule.lookBack), upTo: now)
    let latest = dues.last {
      !record.skipped.contains($0.date) && !record.passedOver.contains($0.instant)
    }
    record.closed.formUnion(record.missed.subtracting(missed).filter { $0 <= now })
    let wasMissed = record.missed
    record.missed = missed
    // If a ring began too early, because the clock was ahead, it is still open when it is due. Such
    // a ring is not lost, and does not ring again.
    if let open = record.open, open <= now { record.rang.insert(open) }
    let done = record.rang.union(record.passedOver).union(record.closed)
    for due in dues {
      let (instant, isNew) = (due.instant, due.instant > seen)
      if record.skipped.contains(due.date) {
        // If the skipped occurrence is not new, it was never due: a change of zone moved it into
        // the past.
        if isNew { record.passedOver.insert(instant) } else { record.closed.insert(instant) }
      }
      // After a change of zone, this occurrence may be earlier than one that already rang or was
      // skipped. In that case, this occurrence need not ring.
      let isDone =
        done.contains(instant) || record.passedOver.contains(instant)
        || record.excused.contains(due.date) || (!isNew && done.contains { $0 > instant })
        || (instant <= record.rearmed && !wasMissed.contains(instant))
      if !isDone, due == latest, now - instant <= late {
        throw complain("is due and does not ring", instant)
      }
      if isNew, onTime, !isDone, instant < now {
        throw complain("rings later than it could", instant)
      }
      if isNew, !isDone, !missed.contains(instant) {
        let isSecond = hasMoved && alarms[i].recurrence.repeats && record.dates.contains(due.date)
        if !isSecond { throw complain("is lost", instant) }
      }
      if !isDone, !missed.contains(instant) { record.closed.insert(instant) }
      if missed.contains(instant), !alarms[i].recurrence.repeats {
        record.onceMissed = instant
      }
      record.dates.insert(due.date)
      if let last = record.skipped.max(), last < due.date { record.skipped = [] }
    }
  }

  /// Returns the occurrences at which the alarm with the index `i` should ring. A once-only alarm
  /// has one occurrence, and none after this occurrence has rung or was skipped.
  func wanted(_ i: Int, _ record: Record, _ zones: TestZones) -> [Due] {
    let all = occurrences(i, record, zones)
    if alarms[i].recurrence.repeats { return all }
    guard record.rang.isEmpty, record.passedOver.isEmpty,
      let only = all.first(where: { $0.instant > record.armed })
    else { return [] }
    return record.onceMissed.map { $0 == only.instant } ?? true ? [only] : []
  }

  /// Returns the occurrences after `now`, earliest first. Occurrences that rang or were skipped
  /// before the clock was set back are left out.
  func upcoming(_ i: Int, _ record: Record, after now: Instant, _ zones: TestZones) -> [Due] {
    let done = record.rang.union(record.passedOver)
    return wanted(i, record, zones).filter { $0.instant > now && !done.contains($0.instant) }
  }

  /// Returns the occurrences later than `after` and up to `end` at which the alarm with the index
  /// `i` should ring.
  private func dues(
    _ i: Int, _ record: Record, _ zones: TestZones, after: Instant, upTo end: Instant
  ) -> ArraySlice<Due> {
    let all = wanted(i, record, zones)
    func index(after moment: Instant) -> Int {
      var (low, high) = (0, all.count)
      while low < high {
        let middle = (low + high) / 2
        if all[middle].instant <= moment { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let first = index(after: max(after, record.armed))
    return all[first..<max(first, index(after: end))]
  }

  /// Checks that the sound is that of the earliest ring, and that sound is playing during each
  /// ring.
  private func checkSound(_ world: World) throws(Violation) {
    let first = world.schedule.ringing.filter { $0.ring.hushedUntil == nil }.map(\.ring.since).min()
    switch world.schedule.sound {
    case .playing(let id, _):
      if world.schedule.openRing(id)?.ring.since != first {
        throw Violation(text: "the sound is not that of the earliest ring")
      }
    case .silent, .ready: if first != nil { throw Violation(text: "it rings silently") }
    }
  }
}
