// SPDX-License-Identifier: GPL-3.0-or-later
//
// One alarm of the schedule: where it stands, what time will do to it next, and what the user is
// shown of it. It changes nothing but itself. Next: `OccurrenceLife.swift`.

extension Schedule {
  /// An alarm, where it stands, and its next occurrence so far as it is known.
  public struct Entry: Sendable, Equatable {
    public let alarm: Alarm
    public internal(set) var state: AlarmState { didSet { quietUntil = firstMoment } }
    /// The first occurrence that is still to come; while one rings, the one after it.
    public internal(set) var next: Occurrence? { didSet { quietUntil = firstMoment } }
    /// The first of these that the user did not skip.
    public internal(set) var wanted: Occurrence? { didSet { quietUntil = firstMoment } }
    /// Before this it does and shows nothing, so that a tick passes over it.
    private(set) var quietUntil: Instant = .distantFuture

    init(alarm: Alarm, state: AlarmState) {
      (self.alarm, self.state) = (alarm, state)
      quietUntil = firstMoment
    }

    /// Another alarm that rings when `other` does.
    init(alarm: Alarm, like other: Entry) {
      (self.alarm, state, next, wanted) = (alarm, other.state, other.next, other.wanted)
      quietUntil = firstMoment
    }

    /// How it rings, if it does now.
    public var ring: Ring? { open?.snoozedUntil == nil ? open : nil }
    /// When it rings again, if it is snoozed.
    public var snoozedUntil: Instant? { open?.snoozedUntil }
    private var open: Ring? { if case .open(let ring) = state.phase { ring } else { nil } }
    /// Whether the user is up, where that is still to be seen.
    public var check: StopCheck? {
      if case .checking(_, let check) = state.phase { check } else { nil }
    }
    /// Whether the user does not want the next occurrence.
    public var isSkipped: Bool { next.map(state.skips) ?? false }

    /// When it will begin to ring, as things stand: the end of a snooze, or the next occurrence
    /// that is not skipped.
    public var nextStart: Instant? {
      let due = wanted?.due
      return snoozedUntil.map { min($0, due ?? $0) } ?? due
    }

    /// The same, or sooner where nobody says that he is up.
    var possibleStart: Instant? {
      [nextStart, check?.end].compactMap(\.self).min()
    }

    /// The first moment later than `moment` for which a machine is to be awake: it begins to ring,
    /// the user is to be asked, or a command is to run ahead of a ring.
    func wakingMoment(after moment: Instant) -> Instant? {
      [nextStart, check?.nextMoment, preparation].compactMap(\.self).filter { $0 > moment }.min()
    }
  }
}

extension Schedule.Entry {
  enum Transition {
    case due
    case ring(Ring)
    case check(Ring, StopCheck)
  }

  /// How long after it was due it still rings.
  var late: Duration { alarm.ring.lateness }

  /// The next thing that time alone does to this alarm. Where two fall together, the occurrence
  /// that is due takes the place of the one before it.
  var pending: (moment: Instant, transition: Transition)? {
    var first: (moment: Instant, transition: Transition)? = next.map { ($0.due, .due) }
    func consider(_ moment: Instant, _ transition: Transition) {
      if moment < first?.moment ?? .distantFuture { first = (moment, transition) }
    }
    switch state.phase {
    case .scheduled, .over: break
    case .open(let ring):
      if let moment = ring.nextMoment(alarm.ring) { consider(moment, .ring(ring)) }
    case .checking(let ring, let check): consider(check.nextMoment, .check(ring, check))
    }
    return first
  }

  private var firstMoment: Instant {
    guard state.handled.isPlausible, open == nil, check == nil else { return .distantPast }
    guard let next else { return .distantFuture }
    let ahead = [announcement, preparation, bedtime?.lowerBound].compactMap(\.self).min()
    return min(ahead ?? next.due, next.due - Schedule.readyAhead)
  }

  /// When the quiet notice ahead of the next occurrence is due.
  private var announcement: Instant? {
    guard let next, alarm.ring.upcoming > .zero, !isSkipped else { return nil }
    return next.due - alarm.ring.upcoming
  }

  /// The earliest moment later than `now` at which a tick could change something. The sound needs
  /// to be made ready only where none is, and none plays.
  func nextMoment(after now: Instant, awaitsReady: Bool) -> Instant? {
    if quietUntil > now, awaitsReady, !isSkipped {
      return quietUntil < .distantFuture ? quietUntil : nil
    }
    var earliest = pending?.moment
    func consider(_ moment: Instant) {
      if moment > now, moment < earliest ?? .distantFuture { earliest = moment }
    }
    if let announcement { consider(announcement) }
    if let preparation { consider(preparation) }
    if let bedtime {
      consider(bedtime.lowerBound)
      consider(bedtime.upperBound)
    }
    if awaitsReady, let possibleStart { consider(possibleStart - Schedule.readyAhead) }
    return earliest
  }

  func notices(at now: Instant) -> [Notice] {
    var notices: [Notice] = []
    switch state.phase {
    case .open(let ring):
      if let until = ring.snoozedUntil {
        notices.append(.snoozed(id: alarm.id, label: alarm.label, due: ring.due, until: until))
      } else {
        let lengths = ring.canSnooze(alarm.ring) ? alarm.ring.snooze : []
        notices.append(.ringing(id: alarm.id, label: alarm.label, ring: ring, snooze: lengths))
      }
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

  /// What is due later than `moment` is to come, what is not is over.
  mutating func arm(at moment: Instant, _ zones: some ZoneRules) {
    state.handled = moment
    if !alarm.recurrence.repeats {
      // What was moved and is past, was: it is the next such time that is armed.
      state.moves = state.moves.filter { date, time in
        alarm.recurrence.moved(date, to: time, zones).map { $0.due > moment } ?? false
      }
    }
    findNext(zones)
    state.handledDate =
      alarm.recurrence.repeats
      ? next.map { dealtWith(upTo: $0.date.adding(days: -1), at: moment, zones) } : nil
  }

  /// Goes on to what comes after `occurrence`, which is the next.
  mutating func handle(_ occurrence: Occurrence, _ zones: some ZoneRules) {
    if isSkipped { state.settle(occurrence.due) }
    state.handled = occurrence.due
    let date = dealtWith(upTo: occurrence.date, at: occurrence.due, zones)
    state.handledDate = max(state.handledDate ?? date, date)
    // Until then it stands: in another zone that date's time may come again.
    if let skipped = state.skipped, skipped.upperBound < occurrence.date { state.skipped = nil }
    if !state.moves.isEmpty {
      let kept = occurrence.date.adding(days: -AlarmState.movesKept)
      state.moves = state.moves.filter { $0.key > kept }
    }
    (next, wanted) = (nil, nil)
    if alarm.recurrence.repeats { findNext(zones) }
  }

  /// Finds the next occurrence where the zone may be another than before. A date that was dealt
  /// with there, and whose time here is long past, was not missed.
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

  /// The first occurrence after the last one handled that is not settled already. A once-only alarm
  /// has none after the one that it had.
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

  /// An occurrence has been dealt with, and no earlier one of this alarm rings or is snoozed. One
  /// that rang by a clock that ran ahead is still to come.
  mutating func rest() {
    state.phase = alarm.recurrence.repeats || next != nil ? .scheduled : .over
  }
}

extension [Schedule.Entry] {
  /// Where the alarms are that do or show something at `now`.
  func stirring(at now: Instant) -> [Int] { indices.filter { self[$0].quietUntil <= now } }

  /// Where the alarms are that ring or are snoozed, and those that wait for a clock that is set.
  var underway: [Int] { stirring(at: .distantPast) }

  /// Where the `count` alarms are for which `moment` is the earliest; in order of these, then of
  /// the config.
  func first(_ count: Int, by moment: (Schedule.Entry) -> Instant?) -> [Int] {
    let coming = indices.compactMap { i in moment(self[i]).map { (i, $0) } }
    return coming.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(count).map(\.0)
  }

  /// The first of them.
  func first(by moment: (Schedule.Entry) -> Instant?) -> (entry: Schedule.Entry, moment: Instant)? {
    var first: (index: Int, moment: Instant)?
    for i in indices {
      if let moment = moment(self[i]), moment < first?.moment ?? .distantFuture {
        first = (i, moment)
      }
    }
    return first.map { (self[$0.index], $0.moment) }
  }
}
