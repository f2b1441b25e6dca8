// SPDX-License-Identifier: GPL-3.0-or-later
//
// Distinguishes changes of a status from values that only follow the time, such as the time left.
// `belfry follow` prints a line for changes alone.

import Presentation
import Scheduling
import System

nonisolated extension Status {
  /// The status without the values that follow the time. If two of these are equal, nothing
  /// changed.
  public var steady: Status {
    var status = self
    status.asOf = Now(wall: Instant(seconds: 0), boot: .zero, bootID: "")
    for index in status.timers.indices {
      status.timers[index].overtime = nil
      // A running timer has its end; of a paused timer, the time left stays the same.
      if status.timers[index].state != .paused { status.timers[index].left = 0 }
    }
    if stopwatch.isRunning { status.stopwatch.elapsed = 0 }
    for index in status.clocks.indices { status.clocks[index].at = nil }
    return status
  }

  /// The next moment after `now` at which the time alone changes the status: a day begins or the
  /// clocks change, here or at one of its clocks, or the time of a paused ring comes.
  public func nextTurn(after now: Instant, in zones: Zones) -> Instant {
    let places = [nil] + Set(clocks.compactMap(\.timezone)).filter(zones.isKnown).map(\.self)
    // After the time of its paused ring, an alarm is no longer paused, or by another pause.
    let paused = alarms.compactMap(\.pausedRing?.instant).filter { $0 > now }
    return (places.map { Self.turn(in: $0, after: now, zones) } + paused).min() ?? now + .hours(24)
  }

  private static func turn(in zone: String?, after now: Instant, _ zones: Zones) -> Instant {
    let tomorrow = zones.civil(at: now, in: zone).date.adding(days: 1)
    let midnight = zones.resolve(CivilDateTime(tomorrow, .midnight), in: zone)?.instant
    // A zone has no midnight on a date that it left out when it crossed the date line.
    let day = midnight ?? now + .hours(24)
    guard let change = zones.interval(containing: now, in: zone).end, change > now else {
      return day
    }
    return min(day, change)
  }
}
