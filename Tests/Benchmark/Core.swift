// SPDX-License-Identifier: GPL-3.0-or-later
//
// Measures the core alone, in two ways. First, `benchmark --core ALARMS EVENTS`, run under
// callgrind, makes ALARMS alarms and lets EVENTS deadlines pass; at each deadline, it asks the core
// what an agent would ask. If it is run with two values of EVENTS, the difference is the cost of
// the events without that of the start. Second, `changes` measures the steps that treat all alarms
// at once and keep the agent's main loop busy.

import Foundation
import Scheduling

enum Core {
  private struct OneZone: ZoneRules {
    var data = ZoneData.utc

    func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
      data.interval(containing: instant)
    }
    func isKnown(_ zone: String) -> Bool { true }
    func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }
  }

  private static func alarms(_ count: Int) -> [Alarm] {
    var ring = RingSettings()
    ring.upcoming = .zero
    ring.unanswered = .miss
    let days = Set(Weekday.allCases)
    return (0..<count).map { i in
      // Each alarm rings at a different second of the day, as long as the day has enough seconds.
      let second = i * 37 % 86_400
      let time = CivilTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60)
      return Alarm(
        id: "a\(i)", recurrence: Recurrence(time: time!, dates: .days(Days(days))), ring: ring)
    }
  }

  private static let start = Now(
    wall: Instant(seconds: 1_800_000_000), boot: .seconds(9), bootID: "")

  /// Returns how many milliseconds the core needs after a change of the time zone, and after the
  /// clock was set back.
  static func changes(alarms count: Int) throws -> (zone: Double, clock: Double) {
    func zone(_ name: String) throws -> OneZone {
      let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
      return OneZone(data: try ZoneData(file: Array(file)))
    }
    var (schedule, now) = (Schedule(), start)
    let (here, there) = (try zone("Asia/Seoul"), try zone("Europe/Berlin"))
    func time(_ event: Event, _ zone: OneZone) -> Double {
      let length = ContinuousClock().measure { _ = schedule.apply(event, at: now, in: zone) }
      return length / .milliseconds(1)
    }
    _ = time(.configured(alarms(count)), here)
    now.boot += .seconds(60)
    now.wall = now.wall + .seconds(60)
    let zoneChange = time(.zonesChanged, there)
    now.wall = now.wall - .hours(3)
    return (zoneChange, time(.tick, there))
  }

  static func play(alarms count: Int, events: Int) {
    var (schedule, now) = (Schedule(), start)
    _ = schedule.apply(.configured(alarms(count)), at: now, in: OneZone())
    for _ in 0..<events {
      guard let next = schedule.nextDeadline(after: now).wall else { return }
      now.boot += next - now.wall
      now.wall = next
      _ = schedule.apply(.tick, at: now, in: OneZone())
      for ring in schedule.ringing { _ = schedule.apply(.stop(ring.id), at: now, in: OneZone()) }
      let plan = schedule.wakePlan(.zero, at: now)
      precondition(plan.nextWake != nil && !plan.mustStayAwake && schedule.nextEntry != nil)
    }
  }
}
