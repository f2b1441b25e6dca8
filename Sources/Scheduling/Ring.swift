// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of a ring, be it an alarm's or a timer's: from its first sound, over the snoozes, until
// it is answered or was missed. What comes before it and after is in `OccurrenceLife.swift` and
// `Timers/TimerLife.swift`.

/// An occurrence between its first sound and the answer.
public struct Ring: Hashable, Sendable {
  public var due: Instant
  /// When it would have been, had the user not moved it.
  public var movedFrom: Instant?
  /// When it began to ring, this time or last; `ring_for` counts from here.
  public var since: Instant
  /// When it rings again; nil while it rings.
  public var snoozedUntil: Instant?
  /// How often it was snoozed, by hand or by itself.
  public var snoozes = 0
  /// How often of these by itself.
  public var autoSnoozes = 0
  /// How often it was stopped, and rang again since nobody said that he is up.
  public var checks = 0
  /// Silent until then, though not answered.
  public var hushedUntil: Instant?
  /// Whether it was silenced since nobody may snooze it any more: that is granted once, or a hand
  /// that is half asleep would silence it for ever.
  public var isSilenceSpent = false

  public init(due: Instant, since: Instant) { (self.due, self.since) = (due, since) }

  /// Whether it did not ring before.
  public var isFirst: Bool { snoozes == 0 && checks == 0 }

  /// Whether the user may snooze it, or once more. What it did by itself does not count.
  func canSnooze(_ settings: RingSettings) -> Bool {
    !settings.snooze.isEmpty && !isSnoozedOut(settings)
  }

  /// Whether it was snoozed by hand as often as that is allowed.
  private func isSnoozedOut(_ settings: RingSettings) -> Bool {
    settings.snoozes > 0 && snoozes - autoSnoozes >= settings.snoozes
  }
}

// MARK: - What time does

extension Ring {
  /// The next moment at which time alone does something to it.
  func nextMoment(_ settings: RingSettings) -> Instant? {
    snoozedUntil ?? [hushedUntil, end(settings)].compactMap(\.self).min()
  }

  /// When it is unanswered: not while it is silent for somebody to decide.
  private func end(_ settings: RingSettings) -> Instant? {
    settings.ringFor.map { max(since + $0, hushedUntil ?? since) }
  }

  /// Does what time does at that moment, which `now` has reached. Why it was missed, if that ends
  /// it.
  mutating func advance(
    to now: Instant, _ settings: RingSettings, _ absence: Absence
  ) -> Missed.Reason? {
    if let until = snoozedUntil {
      let late = settings.lateness
      guard now - until <= late else { return absence.reason(for: until, foundAt: now, late: late) }
      (since, snoozedUntil) = (now, nil)
    } else if let hushedUntil, hushedUntil < end(settings) ?? .distantFuture {
      self.hushedUntil = nil
    } else if let end = end(settings) {
      // Nobody answered.
      guard settings.unanswered == .snooze, autoSnoozes < settings.autoSnoozes,
        let length = settings.snooze.first
      else { return .unanswered }
      snooze(until: end + length)
      autoSnoozes += 1
    }
    return nil
  }

  private mutating func snooze(until moment: Instant) {
    snoozes += 1
    (snoozedUntil, hushedUntil) = (moment, nil)
  }

  /// It rings anew, since nobody said that he is up.
  mutating func ringAgain(at now: Instant) {
    since = now
    checks += 1
  }
}

// MARK: - What the user does

extension Ring {
  /// Does what `event` asks, where that does not end it.
  mutating func answer(_ event: Event, _ settings: RingSettings, at now: Instant) {
    switch event {
    case .snooze(_, let length) where length > .zero && canSnooze(settings):
      snooze(until: now + length)
      isSilenceSpent = false
    case .hush where snoozedUntil == nil && !isSilenceSpent:
      hushedUntil = now + Schedule.hushFor
      isSilenceSpent = isSnoozedOut(settings)
    default: break
    }
  }
}
