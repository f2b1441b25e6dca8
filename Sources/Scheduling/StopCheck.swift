// SPDX-License-Identifier: GPL-3.0-or-later
//
// Checks whether someone who stopped an alarm is up. Some time after the user stopped the alarm,
// the agent checks whether the user has been active since. If the agent cannot determine this, it
// asks the user. If there is no answer, the alarm rings again. `UpCheck.swift` in the agent finds
// out when the last input was. The rest of a ring's life is in `OccurrenceLife.swift`.

/// The check whether someone who stopped an alarm is up, or still in bed.
public struct StopCheck: Hashable, Sendable {
  public var stopped: Instant
  /// When to check whether the user has been active since stopping the alarm.
  public var due: Instant
  /// When the agent began to check whether the user has been active; nil before that.
  public var lookedAt: Instant?
  /// Whether the user is being asked, because the agent could not determine whether they are up.
  public var isAsked = false

  /// How long the agent waits until the user confirms being up. After that, the alarm rings again.
  public static let patience: Duration = .minutes(2)

  public init(stopped: Instant, due: Instant, lookedAt: Instant? = nil, isAsked: Bool = false) {
    (self.stopped, self.due, self.lookedAt, self.isAsked) = (stopped, due, lookedAt, isAsked)
  }

  /// When the alarm rings again, unless the user is up.
  public var end: Instant { (lookedAt ?? due) + Self.patience }

  var nextMoment: Instant { lookedAt == nil ? due : end }

  /// Input this soon after Stop does not count: it is the click itself, or a hand leaving the
  /// mouse.
  private static let grace: Duration = .seconds(3)

  /// Whether the last input shows that the user has been active since stopping the alarm.
  /// - Parameters:
  ///   - input: When the keyboard or pointer was last used.
  ///   - lastWake: When the machine last woke up, if it has slept. Waking looks like input, so only
  ///     later input counts.
  public func counts(_ input: Instant, lastWake: Instant?) -> Bool {
    // If the time between Stop and the check is short, three seconds would be too large a part of
    // it.
    let grace = min(Self.grace, (due - stopped) / 4)
    return input > max(stopped, lastWake ?? stopped) + grace
  }
}

extension Schedule {
  /// The alarms that were stopped and whose check is still under way.
  public var checking: [Entry] { entries.filter { $0.check != nil } }

  /// Ends the checks of alarms for which a new config no longer asks for a check.
  mutating func dropChecks() {
    for i in entries.indices where entries[i].check != nil && entries[i].alarm.ring.check == .zero {
      entries[i].rest()
    }
  }
}

extension Schedule.Entry {
  mutating func stop(_ ring: Ring, at now: Instant) {
    guard alarm.ring.check > .zero else { return rest() }
    var ring = ring
    (ring.snoozedUntil, ring.hushedUntil) = (nil, nil)
    state.phase = .checking(ring, StopCheck(stopped: now, due: now + alarm.ring.check))
  }

  /// Makes the change of the check that is due: the agent begins to check whether the user has been
  /// active or, if no one confirmed being up, the alarm rings again. If the change is more than
  /// `late` overdue, the check ends instead.
  mutating func advance(_ ring: Ring, _ check: StopCheck, to now: Instant) {
    var (ring, check) = (ring, check)
    if now - check.nextMoment > late {
      rest()
    } else if check.lookedAt == nil {
      check.lookedAt = now
      state.phase = .checking(ring, check)
    } else {
      ring.ringAgain(at: now)
      state.phase = .open(ring)
    }
  }
}
