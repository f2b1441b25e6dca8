// SPDX-License-Identifier: GPL-3.0-or-later
//
// Leads each occurrence of an alarm through the phases in the table below. `advance` changes
// an alarm as time passes, `retreat` handles a clock that was set back, and `answer` applies what
// the user does. `Schedule.swift` then computes what the user hears and sees.
//
// | `Phase`   | meaning                       | what happens                 | next            |
// | --------- | ----------------------------- | ---------------------------- | --------------- |
// | scheduled | an occurrence is awaited      | due, at most `late` ago      | open            |
// |           |                               | skipped, or found later than | scheduled, over |
// |           |                               | `late`, and so missed        |                 |
// | open      | ringing, silenced or snoozed  | Snooze, or snoozed by itself | open            |
// |           |                               | Stop, with a `check`         | checking        |
// |           |                               | Stop, without                | scheduled, over |
// |           |                               | missed, after `ringFor`      | scheduled, over |
// | checking  | stopped, but is the user up?  | the user is up               | scheduled, over |
// |           |                               | no answer                    | open            |
// | over      | once-only, and rang or missed | enabled or dated again, or   | scheduled       |
// |           |                               | the clock is set back        |                 |

extension Schedule {
  /// Handles a clock that was set back to `now`. Occurrences that are due after `now` are upcoming
  /// again, and occurrences that were missed only because the clock was ahead are no longer missed.
  /// But an occurrence that rang or was skipped does not ring again if it is due at most
  /// `staysSettled` after `now`.
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
  }

  /// Advances one alarm to `now`: makes every change of the alarm that is due, in the order of
  /// time. If the clock is unset, all occurrences lie ahead, but a ring and a check go on.
  mutating func advance(
    _ i: Int, to now: Instant, _ absence: Absence, _ zones: some ZoneRules
  ) {
    if !entries[i].state.handled.isPlausible {
      // The alarm was armed before the clock was set. Arm it once the clock can be believed.
      guard now.isPlausible else { return }
      entries[i].arm(at: now, zones)
    }
    while let moment = entries[i].nextChange, moment <= now {
      switch entries[i].state.phase {
      // If an occurrence is due at the same moment as another change, the occurrence comes first.
      // Its ring replaces the earlier ring of the alarm.
      case _ where entries[i].next?.due == moment: becomeDue(i, at: now, absence, zones)
      case .open: advanceRing(i, to: now, absence)
      case .checking(let ring, let check): entries[i].advance(ring, check, to: now)
      case .scheduled, .over: return
      }
    }
  }

  /// Decides what becomes of the occurrence `next` of an alarm, which is due. It rings unless the
  /// user skipped it, a later occurrence of the alarm is due as well, or it is found more than
  /// `late` after its due time. In the last two cases it is listed as missed, if it has not rung.
  private mutating func becomeDue(
    _ i: Int, at now: Instant, _ absence: Absence, _ zones: some ZoneRules
  ) {
    guard let occurrence = entries[i].next else { return }
    let (due, late, isSkipped) = (occurrence.due, entries[i].late, entries[i].isSkipped)
    entries[i].handle(occurrence, zones)
    // After a long absence, several occurrences may be due at once. The first one is handled in any
    // case: a yearly alarm may have no other, and if the clock was set to 2099 by mistake, only the
    // first one may really be past. The others are left out if they were due more than `lookBack`
    // ago.
    if let next = entries[i].next, now - next.due > Self.lookBack {
      entries[i].arm(at: now - Self.lookBack, zones)
    }
    // This occurrence may already be in the list of missed rings, from before the alarm was
    // switched on again or from when the clock showed another time. Remove it there: what becomes
    // of it is decided below.
    removeMissed(of: entries[i].alarm.id) { missed, _ in missed == due }
    // If a later occurrence of the alarm is due as well, this one does not ring.
    let isSuperseded = entries[i].wanted.map { $0.due <= now } ?? false
    if !isSkipped, !isSuperseded, now - due <= late {
      // An earlier ring of this alarm that is still ringing ends when the next ring begins.
      if let before = entries[i].ring, before.due != due {
        miss(i, before.due, .unanswered, entries[i].openRing, at: now)
      }
      entries[i].state.markSettled(due)
      var ring = Ring(due: due, since: now)
      ring.movedFrom = occurrence.movedFrom
      entries[i].state.phase = .open(ring)
      return
    }
    if !isSkipped, entries[i].state.phase.ring?.due == due {
      // This occurrence is too late to ring, or a later one is due as well. But it has begun to
      // ring already, because the clock was ahead: it is ringing or snoozed, or the agent is
      // checking whether the user is up. The occurrence is therefore not missed.
      return entries[i].state.markSettled(due)
    }
    if !isSkipped {
      miss(i, due, absence.reason(for: due, foundAt: now, late: late), nil, at: now)
    }
    // This occurrence does not ring. If the alarm repeats, an earlier ring that is still ringing or
    // snoozed goes on. If the alarm rings only once, it will not ring any more.
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

  /// Records that a ring snoozed by itself, or that its snooze ended.
  mutating func noteSnooze(_ before: OpenRing, _ ring: Ring, at now: Instant) {
    if let until = ring.snoozedUntil {
      end(before, .snoozed(until: until, byItself: true), at: now)
    } else {
      snoozeEnds[before.id] = before.snoozedUntil
    }
  }

  mutating func answer(_ event: Event, at now: Now, _ zones: some ZoneRules) {
    switch event {
    case .acknowledgeMissed: missed = []
    case .answers(let events): for event in events { answer(event, at: now, zones) }
    case .startTimer(let order): start(order, at: now)
    case .forgetTimer(let recent): forget(recent)
    case .timer(let id, let act): apply(act, on: id, at: now)
    case .stopwatch(let act): apply(act, at: now)
    case .rehearse(let alarm): rehearse(alarm, at: now)
    default: break
    }
    guard let id = event.answeredID else { return }
    if rehearsal?.alarm.id == id, event.answersRing { return endRehearsal(at: now.wall) }
    if let i = places[id] {
      let before = entries[i]
      entries[i].answer(event, at: now.wall, zones)
      end(before.openRing, answeredTo: entries[i].openRing, at: now.wall)
    } else if let i = timers.firstIndex(where: { $0.id == id }) {
      answerTimer(event, i, at: now)
    }
  }
}

extension Schedule.Entry {
  /// Removes the due times after `moment` from `settled`. Also forgets that the commands of
  /// `on_before` ran or that the user closed a bedtime notice, if these were due after `moment`.
  /// Returns whether there was anything to forget.
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
    case (.restore(_, let skipped, let moves), _):
      (state.skipped, state.moves) = (skipped, moves)
      findNext(zones)
    case (.move(_, let time), _): move(to: time, at: now, zones)
    case (.closeBedtime, _) where bedtime?.contains(now) == true:
      state.bedtimeClosed = next?.due
    default: break
    }
  }
}

// MARK: - Missed rings

extension Schedule {
  private mutating func miss(
    _ i: Int, _ due: Instant, _ reason: Missed.Reason, _ open: OpenRing?, at now: Instant
  ) {
    let alarm = entries[i].alarm
    miss(
      Missed(id: alarm.id, label: alarm.label, dues: [due], reason: reason), open, at: now)
  }

  /// Adds `new` to the list of missed rings, merged with the earlier rings that the same alarm or
  /// timer missed for the same reason.
  mutating func record(_ new: Missed) {
    var new = new
    let same = missed.firstIndex {
      $0.id == new.id && $0.reason == new.reason && $0.isTimer == new.isTimer
    }
    let before = same.map { missed.remove(at: $0).dues } ?? []
    new.dues = Array((before + new.dues).suffix(Missed.duesKept))
    missed.append(new)
    missed.removeFirst(max(0, missed.count - Self.missedKept))
  }

  /// Removes rings of this alarm from the list of missed rings after the clock was set back to
  /// `now`: those that never rang and are upcoming again, or are no longer too late to ring. A past
  /// ring stays missed if a later one rang or was skipped. Returns the due times of the removed
  /// rings.
  private mutating func takeBackMissed(of entry: Entry, at now: Instant) -> [Instant] {
    removeMissed(of: entry.alarm.id) { due, reason in
      reason != .unanswered && now - due <= entry.late
        && !entry.state.settled.contains { $0 == due || due <= now && due < $0 }
    }
  }

  /// Removes from the list of missed rings all rings of alarms that are due more than
  /// `staysSettled` after `now`. They were listed while the clock was ahead. The clock has been set
  /// back since, so they are not missed yet.
  mutating func takeBackFutureMissed(at now: Instant) {
    removeMissed { due, _ in due > now + Self.staysSettled }
  }

  /// Removes rings of the alarm `id`, or of all alarms if `id` is nil, from the list of missed
  /// rings. `isVoid` gets the due time and the reason of each ring, and returns whether to remove
  /// it. Returns the due times of the removed rings.
  @discardableResult
  private mutating func removeMissed(
    of id: String? = nil, where isVoid: (Instant, Missed.Reason) -> Bool
  ) -> [Instant] {
    var removed: [Instant] = []
    for i in missed.indices.reversed() {
      let listed = missed[i]
      guard !listed.isTimer, id == nil || id == listed.id else { continue }
      let void = listed.dues.filter { isVoid($0, listed.reason) }
      guard !void.isEmpty else { continue }
      missed[i].dues.removeAll(where: void.contains)
      if missed[i].dues.isEmpty { missed.remove(at: i) }
      withheld.removeAll { $0.kind == .alarm && $0.id == listed.id && void.contains($0.due) }
      removed += void
    }
    return removed
  }
}

extension AlarmState {
  /// Whether this state records a time later than `now`, because the clock ran ahead and has been
  /// set back since.
  func isAhead(of now: Instant) -> Bool {
    handled > now || settled.contains { $0 > now + Schedule.staysSettled }
  }

  mutating func markSettled(_ due: Instant) {
    settled.append(due)
    settled.removeFirst(max(0, settled.count - Self.settledKept))
  }
}
