// SPDX-License-Identifier: GPL-3.0-or-later
//
// The oracle knows nothing of states and transitions. It has a calendar of every occurrence
// (`SlowCalendar.swift`), notes what rang and what was answered, and holds the agent to four
// promises: nothing due is lost, nothing answered returns, nothing both rings and is missed, and
// the sound is that of the earliest still ringing.

import Scheduling

struct Oracle {
  /// What the oracle notes of one alarm since it was enabled.
  private struct Record {
    var armed: Instant
    var rang: Set<Instant> = []
    /// Stopped, or rang to the end.
    var ended: Set<Instant> = []
    /// Not wanted, before and after their time.
    var skipped: ClosedRange<CivilDate>?
    /// When the rings of some dates are to be, by the clock of the alarm's zone.
    var moves: Moves = [:]
    var passedOver: Set<Instant> = []
    /// Dates that were ever skipped: in another zone, or should the clock come to one again, it may
    /// ring or not.
    var excused: Set<CivilDate> = []
    /// Past, not rung, and no longer among the missed.
    var closed: Set<Instant> = []
    /// A clock that is set back arms anew: what another zone moves before that is not looked for.
    var rearmed = Instant(microseconds: .min)
    /// Dates that came to something.
    var dates: Set<CivilDate> = []
    /// Among the missed when last looked at.
    var missed: Set<Instant> = []
    /// The one occurrence of a once-only alarm, when it was missed.
    var onceMissed: Instant?
    var snoozed: (due: Instant, until: Duration)?
    /// Stopped; it may ring again then, if the user is not up.
    var checked: (due: Instant, until: Duration)?
    /// What rang or was snoozed when last looked at.
    var open: Instant?
  }

  /// What the user did, to which occurrence.
  struct Answer {
    enum Kind {
      case stop, isUp
      /// What is skipped from that date on, and what was moved, as of then.
      case unskip(CivilDate, Instant)
      case snooze(Duration)
      /// Of the dates that the agent shows as the next.
      case skip(ClosedRange<CivilDate>)
      case move(CivilDate, CivilDateTime)
    }
    var kind: Kind?
    var due: Instant?
    var at: Duration

    init(
      _ event: Event, to entry: Schedule.Entry, at elapsed: Duration, _ now: Instant,
      _ zones: TestZones
    ) {
      at = elapsed
      switch entry.state.phase {
      case .open(let ring), .checking(let ring, _): due = ring.due
      case .scheduled, .over: due = nil
      }
      switch event {
      case .stop where entry.check?.isAsked == true: kind = .isUp
      case .stop where entry.check != nil: kind = nil
      case .stop: kind = .stop
      case .isUp where entry.check != nil: kind = .isUp
      case .snooze(_, let length) where Self.canSnooze(entry): kind = .snooze(length)
      case .skip(_, let rings): kind = entry.skipping(rings, in: zones).map(Kind.skip)
      case .unskip: kind = entry.next.map { .unskip($0.date, now) }
      case .move(_, let time):
        let zone = entry.alarm.recurrence.zone ?? zones.machine
        kind = entry.wanted.flatMap { next in
          let day = zones.civil(at: next.due, in: zone).date
          let there = [day, day.adding(days: 1)].first {
            Calendar.instant($0, time, zone).map { $0 > now } ?? false
          }
          let rule = entry.alarm.recurrence
          guard let there, !rule.except.contains(there), there <= rule.until ?? there else {
            return nil
          }
          return .move(next.date, CivilDateTime(there, time))
        }
      default: kind = nil
      }
    }

    /// By hand, once more.
    private static func canSnooze(_ entry: Schedule.Entry) -> Bool {
      switch entry.state.phase {
      case .open(let ring):
        let most = entry.alarm.ring.snoozes
        return most == 0 || ring.snoozes - ring.autoSnoozes < most
      case .scheduled, .checking, .over: return false
      }
    }
  }

  private let calendar: Calendar
  private let alarms: [Alarm]
  private var records: [Int: Record] = [:]
  /// Of alarms that are off.
  private var off: [Int: Record] = [:]
  /// The wall clock when the agent was last looked at, or less if it was set back since.
  private var seen: Instant
  /// Whether the machine is in another zone since then.
  private var hasMoved = false

  init(_ calendar: Calendar, alarms: [Alarm]) {
    (self.calendar, self.alarms, seen) = (calendar, alarms, .distantFuture)
  }
}

// MARK: - What it is told

extension Oracle {
  mutating func enabled(_ alarms: [Alarm], at wall: Instant, in zones: TestZones) {
    seen = min(seen, wall)
    for (i, alarm) in alarms.enumerated() {
      let isNew = alarm.enabled && records[i] == nil
      if !alarm.enabled, var record = records[i] {
        record.moves = record.moves.filter { date, time in
          [instant(i, time, zones), own(i, date, zones)].contains { $0.map { $0 > wall } ?? false }
        }
        off[i] = record
      }
      records[i] = alarm.enabled ? records[i] ?? Record(armed: wall) : nil
      if isNew {
        if let before = off[i] {
          let skipped = before.skipped
          records[i]?.skipped = skipped
          records[i]?.moves = before.moves
          records[i]?.excused = before.excused.filter { skipped?.contains($0) ?? false }
        }
        arm(i, at: wall, zones)
      }
    }
  }

  /// What is past when an alarm is armed came to something, as far as it is concerned.
  private mutating func arm(_ i: Int, at wall: Instant, _ zones: TestZones) {
    guard let record = records[i] else { return }
    let past = occurrences(i, record, zones).last { $0.instant <= wall }
    if let past { records[i]?.dates.insert(past.date) }
  }

  /// When the ring of that date is due as the rule has it, and as it was moved.
  private func own(_ i: Int, _ date: CivilDate, _ zones: TestZones) -> Instant? {
    let rule = alarms[i].recurrence
    return Calendar.instant(date, rule.time, rule.zone ?? zones.machine)
  }

  private func instant(_ i: Int, _ time: CivilDateTime, _ zones: TestZones) -> Instant? {
    Calendar.instant(time.date, time.time, alarms[i].recurrence.zone ?? zones.machine)
  }

  /// Every one, with those that were moved in their places.
  private func occurrences(_ i: Int, _ record: Record, _ zones: TestZones) -> [Due] {
    let rule = alarms[i].recurrence
    let all = calendar.dues(rule, in: zones.machine)
    if record.moves.isEmpty { return all }
    let moved = record.moves.compactMap { date, time in
      instant(i, time, zones).map { Due(date: date, instant: $0) }
    }
    let others = rule.repeats ? all.filter { record.moves[$0.date] == nil } : []
    return (others + moved).sorted { $0.instant < $1.instant }
  }

  mutating func moved() { hasMoved = true }

  /// What lies ahead again is to come, but for what rang or was skipped.
  mutating func setBack(to wall: Instant, in zones: TestZones) {
    seen = min(seen, wall)
    records = records.mapValues { record in
      var record = record
      record.armed = min(record.armed, wall)
      record.rearmed = wall
      record.closed = record.closed.filter { $0 <= wall }
      if let missed = record.onceMissed, missed > wall { record.onceMissed = nil }
      return record
    }
    for i in records.keys { arm(i, at: wall, zones) }
  }

  /// Whatever came to something later than `moment` is to come.
  mutating func release(after moment: Instant) {
    records = records.mapValues { record in
      var record = record
      record.rang = record.rang.filter { $0 <= moment }
      record.ended = record.ended.filter { $0 <= moment }
      record.passedOver = record.passedOver.filter { $0 <= moment }
      if let snoozed = record.snoozed, snoozed.due > moment { record.snoozed = nil }
      if let checked = record.checked, checked.due > moment { record.checked = nil }
      return record
    }
  }

  /// Across a start of the machine a snooze goes by the wall clock.
  mutating func rebooted() {
    for i in records.keys {
      records[i]?.snoozed = nil
      records[i]?.checked = nil
    }
  }

  mutating func given(_ answer: Answer, by i: Int, in zones: TestZones) {
    guard var record = records[i] else { return }
    switch answer.kind {
    case .stop where alarms[i].ring.check > .zero:
      record.snoozed = nil
      record.checked = answer.due.map {
        ($0, answer.at + alarms[i].ring.check + StopCheck.patience)
      }
    case .stop, .isUp:
      if let due = answer.due, record.rang.contains(due) { record.ended.insert(due) }
    case .snooze(let length): record.snoozed = answer.due.map { ($0, answer.at + length) }
    case .skip(let dates):
      let before = record.skipped ?? dates
      let all =
        min(before.lowerBound, dates.lowerBound)...max(before.upperBound, dates.upperBound)
      record.skipped = all
      let first = all.lowerBound
      let count = all.upperBound.daysSinceEpoch - first.daysSinceEpoch
      record.excused.formUnion((0...count).map { first.adding(days: $0) })
    case .move(let date, let time):
      let isOwn = instant(i, time, zones) == own(i, date, zones)
      record.moves[date] = isOwn ? nil : time
    case .unskip(let next, let now):
      if let skipped = record.skipped, skipped.upperBound >= next {
        // One that passed in another zone stays so, should the clock come to it again.
        record.excused = record.excused.filter {
          !skipped.contains($0) || record.dates.contains($0)
        }
        record.skipped = nil
      }
      record.moves = record.moves.filter { date, time in
        guard let there = instant(i, time, zones) else { return true }
        return there <= now || own(i, date, zones) ?? now <= now
      }
    case nil: break
    }
    records[i] = record
  }
}

// MARK: - What it sees

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
