// SPDX-License-Identifier: GPL-3.0-or-later
//
// Distinguishes real changes of a status from values that change merely because time passes, such
// as the time left of a timer. `belfry follow` prints a line only for a real change.

import Presentation
import Scheduling
import System

nonisolated extension Status {
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
    let paused = alarms.compactMap(\.pausedRing?.instant).filter { $0 > now }
    return (places.map { Self.turn(in: $0, after: now, zones) } + paused).min() ?? now + .hours(24)
  }

  private static func turn(in zone: String?, after now: Instant, _ zones: Zones) -> Instant {
    let tomorrow = zones.civil(at: now, in: zone).date.adding(days: 1)
    let midnight = zones.resolve(CivilDateTime(tomorrow, .midnight), in: zone)?.instant
    // A zone that crosses the date line leaves out a date, and that date has no midnight.
    let day = midnight ?? now + .hours(24)
    guard let change = zones.interval(containing: now, in: zone).end, change > now else {
      return day
    }
    return min(day, change)
  }
}
