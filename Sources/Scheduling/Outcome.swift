// SPDX-License-Identifier: GPL-3.0-or-later
//
// What began to ring and how rings ended, for the history and the commands of the user. Endings are
// recorded where they happen, in `OccurrenceLife.swift` and `Timers/TimerLife.swift`. When they are
// told is in `Announcement.swift`; how they are kept, in Persistence's `HistoryText.swift`.

/// The end of a ring, or of an occurrence that never came to ring.
public struct Outcome: Hashable, Sendable {
  public enum Ending: Hashable, Sendable {
    case stopped
    case snoozed(until: Instant, byItself: Bool)
    /// A timer that runs again.
    case restarted
    case missed(Missed.Reason)
    /// Deleted, disabled, or set to another time.
    case removed
  }

  public var kind: RingKind
  public var id: String
  public var label: String?
  /// When the occurrence was due, however often it was snoozed since.
  public var due: Instant
  /// What was under way; nil where it never rang.
  public var open: OpenRing?
  /// Nil if it goes on under another name.
  public var answer: Ending?
  /// When it ended.
  public var at: Instant

  /// The ring that ended; nil where it did not ring, or not again.
  public var rang: OpenRing? { open?.snoozedUntil == nil ? open : nil }
}

extension Schedule {
  /// Records how `ring` ended. Without an answer it goes on under another name.
  mutating func end(_ ring: OpenRing, _ answer: Outcome.Ending?, at now: Instant) {
    endings.append(
      Outcome(
        kind: ring.kind, id: ring.id, label: ring.label ?? entry(ring.id)?.alarm.label,
        due: ring.ring.due, open: ring,
        answer: answer, at: now))
  }

  /// Records what an answer made of a ring that was `before` and is `after` it, nil if it ended.
  mutating func end(_ before: OpenRing?, answeredTo after: OpenRing?, at now: Instant) {
    guard let before else { return }
    if after == nil {
      end(before, .stopped, at: now)
    } else if let until = after?.snoozedUntil, before.snoozedUntil == nil {
      end(before, .snoozed(until: until, byItself: false), at: now)
    }
  }

  /// Records a ring that was missed, and adds it to the notice of missed rings. `open` is nil if it
  /// never rang.
  mutating func miss(_ missed: Missed, _ open: OpenRing?, at now: Instant) {
    if let open, open.snoozedUntil == nil {
      end(open, .missed(missed.reason), at: now)
    } else {
      withheld.append(
        Outcome(
          kind: missed.isTimer ? .timer : .alarm, id: missed.id, label: missed.label,
          due: missed.due, open: open, answer: .missed(missed.reason), at: now))
    }
    note(missed)
  }

  /// Takes the endings that can be told now, in the order in which it was due.
  mutating func takeEndings(_ isDoubted: Bool) -> [Effect] {
    let ended = endings + (isDoubted ? [] : withheld)
    endings = []
    if !isDoubted { withheld = [] }
    return ended.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.map(Effect.ended)
  }

  /// What began to ring with `picture`.
  mutating func begun(_ picture: Picture) -> [Effect] {
    defer { snoozeEnds = [:] }
    if picture.rings.isSubset(of: shown.rings) { return [] }
    return ringing.filter { !shown.rings.contains($0.key) }.sorted { $0.id < $1.id }.map { open in
      let ring = open.ring
      return .began(open, due: ring.isFirst ? ring.due : snoozeEnds[open.id] ?? ring.since)
    }
  }
}
