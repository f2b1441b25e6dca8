// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of a ring of an alarm or a timer: from its first sound, through its snoozes, until it is
// answered or counts as missed. What comes before and after is in `OccurrenceLife.swift` and
// `Timers/TimerLife.swift`.

/// An occasion on which an alarm or a timer sounds, between its first sound and its answer.
public struct Ring: Hashable, Sendable {
  public var due: Instant
  /// When the ring would have been due if the user had not moved it.
  public var movedFrom: Instant?
  /// When it began to ring; after a snooze, when it began again. `ring_for` counts from here.
  public var since: Instant
  /// When it rings again after a snooze; nil while it is ringing.
  public var snoozedUntil: Instant?
  /// How often it was snoozed, by hand or by itself.
  public var snoozes = 0
  /// How many of `snoozes` it did by itself.
  public var autoSnoozes = 0
  /// How often it was stopped and rang again because no one confirmed being up.
  public var checks = 0
  /// When a silence ends; nil if the ring is not silenced.
  public var hushedUntil: Instant?
  /// Whether it was silenced after the last snooze was used up. That is allowed once; otherwise
  /// someone half asleep could silence it for ever.
  public var isSilenceSpent = false

  public init(due: Instant, since: Instant) { (self.due, self.since) = (due, since) }

  /// Whether the ring sounds for the first time: not snoozed before, and not stopped before.
  public var isFirst: Bool { snoozes == 0 && checks == 0 }

  /// Whether the user may snooze it, for the first time or once more. Its own snoozes do not count.
  func canSnooze(_ settings: RingSettings) -> Bool {
    !settings.snooze.isEmpty && !isSnoozedOut(settings)
  }

  /// Whether the user has snoozed it as often as the settings allow.
  private func isSnoozedOut(_ settings: RingSettings) -> Bool {
    settings.snoozes > 0 && snoozes - autoSnoozes >= settings.snoozes
  }
}

// MARK: - What time does

extension Ring {
  /// The next moment at which time alone changes the ring; nil if there is none.
  func nextMoment(_ settings: RingSettings) -> Instant? {
    snoozedUntil ?? [hushedUntil, end(settings)].compactMap(\.self).min()
  }

  /// When the ring counts as unanswered, but not before a silence ends: the user is deciding then.
  private func end(_ settings: RingSettings) -> Instant? {
    settings.ringFor.map { max(since + $0, hushedUntil ?? since) }
  }

  /// Makes the change that is due at `nextMoment`, which is no later than `now`. Returns the reason
  /// if the ring thereby ends as missed, otherwise nil.
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
      // No one answered: snooze by itself if the settings allow it.
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

  /// Rings again after Stop, because no one confirmed being up.
  mutating func ringAgain(at now: Instant) {
    since = now
    checks += 1
  }
}

// MARK: - What the user does

extension Ring {
  /// Applies an answer that does not end the ring: a snooze or a silence.
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
