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
    var entries = [
      Entry("id", .string(timer.id)), Entry("label", .string(timer.label ?? "")),
    ]
    if let preset = timer.preset { entries.append(Entry("preset", .string(preset))) }
    if let round = schedule.round(of: timer) {
      entries.append(Entry("round", .int64(Int64(round.number))))
      if let rounds = round.rounds { entries.append(Entry("rounds", .int64(Int64(rounds)))) }
    }
    if let next = schedule.nextName(after: timer) { entries.append(Entry("then", .string(next))) }
    entries += [
      Entry("length", .int64(timer.length.wholeSeconds)),
      Entry("left", .int64(timer.left(at: now).secondsRoundedUp)),
      Entry("state", .string(timer.phase.name)),
    ]
    if let end = timer.end(at: now) { entries += at(end) }
    if let overtime = timer.overtime(at: now) {
      entries.append(Entry("overtime", .int64(overtime.wholeSeconds)))
    }
    return entries
  }

  /// The latest first.
  public var recentTimers: [[Entry]] {
    schedule.recents.map(Self.entries)
  }

  public static func entries(_ recent: RecentTimer) -> [Entry] {
    [
      Entry("duration", .int64(recent.duration.wholeSeconds)),
      Entry("label", .string(recent.label ?? "")),
    ]
  }

  public var stopwatch: [Entry] {
    let stopwatch = schedule.stopwatch
    let elapsed = stopwatch.elapsed(at: now)
    let state = stopwatch.isRunning ? "running" : stopwatch.isReset ? "reset" : "stopped"
    var entries = [
      Entry("state", .string(state)), Entry("elapsed", .double(elapsed.inSeconds)),
    ]
    if stopwatch.isRunning {
      entries.append(Entry("since_epoch", .double((now.wall - elapsed).inSeconds)))
    }
    return entries + [Entry("laps", .dictionaries(stopwatch.lapTable.map(lap)))]
  }

  private func lap(_ lap: Lap) -> [Entry] {
    let entries = [
      Entry("lap", .int64(Int64(lap.number))), Entry("split", .double(lap.split.inSeconds)),
      Entry("total", .double(lap.total.inSeconds)),
    ]
    return entries + (lap.mark.map { [Entry("mark", .string($0.rawValue))] } ?? [])
  }
}

extension Timer.Phase {
  fileprivate var name: String {
    switch self {
    case .running: "running"
    case .paused: "paused"
    case .ringing: "ringing"
    case .snoozed: "snoozed"
    }
  }
}

extension Duration {
  /// Exact where it is whole milliseconds: the nearest number that there is.
  fileprivate var inSeconds: Double { Double(wholeMicroseconds) / 1_000_000 }
}

extension Instant {
  /// Seconds since the epoch.
  fileprivate var inSeconds: Double { Double(microseconds) / 1_000_000 }
}
