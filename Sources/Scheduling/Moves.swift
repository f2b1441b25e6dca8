// SPDX-License-Identifier: GPL-3.0-or-later
//
// Single rings that the user moved to another time or skipped. They are stored by the date that a
// ring belongs to, so that they survive a restart, a change of zone and a new label.
// `Recurrence.swift` decides on which dates a rule rings; `Entry.swift` decides what happens when a
// ring is due.

/// For each ring that the user moved: the date that the ring belongs to, and its new local time in
/// the alarm's zone.
public typealias Moves = [CivilDate: CivilDateTime]

public enum SkippedRings: Hashable, Sendable {
  /// The next rings, at least one.
  case next(Int)
  /// The rings up to the end of this date: on the machine's calendar, by which lists show rings, or
  /// in the alarm's zone, whichever ends later.
  case through(CivilDate)
}

public enum MoveFault: Error, Hashable, Sendable {
  case nothingToCome
  /// The ring would fall on a date on which the alarm does not ring.
  case excepted(CivilDate)
  case paused(CivilDate)
  /// The ring would fall after the alarm's last day, which is this date.
  case ended(CivilDate)
}

extension Recurrence {
  /// Returns the ring that belongs to `date`, at `time`, to which the user moved it. Nil if `date`
  /// is no longer one of the rule's dates, or if `time` is after the alarm's last day or on a date
  /// that the zone left out.
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
  /// The greatest number of moves that are kept. Moves of the past month are kept in case the clock
  /// is set back, and no user makes more moves in a month.
  public static let movesKept = 32

  func skips(_ occurrence: Occurrence) -> Bool { skipped?.contains(occurrence.date) ?? false }

  /// Returns what to remember of the alarm while it is switched off: moves and skips of upcoming
  /// rings, commands that ran ahead of a ring, and a closed bedtime notice. Nil if there is nothing
  /// to remember. The alarm is armed again when the user switches it on.
  func whileOff(_ rule: Recurrence, at now: Instant, _ zones: some ZoneRules) -> AlarmState? {
    guard signature == rule.signature else { return nil }
    // The alarm was already off. Keep even the moves and skips that seem to be past, because the
    // clock may be wrong and may still be corrected.
    if handled == .unset { return self }
    var off = AlarmState(signature: signature, handled: .unset)
    off.sound = sound
    off.moves = moves.filter { date, time in
      rule.moved(date, to: time, zones).map { max($0.due, $0.movedFrom ?? now) > now } ?? false
    }
    let today = zones.civil(at: now, in: rule.zone).date
    // Skipping the only ring of an alarm means switching the alarm off, so switching it on ends the
    // skip.
    off.skipped = skipped.flatMap { $0.upperBound < today || !rule.repeats ? nil : $0 }
    off.prepared = prepared.flatMap { $0 > now ? $0 : nil }
    off.bedtimeClosed = bedtimeClosed.flatMap { $0 > now ? $0 : nil }
    let isAhead = off.prepared != nil || off.bedtimeClosed != nil
    return off.moves.isEmpty && off.skipped == nil && !isAhead ? nil : off
  }
}

extension Schedule.Entry {
  /// Returns a date up to which all rings are past at `instant`. This is `date` itself, unless the
  /// user moved a ring of that date, or of an earlier date, to a time that is later than `instant`.
  /// The result is then the day before that ring's original date.
  func handledDate(
    upTo date: CivilDate, at instant: Instant, _ zones: some ZoneRules
  ) -> CivilDate {
    let open = state.moves.filter { moved, time in
      moved <= date
        && alarm.recurrence.moved(moved, to: time, zones).map { $0.due > instant } ?? false
    }
    return open.keys.min().map { $0.adding(days: -1) } ?? date
  }

  /// Returns when the next ring that is not skipped would be due if it were moved to `time`: on the
  /// same day or, if that moment is past, on the next day. If the ring has been moved already, and
  /// `time` is its original time, the ring goes back to its original day, unless that is past.
  public func nextMoved(
    to time: CivilTime, at now: Instant, in zones: some ZoneRules
  ) throws(MoveFault) -> (to: CivilDateTime, occurrence: Occurrence) {
    guard let wanted else { throw .nothingToCome }
    let rule = alarm.recurrence
    var target = CivilDateTime(zones.civil(at: wanted.due, in: rule.zone).date, time)
    if let original = wanted.movedFrom, original > now {
      let local = zones.civil(at: original, in: rule.zone)
      if local.time == time { target = local }
    }
    // Three days are tried: the time may be past on the first day, and the zone may leave out the
    // second.
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

  /// Moves the next ring that is not skipped to `time`. If `time` is the ring's original time, an
  /// earlier move is undone.
  mutating func move(to time: CivilTime, at now: Instant, _ zones: some ZoneRules) {
    guard let (target, moved) = try? nextMoved(to: time, at: now, in: zones) else {
      // The ring cannot be moved. The caller has already shown the user why.
      return
    }
    state.moves[moved.date] = moved.due == moved.movedFrom ? nil : target
    if state.moves.count > AlarmState.movesKept, let oldest = state.moves.keys.min() {
      state.moves[oldest] = nil
    }
    findNext(zones)
  }

  /// Returns the first and the last date that `rings` would skip; nil if there is nothing to skip.
  /// If the alarm rings only once, every later date is skipped as well. Without this, the ring
  /// would come on a later date if a pause or a change of zone leaves out the skipped date.
  public func skipping(
    _ rings: SkippedRings, in zones: some ZoneRules
  ) -> ClosedRange<CivilDate>? {
    guard let next else { return nil }
    var dates = next.date...(alarm.recurrence.repeats ? next.date : .latest)
    switch rings {
    case .next(let count):
      var last = next
      for _ in 1..<count {
        guard alarm.recurrence.repeats, let found = unsettled(after: last.due, zones) else { break }
        last = found
        dates = min(dates.lowerBound, last.date)...max(dates.upperBound, last.date)
      }
    case .through(let date):
      let end = zones.end(of: date, for: alarm.recurrence.zone)
      guard next.due < end else { return nil }
      if alarm.recurrence.repeats {
        var last = zones.civil(at: end, in: alarm.recurrence.zone).date
        // A ring that was moved to a later moment is not skipped.
        while last > next.date, due(on: last, zones).map({ $0 >= end }) ?? false {
          last = last.adding(days: -1)
        }
        dates = next.date...max(next.date, last)
      }
    }
    return dates
  }

  /// When the ring that belongs to `date` is due, moved or not; nil if there is no such time.
  private func due(on date: CivilDate, _ zones: some ZoneRules) -> Instant? {
    state.moves[date].flatMap { alarm.recurrence.moved(date, to: $0, zones)?.due }
      ?? alarm.recurrence.occurrence(on: date, zones)?.due
  }

  /// Skips `rings`. Dates that were skipped earlier stay skipped if they overlap or touch the newly
  /// skipped dates. Otherwise, the earlier skip ends: the days in between are not skipped, and they
  /// come again if the clock is set back.
  mutating func skip(_ rings: SkippedRings, _ zones: some ZoneRules) {
    guard let dates = skipping(rings, in: zones) else { return }
    let around = dates.lowerBound.adding(days: -1)...dates.upperBound.adding(days: 1)
    let before = state.skipped.flatMap { $0.overlaps(around) ? $0 : nil } ?? dates
    state.skipped =
      min(before.lowerBound, dates.lowerBound)...max(before.upperBound, dates.upperBound)
    findWanted(zones)
  }

  mutating func unskip(at now: Instant, _ zones: some ZoneRules) {
    // Keep past skips and moves: if the user travels west, the alarm's time on their dates may come
    // again. Also keep the move of an upcoming ring whose original time is past. Without the move,
    // the ring would be due at that past time.
    if let next, let skipped = state.skipped, skipped.upperBound >= next.date {
      state.skipped = nil
    }
    state.moves = state.moves.filter { date, time in
      let moved = alarm.recurrence.moved(date, to: time, zones)
      return moved.map { $0.due <= now || $0.movedFrom ?? now <= now } ?? false
    }
    findNext(zones)
  }
}

extension ZoneRules {
  /// The end of `date`, on the machine's calendar or in `zone`, whichever is later.
  fileprivate func end(of date: CivilDate, for zone: String?) -> Instant {
    // A zone may leave out a date, but not two in a row.
    let midnights = [1, 2].map { CivilDateTime(date.adding(days: $0), .midnight) }
    let ends = [nil, zone].compactMap { zone -> Instant? in
      midnights.lazy.compactMap { resolve($0, in: zone)?.instant }.first
    }
    return ends.max() ?? .distantPast
  }
}

extension Instant {
  /// The value of `handled` for an alarm that is switched off. An alarm that was armed before the
  /// clock was set has another value before 2026. In both cases, the alarm is armed as soon as it
  /// is switched on and the clock is set.
  static let unset = Instant(seconds: 0)
}
