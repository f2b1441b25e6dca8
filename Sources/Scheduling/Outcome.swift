// SPDX-License-Identifier: GPL-3.0-or-later
//
// Records which rings began and how rings ended, for the history and for the user's commands.
// Endings are recorded when they happen, in `OccurrenceLife.swift` and `Timers/TimerLife.swift`.
// `Announcement.swift` decides when endings are reported; `HistoryText.swift` in Persistence stores
// them.

/// The end of a ring, or of an occurrence that never rang. A snooze ends a ring as well: when the
/// alarm or timer rings again, that ring has an end of its own.
public struct Outcome: Hashable, Sendable {
  public enum Ending: Hashable, Sendable {
    case stopped
    case snoozed(until: Instant, byItself: Bool)
    /// The timer runs again, because the user restarted it or gave it more time.
    case restarted
    case missed(Missed.Reason)
    /// The alarm was deleted, disabled or set to another time.
    case removed
  }

  public var kind: RingKind
  public var id: String
  public var label: String?
  /// When the ring was first due, however often it has been snoozed since.
  public var due: Instant
  /// The ring just before it ended; nil if the alarm or timer never rang.
  public var open: OpenRing?
  public var answer: Ending
  public var at: Instant
  /// How long the timer ran. Nil for an alarm, and for a timer that runs on because it was given
  /// more time.
  public var length: Duration?

  /// The ring, if it was ringing when it ended. Nil if it was snoozed at that time, or if the alarm
  /// or timer never rang.
  public var rang: OpenRing? { open?.snoozedUntil == nil ? open : nil }
}

extension Schedule {
  /// Records how `ring` ended.
  mutating func end(_ ring: OpenRing, _ answer: Outcome.Ending, at now: Instant) {
    endings.append(
      Outcome(
        kind: ring.kind, id: ring.id, label: ring.label ?? entry(ring.id)?.alarm.label,
        due: ring.ring.due, open: ring,
        answer: answer, at: now, length: ring.length))
  }

  /// Records what an answer did to a ring. `before` is the ring before the answer, and `after` is
  /// the ring after it; `after` is nil if the answer ended the ring.
  mutating func end(_ before: OpenRing?, answeredTo after: OpenRing?, at now: Instant) {
    guard let before else { return }
    if after == nil {
      end(before, .stopped, at: now)
    } else if let until = after?.snoozedUntil, before.snoozedUntil == nil {
      end(before, .snoozed(until: until, byItself: false), at: now)
    }
  }

  /// Records a missed ring and adds it to the list of missed rings. `open` is the ring before it
  /// was missed: ringing or snoozed. Nil if the ring never began.
  mutating func miss(_ missed: Missed, _ open: OpenRing?, at now: Instant) {
    if let open, open.snoozedUntil == nil {
      end(open, .missed(missed.reason), at: now)
    } else {
      withheld.append(
        Outcome(
          kind: missed.isTimer ? .timer : .alarm, id: missed.id, label: missed.label,
          due: missed.due, open: open, answer: .missed(missed.reason), at: now,
          length: timer(missed.id)?.length))
    }
    record(missed)
  }

  /// Removes and returns the endings that can be reported now, ordered by when the rings were due.
  /// While the clock is in doubt (`isDoubted`), rings that were missed without a sound are not
  /// reported, because they are not missed if the clock is corrected.
  mutating func takeEndings(_ isDoubted: Bool) -> [Effect] {
    let ended = endings + (isDoubted ? [] : withheld)
    endings = []
    if !isDoubted { withheld = [] }
    return ended.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.map(Effect.ended)
  }

  /// Returns an effect for each ring that is ringing in `picture` and was not ringing before.
  mutating func begun(_ picture: Picture) -> [Effect] {
    defer { snoozeEnds = [:] }
    if picture.rings.isSubset(of: shown.rings) { return [] }
    return ringing.filter { !shown.rings.contains($0.key) }.sorted { $0.id < $1.id }.map { open in
      let ring = open.ring
      return .began(open, due: ring.isFirst ? ring.due : snoozeEnds[open.id] ?? ring.since)
    }
  }
}
