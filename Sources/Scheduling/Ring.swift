// SPDX-License-Identifier: GPL-3.0-or-later
//
// The life of a ring of an alarm or a timer: from its first sound, through its snoozes, until it is
// answered or counts as missed. `OccurrenceLife.swift` and `Timers/TimerLife.swift` decide what
// comes before and after the ring.

/// An occasion on which an alarm or a timer sounds, between its first sound and its answer.
public struct Ring: Hashable, Sendable {
  public var due: Instant
  /// When the ring would have been due if the user had not moved it.
  public var movedFrom: Instant?
  /// When the ring began or, after a snooze, began again. `ring_for` counts from this moment.
  public var since: Instant
  public var snoozedUntil: Instant?
  /// The length of the last snooze. Nil if the ring has not been snoozed, or if the state was saved
  /// by a release that did not store this length.
  public var lastSnooze: Duration?
  /// How often the ring has been snoozed.
  public var snoozeCount = 0
  /// How many of the snoozes counted in `snoozeCount` happened by themselves, without the user.
  public var autoSnoozeCount = 0
  /// How often the ring was stopped and rang again because no one confirmed being up.
  public var checks = 0
  /// When the ring sounds again after the user silenced it; nil if the ring is not silenced.
  public var hushedUntil: Instant?
  /// Whether the user silenced the ring after using up the last snooze. That is allowed only once;
  /// otherwise someone half asleep could silence the ring for ever.
  public var isSilenceSpent = false

  public init(due: Instant, since: Instant) { (self.due, self.since) = (due, since) }

  /// Whether the ring sounds for the first time: not snoozed before, and not stopped before.
  public var isFirst: Bool { snoozeCount == 0 && checks == 0 }

  /// Whether the user may snooze the ring now, for the first time or again. Snoozes that happened
  /// by themselves do not count.
  func canSnooze(_ settings: RingSettings) -> Bool {
    settings.allowsSnooze && !isSnoozedOut(settings)
  }

  /// The snooze lengths that the user is offered. While the ring is snoozed, the length of that
  /// snooze is left out.
  func offeredSnoozes(_ settings: RingSettings) -> [Duration] {
    guard canSnooze(settings) else { return [] }
    return snoozedUntil == nil ? settings.snooze : settings.snooze.filter { $0 != lastSnooze }
  }

  /// Whether the user has snoozed the ring as often as the settings allow.
  private func isSnoozedOut(_ settings: RingSettings) -> Bool {
    settings.snoozeLimit > 0 && snoozeCount - autoSnoozeCount >= settings.snoozeLimit
  }
}

// MARK: - Changes by time

extension Ring {
  /// The next moment at which the ring changes by itself; nil if there is none.
  func nextMoment(_ settings: RingSettings) -> Instant? {
    snoozedUntil ?? [hushedUntil, end(settings)].compactMap(\.self).min()
  }

  /// When the ring counts as unanswered. A ring that the user has silenced does not count as
  /// unanswered before the silence ends, because the user is deciding then.
  private func end(_ settings: RingSettings) -> Instant? {
    settings.ringFor.map { max(since + $0, hushedUntil ?? since) }
  }

  /// Makes the change that is due at `nextMoment`, which must not be later than `now`. If the ring
  /// ends as missed, returns the reason; otherwise nil.
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
      // No one answered: the ring snoozes by itself if the settings allow it.
      guard settings.unanswered == .snooze, autoSnoozeCount < settings.autoSnoozeLimit,
        let length = settings.snooze.first
      else { return .unanswered }
      snooze(for: length, from: end)
      autoSnoozeCount += 1
    }
    return nil
  }

  private mutating func snooze(for length: Duration, from moment: Instant) {
    snoozeCount += 1
    (snoozedUntil, lastSnooze, hushedUntil) = (moment + length, length, nil)
  }

  mutating func ringAgain(at now: Instant) {
    since = now
    checks += 1
  }
}

// MARK: - Acts of the user

extension Ring {
  /// Applies an answer that does not end the ring: a snooze or a silence.
  mutating func answer(_ event: Event, _ settings: RingSettings, at now: Instant) {
    switch event {
    case .snooze(_, let length) where length > .zero && canSnooze(settings):
      snooze(for: length, from: now)
      isSilenceSpent = false
    case .hush where snoozedUntil == nil && !isSilenceSpent:
      hushedUntil = now + Schedule.hushFor
      isSilenceSpent = isSnoozedOut(settings)
    default: break
    }
  }
}
