// SPDX-License-Identifier: GPL-3.0-or-later
//
// The status of Belfry at one moment: ringing and upcoming alarms, timers, stopwatch and clocks.
// `Overview.swift` makes a status, `Record.swift` converts it for the bus and JSON, and
// `StatusOfAlarm.swift` encodes how an alarm stands. belfry(1) explains each key.

import Configuration
import Scheduling
import System

public struct Status: Record {
  public var ringing: [Ringing] = []
  public var next = Coming()
  public var alarms: [Alarm] = []
  public var pauses: [Pause] = []
  public var missed: [Missed] = []
  public var timers: [Timer] = []
  public var stopwatch = Stopwatch()
  public var clocks: [City] = []
  public var agent = Agent()
  /// The moment at which the status was made. It is not sent over the bus.
  public var asOf = Now(wall: Instant(seconds: 0), boot: .zero, bootID: "")

  private enum CodingKeys: String, CodingKey {
    case ringing, next, alarms, pauses, missed, timers, stopwatch, clocks, agent
  }

  public init() {}
}

extension Status {
  public struct Ringing: Record {
    public var id = "", label = ""
    public var at, movedFrom: Moment?
    public var since: Moment?
    public var snoozes: Int64 = 0
    public var canSnooze: Bool?
    public var rehearsal: Bool?
    public var unansweredChecks: Int64?
  }

  /// An upcoming ring. All properties are nil if there is no upcoming ring.
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
    public var paused: Bool?
    public var pausedUntil: String?
    public var pausedRing: Moment?
    public var until: String?
    public var snoozedUntil: Moment?
    public var asks: Moment?
    public var asked: Bool?
    public var ringsAgain: Moment?
    public var at: Moment?
    public var note: String?
    public var movedFrom: Moment?
    public var skipped: Bool?
    public var resumesAt: Moment?

    /// Makes the status of an alarm with an error in the config. Its settings cannot be read, so
    /// the status has only the id, and shows the alarm as switched off.
    public static func faulty(_ id: String) -> Self { Self(id: id, enabled: false, state: .off) }
  }

  /// A pause in the config, or a pause that was just removed. `number` is its place in the config,
  /// counted from 1.
  public struct Pause: Record {
    public var number: Int64 = 0
    public var from = ""
    public var until, group, label: String?
    /// The ids of the enabled alarms that the pause silences. Nil in a status, because there each
    /// alarm has a property `paused`.
    public var alarmIds: [String]?

    public init(
      _ number: Int, _ pause: Scheduling.Pause, silencing alarms: [Scheduling.Alarm]? = nil
    ) {
      (self.number, from) = (Int64(number), pause.from.description)
      (until, group, label) = (pause.until?.description, pause.group, pause.label)
      alarmIds = alarms?.filter { $0.enabled && pause.isMeant(for: $0) }.map(\.id)
    }

    public var pause: Scheduling.Pause? {
      CivilDate(from).map { from in
        let until = until.flatMap { CivilDate($0) }
        return Scheduling.Pause(from: from, until: until, group: group, label: label)
      }
    }
  }

  public struct Missed: Record {
    public var id = "", label = ""
    public var kind = ""
    public var at: Moment?
    public var count: Int64?
    public var reason: String?

    public var isTimer: Bool { kind == RingKind.timer.rawValue }
  }

  public struct Answered: Record {
    public enum State: String, Codable, Sendable { case stopped, snoozed }
    public var id = "", label = ""
    public var kind = ""
    public var state: State?
    public var snoozedUntil: Moment?
  }
}

// MARK: - Timers, the stopwatch, clocks

extension Status {
  public struct Timer: Record {
    public enum State: String, Codable, Sendable { case running, paused, ringing, snoozed }
    public var id = "", label = ""
    public var preset: String?
    public var round, rounds: Int64?
    public var then: String?
    public var length: Int64 = 0, left: Int64 = 0
    public var state = State.running
    public var at: Moment?
    public var overtime: Int64?
    /// Why the timer is paused, if the user has not paused it: `locked`.
    public var reason: String?
  }

  /// A timer that was started before. `duration` is in seconds. `untilTime` is the time of day at
  /// which the timer ended; nil if it was started with a duration.
  public struct Recent: Record {
    public var duration: Int64 = 0
    public var untilTime: String?
    public var label = ""

    public init(_ timer: RecentTimer) {
      (duration, untilTime) = (timer.duration.wholeSeconds, timer.until?.description)
      label = timer.name ?? ""
    }
  }

  public struct Stopwatch: Record {
    public enum State: String, Codable, Sendable { case running, stopped, reset }
    public var state: State?
    public var elapsed = 0.0
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
    public var at: Moment?
    public var offset: Int64?
    public var relativeDay: String?
    public var sunrise, sunset: Moment?
    public var sun: String?
  }

  /// A city that a search found. `city` is the name to write into the config.
  public struct FoundCity: Record {
    public var city = "", name = ""
    public var korean, local, region, country, countryCode: String?
    public var population: Int64 = 0
    public var latitude = 0.0, longitude = 0.0
    public var timezone = ""
    public var at: Moment?
    public var offset: Int64 = 0
    public var relativeDay = ""
  }

  public struct Agent: Record {
    public var version = ""
    public var pid: Int64 = 0
    public var config = ""
    public var alarmCount: Int64 = 0
    public var timezone = "", clock = ""
    public var wake = false
    public var wakeProblem, wakeFix: String?
    public var nextChime: Moment?
    public var notifications = ""
    /// The errors and warnings of the config in English. `translatedProblems` has them in the
    /// user's language.
    public var problems: [String] = []

    public init() {}
    public var clockStyle: AgentSettings.Clock {
      AgentSettings.Clock(rawValue: clock) ?? .automatic
    }
  }
}

extension Duration {
  /// Makes a duration from seconds that another program sent. Limits its length, so that sums of
  /// durations cannot overflow.
  public init(told seconds: Int64) {
    let most = DurationText.longest.wholeSeconds
    self = .seconds(max(-most, min(seconds, most)))
  }

  /// Makes a duration from seconds that another program sent, rounded to microseconds. Limits its
  /// length, so that sums of durations cannot overflow.
  public init(told seconds: Double) {
    let most = Double(DurationText.longest.wholeSeconds)
    let bounded = seconds.isFinite ? max(-most, min(seconds, most)) : 0
    self = .microseconds(Int64((bounded * 1_000_000).rounded()))
  }
}
