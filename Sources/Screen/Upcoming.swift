// SPDX-License-Identifier: GPL-3.0-or-later
//
// A status as it is shown: which alarms are listed in which order, and what counts at a later
// moment than that of the status. Next: `Summary.swift` and `WatchView.swift`, which show it.

import Configuration
import Presentation
import Scheduling
import System

nonisolated extension Status {
  /// Alarms with a ring to come, the earliest first.
  public var coming: [(alarm: Alarm, at: Instant)] {
    alarms.compactMap { alarm in alarm.nextRing.map { (alarm, $0) } }.sorted { $0.1 < $1.1 }
  }

  /// Those that are ringing, those with a ring to come, and behind them those that have none and
  /// may have one again: the last one is skipped, the alarm is paused without an end, or it is off.
  public var listed: [(alarm: Alarm, at: Instant?)] {
    let silent = alarms.filter { alarm in
      switch alarm.standing {
      case .off, .skipped(_, then: nil), .paused(_, next: nil): true
      default: false
      }
    }
    return alarms.filter { $0.state == .ringing }.map { ($0, nil) }
      + coming.map { ($0.alarm, $0.at) } + silent.map { ($0, nil) }
  }

  /// Whether pauses take the next ring of every alarm that is on.
  public var isAllPaused: Bool {
    let on = alarms.filter { $0.state != .off && $0.state != .over }
    return !on.isEmpty && on.allSatisfy { $0.paused == true }
  }

  /// What a timer still has to run at `now`; by the wall clock if its end is known, since the agent
  /// moves that when the clock is set.
  public func left(of timer: Timer, at now: Now) -> Duration {
    let left = max(.zero, Duration(told: timer.left))
    guard timer.state == .running else { return left }
    return max(.zero, timer.at?.instant.map { $0 - now.wall } ?? left - (now.boot - asOf.boot))
  }

  /// By how much a ringing timer is over at `now`.
  public func overtime(of timer: Timer, at now: Now) -> Duration {
    let overtime = Duration(told: timer.overtime ?? 0)
    return max(.zero, timer.at?.instant.map { now.wall - $0 } ?? overtime + (now.boot - asOf.boot))
  }

  /// What the stopwatch shows at `now`. It counts by the boot clock, so that setting the wall clock
  /// does not move it.
  public func elapsed(at now: Now) -> Duration {
    let since = stopwatch.isRunning ? now.boot - asOf.boot : .zero
    return max(.zero, Duration(told: stopwatch.elapsed) + since)
  }
}

nonisolated extension Status.Missed {
  var cause: Scheduling.Missed.Reason? { reason.flatMap(Scheduling.Missed.Reason.init) }

  /// Whether the seconds of `at` are shown.
  var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension Standing {
  var isSilent: Bool {
    switch self {
    case .off, .over, .paused(_, next: nil): true
    default: false
    }
  }

  /// How its words look: what will not ring steps back.
  public var style: Style {
    switch self {
    case .ringing: Style(colour: .red, isBold: true)
    case .overdue: .colour(.red)
    case .scheduled(_, movedFrom: nil): .plain
    case .running: .colour(.cyan)
    case _ where isSilent: .dim
    default: .colour(.yellow)
    }
  }
}

nonisolated extension Status.City {
  /// Its label, or what else it is called.
  var name: String { [label, city ?? "", timezone ?? ""].first { !$0.isEmpty } ?? "" }

  /// No clocks are further apart, and a sum with it cannot overflow.
  private var distance: Int64? { offset.map { max(-100_000, min($0, 100_000)) } }

  /// What clocks there show.
  func civil(from here: CivilDateTime) -> CivilDateTime? {
    distance.map { CivilDateTime(localSeconds: here.localSeconds + $0) }
  }
}

extension Status.City {
  /// `tomorrow`; nothing if it is the same day.
  @MainActor func day(from here: CivilDateTime) -> String {
    guard let there = civil(from: here) else { return "" }
    let days = there.date.daysSinceEpoch - here.date.daysSinceEpoch
    return days == 0 ? "" : Wording.day(days)
  }

  /// `+5 h 45 min`; nothing for a place that shares our time.
  @MainActor var ahead: String {
    guard let distance, distance != 0 else { return "" }
    return (distance < 0 ? "-" : "+") + Wording.span(.seconds(Int64(distance.magnitude)))
  }
}
