// SPDX-License-Identifier: GPL-3.0-or-later
//
// The state that the agent must remember over a restart: the state of each alarm, timers, the
// stopwatch, and missed rings that were not acknowledged. This file has only the values.
// `Schedule.swift` changes them, and the Persistence target writes them to disk.

/// One reading of all clocks. All decisions about an event use the same reading.
public struct Now: Hashable, Sendable {
  /// `CLOCK_REALTIME`: the date and time of day, which the user may set.
  public var wall: Instant
  /// `CLOCK_BOOTTIME`: time since the machine started, including suspend. No one can set it.
  public var boot: Duration
  /// Identifies the start of the machine from which `boot` counts: the text is different after each
  /// start.
  public var bootID: String
  /// Whether a time service keeps the wall clock right.
  public var isSynchronized: Bool

  public init(wall: Instant, boot: Duration, bootID: String, isSynchronized: Bool = true) {
    (self.wall, self.boot, self.bootID) = (wall, boot, bootID)
    self.isSynchronized = isSynchronized
  }
}

public struct State: Hashable, Sendable {
  public var alarms: [String: AlarmState] = [:]
  public var missed: [Missed] = []
  public var timers: [Timer] = []
  /// The timers that were started recently, the latest first. No two are alike, and there are at
  /// most `Schedule.recentsKept`.
  public var recents: [RecentTimer] = []
  public var stopwatch = Stopwatch()
  /// The reading of the clocks when the state was last written. All boot readings in the state
  /// count from the start of the machine that `clock.bootID` identifies. A comparison with the next
  /// reading shows whether the clock was set in between.
  public var clock: Now?

  public init() {}
}

public struct AlarmState: Hashable, Sendable {
  /// Text that identifies when the alarm rings, from `Recurrence.signature`. If this text changes,
  /// the alarm is armed again.
  public var signature: String
  /// The due time of the last occurrence that was handled, which means that it rang, was skipped or
  /// was missed. If the alarm was armed since then, this is the moment for which it was armed.
  /// Occurrences that are due later are upcoming, except those in `settled`. All others are past.
  public var handled: Instant
  /// For a repeating alarm, the date up to which all rings were handled. When the alarm is armed,
  /// this is the day before the next occurrence, or earlier. After a journey west, the alarm's time
  /// on such a date may come again. If this time is more than `late` ago when the zone changes, it
  /// does not count as missed. Otherwise the alarm rings again.
  public var handledDate: CivilDate?
  /// The due times of the latest occurrences that rang or were skipped, oldest first, at most
  /// `settledKept`. If the clock is set back, `handled` goes back as well, and this list keeps the
  /// occurrences from ringing again. Due times that then lie further ahead of the clock than
  /// `Schedule.staysSettled` are removed, so these occurrences ring again.
  public var settled: [Instant] = []
  /// The dates whose rings the user skipped. The state stores dates instead of moments, because a
  /// change of the time zone does not alter dates.
  public var skipped: ClosedRange<CivilDate>?
  /// The rings that the user moved, at most `movesKept`.
  public var moves: Moves = [:]
  /// The sound file that was heard last, for an alarm that has several.
  public var sound: String?
  /// The due time of the occurrence for which the commands of `on_before` ran last.
  public var prepared: Instant?
  /// The due time of the occurrence whose bedtime notice the user closed.
  public var bedtimeClosed: Instant?
  public var phase: Phase = .scheduled
  /// When the alarm left the config or was switched off, if its state is kept because it may come
  /// back; otherwise nil.
  public var left: Instant?

  /// The greatest number of due times in `settled`: enough for a month of a daily alarm. If the
  /// clock is set back by up to a month, a ring that is then due within an hour is still found in
  /// `settled`.
  public static let settledKept = 32

  public init(signature: String, handled: Instant) {
    (self.signature, self.handled) = (signature, handled)
  }

  /// Whether the alarm has rung since it was armed, or the user has skipped or moved a ring.
  var isTouched: Bool {
    phase != .scheduled || !settled.isEmpty || skipped != nil || !moves.isEmpty
  }

  public enum Phase: Hashable, Sendable {
    /// The alarm waits for its next occurrence, if it has one.
    case scheduled
    /// The alarm is ringing, silenced or snoozed: its ring waits for the user's answer.
    indirect case open(Ring)
    /// The alarm was stopped, and it is not known yet whether the user is up.
    indirect case checking(Ring, StopCheck)
    /// The alarm rings only once, and has rung or was missed. It will not ring any more.
    case over

    /// The ring that is ringing or snoozed, or whose check is under way; otherwise nil.
    var ring: Ring? {
      switch self {
      case .open(let ring), .checking(let ring, _): ring
      case .scheduled, .over: nil
      }
    }
  }
}

/// Rings of one alarm, or ends of one timer, that were missed for the same reason.
public struct Missed: Hashable, Sendable {
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// The alarm or timer rang for its full length and no one answered.
    case unanswered
    /// The machine was suspended.
    case asleep
    /// The agent was not running: the machine was off, or no one was logged in.
    case off
    case clockSet = "clock-set"
    case zoneChanged = "zone-changed"
  }

  public var id: String
  public var label: String?
  /// When the missed rings were due, in the order in which they were missed. Never empty, at most
  /// `duesKept`.
  public var dues: [Instant]
  public var reason: Reason
  public var isTimer: Bool

  /// The greatest number of due times in `dues`. This is more than the agent can find at once when
  /// it looks back over `Schedule.lookBack`.
  public static let duesKept = 100

  public init(
    id: String, label: String?, dues: [Instant], reason: Reason, isTimer: Bool = false
  ) {
    precondition(!dues.isEmpty, "nothing was missed")
    (self.id, self.label, self.dues) = (id, label, dues)
    (self.reason, self.isTimer) = (reason, isTimer)
  }

  /// When the latest of the missed rings was due.
  public var due: Instant { dues[dues.count - 1] }
  public var count: Int { dues.count }
}

extension Recurrence {
  /// Text that identifies when the alarm rings. Settings that only remove days, such as `except`,
  /// are not part of the text, because removing a day must not end a snooze.
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
  /// Text that identifies the days. For example, `14` means Mondays and Thursdays; `14 1/2` means
  /// these days and the first Tuesday of a month, and `day(15)` the 15th of a month.
  fileprivate var signature: String {
    let plain = weekdays.sorted().map { String($0.rawValue) }.joined()
    let ordinals = ordinals.sorted().map { "\($0.place.rawValue)/\($0.weekday.rawValue)" }
    let numbered = monthDays.sorted().map { "\($0)" }
    return ([plain] + ordinals + numbered).filter { !$0.isEmpty }.joined(separator: " ")
  }
}
