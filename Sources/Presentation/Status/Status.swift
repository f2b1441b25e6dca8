// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything there is to know at one moment: what is ringing, what comes next, timers, stopwatch
// and clocks. It goes over the bus and into JSON property by property (`Record.swift`); belfry(1)
// says what each key means. `Overview.swift` makes it; `Standing.swift` has the words for it.

import Configuration
import Scheduling
import System

public nonisolated struct Status: Record {
  public var ringing: [Ringing] = []
  public var next = Coming()
  public var alarms: [Alarm] = []
  /// Those that take the next ring of an alarm.
  public var pauses: [Pause] = []
  public var missed: [Missed] = []
  public var timers: [Timer] = []
  public var stopwatch = Stopwatch()
  public var clocks: [City] = []
  public var agent = Agent()
  /// When it was so; not told to others.
  public var asOf = Now(wall: Instant(seconds: 0), boot: .zero, bootID: "")

  private enum CodingKeys: String, CodingKey {
    case ringing, next, alarms, pauses, missed, timers, stopwatch, clocks, agent
  }

  /// Reads what the agent answered at `asOf`.
  public init(_ variant: Variant, asOf: Now) {
    self = Self.read(variant) ?? Status()
    self.asOf = asOf
  }

  init() {}
}

nonisolated extension Status {
  /// An alarm that is ringing.
  public struct Ringing: Record {
    public var id = "", label = ""
    /// When it was due.
    public var at, movedFrom: Moment?
    public var since: Moment?
    public var snoozes: Int64 = 0
    /// Whether it can be snoozed, or once more.
    public var canSnooze: Bool?
    public var rehearsal: Bool?
    /// How often it rang again because the user did not say that they were up.
    public var unansweredChecks: Int64?
  }

  /// A ring to come, as `belfry next --json` has it; empty if there is none.
  public struct Coming: Record {
    public var id, label: String?
    public var at: Moment?
    public var note: String?
    public var movedFrom: Moment?
  }

  public struct Alarm: Record {
    public enum State: String, Codable, Sendable {
      case off, scheduled, ringing, snoozed, checking, over
    }
    public var id = "", label = "", time = ""
    public var city: String?
    public var days: [String]?
    public var every, date, from: String?
    public var except: [String]?
    public var group, timezone: String?
    public var enabled = true
    public var state: State?
    /// Whether a pause takes its next ring, the last day of that unless there is none, and the
    /// ring.
    public var paused: Bool?
    public var pausedUntil: String?
    public var pausedRing: Moment?
    /// The last day on which it may ring.
    public var until: String?
    /// If it is snoozed, when that ends.
    public var snoozedUntil: Moment?
    /// It was stopped: when it asks whether the user is up, whether it does so now, and when it
    /// rings again otherwise.
    public var asks: Moment?
    public var asked: Bool?
    public var ringsAgain: Moment?
    /// The next ring.
    public var at: Moment?
    public var note: String?
    public var movedFrom: Moment?
    public var skipped: Bool?
    /// The first ring after those that are skipped.
    public var resumesAt: Moment?

    /// An alarm that cannot be read from the config, and does not ring.
    public static func faulty(_ id: String) -> Self { Self(id: id, enabled: false, state: .off) }
  }

  /// A pause of the config, or one that was just removed. It is numbered by its place there, from
  /// 1.
  public struct Pause: Record {
    public var number: Int64 = 0
    public var from = ""
    public var until, group, label: String?
    /// The alarms that it silences, unless they are off; nil in a status, where each alarm says
    /// whether it is paused.
    public var alarmIds: [String]?

    public init(
      _ number: Int, _ pause: Scheduling.Pause, silencing alarms: [Scheduling.Alarm]? = nil
    ) {
      (self.number, from) = (Int64(number), pause.from.description)
      (until, group, label) = (pause.until?.description, pause.group, pause.label)
      alarmIds = alarms?.filter { $0.enabled && pause.isMeant(for: $0) }.map(\.id)
    }

    /// Nil if it has no first day.
    public var pause: Scheduling.Pause? {
      CivilDate(from).map { from in
        let until = until.flatMap { CivilDate($0) }
        return Scheduling.Pause(from: from, until: until, group: group, label: label)
      }
    }
  }

  public struct Missed: Record {
    public var id = "", label = ""
    /// `alarm` or `timer`.
    public var kind = ""
    public var at: Moment?
    public var count: Int64?
    public var reason: String?

    public var isTimer: Bool { kind == RingKind.timer.rawValue }
  }

  /// An alarm or a timer that was stopped or snoozed just now.
  public struct Answered: Record {
    public enum State: String, Codable, Sendable { case stopped, snoozed }
    public var id = "", label = ""
    /// `alarm` or `timer`.
    public var kind = ""
    public var state: State?
    public var snoozedUntil: Moment?
  }
}

// MARK: - Timers, the stopwatch, clocks

nonisolated extension Status {
  /// Lengths are in seconds, `left` as of the moment that the status is of.
  public struct Timer: Record {
    public enum State: String, Codable, Sendable { case running, paused, ringing, snoozed }
    public var id = "", label = ""
    public var preset: String?
    public var round, rounds: Int64?
    /// The preset that starts after it.
    public var then: String?
    public var length: Int64 = 0, left: Int64 = 0
    public var state = State.running
    /// When it ends or did.
    public var at: Moment?
    public var overtime: Int64?
  }

  /// A timer that was started before: how many seconds it is long, or the time of day at which it
  /// ended.
  public struct Recent: Record {
    public var duration: Int64 = 0
    public var untilTime: String?
    public var label = ""

    public init(_ timer: RecentTimer) {
      (duration, untilTime) = (timer.duration.wholeSeconds, timer.until?.description)
      label = timer.name ?? ""
    }
  }

  /// In seconds, as of the moment that the status is of.
  public struct Stopwatch: Record {
    public enum State: String, Codable, Sendable { case running, stopped, reset }
    public var state: State?
    public var elapsed = 0.0
    /// When a running one would have been started if it had never been stopped.
    public var since: Moment?
    public var laps: [Lap] = []

    public var isRunning: Bool { state == .running }
    public var isReset: Bool { state == nil || state == .reset }
  }

  public struct Lap: Record {
    public var lap: Int64 = 0
    public var split = 0.0, total = 0.0
    public var mark: String?
  }

  public struct City: Record {
    public var label = ""
    public var city, country, timezone: String?
    /// The time there.
    public var at: Moment?
    /// Seconds that clocks there are ahead of those here; nil if the place is unknown.
    public var offset: Int64?
    /// Which day it is there, seen from here: `yesterday`, `today`, `tomorrow`, `in 2 days`.
    public var relativeDay: String?
    public var sunrise, sunset: Moment?
    /// `up` or `down`, if it is so all day.
    public var sun: String?
  }

  /// What the agent says of itself.
  public struct Agent: Record {
    public var version = ""
    public var pid: Int64 = 0
    public var config = ""
    /// How many there are, also if the status has fewer.
    public var alarmCount: Int64 = 0
    public var timezone = "", clock = ""
    /// Whether a suspended machine is woken; otherwise why not, as a code or in the system's words,
    /// and the command that changes that, if there is one.
    public var wake = false
    public var wakeProblem, wakeFix: String?
    public var nextChime: Moment?
    public var notifications = ""
    /// In English; `FilesView` has them in the user's language.
    public var problems: [String] = []

    public init() {}
    public var clockStyle: AgentSettings.Clock {
      AgentSettings.Clock(rawValue: clock) ?? .automatic
    }
  }
}

nonisolated extension Duration {
  /// Seconds from elsewhere: no longer than anybody waits, and short enough to reckon with.
  public init(told seconds: Int64) {
    let most = DurationText.longest.wholeSeconds
    self = .seconds(max(-most, min(seconds, most)))
  }

  /// Rounded to the microsecond.
  public init(told seconds: Double) {
    let most = Double(DurationText.longest.wholeSeconds)
    let bounded = seconds.isFinite ? max(-most, min(seconds, most)) : 0
    self = .microseconds(Int64((bounded * 1_000_000).rounded()))
  }
}
