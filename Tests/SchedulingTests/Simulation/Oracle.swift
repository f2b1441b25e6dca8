// SPDX-License-Identifier: GPL-3.0-or-later
//
// The oracle knows nothing of states and transitions. It has a calendar of every occurrence
// (`SlowCalendar.swift`), notes what rang and what was answered, and holds the agent to four
// promises: nothing due is lost, nothing answered returns, nothing both rings and is missed, and
// the sound is that of the earliest still ringing.

import Scheduling

struct Oracle {
  /// What the oracle notes of one alarm since it was enabled.
  struct Record {
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
    static func canSnooze(_ entry: Schedule.Entry) -> Bool {
      switch entry.state.phase {
      case .open(let ring):
        let most = entry.alarm.ring.snoozes
        return most == 0 || ring.snoozes - ring.autoSnoozes < most
      case .scheduled, .checking, .over: return false
      }
    }
  }

  let calendar: Calendar
  let alarms: [Alarm]
  var records: [Int: Record] = [:]
  /// Of alarms that are off.
  var off: [Int: Record] = [:]
  /// The wall clock when the agent was last looked at, or less if it was set back since.
  var seen: Instant
  /// Whether the machine is in another zone since then.
  var hasMoved = false

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
  mutating func arm(_ i: Int, at wall: Instant, _ zones: TestZones) {
    guard let record = records[i] else { return }
    let past = occurrences(i, record, zones).last { $0.instant <= wall }
    if let past { records[i]?.dates.insert(past.date) }
  }

  /// When the ring of that date is due as the rule has it, and as it was moved.
  func own(_ i: Int, _ date: CivilDate, _ zones: TestZones) -> Instant? {
    let rule = alarms[i].recurrence
    return Calendar.instant(date, rule.time, rule.zone ?? zones.machine)
  }

  func instant(_ i: Int, _ time: CivilDateTime, _ zones: TestZones) -> Instant? {
    Calendar.instant(time.date, time.time, alarms[i].recurrence.zone ?? zones.machine)
  }

  /// Every one, with those that were moved in their places.
  func occurrences(_ i: Int, _ record: Record, _ zones: TestZones) -> [Due] {
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
