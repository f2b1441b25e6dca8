// SPDX-License-Identifier: GPL-3.0-or-later
//
// A simpler model of the schedule, which checks the schedule without using its states and
// transitions. The oracle has a calendar of every occurrence (`SlowCalendar.swift`) and records
// which rings rang and how the user answered them. It requires that no due ring is lost, no
// answered ring comes back, no ring both rings and is missed, and the sound is that of the earliest
// ring. This file records events. Next: `OracleChecks.swift`, which makes the checks.

import Scheduling

struct Oracle {
  /// The facts that the oracle has recorded about one alarm since the alarm was enabled.
  struct Record {
    var armed: Instant
    var rang: Set<Instant> = []
    /// The rings that the user stopped, and those that ended by themselves.
    var ended: Set<Instant> = []
    /// The dates of the upcoming rings that the user skipped.
    var skipped: Set<CivilDate> = []
    /// For the rings that the user moved, their new times by the clock of the alarm's zone.
    var moves: Moves = [:]
    /// The past due times of the rings that the user skipped.
    var passedOver: Set<Instant> = []
    /// All dates that the user ever skipped. If the zone changes or the clock is set back, the
    /// alarm's time on such a date may come again. The alarm may then ring or stay silent.
    var excused: Set<CivilDate> = []
    /// Past occurrences that never rang and are not listed as missed any more.
    var closed: Set<Instant> = []
    /// When the clock was last set back. If a change of zone moves an occurrence before this
    /// moment, the occurrence need neither ring nor be missed.
    var rearmed = Instant(microseconds: .min)
    /// The dates whose occurrences rang, were missed or were skipped.
    var dates: Set<CivilDate> = []
    /// The occurrences that never rang and that the schedule listed as missed when the oracle last
    /// looked.
    var missed: Set<Instant> = []
    /// The only occurrence of a once-only alarm, if that occurrence was missed.
    var onceMissed: Instant?
    /// How often the user snoozed each ring. The key is the due time of the ring.
    var snoozes: [Instant: Int] = [:]
    /// The due times of rings before which the clock was set back. If such a ring is still open,
    /// the agent goes on counting its snoozes, but the oracle does not know that count.
    var uncounted: Set<Instant> = []
    /// The ring that the user snoozed, and the elapsed time until which it must stay silent.
    var snoozed: (due: Instant, until: Duration)?
    /// The ring that the user stopped and after which the agent checks whether the user is up, and
    /// the elapsed time before which this ring must not ring again.
    var checked: (due: Instant, until: Duration)?
    /// The ring that was ringing, snoozed or being checked when the oracle last looked.
    var open: Instant?
  }

  /// An answer of the user, and the ring that it answers.
  struct Answer {
    enum Kind {
      case stop, isUp
      /// Undoes the skips and moves of all rings that are due after this moment.
      case unskip(Instant)
      case snooze(Duration)
      /// A snooze that must have no effect, because the limit of snoozes is reached.
      case refusedSnooze
      case skip(Set<CivilDate>)
      case move(CivilDate, CivilDateTime)
    }
    /// What the answer does; nil if it has no effect.
    var kind: Kind?
    /// When the answered ring is due. Nil if the ring counts as not yet rung, because the clock was
    /// set back: it then comes whatever the answer is.
    var due: Instant?
    /// Whether the oracle knows how often the answered ring was snoozed before.
    var isCounted = false
    /// The elapsed time at which the user answered.
    var at: Duration
  }

  let calendar: Calendar
  let alarms: [Alarm]
  /// The records of the alarms that are enabled. The key is the index of the alarm in `alarms`.
  var records: [Int: Record] = [:]
  /// The last records of the alarms that are disabled. The key is the index of the alarm in
  /// `alarms`.
  var off: [Int: Record] = [:]
  /// The wall clock time up to which all occurrences have been checked.
  var seen: Instant
  /// Whether the machine's zone changed since the last check.
  var hasMoved = false

  init(_ calendar: Calendar, alarms: [Alarm]) {
    (self.calendar, self.alarms, seen) = (calendar, alarms, .distantFuture)
  }
}

// MARK: - The calendar

extension Oracle {
  /// Returns when the ring of `date` is due by the rule, even if the user moved it.
  func own(_ i: Int, _ date: CivilDate, _ zones: TestZones) -> Instant? {
    instant(i, CivilDateTime(date, alarms[i].recurrence.time), zones)
  }

  func instant(_ i: Int, _ time: CivilDateTime, _ zones: TestZones) -> Instant? {
    Calendar.instant(time.date, time.time, alarms[i].recurrence.zone ?? zones.machine)
  }

  /// Returns all occurrences of the alarm with the index `i`. Moved occurrences have their new
  /// times.
  func occurrences(_ i: Int, _ record: Record, _ zones: TestZones) -> [Due] {
    let rule = alarms[i].recurrence
    let all = calendar.dues(rule, in: zones.machine)
    if record.moves.isEmpty { return all }
    let moved = record.moves.compactMap { date, time in
      instant(i, time, zones).map { Due(date: date, instant: $0) }
    }
    // If a once-only alarm was moved to a time after it was armed, the alarm has no other ring.
    let isOnly = !rule.repeats && moved.contains { $0.instant > record.armed }
    let others = isOnly ? [] : all.filter { record.moves[$0.date] == nil }
    return (others + moved).sorted { $0.instant < $1.instant }
  }
}

// MARK: - Changes to alarms

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
          // The user skips the only ring of an alarm by disabling the alarm, so such a skip ends
          // when the alarm is enabled again.
          let skipped = alarm.recurrence.repeats ? before.skipped : []
          // So does a move of that ring to a time that is past.
          let moves = before.moves.filter { _, time in
            alarm.recurrence.repeats || instant(i, time, zones).map { $0 > wall } ?? false
          }
          records[i]?.skipped = skipped
          records[i]?.moves = moves
          // If the alarm comes back in ten minutes, its ring goes on, with its snoozes.
          records[i]?.snoozes = before.snoozes
          records[i]?.uncounted = before.uncounted
          records[i]?.excused = before.excused.intersection(skipped)
        }
        arm(i, at: wall, zones)
      }
    }
  }

  /// Arms the alarm with the index `i` at `wall`. Its last occurrence before `wall` needs no ring,
  /// and counts as done.
  mutating func arm(_ i: Int, at wall: Instant, _ zones: TestZones) {
    guard let record = records[i] else { return }
    let past = occurrences(i, record, zones).last { $0.instant <= wall }
    if let past { records[i]?.dates.insert(past.date) }
  }

  mutating func moved() { hasMoved = true }

  /// Handles a clock that was set back to `wall`. Occurrences later than `wall` are upcoming again,
  /// except those that rang or were skipped.
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

  /// Makes all occurrences later than `moment` upcoming again, even if they rang, were skipped or
  /// ended.
  mutating func release(after moment: Instant) {
    records = records.mapValues { record in
      var record = record
      record.uncounted.formUnion(record.rang.filter { $0 > moment })
      record.rang = record.rang.filter { $0 <= moment }
      record.ended = record.ended.filter { $0 <= moment }
      record.passedOver = record.passedOver.filter { $0 <= moment }
      record.snoozes = record.snoozes.filter { $0.key <= moment }
      if let snoozed = record.snoozed, snoozed.due > moment { record.snoozed = nil }
      if let checked = record.checked, checked.due > moment { record.checked = nil }
      return record
    }
  }

  /// Handles a restart of the machine. While the machine is off, a snooze is measured by the wall
  /// clock and not by elapsed time, so the oracle cannot check the snooze.
  mutating func rebooted() {
    for i in records.keys {
      records[i]?.snoozed = nil
      records[i]?.checked = nil
    }
  }
}

// MARK: - Acts of the user

extension Oracle {
  /// Returns what `event` should do to the alarm with the index `i`. `entry` is the alarm as the
  /// agent shows it to the user.
  func answer(
    _ event: Event, by i: Int, to entry: Schedule.Entry, at elapsed: Duration, _ now: Instant,
    _ zones: TestZones
  ) -> Answer {
    var (answer, isOpen) = (Answer(at: elapsed), false)
    switch entry.state.phase {
    case .open(let ring): (answer.due, isOpen) = (ring.due, true)
    case .checking(let ring, _): answer.due = ring.due
    case .scheduled, .over: break
    }
    guard let record = records[i] else { return answer }
    let upcoming = upcoming(i, record, after: now, zones)
    switch event {
    case .stop where entry.check?.isAsked == true: answer.kind = .isUp
    case .stop where entry.check == nil: answer.kind = .stop
    case .isUp where entry.check != nil: answer.kind = .isUp
    case .snooze(_, let length) where isOpen:
      let (most, count) = (
        alarms[i].ring.snoozeLimit, answer.due.flatMap { record.snoozes[$0] } ?? 0
      )
      answer.kind = most > 0 && count >= most ? .refusedSnooze : .snooze(length)
    case .skip(_, .next(let count)) where !upcoming.isEmpty:
      // If the only ring of an alarm is skipped, it stays skipped on every later date.
      let (rule, first) = (alarms[i].recurrence, upcoming[0].date)
      let later = calendar.dues(rule, in: zones.machine).drop { $0.date < first }
      answer.kind = .skip(Set((rule.repeats ? upcoming.prefix(count) : later).map(\.date)))
    case .unskip: answer.kind = .unskip(now)
    case .move(_, let time):
      let next = upcoming.first { !record.skipped.contains($0.date) }
      answer.kind = next.flatMap { move(i, $0, to: time, after: now, zones) }
    default: break
    }
    if let due = answer.due, !record.rang.contains(due) { answer.due = nil }
    answer.isCounted = answer.due.map { !record.uncounted.contains($0) } ?? false
    return answer
  }

  /// Returns a move of `ring` to `time`, on the day of the ring or, if that moment is past, on the
  /// day after. Nil if the alarm must not ring at the new time.
  private func move(
    _ i: Int, _ ring: Due, to time: CivilTime, after now: Instant, _ zones: TestZones
  ) -> Answer.Kind? {
    let rule = alarms[i].recurrence
    let day = zones.civil(at: ring.instant, in: rule.zone).date
    let there = [day, day.adding(days: 1)].map { CivilDateTime($0, time) }
      .first { instant(i, $0, zones).map { $0 > now } ?? false }
    guard let there, !rule.except.contains(there.date), there.date <= rule.until ?? there.date
    else { return nil }
    return .move(ring.date, there)
  }

  /// Records an answer of the user, after the agent has saved it.
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
    case .snooze(let length):
      record.snoozed = answer.due.map { ($0, answer.at + length) }
      if let due = answer.due { record.snoozes[due, default: 0] += 1 }
    case .skip(let dates):
      // The agent ends an earlier skip that does not touch this one.
      if let first = dates.min()?.adding(days: -1), let last = dates.max()?.adding(days: 1),
        record.skipped.allSatisfy({ $0 < first }) || record.skipped.allSatisfy({ last < $0 })
      {
        record.skipped = []
      }
      record.skipped.formUnion(dates)
      record.excused.formUnion(dates)
    case .move(let date, let time):
      let isOwn = instant(i, time, zones) == own(i, date, zones)
      record.moves[date] = isOwn ? nil : time
    case .unskip(let now):
      let upcoming = Set(upcoming(i, record, after: now, zones).map(\.date))
      if !record.skipped.isDisjoint(with: upcoming) {
        // A skipped date in the past stays in `excused`: after a change of zone, the alarm's time
        // on that date may lie ahead again.
        record.excused = record.excused.filter {
          !record.skipped.contains($0) || record.dates.contains($0)
        }
        record.skipped = []
      }
      record.moves = record.moves.filter { date, time in
        guard let there = instant(i, time, zones) else { return true }
        return there <= now || own(i, date, zones) ?? now <= now
      }
    case .refusedSnooze, nil: break
    }
    records[i] = record
  }
}
