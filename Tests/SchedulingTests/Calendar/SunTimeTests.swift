// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests alarms that ring by the sun: when they ring, on which days they do not, and how moves,
// zones and excepted days affect them. The tests use the simple sun of `TestZones`;
// `SunTests.swift` tests the real sun.

import Scheduling
import Testing

@Suite("Alarms by the sun")
struct SunTimeTests {
  /// Returns an alarm for a place at 30 degrees north. At this place, the simple sun of `TestZones`
  /// rises at 04:00 mean solar time in the first half of the year, and at 08:00 in the second.
  private func alarm(
    _ event: SunTime.Event, _ offset: Duration = .zero, latitude: Double = 30,
    zone: String? = "UTC"
  ) -> Alarm {
    var alarm = Alarm.quiet("light", "00:00")
    alarm.recurrence.sun = SunTime(
      event, offset: offset, city: "Here", latitude: latitude, longitude: 0)
    alarm.recurrence.zone = zone
    return alarm
  }

  @Test("The alarm rings at sunrise or sunset, earlier or later by its offset")
  func rings() {
    for (alarm, expected) in [
      (alarm(.sunrise), "mon 08:00, tue 08:00"), (alarm(.sunset), "mon 16:00, tue 16:00"),
      (alarm(.sunrise, .minutes(-30)), "mon 07:30, tue 07:30"),
      (alarm(.sunset, .hours(12)), "mon 04:00, tue 04:00"),
      (alarm(.sunrise, .hours(-12)), "mon 20:00, tue 20:00"),
      // The sun rises at 08:00:29 for this latitude, and at 08:00:30 for the next one.
      (alarm(.sunrise, latitude: 7229.5 / 240), "mon 08:00, tue 08:00"),
      (alarm(.sunrise, latitude: 7230.5 / 240), "mon 08:01, tue 08:01"),
    ] {
      let household = Household(alarm, at: "2026-11-23 01:00", in: "UTC")
      #expect(household.coming(2) == expected)
    }
    var household = Household(alarm(.sunrise), at: "2026-06-30 03:59", in: "UTC")
    #expect(household.coming(2) == "tue 04:00, wed 08:00")
    _ = household.wait(until: "04:01")
    #expect(household.schedule.openRing("light") != nil)
    _ = household.stop("light")
    _ = household.move("light", "09:15")
    #expect(household.coming(2) == "wed 09:15 from wed 08:00, thu 08:00")
  }

  @Test("On days without a sunrise the alarm does not ring, and the explanation says why")
  func polar() {
    var alarm = alarm(.sunrise, latitude: 95)
    alarm.recurrence.until = CivilDate("2026-07-31")
    for (day, reason) in [
      ("2026-06-29", Explanation.LeftOut.Reason.sunUp), ("2026-07-01", .sunDown),
    ] {
      let household = Household(alarm, at: "\(day) 12:00", in: "UTC")
      let explanation = household.schedule.explanation(
        of: alarm, count: 1, at: household.now.wall, in: household.zones)
      #expect(explanation.rings.isEmpty && explanation.silence == .leftOut)
      #expect(explanation.leftOut.map(\.reason) == [reason])
      #expect(household.schedule.missed.isEmpty)
    }
    // If the sun rises again on a later day, the alarm rings on that day.
    alarm.recurrence.until = nil
    alarm.recurrence.sun?.latitude = 89.5
    #expect(Household(alarm, at: "2026-06-30 12:00", in: "UTC").coming(1) == "wed 11:58")
  }

  @Test("A ring is left out if the day on which it falls is excepted")
  func leftOut() {
    var alarm = alarm(.sunset, .hours(12))
    alarm.recurrence.except = ExceptedDays([CivilDate("2026-11-24")...CivilDate("2026-11-24")])
    let household = Household(alarm, at: "2026-11-23 01:00", in: "UTC")
    #expect(household.coming(2) == "mon 04:00, wed 04:00")
  }

  @Test("A rule by the sun depends on its event and place, and not on the zone of the machine")
  func signature() {
    #expect(alarm(.sunrise).recurrence.signature != alarm(.sunset).recurrence.signature)
    #expect(
      alarm(.sunrise).recurrence.signature != alarm(.sunrise, latitude: 31).recurrence.signature)
    var household = Household(alarm(.sunrise), at: "2026-11-23 01:00", in: "UTC")
    _ = household.move(to: "Asia/Seoul")
    #expect(household.coming(1) == "mon 17:00")
  }

  @Test("An alarm that does not ring by the sun has the same clock time on every day")
  func timeWithoutSun() {
    let rule = Recurrence("02:30", "daily")
    // On this day, the clocks in Berlin skip the hour from 02:00 to 03:00.
    let zones = TestZones(machine: "Europe/Berlin")
    #expect(rule.clockTime(on: CivilDate("2026-03-29"), in: zones) == CivilTime("02:30"))
  }
}
