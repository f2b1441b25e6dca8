// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the oracle sees of the schedule, and what it must never see. Next: `Oracle.swift`, which
// knows what is to come.

import Scheduling

/// What the oracle found wrong.
struct Violation: Error, Hashable {
  var text: String
}

extension Oracle {
  /// Looks at an agent that has just taken in an event; `onTime` if it was awake until then.
  mutating func look(at world: World, onTime: Bool) throws(Violation) {
    guard world.now.wall >= Schedule.earliestPlausible else { return }
    for i in records.keys.sorted() {
      guard var record = records[i], let entry = world.schedule.entry(alarms[i].id) else {
        continue
      }
      let missed = world.schedule.missed.filter { $0.id == alarms[i].id }.flatMap(\.dues)
      func complain(_ text: String, _ due: Instant) -> Violation {
        let shown = world.zones.civil(at: due, in: nil).text
        return Violation(text: "alarm \(alarms[i].id) of \(shown) \(text)")
      }
      guard Set(missed).count == missed.count else { throw complain("is missed twice", missed[0]) }
      try Self.check(entry, &record, missed, at: world.elapsed, world.now.wall, complain)
      try settle(i, &record, missed, world, onTime, complain)
      records[i] = record
    }
    (seen, hasMoved) = (world.now.wall, false)
    try checkSound(world)
  }

  /// Nothing answered returns, and nothing both rings and is missed.
  private static func check(
    _ entry: Schedule.Entry, _ record: inout Record, _ missed: [Instant], at elapsed: Duration,
    _ now: Instant, _ complain: (String, Instant) -> Violation
  ) throws(Violation) {
    switch entry.state.phase {
    case .scheduled, .over: record.open = nil
    case .checking(let ring, let check):
      record.open = nil
      if record.ended.contains(ring.due) { throw complain("is asked of who is up", ring.due) }
      if now >= check.end { throw complain("was stopped, and its check is forgotten", ring.due) }
    case .open(let ring):
      defer { record.open = ring.due }
      if record.ended.contains(ring.due) { throw complain("was answered, and returned", ring.due) }
      // One that rings since before its time, by a clock that ran ahead, may be skipped meanwhile.
      if record.passedOver.contains(ring.due), record.open != ring.due {
        throw complain("was skipped, and rings", ring.due)
      }
      if missed.contains(ring.due) { throw complain("both rings and is missed", ring.due) }
      // One that began by a clock that ran ahead is still to come.
      if ring.due <= now { record.rang.insert(ring.due) }
    }
    if let ring = entry.ring, let snoozed = record.snoozed, snoozed.due == ring.due {
      if elapsed < snoozed.until { throw complain("rings before its snooze is over", ring.due) }
    }
    if let ring = entry.ring, let checked = record.checked, checked.due == ring.due {
      if elapsed < checked.until { throw complain("rings again before its check is", ring.due) }
      record.checked = nil
    }
    record.ended.formUnion(record.rang.intersection(missed))
  }

  /// Nothing due is lost: what came due since the last look rings if it is not too late, and is
  /// among the missed if it is.
  private func settle(
    _ i: Int, _ record: inout Record, _ missed: [Instant], _ world: World, _ onTime: Bool,
    _ complain: (String, Instant) -> Violation
  ) throws(Violation) {
    let (now, late) = (world.now.wall, max(alarms[i].ring.late, Schedule.promptness))
    let oldest = hasMoved ? now - Schedule.lookBack : min(seen, now - late - .microseconds(1))
    let dues = dues(i, record, world.zones, after: max(oldest, now - Schedule.lookBack), upTo: now)
    let latest = dues.last {
      record.skipped?.contains($0.date) != true && !record.passedOver.contains($0.instant)
    }
    record.closed.formUnion(record.missed.subtracting(missed).filter { $0 <= now })
    let wasMissed = record.missed
    record.missed = Set(missed)
    let done = record.rang.union(record.passedOver).union(record.closed)
    for due in dues {
      let (instant, isNew) = (due.instant, due.instant > seen)
      if record.skipped?.contains(due.date) == true {
        // Where the zone moved it into the past, it is over without having been passed.
        if isNew { record.passedOver.insert(instant) } else { record.closed.insert(instant) }
      }
      // What another zone moves before something that is done is not looked for again.
      let isDone =
        done.contains(instant) || record.passedOver.contains(instant)
        || record.excused.contains(due.date) || (!isNew && done.contains { $0 > instant })
        || (instant <= record.rearmed && !wasMissed.contains(instant))
      if !isDone, due == latest, now - instant <= late {
        throw complain("is due and does not ring", instant)
      }
      if isNew, onTime, !isDone, instant < now { throw complain("was slept over", instant) }
      if isNew, !isDone, !missed.contains(instant) {
        let isSecond = hasMoved && alarms[i].recurrence.repeats && record.dates.contains(due.date)
        if !isSecond { throw complain("is lost", instant) }
      }
      if !isDone, !missed.contains(instant) { record.closed.insert(instant) }
      if missed.contains(instant), !alarms[i].recurrence.repeats {
        record.onceMissed = instant
      }
      record.dates.insert(due.date)
      if let skipped = record.skipped, skipped.upperBound < due.date { record.skipped = nil }
    }
  }

  /// The occurrences in that time which the rules call for.
  private func dues(
    _ i: Int, _ record: Record, _ zones: TestZones, after: Instant, upTo end: Instant
  ) -> ArraySlice<Due> {
    let all = occurrences(i, record, zones)
    func index(after moment: Instant) -> Int {
      var (low, high) = (0, all.count)
      while low < high {
        let middle = (low + high) / 2
        if all[middle].instant <= moment { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let first = index(after: max(after, record.armed))
    let slice = all[first..<max(first, index(after: end))]
    if alarms[i].recurrence.repeats { return slice }
    let isOver = !record.rang.isEmpty || !record.passedOver.isEmpty
    let only = index(after: record.armed)
    if isOver || only == all.count { return [] }
    if let missed = record.onceMissed, all[only].instant != missed { return [] }
    return slice.startIndex <= only && only < slice.endIndex ? all[only...only] : []
  }

  /// One sound, that of the earliest still ringing, and silence with the last one answered.
  private func checkSound(_ world: World) throws(Violation) {
    let first = world.schedule.ringing.filter { $0.ring.hushedUntil == nil }.map(\.ring.since).min()
    switch world.schedule.sound {
    case .playing(let id, _):
      if world.schedule.openRing(id)?.ring.since != first {
        throw Violation(text: "the sound is not that of the earliest")
      }
    case .silent, .ready: if first != nil { throw Violation(text: "it rings silently") }
    }
  }
}
