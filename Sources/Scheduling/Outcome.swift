// SPDX-License-Identifier: GPL-3.0-or-later
//
// What began to ring and what became of a ring, told by comparing what was under way before with
// what is after: for the history and the commands of the user. What is done about it, and when, is
// in `Announcement.swift`; how it is kept, in Persistence's `HistoryText.swift`.

/// The end of a ring, or of an occurrence that never came to ring.
public struct Outcome: Hashable, Sendable {
  public enum Answer: Hashable, Sendable {
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
  /// Nil: none yet. It goes on under another name, or once the config can be read.
  public var answer: Answer?
  /// When it ended.
  public var at: Instant

  /// The ring that ended; nil where it did not ring, or not again.
  public var rang: OpenRing? { open?.snoozedUntil == nil ? open : nil }
}

extension Schedule {
  /// What rings or is snoozed, and what was missed: enough to tell later what became of it.
  struct Underway {
    var items: [OpenRing]
    /// Whether what rings is known to, or is what an agent before this one left.
    var isKnown: Bool
    var missed: [Missed]
    var missedForSure: [Missed]
  }

  /// Costs as much as is under way, however many alarms there are.
  var underway: Underway {
    let told = shown.notices.keys.filter { $0.kind == .ringing || $0.kind == .snoozed }
    let alarms = Set(told.map(\.id)).compactMap(alarmRing)
    // Nothing is shown before the config is read, and timers may ring then.
    let items = alarms + timers.compactMap { openRing(of: $0) }
    // What an earlier agent left, until the config is read.
    let left = remembered.compactMap { $1.openRing($0) }
    return Underway(
      items: items + left, isKnown: isConfigured, missed: missed, missedForSure: missedForSure)
  }

  /// What ended since `before`, and what began to ring, as `picture` has it.
  func turns(
    since before: Underway, _ picture: Picture, _ cause: Picture.Cause, at now: Instant
  ) -> [Effect] {
    let rings = picture.notices.keys.filter { $0.kind == .ringing }.sorted()
      .compactMap { openRing($0.id) }
    let going = Set(rings.map(\.key))
    let known = before.isKnown ? Set(before.items.filter(\.isRinging).map(\.key)) : []
    let begun = rings.filter { !known.contains($0.key) }.map { open in
      let until = before.items.first { $0.id == open.id }?.snoozedUntil
      let ring = open.ring
      return Effect.began(open, due: ring.isFirst ? ring.due : until ?? ring.since)
    }
    return outcomes(since: before, but: going, cause, at: now).map(Effect.ended) + begun
  }

  /// What became of what was under way `before` and does not ring, by when that was due.
  private func outcomes(
    since before: Underway, but going: Set<OpenRing.Key>, _ cause: Picture.Cause, at now: Instant
  ) -> [Outcome] {
    let lost = Self.added(to: missed, since: before.missed)
    let ended = before.items.filter { !going.contains($0.key) }.compactMap { item in
      let end = end(of: item, lost, before.items, cause)
      return item.isRinging || end != nil
        ? Outcome(
          kind: item.kind, id: item.id, label: item.label ?? entry(item.id)?.alarm.label,
          due: item.ring.due, open: item, answer: end, at: now) : nil
    }
    // What is missed unanswered has rung, and is among those.
    let never = Self.added(to: missedForSure, since: before.missedForSure)
      .filter { $0.missed.reason != .unanswered }
      .map { missed, due in
        Outcome(
          kind: missed.isTimer ? .timer : .alarm, id: missed.id, label: missed.label, due: due,
          open: before.items.first { $0.snoozedUntil != nil && $0.isMeant(by: missed, due: due) },
          answer: .missed(missed.reason), at: now)
      }
    return (ended + never).sorted { ($0.due, $0.id) < ($1.due, $1.id) }
  }

  private typealias Lost = (missed: Missed, due: Instant)

  private static func added(to missed: [Missed], since before: [Missed]) -> [Lost] {
    guard missed != before else { return [] }
    return missed.flatMap { missed in
      let known = before.first { $0.id == missed.id && $0.reason == missed.reason }?.dues ?? []
      return missed.dues.filter { !known.contains($0) }.map { (missed, $0) }
    }
  }

  /// How `item` ended, if anything came of it.
  private func end(
    of item: OpenRing, _ lost: [Lost], _ before: [OpenRing], _ cause: Picture.Cause
  ) -> Outcome.Answer? {
    if item.isRehearsal { return .stopped }
    if item.kind == .alarm, entry(item.id)?.state.signature != item.signature {
      return remembered[item.id]?.openRing(item.id) != nil || isRenamed(item, before)
        ? nil : .removed
    }
    if let lost = lost.first(where: { item.isMeant(by: $0.missed, due: $0.due) }) {
      // What did not ring again is told with all that was missed.
      return item.isRinging ? .missed(lost.missed.reason) : nil
    }
    guard let later = openRing(item.id) else {
      if item.chain?.hasGoneOn == true, cause == .time {
        return item.isRinging ? .missed(.unanswered) : nil
      }
      return item.kind == .timer && timer(item.id)?.chain == item.chain && timer(item.id) != nil
        ? .restarted : .stopped
    }
    // Snoozed before, it rings again, is snoozed anew, or gave way to the next of its kind.
    guard item.isRinging, item.isSame(as: later.ring.due), later.ring.snoozes > item.ring.snoozes
    else { return nil }
    return .snoozed(
      until: later.snoozedUntil ?? later.ring.since,
      byItself: later.ring.autoSnoozes > item.ring.autoSnoozes)
  }

  /// Whether it goes on under a name that nothing under way had `before`.
  private func isRenamed(_ item: OpenRing, _ before: [OpenRing]) -> Bool {
    entries.underway.contains { i in
      entries[i].state.signature == item.signature
        && entries[i].openRing?.ring.due == item.ring.due
        && !before.contains { $0.id == entries[i].alarm.id }
    }
  }
}

extension OpenRing {
  fileprivate var isRinging: Bool { snoozedUntil == nil }

  fileprivate func isMeant(by missed: Missed, due: Instant) -> Bool {
    missed.id == id && missed.isTimer == (kind == .timer) && isSame(as: due)
  }

  /// A timer is over but once; when that was moves with a clock that is set.
  fileprivate func isSame(as due: Instant) -> Bool { kind == .timer || due == ring.due }
}
