// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of an occurrence, as the table in the specification has it: what time does to an alarm
// (`advance`), and what an answer does (`answer`). What that means for ears and eyes is the picture
// in `Schedule.swift`.

extension Schedule {
  mutating func configure(
    _ alarms: [Alarm], at now: Instant, _ zones: some ZoneRules, _ changed: inout Bool
  ) {
    var known = remembered
    for entry in entries { known[entry.alarm.id] = entry.state }
    remembered = [:]
    entries = alarms.filter(\.enabled).map { alarm in
      let signature = alarm.recurrence.signature
      var state = known[alarm.id] ?? AlarmState(signature: signature, handled: now)
      if state.signature != signature {
        state = AlarmState(signature: signature, handled: now)
      }
      if known[alarm.id] != state { changed = true }
      var entry = Entry(alarm: alarm, state: state, next: nil)
      entry.findNext(zones)
      return entry
    }
    if known.count != entries.count { changed = true }
  }

  /// Brings one alarm up to `now`: every transition whose time has come, in the order of their
  /// times.
  mutating func advance(
    _ i: Int, to now: Instant, _ reason: Missed.Reason, _ zones: some ZoneRules,
    _ changed: inout Bool
  ) {
    let handled = entries[i].state.handled
    if handled > now || handled < Self.earliestPlausible {
      // The clock was set back, or never yet: what lies ahead is to come.
      rearm(i, after: now, zones)
      changed = true
    } else if let next = entries[i].next, now - next.due > Self.lookBack,
      entries[i].alarm.recurrence.repeats
    {
      rearm(i, after: now - Self.lookBack, zones)
    }
    while let (moment, transition) = entries[i].pending(), moment <= now {
      changed = true
      switch transition {
      case .due: becomeDue(i, at: now, reason, zones)
      case .snoozeEnds(let ring): endSnooze(i, ring, at: moment, now, reason)
      case .ringEnds(let ring): endRing(i, ring, at: moment)
      case .hushEnds(var ring):
        ring.hushedUntil = nil
        entries[i].state.phase = .ringing(ring)
      }
    }
  }

  private mutating func rearm(_ i: Int, after handled: Instant, _ zones: some ZoneRules) {
    entries[i].state.handled = handled
    entries[i].findNext(zones)
  }

  private mutating func becomeDue(
    _ i: Int, at now: Instant, _ reason: Missed.Reason, _ zones: some ZoneRules
  ) {
    guard let occurrence = entries[i].next else { return }
    // The one before, still ringing or snoozed, ends with the next of its kind.
    if case .ringing(let ring) = entries[i].state.phase { miss(i, ring.due, .unanswered) }
    entries[i].state.handled = occurrence.due
    if entries[i].state.skipped == occurrence.due {
      entries[i].state.skipped = nil
      entries[i].state.settle(occurrence.due)
      entries[i].state.phase = entries[i].restingPhase
    } else if now - occurrence.due <= entries[i].alarm.ring.late {
      entries[i].state.settle(occurrence.due)
      entries[i].state.phase = .ringing(Ring(due: occurrence.due, since: now))
    } else {
      miss(i, occurrence.due, reason)
      entries[i].state.phase = entries[i].restingPhase
    }
    entries[i].findNext(zones)
  }

  private mutating func endSnooze(
    _ i: Int, _ ring: Ring, at moment: Instant, _ now: Instant, _ reason: Missed.Reason
  ) {
    guard now - moment <= entries[i].alarm.ring.late else {
      miss(i, ring.due, reason)
      entries[i].state.phase = entries[i].restingPhase
      return
    }
    var ring = ring
    ring.since = now
    entries[i].state.phase = .ringing(ring)
  }

  private mutating func endRing(_ i: Int, _ ring: Ring, at moment: Instant) {
    let settings = entries[i].alarm.ring
    guard settings.unanswered == .snooze, ring.autoSnoozes < settings.autoSnoozes,
      let length = settings.snooze.first
    else {
      miss(i, ring.due, .unanswered)
      entries[i].state.phase = entries[i].restingPhase
      return
    }
    var ring = ring
    ring.autoSnoozes += 1
    entries[i].snooze(ring, until: moment + length)
  }

  mutating func answer(
    _ event: Event, at now: Instant, _ zones: some ZoneRules, _ changed: inout Bool
  ) {
    guard let id = event.alarmID, let i = entries.firstIndex(where: { $0.alarm.id == id }) else {
      return
    }
    let before = entries[i].state
    switch (event, before.phase) {
    case (.stop, .ringing), (.stop, .snoozed): entries[i].state.phase = entries[i].restingPhase
    case (.snooze(_, let length), .ringing(let ring)),
      (.snooze(_, let length), .snoozed(let ring, _)):
      entries[i].snooze(ring, until: now + length)
    case (.hush, .ringing(var ring)):
      ring.hushedUntil = now + Self.hushFor
      entries[i].state.phase = .ringing(ring)
    case (.skip, _): entries[i].state.skipped = entries[i].next?.due
    case (.unskip, _): entries[i].state.skipped = nil
    default: break
    }
    if entries[i].state != before { changed = true }
  }

  private mutating func miss(_ i: Int, _ due: Instant, _ reason: Missed.Reason) {
    let alarm = entries[i].alarm
    var entry = Missed(id: alarm.id, label: alarm.label, due: due, reason: reason)
    if let old = missed.firstIndex(where: { $0.id == alarm.id && $0.reason == reason }) {
      entry.count += missed.remove(at: old).count
    }
    missed.append(entry)
    missed.removeFirst(max(0, missed.count - Self.missedKept))
  }
}

extension Event {
  /// The alarm that an answer is for.
  fileprivate var alarmID: String? {
    switch self {
    case .stop(let id), .snooze(let id, _), .hush(let id), .skip(let id), .unskip(let id): id
    case .tick, .zonesChanged, .configured, .acknowledgeMissed: nil
    }
  }
}

extension Schedule.Entry {
  fileprivate enum Transition {
    case due
    case snoozeEnds(Ring)
    case ringEnds(Ring)
    case hushEnds(Ring)
  }

  /// The next thing that time alone does to this alarm.
  fileprivate func pending() -> (Instant, Transition)? {
    var first: (Instant, Transition)? = next.map { ($0.due, .due) }
    func consider(_ moment: Instant, _ transition: Transition) {
      if moment < first?.0 ?? .distantFuture { first = (moment, transition) }
    }
    switch state.phase {
    case .scheduled, .over: break
    case .snoozed(let ring, let until): consider(until, .snoozeEnds(ring))
    case .ringing(let ring):
      if let ringFor = alarm.ring.ringFor { consider(ring.since + ringFor, .ringEnds(ring)) }
      if let hushed = ring.hushedUntil { consider(hushed, .hushEnds(ring)) }
    }
    return first
  }

  /// Every moment at which a tick could change something.
  func moments() -> [Instant] {
    var moments: [Instant] = pending().map { [$0.0] } ?? []
    if let start = nextStart { moments.append(start - Schedule.readyAhead) }
    if let next, state.skipped != next.due, case .scheduled = state.phase {
      moments.append(next.due - alarm.ring.upcoming)
    }
    return moments
  }

  /// When it will begin to ring, as things stand.
  var nextStart: Instant? {
    if case .snoozed(_, let until) = state.phase { return min(until, next?.due ?? until) }
    return next.flatMap { $0.due == state.skipped ? nil : $0.due }
  }

  /// Where it rests when an occurrence has been dealt with.
  fileprivate var restingPhase: AlarmState.Phase {
    alarm.recurrence.repeats ? .scheduled : .over
  }

  fileprivate mutating func snooze(_ ring: Ring, until: Instant) {
    var ring = ring
    ring.snoozes += 1
    ring.hushedUntil = nil
    state.phase = .snoozed(ring, until: until)
  }

  /// The first occurrence after the last one handled that is not settled already.
  mutating func findNext(_ zones: some ZoneRules) {
    var after = state.handled
    next = nil
    if !alarm.recurrence.repeats, state.phase != .scheduled { return }
    while let found = alarm.recurrence.next(after: after, in: zones) {
      if !state.settled.contains(found.due) {
        next = found
        return
      }
      after = found.due
    }
  }
}

extension AlarmState {
  fileprivate mutating func settle(_ due: Instant) {
    settled.append(due)
    settled.removeFirst(max(0, settled.count - Self.settledKept))
  }
}
