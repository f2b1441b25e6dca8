// SPDX-License-Identifier: GPL-3.0-or-later
//
// One alarm of the schedule: its state, when it changes next, and which notices it shows. The
// methods here change only the entry itself. Next: `OccurrenceLife.swift`, which advances entries.

extension Schedule {
  public struct Entry: Sendable, Equatable {
    public internal(set) var alarm: Alarm
    public internal(set) var state: AlarmState
    /// The first upcoming occurrence. If the alarm is ringing, this is the occurrence after the
    /// current ring.
    public internal(set) var next: Occurrence?
    /// The first upcoming occurrence that the user has not skipped.
    public internal(set) var wanted: Occurrence?

    /// The ring that is ringing now; nil if the alarm is quiet or snoozed.
    public var ring: Ring? { open?.snoozedUntil == nil ? open : nil }
    public var snoozedUntil: Instant? { open?.snoozedUntil }
    private var open: Ring? { if case .open(let ring) = state.phase { ring } else { nil } }
    /// The check whether the user is up after stopping the alarm; nil if no check is under way.
    public var check: StopCheck? {
      if case .checking(_, let check) = state.phase { check } else { nil }
    }
    public var isSkipped: Bool { next.map(state.skips) ?? false }

    /// When the alarm will begin to ring, unless something changes: at the end of a snooze, or at
    /// the next occurrence that is not skipped, whichever comes first.
    public var nextStart: Instant? {
      let due = wanted?.due
      return snoozedUntil.map { min($0, due ?? $0) } ?? due
    }

    /// The earliest moment at which the alarm may begin to ring: `nextStart` or, if a check is
    /// under way, the end of the check. The alarm rings again at the end of the check unless the
    /// user confirms being up.
    var possibleStart: Instant? {
      [nextStart, check?.end].compactMap(\.self).min()
    }

    /// The first moment after `moment` for which the machine must be awake: the alarm begins to
    /// ring, the check whether the user is up is due, or commands are to run ahead of a ring.
    func wakingMoment(after moment: Instant) -> Instant? {
      [nextStart, check?.nextMoment, preparation].compactMap(\.self).filter { $0 > moment }.min()
    }
  }
}

extension Schedule.Entry {
  /// How late the alarm may ring. A ring that the agent finds later than this after its due time is
  /// missed.
  var late: Duration { alarm.ring.lateness }

  /// The next moment at which this alarm changes by itself: its next occurrence is due, its ring
  /// changes, or its check whether the user is up changes.
  var nextChange: Instant? { [next?.due, phaseChange].compactMap(\.self).min() }

  /// The due time of the current ring, if the ring began too early because the clock was ahead. Its
  /// occurrence is then still ahead, and must not ring again. Nil if the alarm rings only once.
  /// Also nil if the user may have moved the ring since it began: the moved ring must not be lost,
  /// and ringing twice is better.
  private var earlyRing: Instant? {
    guard alarm.recurrence.repeats, let ring = state.phase.ring, state.handled < ring.due,
      ring.movedFrom != nil || state.moves.isEmpty, !state.settled.contains(ring.due)
    else { return nil }
    return ring.due
  }

  /// The next moment at which the ring of this alarm, or its check, changes by itself.
  private var phaseChange: Instant? {
    switch state.phase {
    case .scheduled, .over: nil
    case .open(let ring): ring.nextMoment(alarm.ring)
    case .checking(_, let check): check.nextMoment
    }
  }

  /// When to show the quiet notice that announces the next occurrence; nil: it is not shown.
  private var announcement: Instant? {
    guard let next, alarm.ring.upcoming > .zero, !isSkipped else { return nil }
    return next.due - alarm.ring.upcoming
  }

  /// Returns the earliest moment later than `now` at which the event `tick` could change something.
  /// `awaitsReady` is true if no sound is prepared or playing. Only then is a tick needed to
  /// prepare a sound. If the clock is unset, only a ring or a check can change.
  func nextMoment(after now: Instant, awaitsReady: Bool) -> Instant? {
    guard now.isPlausible else { return phaseChange.flatMap { $0 > now ? $0 : nil } }
    let ready = awaitsReady ? possibleStart.map { $0 - Schedule.readyAhead } : nil
    let moments = [
      nextChange, earlyRing, announcement, preparation, bedtime?.lowerBound, bedtime?.upperBound,
      ready,
    ]
    return moments.compactMap(\.self).filter { $0 > now }.min()
  }

  func notices(at now: Instant) -> [Notice] {
    var notices: [Notice] = []
    switch state.phase {
    case .open(let ring):
      let (id, label, lengths) = (alarm.id, alarm.label, ring.offeredSnoozes(alarm.ring))
      notices.append(
        ring.snoozedUntil.map {
          .snoozed(id: id, label: label, due: ring.due, until: $0, snooze: lengths)
        } ?? .ringing(id: id, label: label, ring: ring, snooze: lengths))
    case .checking(let ring, let check) where check.isAsked:
      notices.append(.check(id: alarm.id, label: alarm.label, due: ring.due, until: check.end))
    case .scheduled, .checking, .over: break
    }
    if let announcement, let next, announcement <= now, now.isPlausible {
      notices.append(
        .upcoming(id: alarm.id, label: alarm.label, due: next.due, movedFrom: next.movedFrom))
    }
    if let bedtime, let next, bedtime.contains(now), now.isPlausible {
      notices.append(
        .bedtime(id: alarm.id, label: alarm.label, due: next.due, movedFrom: next.movedFrom))
    }
    return notices
  }

  /// Arms the alarm at `moment`: occurrences that are due later are upcoming, and all earlier ones
  /// count as past, whether they rang or not.
  mutating func arm(at moment: Instant, _ zones: some ZoneRules) {
    state.handled = moment
    if !alarm.recurrence.repeats {
      // If the user moved a once-only alarm to a time that is past by now, forget that move: the
      // alarm is armed for the next occurrence of its own time.
      state.moves = state.moves.filter { date, time in
        alarm.recurrence.moved(date, to: time, zones).map { $0.due > moment } ?? false
      }
    }
    findNext(zones)
    state.handledDate =
      alarm.recurrence.repeats
      ? next.map { handledDate(upTo: $0.date.adding(days: -1), at: moment, zones) } : nil
  }

  /// Marks `occurrence`, which must be `next`, as handled, and finds the occurrence after it.
  mutating func handle(_ occurrence: Occurrence, _ zones: some ZoneRules) {
    if isSkipped { state.markSettled(occurrence.due) }
    state.handled = occurrence.due
    let date = handledDate(upTo: occurrence.date, at: occurrence.due, zones)
    state.handledDate = max(state.handledDate ?? date, date)
    // Keep the skip until a later date has been handled. If the user travels west, the alarm's
    // time on the skipped date may come again.
    if let skipped = state.skipped, skipped.upperBound < occurrence.date { state.skipped = nil }
    if !state.moves.isEmpty {
      let kept = occurrence.date.adding(days: -AlarmState.movesKept)
      state.moves = state.moves.filter { $0.key > kept }
    }
    (next, wanted) = (nil, nil)
    if alarm.recurrence.repeats { findNext(zones) }
  }

  /// Returns the due time of `earlyRing` if it has come during the ring, its snoozes or its check,
  /// and is not that of `next`, because the zone has changed since the ring began. The occurrence
  /// must then be settled, so that it does not ring again after the journey back.
  func unsettledEarlyRing(at now: Instant) -> Instant? {
    earlyRing.flatMap { due in due <= now && nextChange.map { due < $0 } ?? true ? due : nil }
  }

  /// Finds the next occurrence again, because the time zone may have changed. In the new zone, a
  /// date that was handled may have an occurrence after `handled`. Then the alarm rings again on
  /// that date. But if that occurrence is overdue by more than `late`, it is left out, and does not
  /// count as missed.
  mutating func resolveAnew(at now: Instant, _ zones: some ZoneRules) {
    findNext(zones)
    while let next, let date = state.handledDate, next.date <= date {
      guard now - next.due > late else {
        state.handledDate = next.date.adding(days: -1)
        return
      }
      handle(next, zones)
    }
  }

  /// Finds the first occurrence after `handled` that is not in `settled`. A once-only alarm that
  /// has rung or was missed has no next occurrence.
  mutating func findNext(_ zones: some ZoneRules) {
    let isSpent = state.phase == .over || !state.settled.isEmpty
    next = isSpent && !alarm.recurrence.repeats ? nil : unsettled(after: state.handled, zones)
    findWanted(zones)
  }

  mutating func findWanted(_ zones: some ZoneRules) {
    wanted = next
    guard isSkipped, let next else { return }
    wanted =
      alarm.recurrence.repeats
      ? unsettled(after: next.due, besides: state.skipped, zones) : nil
  }

  func unsettled(
    after instant: Instant, besides: ClosedRange<CivilDate>? = nil, _ zones: some ZoneRules
  ) -> Occurrence? {
    var after = instant
    while let found = alarm.recurrence.next(
      after: after, in: zones, moves: state.moves, besides: besides)
    {
      if !state.settled.contains(found.due) { return found }
      after = found.due
    }
    return nil
  }

  /// Ends the current ring or check. The alarm then waits for its next occurrence; if it has none,
  /// it will not ring any more. If a once-only alarm rang too early because the clock was ahead,
  /// its occurrence is still upcoming.
  mutating func rest() {
    state.phase = alarm.recurrence.repeats || next != nil ? .scheduled : .over
  }
}

extension [Schedule.Entry] {
  /// Returns the indices of the `count` alarms with the earliest `moment`, earliest first. Alarms
  /// with equal moments are in the order of the config.
  func first(_ count: Int, by moment: (Schedule.Entry) -> Instant?) -> [Int] {
    let coming = indices.compactMap { i in moment(self[i]).map { (i, $0) } }
    return coming.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(count).map(\.0)
  }
}
