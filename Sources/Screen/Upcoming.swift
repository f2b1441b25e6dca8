// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values that are computed from a status in order to show it: the order of alarms, their colours,
// counters at a moment after the status was made, and whether anything has really changed. Next:
// `Summary.swift` and `WatchView.swift`.

import Configuration
import Presentation
import Scheduling
import System

extension Status {
  public var coming: [(alarm: Alarm, at: Instant)] {
    alarms.compactMap { alarm in alarm.standing.nextRing.map { (alarm, $0) } }
      .sorted { $0.1 < $1.1 }
  }

  /// The alarms in the order of `belfry watch`: first ringing alarms, then alarms with an upcoming
  /// ring, then alarms that are off, or whose remaining rings are all skipped or paused. Alarms
  /// that are over are left out.
  public var listed: [(alarm: Alarm, at: Instant?)] {
    let silent = alarms.filter { alarm in
      let standing = alarm.standing
      return standing.state == .off || standing.state == .scheduled && standing.wanted == nil
    }
    return alarms.filter { $0.state == .ringing }.map { ($0, nil) }
      + coming.map { ($0.alarm, $0.at) } + silent.map { ($0, nil) }
  }

  public var isAllPaused: Bool {
    let on = alarms.filter { $0.state != .off && $0.state != .over }
    return !on.isEmpty && on.allSatisfy { $0.standing.pause != nil }
  }

  /// Returns the time left of a timer at `now`. If the end of a running timer is known, this is the
  /// wall time until then: if someone sets the clock, the agent moves the end accordingly.
  public func left(of timer: Timer, at now: Now) -> Duration {
    let left = max(.zero, Duration(told: timer.left))
    guard timer.state == .running else { return left }
    return max(.zero, (timer.at?.instant).map { $0 - now.wall } ?? left - (now.boot - asOf.boot))
  }

  public func overtime(of timer: Timer, at now: Now) -> Duration {
    let overtime = Duration(told: timer.overtime ?? 0)
    return max(
      .zero, (timer.at?.instant).map { now.wall - $0 } ?? overtime + (now.boot - asOf.boot))
  }

  /// Returns the time on the stopwatch at `now`. The boot clock counts it, so setting the wall
  /// clock does not change it.
  public func elapsed(at now: Now) -> Duration {
    let since = stopwatch.isRunning ? now.boot - asOf.boot : .zero
    return max(.zero, Duration(told: stopwatch.elapsed) + since)
  }
}

extension Status.Missed {
  var cause: Scheduling.Missed.Reason? { reason.flatMap(Scheduling.Missed.Reason.init) }

  /// How to show the seconds of the time at which the missed ring was due.
  var seconds: Wording.Seconds { isTimer ? .near : .given }
}

extension Standing {
  /// The style of the words for this state. Dim words are for an alarm that is off, that is over,
  /// or that has no ring after its pause.
  public var style: Style {
    switch state {
    case .ringing: Style(colour: .red, isBold: true)
    case .overdue: .colour(.red)
    case .running: .colour(.cyan)
    case .off, .over: .dim
    case .scheduled where next == nil: .dim
    case .scheduled where !isSkipped && pause == nil && next?.movedFrom == nil: .plain
    default: .colour(.yellow)
    }
  }
}

extension Status.City {
  var name: String { [label, city ?? "", timezone ?? ""].first { !$0.isEmpty } ?? "" }

  /// How many seconds the city's clock is ahead of the clock here; nil if that is not known.
  /// Limited to values that real clocks never exceed, so that a sum cannot overflow.
  private var distance: Int64? { offset.map { max(-100_000, min($0, 100_000)) } }

  func civil(from here: CivilDateTime) -> CivilDateTime? {
    distance.map { CivilDateTime(localSeconds: here.localSeconds + $0) }
  }
}

extension Status.City {
  /// Returns the day in the city, such as `tomorrow`, or an empty text if it is the same
  /// day as here.
  func day(from here: CivilDateTime) -> String {
    guard let there = civil(from: here) else { return "" }
    let days = there.date.daysSinceEpoch - here.date.daysSinceEpoch
    return days == 0 ? "" : Wording.day(days)
  }

  /// How far the city is ahead, such as `+5 h 45 min`. Empty if it is the same time there as here,
  /// or if the difference is not known.
  var ahead: String {
    guard let distance, distance != 0 else { return "" }
    return Wording.offset(Int(distance))
  }
}

extension Status {
  /// The status without the values that change merely because time passes. If `steady` is equal for
  /// two statuses, nothing else has changed.
  public var steady: Status {
    var status = self
    status.asOf = Now(wall: Instant(seconds: 0), boot: .zero, bootID: "")
    for index in status.timers.indices {
      status.timers[index].overtime = nil
      // A running timer is described by its end. The time left of a paused timer does not change.
      if status.timers[index].state != .paused { status.timers[index].left = 0 }
    }
    if stopwatch.isRunning { status.stopwatch.elapsed = 0 }
    for index in status.clocks.indices { status.clocks[index].at = nil }
    return status
  }

  /// Returns the next moment after `now` at which the status changes without an event. That is the
  /// beginning of a day or a clock change, in the user's zone or in that of a shown clock, or the
  /// due time of a ring that a pause silences, whichever comes first.
  public func nextTurn(after now: Instant, in zones: Zones) -> Instant {
    let places = [nil] + Set(clocks.compactMap(\.timezone)).filter(zones.isKnown).map(\.self)
    // When the due time of a ring that a pause silences has passed, the alarm is no longer paused,
    // or another pause silences its next ring.
    let paused = alarms.compactMap(\.standing.pause?.due).filter { $0 > now }
    return (places.map { Self.turn(in: $0, after: now, zones) } + paused).min() ?? now + .hours(24)
  }

  private static func turn(in zone: String?, after now: Instant, _ zones: Zones) -> Instant {
    let daily = Recurrence(time: .midnight, dates: .days(Days(Set(Weekday.allCases))), zone: zone)
    let day = daily.next(after: now, in: zones)?.due ?? now + .hours(24)
    return min(day, zones.interval(containing: now, in: zone).end ?? day)
  }
}
