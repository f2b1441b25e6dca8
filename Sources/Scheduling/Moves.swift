// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the user wants otherwise for some rings alone: at another time, or not at all. It is kept by
// the date that a ring belongs to, so that a restart, another zone and another label leave it
// alone. Which rings a rule names is in `Recurrence.swift`; what time makes of them, in
// `Entry.swift`.

/// When the rings of some dates are to be, by the clock of the alarm's zone.
public typealias Moves = [CivilDate: CivilDateTime]

/// Which rings are not wanted.
public enum SkippedRings: Hashable, Sendable {
  /// The next so many.
  case next(Int)
  /// All that fall before that date.
  case before(CivilDate)
}

/// Why a ring cannot be moved.
public enum MoveFault: Error, Hashable, Sendable {
  case nothingToCome
  /// Nothing rings on the date on which it would fall.
  case excepted(CivilDate)
  case paused(CivilDate)
  /// The last day of the alarm is before that.
  case ended(CivilDate)
}

extension Recurrence {
  /// The ring of `date` at the time to which it was moved. What counts is the day on which it
  /// falls, and that its own is still one of the rule.
  func moved(_ date: CivilDate, to time: CivilDateTime, _ zones: some ZoneRules) -> Occurrence? {
    guard firstDay(from: date) == date, time.date <= until ?? .latest,
      let there = zones.resolve(time, in: zone)
    else { return nil }
    return Occurrence(
      date: date, due: there.instant, note: there.note,
      movedFrom: occurrence(on: date, zones)?.due ?? there.instant)
  }

  func firstMoved(
    _ moves: Moves, after instant: Instant, _ besides: ClosedRange<CivilDate>?,
    _ zones: some ZoneRules
  ) -> Occurrence? {
    if moves.isEmpty { return nil }
    return moves.compactMap { date, time -> Occurrence? in
      guard besides?.contains(date) != true, let found = moved(date, to: time, zones),
        found.due > instant, exception(for: found, zones) == nil
      else { return nil }
      return found
    }.min { ($0.due, $0.date) < ($1.due, $1.date) }
  }
}

extension AlarmState {
  /// Those of a month back are remembered, for a clock that is set back; more nobody makes.
  public static let movesKept = 32

  func skips(_ occurrence: Occurrence) -> Bool { skipped?.contains(occurrence.date) ?? false }

  /// As it is remembered while the alarm is off: what is to come and is wanted otherwise, if
  /// anything. It is armed anew when the alarm is on again.
  func whileOff(_ rule: Recurrence, at now: Instant, _ zones: some ZoneRules) -> AlarmState? {
    guard signature == rule.signature else { return nil }
    // Off already, it is as the clock was then: that may have been set since, to be put right.
    if handled == .unset { return self }
    var off = AlarmState(signature: signature, handled: .unset)
    off.sound = sound
    off.moves = moves.filter { date, time in
      rule.moved(date, to: time, zones).map { max($0.due, $0.movedFrom ?? now) > now } ?? false
    }
    let today = zones.civil(at: now, in: rule.zone).date
    // One that rings once is off when it is skipped, until it is enabled.
    off.skipped = skipped.flatMap { $0.upperBound < today || !rule.repeats ? nil : $0 }
    off.prepared = prepared.flatMap { $0 > now ? $0 : nil }
    off.bedtimeClosed = bedtimeClosed.flatMap { $0 > now ? $0 : nil }
    let isAhead = off.prepared != nil || off.bedtimeClosed != nil
    return off.moves.isEmpty && off.skipped == nil && !isAhead ? nil : off
  }
}

extension Schedule.Entry {
  /// The latest date up to `date` for which all before it came to something by `instant`: what was
  /// moved to a later day may be due behind what follows it.
  func dealtWith(
    upTo date: CivilDate, at instant: Instant, _ zones: some ZoneRules
  ) -> CivilDate {
    let open = state.moves.filter { moved, time in
      moved <= date
        && alarm.recurrence.moved(moved, to: time, zones).map { $0.due > instant } ?? false
    }
    return open.keys.min().map { $0.adding(days: -1) } ?? date
  }

  /// Where the next ring that is wanted would be, at `time` of the same day or, that being past, of
  /// the next.
  public func nextMoved(
    to time: CivilTime, at now: Instant, in zones: some ZoneRules
  ) throws(MoveFault) -> (to: CivilDateTime, occurrence: Occurrence) {
    guard let wanted else { throw .nothingToCome }
    let rule = alarm.recurrence
    var target = CivilDateTime(zones.civil(at: wanted.due, in: rule.zone).date, time)
    // A zone may have left a day out.
    for _ in 0..<3 where zones.resolve(target, in: rule.zone).map({ $0.instant <= now }) ?? true {
      target.date = target.date.adding(days: 1)
    }
    guard let moved = rule.moved(wanted.date, to: target, zones) else {
      throw rule.until.map { .ended($0) } ?? .nothingToCome
    }
    let date = zones.civil(at: moved.due, in: rule.zone).date
    if rule.excepts(date) { throw .excepted(date) }
    if rule.paused.contains(date) { throw .paused(date) }
    return (target, moved)
  }

  /// Moves the next ring that is wanted; to its own time, it is moved no more.
  mutating func move(to time: CivilTime, at now: Instant, _ zones: some ZoneRules) {
    guard let (target, moved) = try? nextMoved(to: time, at: now, in: zones) else {
      // Whoever asked was told.
      return
    }
    state.moves[moved.date] = moved.due == moved.movedFrom ? nil : target
    if state.moves.count > AlarmState.movesKept, let oldest = state.moves.keys.min() {
      state.moves[oldest] = nil
    }
    findNext(zones)
  }

  /// The dates of the rings that are not wanted any more, if there are any.
  public func skipping(
    _ rings: SkippedRings, in zones: some ZoneRules
  ) -> ClosedRange<CivilDate>? {
    guard let next else { return nil }
    var dates = next.date...next.date
    switch rings {
    case .next(let count):
      var last = next
      for _ in 1..<max(count, 1) {
        guard alarm.recurrence.repeats, let found = unsettled(after: last.due, zones) else { break }
        last = found
        dates = min(dates.lowerBound, last.date)...max(dates.upperBound, last.date)
      }
    case .before(let date):
      guard falls(next, before: date, zones) else { return nil }
      if alarm.recurrence.repeats {
        var end = date.adding(days: -1)
        // What was moved beyond that day is no more before it.
        while let target = state.moves[end], target.date >= date { end = end.adding(days: -1) }
        dates = next.date...max(next.date, end)
      }
    }
    return dates
  }

  private func falls(
    _ occurrence: Occurrence, before date: CivilDate, _ zones: some ZoneRules
  ) -> Bool { zones.civil(at: occurrence.due, in: alarm.recurrence.zone).date < date }

  /// What was skipped before stays so.
  mutating func skip(_ rings: SkippedRings, _ zones: some ZoneRules) {
    guard let dates = skipping(rings, in: zones) else { return }
    let before = state.skipped ?? dates
    state.skipped =
      min(before.lowerBound, dates.lowerBound)...max(before.upperBound, dates.upperBound)
    findWanted(zones)
  }

  /// Takes back what was skipped, and where the next rings were moved.
  mutating func unskip(at now: Instant, _ zones: some ZoneRules) {
    // What is past is left: in another zone its time may come again.
    if let next, let skipped = state.skipped, skipped.upperBound >= next.date {
      state.skipped = nil
    }
    state.moves = state.moves.filter { date, time in
      guard let moved = alarm.recurrence.moved(date, to: time, zones) else { return true }
      return moved.due <= now || moved.movedFrom ?? now <= now
    }
    findNext(zones)
  }
}

extension Instant {
  /// Of what was not armed, or by a clock that was not set: it is armed as soon as there is one.
  static let unset = Instant(seconds: 0)
}
