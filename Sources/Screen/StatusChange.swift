// SPDX-License-Identifier: GPL-3.0-or-later
//
// What in a status is a change, and what merely flows by as time does. `belfry follow` tells the
// first and not the second.

import Scheduling
import System

public nonisolated enum StatusChange {
  /// `status` without what flows by: two statuses that are equal so differ by the time alone.
  public static func standing(_ status: Variant) -> Variant {
    guard case .dictionary(let entries) = status else { return status }
    return .dictionary(
      entries.map { entry in
        switch (entry.key, entry.value) {
        case ("timers", .dictionaries(let rows)):
          .init(entry.key, .dictionaries(rows.map(timer)))
        case ("stopwatch", .dictionary(let row)): .init(entry.key, .dictionary(stopwatch(row)))
        case ("clocks", .dictionaries(let rows)):
          .init(entry.key, .dictionaries(rows.map { $0.filter { $0.key != "at" } }))
        default: entry
        }
      })
  }

  /// When it ends tells all of one that runs; one that is paused has something left that stays.
  private static func timer(_ row: [Variant.Entry]) -> [Variant.Entry] {
    let isPaused = row["state"]?.string == "paused"
    return row.filter { $0.key != "overtime" && ($0.key != "left" || isPaused) }
  }

  private static func stopwatch(_ row: [Variant.Entry]) -> [Variant.Entry] {
    let isRunning = row["state"]?.string == "running"
    return row.compactMap { entry in
      switch (entry.key, entry.value) {
      case ("elapsed", _) where isRunning: nil
      // Two clocks are read one after the other for it: the last digits are never the same.
      case ("since_epoch", .double(let seconds)):
        Variant.Entry(entry.key, .double(seconds.rounded()))
      default: entry
      }
    }
  }

  /// The next moment, after `now`, at which what a status tells changes by the time alone: a day
  /// begins or the clocks change, here or where one of its clocks is, or a paused ring would have
  /// been.
  public static func nextTurn(of status: Variant, after now: Instant, in zones: Zones) -> Instant {
    let there = (status["clocks"]?.dictionaries ?? []).compactMap {
      $0["timezone"]?.string
    }
    let places = [nil] + Set(there).filter(zones.isKnown).map(Optional.some)
    // Once its paused ring would have been, an alarm is paused no more, or by another pause.
    let paused = (status["alarms"]?.dictionaries ?? []).compactMap {
      $0["paused_ring_epoch"]?.int64.map { Instant(seconds: $0) }
    }.filter { $0 > now }
    return (places.map { turn(in: $0, after: now, zones) } + paused).min() ?? now + .hours(24)
  }

  private static func turn(in zone: String?, after now: Instant, _ zones: Zones) -> Instant {
    let tomorrow = zones.civil(at: now, in: zone).date.adding(days: 1)
    let midnight = CivilTime(hour: 0, minute: 0).flatMap {
      zones.resolve(CivilDateTime(tomorrow, $0), in: zone)?.instant
    }
    // A date may be left out, where a place changed sides of the date line.
    let day = midnight ?? now + .hours(24)
    guard let change = zones.interval(containing: now, in: zone).end, change > now else {
      return day
    }
    return min(day, change)
  }
}
