// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the agent must remember over a restart: for each alarm where it stands, and what was missed
// and not yet acknowledged. Values only; how they change is in `Schedule.swift`, how they are
// written in the Persistence target.

/// The clocks, read once; every decision of one event uses the same reading.
public struct Now: Hashable, Sendable {
  /// `CLOCK_REALTIME`: what the user calls the time, and may set.
  public var wall: Instant
  /// `CLOCK_BOOTTIME`: elapsed since the machine started, suspend included. Nobody sets it.
  public var boot: Duration
  /// Which start of the machine `boot` counts from.
  public var bootID: String
  /// Whether somebody keeps the wall clock right.
  public var isSynchronized: Bool

  public init(wall: Instant, boot: Duration, bootID: String, isSynchronized: Bool = true) {
    (self.wall, self.boot, self.bootID) = (wall, boot, bootID)
    self.isSynchronized = isSynchronized
  }
}

public struct State: Hashable, Sendable {
  public var alarms: [String: AlarmState] = [:]
  public var missed: [Missed] = []
  /// In the order in which they were started.
  public var timers: [Timer] = []
  /// The latest first, no two alike, at most `Schedule.recentsKept`.
  public var recents: [RecentTimer] = []
  public var stopwatch = Stopwatch()
  /// The clocks when this was last written: tells a clock that was set from time that went by, and
  /// what boot moments are to be counted from.
  public var clock: Now?

  public init() {}
}

/// Where one alarm stands.
public struct AlarmState: Hashable, Sendable {
  /// What decided when it rings, as `Recurrence.signature` has it: with another, it is armed anew.
  public var signature: String
  /// The last occurrence that was dealt with or, before any, the moment it was armed. What is due
  /// later is still to come, what is not is over.
  public var handled: Instant
  /// Of a repeating alarm the latest date dealt with, or the one before the first. Further west
  /// that date's time may come again: then it rings, but it is not missed.
  public var handledDate: CivilDate?
  /// The latest occurrences that rang or were skipped, oldest first, at most `settledKept`. A clock
  /// that is set back brings `handled` back too; these keep it from ringing any of them again. None
  /// lies further ahead than `Schedule.staysSettled`.
  public var settled: [Instant] = []
  /// The occurrences that the user does not want, by their dates, which a change of zone leaves
  /// alone.
  public var skipped: ClosedRange<CivilDate>?
  /// When the user wants some of them instead; at most `movesKept`.
  public var moves: Moves = [:]
  /// The file that it rang with last, where it may ring with several.
  public var sound: String?
  /// When the occurrence is due for which the commands of `on_before` ran last.
  public var prepared: Instant?
  /// When the occurrence is due for which the user closed the word that it is time to sleep.
  public var bedtimeClosed: Instant?
  public var phase: Phase = .scheduled

  /// A month of a daily alarm: wherever in it the clock is set back to, a ring that then lies less
  /// than an hour ahead is known.
  public static let settledKept = 32

  public init(signature: String, handled: Instant) {
    (self.signature, self.handled) = (signature, handled)
  }

  public enum Phase: Hashable, Sendable {
    /// Waiting for its next occurrence, if it has one.
    case scheduled
    /// It rings, or is snoozed.
    indirect case open(Ring)
    /// Stopped; whether the user is up is still to be seen.
    indirect case checking(Ring, StopCheck)
    /// A once-only alarm after its time.
    case over
  }
}

/// Occurrences of one alarm, or ends of one timer, that nobody answered, for one and the same
/// reason.
public struct Missed: Hashable, Sendable {
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// It rang to the end and nobody answered.
    case unanswered
    /// The machine was suspended.
    case asleep
    /// The agent was not running: machine off, or nobody logged in.
    case off
    case clockSet = "clock-set"
    case zoneChanged = "zone-changed"
  }

  public var id: String
  public var label: String?
  /// When they were due, in the order in which they were missed; never empty, at most `duesKept`.
  public var dues: [Instant]
  public var reason: Reason
  public var isTimer: Bool

  /// More than `Schedule.lookBack` finds at once.
  public static let duesKept = 100

  public init(
    id: String, label: String?, dues: [Instant], reason: Reason, isTimer: Bool = false
  ) {
    precondition(!dues.isEmpty, "nothing was missed")
    (self.id, self.label, self.dues) = (id, label, dues)
    (self.reason, self.isTimer) = (reason, isTimer)
  }

  /// The latest of them.
  public var due: Instant { dues[dues.count - 1] }
  public var count: Int { dues.count }
}

extension Recurrence {
  /// What decides when it rings, as text. What only takes days away is left out: excepting one must
  /// not end a snooze.
  public var signature: String {
    let dates =
      switch dates {
      case .days(let days): days.signature
      case .every(let interval, let days):
        "\(interval.count) \(interval.unit) \(interval.start)"
          + (days.isEmpty ? "" : " \(days.signature)")
      case .on(let date): date.description
      case .once: "once" + (from.map { " \($0)" } ?? "")
      }
    return "\(sun?.signature ?? time.description) \(dates)" + (zone.map { " \($0)" } ?? "")
  }
}

extension Days {
  /// `14` for Mondays and Thursdays, `14 1/2` with the first Tuesday.
  fileprivate var signature: String {
    let plain = weekdays.sorted().map { String($0.rawValue) }.joined()
    let ordinals = ordinals.sorted().map { "\($0.place.rawValue)/\($0.weekday.rawValue)" }
    return ([plain] + ordinals).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
