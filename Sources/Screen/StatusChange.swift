// SPDX-License-Identifier: GPL-3.0-or-later
//
// What in a status is a change, and what merely flows by as time does. `belfry follow` prints the
// first and not the second.

import Presentation
import Scheduling
import System

nonisolated extension Status {
  /// The status without what flows by: two that are equal like this differ by the time alone.
  public var steady: Status {
    var status = self
    status.asOf = Now(wall: Instant(seconds: 0), boot: .zero, bootID: "")
    for index in status.timers.indices {
      status.timers[index].overtime = nil
      // The end says all of a running timer; a paused one has something left that stays.
      if status.timers[index].state != .paused { status.timers[index].left = 0 }
    }
    if stopwatch.isRunning { status.stopwatch.elapsed = 0 }
    for index in status.clocks.indices { status.clocks[index].at = nil }
    return status
  }

  /// The next moment, after `now`, at which the status changes by the time alone: a day begins or
  /// the clocks change, here or where one of its clocks is, or a paused ring would have been.
  public func nextTurn(after now: Instant, in zones: Zones) -> Instant {
    let places = [nil] + Set(clocks.compactMap(\.timezone)).filter(zones.isKnown).map(\.self)
    // Once its paused ring would have been, an alarm is paused no more, or by another pause.
    let paused = alarms.compactMap(\.pausedRing?.instant).filter { $0 > now }
    return (places.map { Self.turn(in: $0, after: now, zones) } + paused).min() ?? now + .hours(24)
  }

  private static func turn(in zone: String?, after now: Instant, _ zones: Zones) -> Instant {
    let tomorrow = zones.civil(at: now, in: zone).date.adding(days: 1)
    let midnight = zones.resolve(CivilDateTime(tomorrow, .midnight), in: zone)?.instant
    // A date may be left out, where a place changed sides of the date line.
    let day = midnight ?? now + .hours(24)
    guard let change = zones.interval(containing: now, in: zone).end, change > now else {
      return day
    }
    return min(day, change)
  }
}
