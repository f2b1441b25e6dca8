// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether somebody who stopped an alarm is up: a while after the stop it is looked whether he did
// anything since, he is asked where nobody can tell, and it rings again where he does not answer.
// Who looks, and at what, is elsewhere. The rest of the life of a ring is in
// `OccurrenceLife.swift`.

/// Whether somebody who stopped a ring stays in bed.
public struct StopCheck: Hashable, Sendable {
  public var stopped: Instant
  /// When somebody is to look whether the user did anything since.
  public var due: Instant
  /// When that began.
  public var lookedAt: Instant?
  /// Whether the user is asked, since nobody could tell.
  public var isAsked = false

  /// How long a question waits for its answer.
  public static let patience: Duration = .minutes(2)

  public init(stopped: Instant, due: Instant, lookedAt: Instant? = nil, isAsked: Bool = false) {
    (self.stopped, self.due, self.lookedAt, self.isAsked) = (stopped, due, lookedAt, isAsked)
  }

  /// When it rings again unless the user is up.
  public var end: Instant { (lookedAt ?? due) + Self.patience }

  /// The next moment at which time alone does something to it.
  var nextMoment: Instant { lookedAt == nil ? due : end }
}

extension Schedule {
  /// The alarms that were stopped, and of which it is still to be seen whether the user is up.
  public var checking: [Entry] {
    entries.underway.map { entries[$0] }.filter { $0.check != nil }
  }

  /// Nobody is asked any more where the config does not want it.
  mutating func dropChecks() {
    for i in entries.underway where entries[i].check != nil {
      guard entries[i].alarm.ring.check == .zero else { continue }
      entries[i].rest()
      isUnsaved = true
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

  /// It was stopped so long ago, or nobody said that he is up. What comes later than `late` is of
  /// no use to anybody.
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
