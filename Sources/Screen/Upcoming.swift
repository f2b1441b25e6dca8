// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values derived from a status in order to show it: the order of alarms, their colours, and
// counters at a later moment than that of the status. Next: `Summary.swift` and `WatchView.swift`.

import Configuration
import Presentation
import Scheduling
import System

nonisolated extension Status {
  /// Alarms with an upcoming ring, the earliest ring first.
  public var coming: [(alarm: Alarm, at: Instant)] {
    alarms.compactMap { alarm in alarm.nextRing.map { (alarm, $0) } }.sorted { $0.1 < $1.1 }
  }

  /// Alarms in the order of `belfry watch`: ringing, then with an upcoming ring, then without one
  /// because it is skipped, paused without an end, or off. Alarms that are over are left out.
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

  /// The next ring of every alarm that is on falls into a pause.
  public var isAllPaused: Bool {
    let on = alarms.filter { $0.state != .off && $0.state != .over }
    return !on.isEmpty && on.allSatisfy { $0.paused == true }
  }

  /// The time left of a timer at `now`. It is counted by the wall clock if the end is known,
  /// because the agent moves the end when the clock is set.
  public func left(of timer: Timer, at now: Now) -> Duration {
    let left = max(.zero, Duration(told: timer.left))
    guard timer.state == .running else { return left }
    return max(.zero, (timer.at?.instant).map { $0 - now.wall } ?? left - (now.boot - asOf.boot))
  }

  /// How long ago a ringing timer ended.
  public func overtime(of timer: Timer, at now: Now) -> Duration {
    let overtime = Duration(told: timer.overtime ?? 0)
    return max(
      .zero, (timer.at?.instant).map { now.wall - $0 } ?? overtime + (now.boot - asOf.boot))
  }

  /// The time on the stopwatch at `now`, counted by the boot clock: setting the wall clock does not
  /// change it.
  public func elapsed(at now: Now) -> Duration {
    let since = stopwatch.isRunning ? now.boot - asOf.boot : .zero
    return max(.zero, Duration(told: stopwatch.elapsed) + since)
  }
}

nonisolated extension Status.Missed {
  var cause: Scheduling.Missed.Reason? { reason.flatMap(Scheduling.Missed.Reason.init) }

  /// Whether to show the seconds of `at`.
  var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension Standing {
  var isSilent: Bool {
    switch self {
    case .off, .over, .paused(_, next: nil): true
    default: false
    }
  }

  /// The style of the words for this standing. An alarm that will not ring is dim.
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
  /// The label, the city or the time zone.
  var name: String { [label, city ?? "", timezone ?? ""].first { !$0.isEmpty } ?? "" }

  /// `offset` within bounds that no two clocks exceed, so that a sum cannot overflow.
  private var distance: Int64? { offset.map { max(-100_000, min($0, 100_000)) } }

  /// The time in the city if it is `here` now.
  func civil(from here: CivilDateTime) -> CivilDateTime? {
    distance.map { CivilDateTime(localSeconds: here.localSeconds + $0) }
  }
}

extension Status.City {
  /// `tomorrow`; empty if it is the same day.
  @MainActor func day(from here: CivilDateTime) -> String {
    guard let there = civil(from: here) else { return "" }
    let days = there.date.daysSinceEpoch - here.date.daysSinceEpoch
    return days == 0 ? "" : Wording.day(days)
  }

  /// `+5 h 45 min`; empty if the clocks there show the same time.
  @MainActor var ahead: String {
    guard let distance, distance != 0 else { return "" }
    return Wording.offset(Int(distance))
  }
}
