// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers and the stopwatch as values for the bus and for `--json`. What they mean is in belfry(1).
// Next: `Overview.swift`, which has the alarms.

import Scheduling
import System

extension Overview {
  /// What rings first, the longest ringing of all; then by the time left; what is paused comes last.
  public var timers: [[Entry]] {
    let order = schedule.timers.enumerated().sorted { (rank($0.1), $0.0) < (rank($1.1), $1.0) }
    return order.map { timer($0.1) }
  }

  private func rank(_ timer: Timer) -> Duration {
    if let overtime = timer.overtime(at: now) { return .zero - overtime }
    return timer.left(at: now) + (timer.isPaused ? Timer.longest : .zero)
  }

  public func timer(_ timer: Timer) -> [Entry] {
    let (round, end) = (schedule.round(of: timer), timer.end(at: now))
    return named(timer.id, timer.label)
      + Variant.entries([
        "preset": text(timer.preset), "round": round.map { .int64(Int64($0.number)) },
        "rounds": round?.rounds.map { .int64(Int64($0)) },
        "then": text(schedule.nextName(after: timer)), "length": .int64(timer.length.wholeSeconds),
        "left": .int64(timer.left(at: now).secondsRoundedUp), "state": .string(timer.phase.name),
      ]) + (end.map(at) ?? [])
      + Variant.entries(["overtime": timer.overtime(at: now).map { .int64($0.wholeSeconds) }])
  }

  /// The latest first.
  public var recentTimers: [[Entry]] {
    schedule.recents.map(Self.entries)
  }

  public static func entries(_ recent: RecentTimer) -> [Entry] {
    Variant.entries([
      "duration": .int64(recent.duration.wholeSeconds),
      "until": recent.until.map { .string($0.description) },
      "label": .string(recent.name ?? ""),
    ])
  }

  public var stopwatch: [Entry] {
    let stopwatch = schedule.stopwatch
    let elapsed = stopwatch.elapsed(at: now)
    let state = stopwatch.isRunning ? "running" : stopwatch.isReset ? "reset" : "stopped"
    return Variant.entries([
      "state": .string(state), "elapsed": .double(elapsed.inSeconds),
      "since_epoch": stopwatch.isRunning ? .double((now.wall - elapsed).inSeconds) : nil,
      "laps": .dictionaries(stopwatch.lapTable.map(lap)),
    ])
  }

  private func lap(_ lap: Lap) -> [Entry] {
    Variant.entries([
      "lap": .int64(Int64(lap.number)), "split": .double(lap.split.inSeconds),
      "total": .double(lap.total.inSeconds), "mark": text(lap.mark?.rawValue),
    ])
  }
}

extension Timer.Phase {
  fileprivate var name: String {
    switch self {
    case .running: "running"
    case .paused: "paused"
    case .open(let ring): ring.name
    }
  }
}

extension Ring {
  var name: String { snoozedUntil == nil ? "ringing" : "snoozed" }
}

extension Duration {
  /// Exact where it is whole milliseconds: the nearest number that there is.
  fileprivate var inSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}

extension Instant {
  /// Seconds since the epoch.
  fileprivate var inSeconds: Double { Double(microseconds) / 1_000_000 }
}
