// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes a `Status`, the values that commands and other programs see, from the config, the schedule
// and the time. The agent passes its own schedule. For commands that need no agent, the schedule is
// computed from the config and the state file; nothing is written. Next: `Status/Status.swift`.

import Configuration
import Files
import Scheduling
import System

public struct Overview {
  public var configuration: Configuration
  public var schedule: Schedule
  public var zones: Zones
  public var now: Now

  public init(configuration: Configuration, schedule: Schedule, zones: Zones, now: Now) {
    (self.configuration, self.schedule, self.zones, self.now) =
      (configuration, schedule, zones, now)
  }

  /// A `Wording` with the 12-hour or 24-hour clock that the config sets.
  public var wording: Wording { Wording(zones: zones, clock: configuration.agent.clock) }

  public var today: CivilDate { zones.civil(at: now.wall, in: nil).date }

  /// Returns the status. If there are more than `most` alarms, it contains only the alarms that are
  /// ringing, snoozed or being checked, and the `most` alarms that ring next.
  public func status(of agent: Status.Agent, alarmsAtMost most: Int) -> Status {
    var status = Status()
    (status.ringing, status.missed) = (ringing, missed)
    status.next = schedule.coming(1, in: zones).first.map(coming) ?? Status.Coming()
    status.alarms = alarms(atMost: most).map(alarm)
    status.pauses = pausesInForce.map { Status.Pause($0.number, $0.pause) }
    (status.timers, status.stopwatch, status.clocks) = (timers, stopwatch, clocks)
    (status.agent, status.asOf) = (agent, now)
    return status
  }

  private func moment(_ instant: Instant?) -> Moment? { instant.map { Moment($0, zones) } }
}

// MARK: - Alarms

extension Overview {
  /// The alarms in the order of their times of day. Alarms with the same time are in the order of
  /// the config.
  public var alarmsByTime: [Alarm] {
    let alarms = configuration.alarms
    let times = alarms.map { clockTime($0.recurrence) }
    return alarms.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { alarms[$0] }
  }

  private func alarms(atMost count: Int) -> [Alarm] {
    guard configuration.alarms.count > count else { return alarmsByTime }
    return schedule.foremost(count).map(\.alarm)
      .sorted { clockTime($0.recurrence) < clockTime($1.recurrence) }
  }

  /// Returns the time of day at which an alarm with this rule rings today. Sunrise and sunset are
  /// computed.
  private func clockTime(_ rule: Recurrence) -> CivilTime {
    let today = zones.civil(at: now.wall, in: rule.zone).date
    return rule.clockTime(on: today, in: zones) ?? .midnight
  }

  public func alarm(_ id: String) -> Status.Alarm? {
    configuration.alarm(id).map(alarm)
  }

  public func alarm(_ alarm: Alarm) -> Status.Alarm {
    Status.Alarm(alarm, standing(of: alarm), in: zones)
  }

  public func standing(of alarm: Alarm) -> Standing {
    schedule.standing(of: alarm, at: now.wall, in: zones)
  }

  private var ringing: [Status.Ringing] {
    schedule.ringing.filter { $0.kind == .alarm }.map { open in
      let ring = open.ring
      return Status.Ringing(
        id: open.id, label: open.label ?? "", at: moment(ring.due),
        movedFrom: moment(ring.movedFrom), since: moment(ring.since),
        snoozes: Int64(ring.snoozeCount), canSnooze: open.canSnooze,
        rehearsal: open.isRehearsal ? true : nil,
        unansweredChecks: ring.checks > 0 ? Int64(ring.checks) : nil)
    }
  }

  public func coming(_ ring: ComingRing) -> Status.Coming {
    Status.Coming(
      id: ring.alarm.id, label: ring.alarm.label ?? "", at: moment(ring.at),
      note: ring.note?.rawValue, movedFrom: moment(ring.movedFrom))
  }

  /// Returns the record of an alarm for which the user has just confirmed that they are up.
  public func answered(_ alarm: Alarm) -> Status.Answered {
    Status.Answered(
      id: alarm.id, label: alarm.label ?? "", kind: RingKind.alarm.rawValue, state: .stopped)
  }

  /// Returns the record of a ring that the user stopped or, if `snoozedUntil` is not nil, snoozed.
  public func answered(_ ring: OpenRing, _ snoozedUntil: Instant?) -> Status.Answered {
    Status.Answered(
      id: ring.id, label: ring.label ?? "", kind: ring.kind.rawValue,
      state: snoozedUntil == nil ? .stopped : .snoozed, snoozedUntil: moment(snoozedUntil))
  }

  public var missed: [Status.Missed] {
    schedule.missed.map { missed in
      Status.Missed(
        id: missed.id, label: missed.label ?? "",
        kind: (missed.isTimer ? RingKind.timer : .alarm).rawValue, at: moment(missed.due),
        count: Int64(missed.count), reason: missed.reason.rawValue)
    }
  }
}

// MARK: - Timers and the stopwatch

extension Overview {
  /// All timers: first the ringing timers, then the others by the time left, and paused timers
  /// last.
  public var timers: [Status.Timer] {
    let order = schedule.timers.enumerated().sorted { (rank($0.1), $0.0) < (rank($1.1), $1.0) }
    return order.map { timer($0.1) }
  }

  private func rank(_ timer: Timer) -> Duration {
    if let overtime = timer.overtime(at: now) { return .zero - overtime }
    return timer.left(at: now) + (timer.isPaused ? Timer.longest : .zero)
  }

  public func timer(_ timer: Timer) -> Status.Timer {
    var status = Status.Timer(timer, timer.standing(at: now), at: now, in: zones)
    let round = schedule.round(of: timer)
    (status.round, status.rounds) = (
      round.map { Int64($0.number) }, round?.rounds.map { Int64($0) }
    )
    status.then = schedule.nextName(after: timer)
    return status
  }

  private var stopwatch: Status.Stopwatch {
    let stopwatch = schedule.stopwatch
    let elapsed = stopwatch.elapsed(at: now)
    return Status.Stopwatch(
      state: stopwatch.isRunning ? .running : stopwatch.isReset ? .reset : .stopped,
      elapsed: elapsed.inSeconds, since: stopwatch.isRunning ? moment(now.wall - elapsed) : nil,
      laps: stopwatch.lapTable.map { lap in
        Status.Lap(
          lap: Int64(lap.number), split: lap.split.inSeconds, total: lap.total.inSeconds,
          mark: lap.mark?.rawValue)
      })
  }
}

extension Duration {
  /// The duration in seconds, with a fraction.
  fileprivate var inSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}

public struct FilesView {
  public var overview: Overview
  public var diagnostics: [Diagnostic]
  /// The ids of the alarms that have an error. An alarm whose id cannot be read is not among them.
  public var faultyAlarms: Set<String>
  /// The ids of the alarms in force that the config lacks, or has only with an error: they ring as
  /// they did before.
  public var former: [String]
  /// Whether the config is valid TOML; nil if there is no config.
  public var isReadable: Bool?
  /// How many alarms no longer ring because the config is gone.
  public var lost = 0

  /// Computes the state of the alarms. If `instant` is nil, this is their state now, from the
  /// agent's state file. Otherwise it is their state at `instant`, as if all alarms had been added
  /// at that moment. `zone` replaces the zone of the machine.
  public init(
    _ locations: Locations, name: String, from instant: Instant?, zone: String?, on disk: Disk
  ) {
    let zones = Zones(machine: zone)
    let read = ConfigFile.readInForce(
      name: name, sounds: SoundLibrary(locations), in: zone, on: disk)
    let (reading, configuration) = (read.reading, read.configuration)
    var now = Clock.now()
    var schedule = Schedule()
    if let instant {
      now.wall = instant
    } else {
      schedule = Schedule(restoring: StateFile.read(locations.state, on: disk).state)
    }
    _ = schedule.apply(
      .configured(configuration.alarms, saved: instant == nil ? read.saved : nil), at: now,
      in: zones)
    overview = Overview(
      configuration: configuration, schedule: schedule, zones: zones, now: now)
    diagnostics = reading?.diagnostics ?? []
    faultyAlarms = reading?.faultyAlarms ?? []
    let inFile = Set(reading?.configuration.alarms.map(\.id) ?? [])
    former = configuration.alarms.map(\.id).filter { !inFile.contains($0) }
    isReadable = reading?.isTOML
    lost = read.lostAlarms.count
  }
}

extension Status.Agent {
  /// Returns `problems` in the user's language. To translate them, reads the agent's config again.
  public func translatedProblems(on disk: Disk) -> [String] {
    if problems.isEmpty { return [] }
    let sounds = SoundLibrary(Locations(config: config))
    let translated = ConfigFile.read(config, name: config, sounds: sounds, on: disk)?.diagnostics
      .map { $0.description(in: tr) }
    // Reading the file again gives its problems in the user's language. If it has no problems any
    // more, return those that the agent still reports for an older version of it, in English.
    return translated.flatMap { $0.isEmpty ? nil : $0 } ?? problems
  }
}
