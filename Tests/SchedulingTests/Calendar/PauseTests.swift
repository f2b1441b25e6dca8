// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests pauses: on which days alarms do not ring, and what the agent shows about a pause.

import Scheduling
import Testing

@Suite("Pauses")
struct PauseTests {
  @Test("A pause keeps all alarms, or those of its group, from ringing on its days")
  func paused() {
    func next(_ pauses: Pause..., group: String? = nil, except: String? = nil) -> String {
      var alarm = Alarm(id: "work", group: group, recurrence: Recurrence("07:30", "daily"))
      alarm.recurrence.except = ExceptedDays(except.map { [CivilDate($0)...CivilDate($0)] } ?? [])
      alarm.apply(pauses)
      let noon = Instant(utc: "2026-12-23 12:00")
      let ring = alarm.recurrence.next(after: noon, in: TestZones(machine: "UTC"))
      return ring.map { "\($0.date)" } ?? "never"
    }
    let christmas = Pause(from: CivilDate("2026-12-24"), until: CivilDate("2027-01-03"))
    let school = Pause(from: CivilDate("2026-12-24"), group: "school")
    #expect(next(christmas) == "2027-01-04")
    #expect(next(christmas, except: "2027-01-04") == "2027-01-05")
    #expect(next(school) == "2026-12-24" && next(school, group: "work") == "2026-12-24")
    #expect(next(school, group: "school") == "never")
    #expect(next() == "2026-12-24")
  }

  @Test(
    "Removing a pause or an excepted day does not turn its rings into missed rings",
    arguments: [true, false], [true, false])
  func pauseTakenAway(isPause: Bool, isOlderThanAlarm: Bool) {
    let work = Alarm.quiet("work", "07:30")
    var off = work
    let days = CivilDate("2026-11-24")...CivilDate("2026-12-24")
    if isPause {
      off.apply([Pause(from: days.lowerBound, until: days.upperBound)])
    } else {
      off.recurrence.except = ExceptedDays([days])
    }
    var household = Household(isOlderThanAlarm ? off : work, at: "2026-11-23 12:00")
    _ = household.configure([off])
    #expect(household.wait(until: "2026-11-26 07:31").isEmpty)
    _ = household.configure([work])
    #expect(household.disk.alarms == household.schedule.state.alarms)
    #expect(household.schedule.missed.isEmpty && household.schedule.ringing.isEmpty)
    #expect(household.schedule.entry("work")?.next?.date == CivilDate("2026-11-27"))
  }

  @Test("A ring still comes if its day is excepted at the very moment when the ring is due")
  func exceptedWhenDue() {
    let work = Alarm.quiet("work", "07:30")
    var other = work
    other.recurrence.except = ExceptedDays([CivilDate("2026-11-24")...CivilDate("2026-11-24")])
    var household = Household(work, at: "2026-11-23 07:00")
    #expect(household.configure([other], at: "07:30").first == "mon 07:30 play work")
  }

  @Test("An alarm whose every ring is in a pause counts as paused, not as ended")
  func pausedForGood() {
    var work = Alarm.quiet("work", "07:30")
    work.apply([Pause(from: CivilDate("2026-11-01"))])
    let household = Household(work, at: "2026-11-23 12:00")
    let entry = household.schedule.entry("work")
    let zones = TestZones(machine: "UTC")
    let ring = entry?.pausedRing(at: household.now.wall, in: zones)
    #expect(entry?.next == nil && ring?.date == CivilDate("2026-11-24") && ring?.until == nil)
    var past = Alarm(
      id: "train",
      recurrence: Recurrence(time: work.recurrence.time, dates: .on(CivilDate("2026-11-20"))))
    past.apply([Pause(from: CivilDate("2026-11-01"))])
    let train = Household(past, at: "2026-11-23 12:00").schedule.entry("train")
    #expect(train?.pausedRing(at: household.now.wall, in: zones) == nil)
  }

  @Test("If the next ring is paused, it is shown with the last day of its pause")
  func pausedRings() {
    func told(_ now: String, skipping skipped: Bool = false, _ pauses: (String, String)...)
      -> String
    {
      var work = Alarm.quiet("work", "07:30")
      work.apply(pauses.map { Pause(from: CivilDate($0.0), until: CivilDate($0.1)) })
      var household = Household(work, at: now)
      if skipped { _ = household.skip("work") }
      let ring = household.schedule.pausedRings(at: household.now.wall, in: household.zones).first?
        .ring
      return ring.map { "\($0.date) until \($0.until?.description ?? "removed")" } ?? "rings"
    }
    let monday = ("2026-11-23", "2026-11-23")
    #expect(told("2026-11-23 07:00", monday) == "2026-11-23 until 2026-11-23")
    // At 08:00, the ring in the pause is already past, so the pause is not shown any more.
    #expect(told("2026-11-23 08:00", monday) == "rings")
    #expect(told("2026-11-22 08:00", monday) == "2026-11-23 until 2026-11-23")
    #expect(told("2026-11-22 07:00", monday) == "rings")
    // The user skipped the ring of Sunday, so the next ring is the paused one on Monday.
    #expect(told("2026-11-22 07:00", skipping: true, monday) == "2026-11-23 until 2026-11-23")
    // The result is the same for an agent that was already running before the pause began.
    var off = Alarm.quiet("work", "07:30")
    off.apply([Pause(from: CivilDate("2026-11-23"), until: CivilDate("2026-11-23"))])
    var household = Household(off, at: "2026-11-22 08:00")
    _ = household.wait(until: "mon 08:00")
    #expect(household.schedule.pausedRings(at: household.now.wall, in: household.zones).isEmpty)
    let rest = ("2026-11-24", "2026-11-30")
    #expect(told("2026-11-23 07:00", monday, rest) == "2026-11-23 until 2026-11-30")
  }
}
