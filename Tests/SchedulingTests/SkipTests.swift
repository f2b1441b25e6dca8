// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests rings that the user skipped: one, several, or all up to a date.

import Scheduling
import Testing

@Suite("Skips")
struct SkipTests {
  @Test("If the only ring of an alarm is skipped, a pause does not put it off to a later day")
  func onceSkippedAndPaused() {
    let nap = Alarm.quiet("nap", "15:00", "once")
    var paused = nap
    paused.apply([Pause(from: CivilDate("2026-11-23"), until: CivilDate("2026-11-23"))])
    var household = Household(nap, at: "2026-11-23 10:00")
    _ = household.skip("nap")
    _ = household.configure([paused])
    #expect(household.coming(1) == "")
    var other = household
    _ = other.unskip("nap")
    #expect(other.coming(1) == "tue 15:00")
    #expect(household.wait(until: "wed 16:00") == ["tue 15:00 persist"])
    #expect(household.phase("nap") == .over)
  }

  @Test("The user can skip several rings, or all rings up to a date")
  func several() {
    var household = Household(.quiet("work", "07:30", "weekdays"), at: "2026-11-23 07:00")
    #expect(household.skip("work", .next(3)) == ["mon 07:00 persist"])
    #expect(household.coming(2) == "thu 07:30, fri 07:30")
    #expect(household.skip("work") == [], "skipping fewer rings does not undo a longer skip")
    // The machine is not woken for the three skipped rings, but for the ring after them.
    #expect(household.nextWake == "thu 07:29:40")
    #expect(household.wait(until: "thu 07:31").filter { $0.contains("play") }.count == 1)
    _ = household.stop("work")
    _ = household.skip("work", .through(CivilDate("2026-11-30")))
    #expect(household.coming(1) == "tue 07:30")
    _ = household.unskip("work")
    #expect(household.coming(1) == "fri 07:30")
    #expect(household.skip("work", .through(CivilDate("2026-11-26"))) == [])
    #expect(household.schedule.missed.isEmpty)

    var train = Household(.quiet("train", "07:30", "2026-11-24"), at: "2026-11-23 07:00")
    _ = train.skip("train", .next(1000))
    #expect(train.coming(3) == "")
    _ = train.wait(until: "tue 07:31")
    #expect(train.phase("train") == .over && train.schedule.missed.isEmpty)
  }

  @Test(
    "A skip up to a date ends with that date, on the machine's calendar or in the alarm's zone",
    arguments: [
      ("Asia/Seoul", "America/New_York", "23:00", "2026-11-25"),
      ("America/New_York", "Asia/Seoul", "07:00", "2026-11-24"),
    ])
  func untilDateInZone(machine: String, zone: String, time: String, next: String) {
    var alarm = Alarm.quiet("s", time)
    alarm.recurrence.zone = zone
    var household = Household(alarm, at: "2026-11-23 01:00", in: machine)
    _ = household.skip("s", .through(CivilDate("2026-11-23")))
    #expect(household.schedule.entry("s")?.isSkipped == true)
    let wanted = household.schedule.entry("s")?.wanted?.due
    #expect(wanted.map { household.zones.civil(at: $0, in: nil).date } == CivilDate(next))
  }

  @Test("Undoing a skip or a move restores the skips and moves before it")
  func undone() throws {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    func restored(after change: (inout Household) -> Void) throws -> Household {
      var changed = household
      let before = try #require(household.schedule.entry("work")).state
      change(&changed)
      _ = changed.apply(.restore("work", skipped: before.skipped, moves: before.moves))
      return changed
    }
    _ = household.move("work", "08:00")
    let moved = "mon 08:00 from mon 07:30, tue 07:30"
    #expect(try restored { _ = $0.skip("work") }.coming(2) == moved)
    #expect(try restored { _ = $0.move("work", "23:00") }.coming(2) == moved)
    _ = household.skip("work", .next(2))
    #expect(try restored { _ = $0.skip("work", .next(3)) }.coming(1) == "wed 07:30")
    #expect(try restored { _ = $0.move("work", "09:00") }.coming(1) == "wed 07:30")
  }

  @Test("If the clock is set back between two skips, the days between them are not skipped")
  func skippedByAnotherClock() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-27 12:00")
    _ = household.skip("work")
    _ = household.setClock(to: "2026-11-25 12:00")
    _ = household.skip("work")
    #expect(household.coming(2) == "fri 07:30, sat 07:30")
    // Skip Tuesday, let the alarm ring on Wednesday, and skip Thursday.
    household = Household(.quiet("work", "07:30"), at: "2026-11-24 07:00")
    _ = household.skip("work")
    household.stop("work", at: "wed 07:31")
    _ = household.skip("work")
    _ = household.setClock(to: "2026-11-24 05:00")
    #expect(household.coming(2) == "tue 07:30, wed 07:30")
    // A skip that reaches or touches the earlier one joins it.
    for count in 1...2 {
      household = Household(.quiet("work", "07:30"), at: "2026-11-26 12:00")
      _ = household.skip("work")
      _ = household.setClock(to: "2026-11-25 12:00")
      _ = household.skip("work", .next(count))
      #expect(household.coming(1) == "sat 07:30")
    }
  }

  @Test("Skipping up to a day does not skip a ring of that day that was moved past midnight")
  func skippedBefore() {
    var household = Household(.quiet("late", "23:30"), at: "2026-11-23 22:00")
    _ = household.move("late", "00:15")
    _ = household.skip("late", .through(CivilDate("2026-11-23")))
    #expect(household.coming(1) == "tue 00:15 from mon 23:30")
    _ = household.skip("late", .through(CivilDate("2026-11-24")))
    #expect(household.coming(1) == "wed 23:30")
  }

  @Test("Skipping up to a day does not skip a ring that was moved to a later date")
  func skippedBeforeMoved() {
    var household = Household(.quiet("late", "23:30"), at: "2026-11-26 22:00")
    _ = household.move("late", "00:15")
    _ = household.setClock(to: "2026-11-23 22:00")
    _ = household.skip("late", .through(CivilDate("2026-11-26")))
    #expect(household.coming(2) == "fri 00:15 from thu 23:30, fri 23:30")
  }

  @Test("An alarm that is switched off forgets a skip that is past, and a skip of its only ring")
  func skippedWhileOff() {
    var (work, train) = (Alarm.quiet("work", "07:30"), Alarm.quiet("train", "07:30", "2026-11-25"))
    var household = Household([work, train], at: "2026-11-23 07:00")
    _ = household.skip("work")
    _ = household.skip("train")
    (work.enabled, train.enabled) = (false, false)
    _ = household.configure([work, train], at: "tue 07:00")
    #expect(household.schedule.state.alarms.isEmpty)
    train.enabled = true
    _ = household.configure([work, train])
    #expect(household.coming(1) == "wed 07:30")
  }
}
