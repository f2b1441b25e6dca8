// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of an occurrence, as the table in the specification has it: what time does to an alarm
// (`advance`), what a clock set back undoes (`retreat`), and what an answer does (`answer`). What
// that means for ears and eyes is the picture in `Schedule.swift`.

extension Schedule {
  /// The clock was set back to `now`: occurrences that lie ahead are to come, and those that were
  /// missed only because the clock ran ahead were not missed. What was done at most `staysSettled`
  /// ahead stays done.
  mutating func retreat(_ i: Int, to now: Instant, _ zones: some ZoneRules) {
    let isReleased = entries[i].release(after: now + Self.staysSettled)
    var handled = min(entries[i].state.handled, now)
    for due in takeBackMissed(of: entries[i], at: now) {
      handled = min(handled, due - .microseconds(1))
    }
    guard handled < entries[i].state.handled || isReleased else { return }
    if entries[i].state.phase == .over, entries[i].state.settled.isEmpty {
      entries[i].state.phase = .scheduled
    }
    entries[i].arm(at: handled, zones)
    isUnsaved = true
  }

  /// Brings one alarm up to `now`: every transition whose time has come, in the order of their
  /// times.
  mutating func advance(
    _ i: Int, to now: Instant, _ absence: Absence, _ zones: some ZoneRules
  ) {
    if !entries[i].state.handled.isPlausible {
      // Armed by a clock that was not set: it counts from the first time that can be believed.
      entries[i].arm(at: now, zones)
      isUnsaved = true
    } else if let next = entries[i].next, now - next.due > Self.lookBack,
      entries[i].alarm.recurrence.repeats
    {
      entries[i].arm(at: now - Self.lookBack, zones)
    }
    while let (moment, transition) = entries[i].pending, moment <= now {
      isUnsaved = true
      switch transition {
      case .due: becomeDue(i, at: now, absence, zones)
      case .ring: advanceRing(i, to: now, absence)
      case .check(let ring, let check): entries[i].advance(ring, check, to: now)
      }
    }
  }

  private mutating func becomeDue(
    _ i: Int, at now: Instant, _ absence: Absence, _ zones: some ZoneRules
  ) {
    guard let occurrence = entries[i].next else { return }
    let (due, late, isSkipped) = (occurrence.due, entries[i].late, entries[i].isSkipped)
    entries[i].handle(occurrence, zones)
    // Known as missed it can be only from before it was enabled anew, or under another clock.
    removeMissed(entries[i].alarm.id) { missed, _ in missed == due }
    let isSuperseded = entries[i].wanted.map { $0.due <= now } ?? false
    if !isSkipped, !isSuperseded, now - due <= late {
      // The one before, ringing or snoozed until now, ends with the next of its kind.
      if let before = entries[i].ring, before.due != due {
        miss(i, before.due, .unanswered, entries[i].openRing, at: now)
      }
      entries[i].state.settle(due)
      var ring = Ring(due: due, since: now)
      ring.movedFrom = occurrence.movedFrom
      entries[i].state.phase = .open(ring)
      return
    }
    if !isSkipped, entries[i].openRing?.ring.due == due {
      // It rings since before its time, by a clock that ran ahead, and awaits its answer.
      return entries[i].state.settle(due)
    }
    if !isSkipped {
      miss(i, due, absence.reason(for: due, foundAt: now, late: late), nil, at: now)
    }
    // The one before of a repeating alarm rings on, or stays snoozed.
    if !entries[i].alarm.recurrence.repeats { entries[i].rest() }
  }

  private mutating func advanceRing(_ i: Int, to now: Instant, _ absence: Absence) {
    guard var open = entries[i].openRing else { return }
    let before = open
    if let reason = open.ring.advance(to: now, entries[i].alarm.ring, absence) {
      miss(i, before.ring.due, reason, before, at: now)
      entries[i].rest()
    } else {
      entries[i].state.phase = .open(open.ring)
      noteSnooze(before, open.ring, at: now)
    }
  }

  /// Records that time alone snoozed a ring, or ended its snooze.
  mutating func noteSnooze(_ before: OpenRing, _ ring: Ring, at now: Instant) {
    if let until = ring.snoozedUntil {
      end(before, .snoozed(until: until, byItself: true), at: now)
    } else {
      snoozeEnds[before.id] = before.snoozedUntil
    }
  }

  /// Does what the user said; whether that changed anything.
  mutating func answer(_ event: Event, at now: Now, _ zones: some ZoneRules) -> Bool {
    switch event {
    case .acknowledgeMissed where !missed.isEmpty:
      missed = []
      isUnsaved = true
    case .answers(let events):
      // Each says whether it was it that changed anything.
      isUnsaved = events.reduce(isUnsaved) { answer($1, at: now, zones) || $0 }
    case .startTimer(let order): start(order, at: now)
    case .forgetTimer(let recent): forget(recent)
    case .timer(let id, let act): take(act, on: id, at: now)
    case .stopwatch(let act): take(act, at: now)
    case .rehearse(let alarm):
      rehearse(alarm, at: now)
      return true
    default: break
    }
    guard let id = event.answeredID else { return isUnsaved }
    if rehearsal?.alarm.id == id, event.answersRing {
      endRehearsal(at: now.wall)
      return true
    }
    if let i = places[id] {
      let before = entries[i]
      entries[i].answer(event, at: now.wall, zones)
      end(before.openRing, answeredTo: entries[i].openRing, at: now.wall)
      isUnsaved = entries[i].state != before.state
    } else if let i = timers.firstIndex(where: { $0.id == id }) {
      answerTimer(event, i, at: now)
    }
    return isUnsaved
  }
}

extension Schedule.Entry {
  /// Forgets what rang, was skipped, prepared or closed later than `moment`, and returns whether
  /// there was any of that.
  fileprivate mutating func release(after moment: Instant) -> Bool {
    let before = state
    state.settled.removeAll { $0 > moment }
    if let due = state.prepared, due - alarm.ring.before > moment { state.prepared = nil }
    if let due = state.bedtimeClosed, due - alarm.ring.bedtime > moment {
      state.bedtimeClosed = nil
    }
    return state != before
  }

  fileprivate mutating func answer(_ event: Event, at now: Instant, _ zones: some ZoneRules) {
    switch (event, state.phase) {
    case (.stop, .open(let ring)): stop(ring, at: now)
    case (.stop, .checking(_, let check)) where check.isAsked: rest()
    case (.isUp, .checking): rest()
    case (.ask, .checking(let ring, var check)) where check.lookedAt != nil:
      check.isAsked = true
      state.phase = .checking(ring, check)
    case (.snooze, .open(var ring)), (.hush, .open(var ring)):
      ring.answer(event, alarm.ring, at: now)
      state.phase = .open(ring)
    case (.skip(_, let rings), _): skip(rings, zones)
    case (.unskip, _): unskip(at: now, zones)
    case (.move(_, let time), _): move(to: time, at: now, zones)
    case (.closeBedtime, _) where bedtime?.contains(now) == true:
      state.bedtimeClosed = next?.due
    default: break
    }
  }
}

// MARK: - What was missed

extension Schedule {
  private mutating func miss(
    _ i: Int, _ due: Instant, _ reason: Missed.Reason, _ open: OpenRing?, at now: Instant
  ) {
    let alarm = entries[i].alarm
    miss(
      Missed(id: alarm.id, label: alarm.label, dues: [due], reason: reason), open, at: now)
  }

  /// Adds to what was missed, in one entry for the same reason.
  mutating func note(_ new: Missed) {
    var new = new
    let same = missed.firstIndex {
      $0.id == new.id && $0.reason == new.reason && $0.isTimer == new.isTimer
    }
    let before = same.map { missed.remove(at: $0).dues } ?? []
    new.dues = Array((before + new.dues).suffix(Missed.duesKept))
    missed.append(new)
    missed.removeFirst(max(0, missed.count - Self.missedKept))
  }

  /// Takes those out of what was missed that at `now` are not due, or not too late, and never rang.
  private mutating func takeBackMissed(of entry: Entry, at now: Instant) -> [Instant] {
    removeMissed(entry.alarm.id) { due, reason in
      reason != .unanswered && now - due <= entry.late && !entry.state.settled.contains(due)
    }
  }

  /// Takes out of what was missed of that alarm what `isVoid`, and returns it.
  @discardableResult
  private mutating func removeMissed(
    _ id: String, where isVoid: (Instant, Missed.Reason) -> Bool
  ) -> [Instant] {
    var removed: [Instant] = []
    for i in missed.indices.reversed() where missed[i].id == id && !missed[i].isTimer {
      let dues = missed[i].dues.filter { !isVoid($0, missed[i].reason) }
      removed += missed[i].dues.filter { !dues.contains($0) }
      if dues.isEmpty { missed.remove(at: i) } else { missed[i].dues = dues }
    }
    withheld.removeAll { $0.kind == .alarm && $0.id == id && removed.contains($0.due) }
    return removed
  }
}

extension AlarmState {
  /// Whether it was brought here by a clock that showed more than `now`.
  func isAhead(of now: Instant) -> Bool {
    handled > now || settled.contains { $0 > now + Schedule.staysSettled }
  }

  mutating func settle(_ due: Instant) {
    settled.append(due)
    settled.removeFirst(max(0, settled.count - Self.settledKept))
  }
}
