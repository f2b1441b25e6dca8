// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how a clock in another zone compares with the user's own clock. The table of cases gives
// each zone as a POSIX rule.

import Scheduling
import Testing

/// Zones whose names are POSIX rules, such as `KST-9`.
private struct Rules: ZoneRules {
  var machine: String

  func isKnown(_ zone: String) -> Bool { ZoneData(rule: zone) != nil }
  func sun(latitude: Double, longitude: Double, noon: Instant) -> Sun { .staysDown }

  func interval(containing instant: Instant, in zone: String?) -> ZoneInterval {
    guard let data = ZoneData(rule: zone ?? machine) else { fatalError("\(zone ?? "") is no rule") }
    return data.interval(containing: instant)
  }
}

@Suite("The clock in another zone")
struct ClockReadingTests {
  private static let berlin = "CET-1CEST,M3.5.0,M10.5.0/3"
  private static let newYork = "EST5EDT,M3.2.0,M11.1.0"
  private static let stJohns = "NST3:30NDT,M3.2.0,M11.1.0"
  private static let chatham = "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45"
  private static let lordHowe = "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"

  @Test(
    "A reading has the offset in seconds and the difference of the two dates",
    arguments: [
      // Each row has the user's zone, another zone, and a time in UTC. After these come the
      // expected results: the local time in the other zone, and by how many seconds and days that
      // zone is ahead.
      ("UTC0", "NPT-5:45", "2026-11-21 12:00", "2026-11-21 17:45", 20_700, 0),
      (berlin, "NPT-5:45", "2026-07-01 12:00", "2026-07-01 17:45", 13_500, 0),
      (berlin, "NPT-5:45", "2026-01-01 12:00", "2026-01-01 17:45", 17_100, 0),
      ("UTC0", stJohns, "2026-01-15 12:00", "2026-01-15 08:30", -12_600, 0),
      ("UTC0", stJohns, "2026-07-15 12:00", "2026-07-15 09:30", -9_000, 0),
      ("UTC0", chatham, "2026-01-15 12:00", "2026-01-16 01:45", 49_500, 1),
      ("UTC0", chatham, "2026-07-15 12:00", "2026-07-16 00:45", 45_900, 1),
      ("KST-9", "KST-9", "2026-11-21 12:00", "2026-11-21 21:00", 0, 0),
      ("KST-9", lordHowe, "2026-07-01 14:59", "2026-07-02 01:29", 5_400, 1),
      // Moments near the end of a month or a year. At most of them, only one of the two zones is in
      // the next month or year. Two of them are at the end of February.
      ("KST-9", newYork, "2026-11-30 15:00", "2026-11-30 10:00", -50_400, -1),
      (newYork, "KST-9", "2026-12-01 04:59", "2026-12-01 13:59", 50_400, 1),
      (newYork, "KST-9", "2026-12-01 05:00", "2026-12-01 14:00", 50_400, 0),
      ("KST-9", newYork, "2024-02-29 15:00", "2024-02-29 10:00", -50_400, -1),
      ("UTC0", "KST-9", "2027-02-28 15:00", "2027-03-01 00:00", 32_400, 1),
      ("UTC0", "KST-9", "2026-12-31 15:00", "2027-01-01 00:00", 32_400, 1),
      ("UTC0", "KST-9", "2026-12-31 14:59:59", "2026-12-31 23:59:59", 32_400, 0),
      ("KST-9", "UTC0", "2026-12-31 15:00", "2026-12-31 15:00", -32_400, -1),
      ("UTC0", stJohns, "2027-01-01 03:29", "2026-12-31 23:59", -12_600, -1),
      // Dates on which only one of the two zones has summer time.
      (newYork, berlin, "2026-03-20 12:00", "2026-03-20 13:00", 18_000, 0),
      (newYork, berlin, "2026-04-20 12:00", "2026-04-20 14:00", 21_600, 0),
      (newYork, berlin, "2026-10-28 12:00", "2026-10-28 13:00", 18_000, 0),
      // The easternmost and the westernmost zone are 25 hours apart.
      ("SST11", "<+14>-14", "2026-12-31 10:30", "2027-01-01 00:30", 90_000, 2),
      ("<+14>-14", "SST11", "2026-12-31 10:30", "2026-12-30 23:30", -90_000, -2),
      // A zone with the local mean time of a city, whose offset has seconds.
      ("UTC0", "LMT-8:27:52", "1900-01-01 12:00", "1900-01-01 20:27:52", 30_472, 0),
    ])
  func reading(
    here: String, there: String, at: String, time: String, offset: Int, days: Int
  ) {
    let reading = Rules(machine: here).reading(of: there, at: Instant(utc: at))
    #expect(reading.there == CivilDateTime(time))
    #expect(reading.offset == offset && reading.days == days)
    let same = Rules(machine: "UTC0").reading(of: there, at: Instant(utc: at), from: here)
    #expect(same == reading)
  }

  @Test("At any moment the date is right, and the reverse comparison has the opposite result")
  func everyMoment() {
    let zones = ["UTC0", "KST-9", Self.newYork, Self.chatham, Self.stJohns, "SST11", "<+14>-14"]
    for hour in stride(from: 0, to: 24 * 800, by: 5) {
      let instant = Instant(utc: "2026-01-01 00:30") + .hours(Int64(hour))
      for here in zones {
        for there in zones {
          let rules = Rules(machine: here)
          let reading = rules.reading(of: there, at: instant)
          let back = Rules(machine: there).reading(of: here, at: instant)
          #expect(back.offset == -reading.offset && back.days == -reading.days)
          let today = rules.civil(at: instant, in: nil).date
          #expect(reading.there.date == today.adding(days: reading.days))
        }
      }
    }
  }
}
