// SPDX-License-Identifier: GPL-3.0-or-later
//
// The core alone, for callgrind: `benchmark --core ALARMS EVENTS` plays so many deadlines of so many
// alarms, and asks at each what an agent asks. What two runs differ in is what the events cost.

import Scheduling

enum Core {
  private struct UTC: ZoneRules {
    func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
      ZoneInterval(start: nil, end: nil, offset: 0)
    }
    func isKnown(_ zone: String) -> Bool { true }
  }

  static func play(alarms count: Int, events: Int) {
    var ring = RingSettings()
    ring.upcoming = .zero
    ring.unanswered = .miss
    let alarms = (0..<count).map { i in
      // A second of its own for each, whatever there is between them.
      let second = i * 37 % 86_400
      let time = CivilTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60)
      return Alarm(
        id: "a\(i)", recurrence: Recurrence(time: time!, dates: .weekly(Set(Weekday.allCases))),
        ring: ring)
    }
    var now = Now(wall: Instant(seconds: 1_800_000_000), boot: .seconds(9), bootID: "")
    var schedule = Schedule()
    _ = schedule.apply(.configured(alarms), at: now, in: UTC())
    for _ in 0..<events {
      guard let next = schedule.nextDeadline(after: now).wall else { return }
      now.boot += next - now.wall
      now.wall = next
      _ = schedule.apply(.tick, at: now, in: UTC())
      for ring in schedule.ringing { _ = schedule.apply(.stop(ring.id), at: now, in: UTC()) }
      precondition(schedule.nextStart(at: now) != nil)
      precondition(schedule.nextWake(.seconds(20), after: now) != nil)
      precondition(!schedule.needsMachine(.zero, at: now) && schedule.nextEntry != nil)
    }
  }
}
