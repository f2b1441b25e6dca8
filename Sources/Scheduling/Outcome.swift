// SPDX-License-Identifier: GPL-3.0-or-later
//
// What became of a ring, told by comparing what was under way before an event with what is after
// it: for the history, and of no influence on anything. Next: `HistoryText.swift` in Persistence.

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
  /// The ring that ended; nil where it did not ring, or not again.
  public var ring: Ring?
  public var answer: Answer
}

extension Schedule {
  /// What rings or is snoozed, and what was missed: enough to tell later what became of it.
  public struct Underway: Sendable, Equatable {
    public struct Item: Hashable, Sendable {
      var kind: RingKind
      public var id: String
      /// Nil also where the config has not been read yet.
      var label: String?
      /// What decides when it rings; empty for a timer.
      var signature: String
      var ring: Ring
      /// Nil while it rings.
      public var snoozedUntil: Instant?
    }
    public var items: [Item]
    var missed: [Missed]
    var missedForSure: [Missed]
  }

  /// Costs as much as is under way, however many alarms there are.
  public var underway: Underway {
    let told = shown.notices.keys.filter { $0.kind == .ringing || $0.kind == .snoozed }
    let alarms = Set(told.map(\.id)).compactMap { entry($0) }.compactMap { entry in
      entry.openRing.map { Underway.Item($0, entry.state.signature) }
    }
    // Nothing is shown before the config is read, and timers may ring then.
    let items = alarms + timers.compactMap { openRing(of: $0) }.map { Underway.Item($0, "") }
    // What an earlier agent left, until the config is read.
    let left = remembered.compactMap { Underway.Item($0, $1) }
    return Underway(items: items + left, missed: missed, missedForSure: missedForSure)
  }

  /// What the event just applied ended of what was under way `before`, by when that was due.
  public func outcomes(since before: Underway) -> [Outcome] {
    let lost = Self.added(to: missed, since: before.missed)
    let ended = before.items.compactMap { outcome(of: $0, lost, before.items) }
    // What is missed unanswered has rung, and is among those.
    let never = Self.added(to: missedForSure, since: before.missedForSure)
      .filter { $0.missed.reason != .unanswered }
      .map {
        Outcome(
          kind: $0.isTimer ? .timer : .alarm, id: $0.id, label: $0.label, due: $1,
          answer: .missed($0.reason))
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

  private func outcome(
    of item: Underway.Item, _ lost: [Lost], _ before: [Underway.Item]
  ) -> Outcome? {
    let isRinging = item.snoozedUntil == nil
    func end(_ answer: Outcome.Answer) -> Outcome {
      Outcome(
        kind: item.kind, id: item.id, label: item.label ?? entry(item.id)?.alarm.label,
        due: item.ring.due, ring: isRinging ? item.ring : nil, answer: answer)
    }
    if item.kind == .alarm, entry(item.id)?.state.signature != item.signature {
      let isKept = remembered[item.id] != nil || isRenamed(item, before)
      return isKept ? nil : end(.removed)
    }
    if let lost = lost.first(where: { item.isMeant(by: $0.missed, due: $0.due) }) {
      // What did not ring again is told with all that was missed.
      return isRinging ? end(.missed(lost.missed.reason)) : nil
    }
    guard let later = openRing(item.id) else {
      return end(item.kind == .timer && timer(item.id) != nil ? .restarted : .stopped)
    }
    // Snoozed before, it rings again, is snoozed anew, or gave way to the next of its kind.
    guard isRinging, item.isSame(as: later.ring.due), later.ring.snoozes > item.ring.snoozes else {
      return nil
    }
    return end(
      .snoozed(
        until: later.snoozedUntil ?? later.ring.since,
        byItself: later.ring.autoSnoozes > item.ring.autoSnoozes))
  }
}

extension Schedule {
  /// Whether it goes on under a name that nothing under way had `before`.
  private func isRenamed(_ item: Underway.Item, _ before: [Underway.Item]) -> Bool {
    entries.underway.contains { i in
      entries[i].state.signature == item.signature
        && entries[i].openRing?.ring.due == item.ring.due
        && !before.contains { $0.id == entries[i].alarm.id }
    }
  }
}

extension Schedule.Underway.Item {
  fileprivate init(_ open: OpenRing, _ signature: String) {
    (kind, id, label, ring) = (open.kind, open.id, open.label, open.ring)
    (snoozedUntil, self.signature) = (open.snoozedUntil, signature)
  }

  fileprivate init?(_ id: String, _ state: AlarmState) {
    switch state.phase {
    case .scheduled, .over: return nil
    case .ringing(let ring): self.ring = ring
    case .snoozed(let ring, let until): (self.ring, snoozedUntil) = (ring, until)
    }
    (kind, self.id, signature) = (.alarm, id, state.signature)
  }

  fileprivate func isMeant(by missed: Missed, due: Instant) -> Bool {
    missed.id == id && missed.isTimer == (kind == .timer) && isSame(as: due)
  }

  /// A timer is over but once; when that was moves with a clock that is set.
  fileprivate func isSame(as due: Instant) -> Bool { kind == .timer || due == ring.due }
}
