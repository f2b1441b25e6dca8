// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests single rings that the user moved. `SimulationTests.swift` tests with random stories that
// moves and skips neither lose a ring nor repeat one. Next: `SkipTests.swift`.

import Scheduling
import Testing

@Suite("Moves")
struct MoveTests {
  @Test("Only the next ring is moved, and it rings once")
  func later() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    #expect(household.move("work", "08:15") == ["mon 07:00 persist"])
    #expect(household.coming(3) == "mon 08:15 from mon 07:30, tue 07:30, wed 07:30")
    #expect(
      household.wait(until: "08:15") == [
        "mon 08:14:58 ready work", "mon 08:15 play work", "mon 08:15 post ringing work moved",
        "mon 08:15 persist",
      ])
    _ = household.stop("work")
    #expect(household.coming(1) == "tue 07:30")
    #expect(household.schedule.missed.isEmpty)
  }

  @Test("A ring moved to an earlier time does not ring at its original time as well")
  func earlier() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 05:00")
    _ = household.move("work", "06:00")
    household.stop("work", at: "06:01")
    #expect(household.coming(1) == "tue 07:30")
    #expect(!household.restart(at: "07:00").contains { $0.contains("play") })
    #expect(household.wait(until: "07:45").isEmpty)
    _ = household.setClock(to: "05:30")
    #expect(household.coming(1) == "tue 07:30")
    household.stop("work", at: "tue 07:31")
    _ = household.setClock(to: "2026-11-23 05:30")
    #expect(household.coming(1) == "tue 07:30")
  }

  @Test("A ring moved to a time that is past today comes tomorrow, maybe beside another ring")
  func nextDay() {
    var household = Household(.quiet("late", "23:00"), at: "2026-11-23 22:00")
    _ = household.move("late", "01:30")
    #expect(household.coming(2) == "tue 01:30 from mon 23:00, tue 23:00")
    // With its original time, the ring goes back to its own day, not to the day of the new time.
    _ = household.move("late", "23:00")
    #expect(household.coming(2) == "mon 23:00, tue 23:00")
    _ = household.move("late", "01:30")
    #expect(household.coming(2) == "tue 01:30 from mon 23:00, tue 23:00")
    // Move the ring of Monday once more, to a time after the ring of Tuesday.
    _ = household.move("late", "23:30")
    #expect(household.coming(2) == "tue 23:00, tue 23:30 from mon 23:00")
    _ = household.move("late", "22:30")
    #expect(household.coming(2) == "tue 22:30 from tue 23:00, tue 23:30 from mon 23:00")
    household.stop("late", at: "tue 22:31")
    #expect(household.coming(1) == "tue 23:30 from mon 23:00")
    household.stop("late", at: "23:31")
    #expect(household.coming(1) == "wed 23:00")
    #expect(household.schedule.missed.isEmpty)
    #expect(
      household.history == ["late tue 22:30: stopped", "late tue 23:30: stopped"])
  }

  @Test("A ring moved past a later ring is missed if a change of zone skips its new time")
  func leaptOver() {
    var household = Household(.quiet("work", "09:00"), at: "2026-11-23 08:00")
    _ = household.move("work", "08:00")
    _ = household.move("work", "20:00")
    #expect(household.coming(2) == "tue 09:00, tue 20:00 from mon 09:00")
    household.stop("work", at: "tue 09:01")
    #expect(
      household.move(to: "Asia/Seoul", at: "13:00") == [
        "tue 21:00 post missed work tue 20:00 zoneChanged", "tue 21:00 persist",
      ])
  }

  @Test("Undoing a move restores the ring's original time, unless that time is past")
  func takenBack() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.move("work", "08:15")
    _ = household.unskip("work")
    #expect(household.coming(1) == "mon 07:30")
    #expect(household.unskip("work") == [])
    _ = household.move("work", "08:15")
    #expect(household.move("work", "07:30") == ["mon 07:00 persist"])
    #expect(household.coming(1) == "mon 07:30")
    _ = household.move("work", "08:15")
    for time in ["07:30", "07:45"] {
      _ = household.wait(until: time)
      #expect(household.unskip("work") == [])
      #expect(household.coming(1) == "mon 08:15 from mon 07:30")
    }
    household.stop("work", at: "08:15")
    _ = household.wait(until: "tue 06:00")
    _ = household.move("work", "06:30")
    household.stop("work", at: "06:30")
    _ = household.unskip("work")
    #expect(household.coming(1) == "wed 07:30")
  }

  @Test("Undoing a move also undoes it if the alarm has ended before the new time")
  func takenBackAfterTheEnd() {
    let alarm = Alarm.quiet("late", "23:30")
    var ended = alarm
    ended.recurrence.until = CivilDate("2026-11-23")
    var household = Household(alarm, at: "2026-11-23 22:00")
    _ = household.move("late", "00:15")
    _ = household.configure([ended])
    #expect(household.coming(2) == "mon 23:30")
    _ = household.unskip("late")
    _ = household.configure([alarm])
    #expect(household.coming(1) == "mon 23:30")
  }

  @Test(
    "A once-only alarm can be moved, and does not ring again after that ring",
    arguments: ["once", "2026-11-23"])
  func once(days: String) {
    var household = Household(.quiet("train", "07:30", days), at: "2026-11-23 07:00")
    _ = household.move("train", "06:00")
    #expect(household.coming(3) == "tue 06:00 from mon 07:30")
    _ = household.restart(at: "08:00")
    #expect(household.coming(3) == "tue 06:00 from mon 07:30")
    household.stop("train", at: "tue 06:01")
    #expect(household.phase("train") == .over && household.coming(3) == "")
    #expect(household.restart(at: "06:30").allSatisfy { !$0.contains("play") })
  }

  @Test("If a pause covers the moved ring of a once-only alarm, it rings on the first day after")
  func onceLeftOut() {
    let nap = Alarm.quiet("nap", "15:00", "once")
    var paused = nap
    paused.apply([Pause(from: CivilDate("2026-11-23"), until: CivilDate("2026-11-24"))])
    var household = Household(nap, at: "2026-11-23 10:00")
    _ = household.move("nap", "16:00")
    _ = household.configure([paused])
    #expect(household.coming(2) == "wed 15:00")
    // If the pause is removed before the new time, the moved ring comes after all.
    _ = household.configure([nap])
    #expect(household.coming(2) == "mon 16:00 from mon 15:00")
    _ = household.configure([paused])
    var other = household
    _ = other.configure([nap], at: "17:00")
    #expect(other.coming(2) == "tue 15:00" && other.schedule.missed.isEmpty)
    #expect(household.wait(until: "wed 15:00").contains("wed 15:00 play nap"))
    _ = household.stop("nap")
    #expect(household.phase("nap") == .over)
  }

  @Test("Of more than 32 moves, the oldest are forgotten")
  func many() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    for count in 1...33 {
      _ = household.move("work", "08:15")
      _ = household.skip("work", .next(count))
      let moves = household.schedule.state.alarms["work"]?.moves
      #expect(moves?.count == min(count, AlarmState.movesKept))
      #expect(moves?.keys.min() == CivilDate(count > 32 ? "2026-11-24" : "2026-11-23"))
    }
  }

  @Test("A move is remembered for 31 days, in case the clock is set back")
  func forgotten() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.move("work", "08:15")
    for (time, count) in [("2026-12-24 09:00", 1), ("2026-12-25 09:00", 0)] {
      _ = household.wait(until: time)
      #expect(household.schedule.state.alarms["work"]?.moves.count == count)
    }
  }

  @Test("Moves and skips survive another zone, other settings, and switching off")
  func remembered() {
    var alarm = Alarm.quiet("work", "07:30")
    var household = Household(alarm, at: "2026-11-23 07:00")
    _ = household.move("work", "08:15")
    _ = household.move(to: "Europe/London")
    #expect(household.coming(1) == "mon 08:15 from mon 07:30")
    alarm.label = "Work"
    _ = household.configure([alarm])
    #expect(household.coming(1) == "mon 08:15 from mon 07:30")
    alarm.enabled = false
    _ = household.configure([alarm])
    #expect(household.coming(1) == "")
    _ = household.restart(at: "06:30", with: [alarm])
    alarm.enabled = true
    _ = household.configure([alarm])
    #expect(household.coming(1) == "mon 08:15 from mon 07:30")
    household.noteSound("Birds.ogg", of: "work")
    for (count, next) in [(1, "tue 07:30"), (2, "wed 07:30")] {
      _ = household.skip("work", .next(count))
      alarm.enabled = false
      _ = household.configure([alarm])
      alarm.enabled = true
      _ = household.configure([alarm])
      #expect(household.coming(1) == next)
    }
    #expect(household.schedule.entry("work")?.state.sound == "Birds.ogg")
    // With another time of day, the alarm counts as new, and its moves and skips are gone.
    alarm.recurrence.time = CivilTime("09:00")
    _ = household.configure([alarm])
    #expect(household.coming(1) == "mon 09:00")
  }

  @Test("An alarm that is switched off keeps a move until the moved ring is due")
  func switchedOff() {
    var off = Alarm.quiet("work", "07:30")
    off.enabled = false
    for (time, isKept) in [("08:14:59", true), ("08:15", false)] {
      var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
      _ = household.move("work", "08:15")
      _ = household.configure([off], at: time)
      #expect((household.schedule.state.alarms["work"]?.moves.count == 1) == isKept, "\(time)")
    }
  }

  @Test("A moved ring is left out if the day on which it falls is excepted")
  func leftOut() {
    var alarm = Alarm.quiet("late", "23:30")
    alarm.recurrence.except = ExceptedDays([CivilDate("2026-11-24")...CivilDate("2026-11-24")])
    alarm.recurrence.until = CivilDate("2026-11-25")
    var household = Household(alarm, at: "2026-11-23 22:00")
    func fault(_ time: String) -> MoveFault? {
      do throws(MoveFault) {
        _ = try household.schedule.entry("late")?.nextMoved(
          to: CivilTime(time), at: household.now.wall, in: household.zones)
        return nil
      } catch { return error }
    }
    #expect(fault("00:15") == .excepted(CivilDate("2026-11-24")))
    #expect(household.move("late", "00:15") == [])
    #expect(fault("23:00") == nil)
    var household2 = household
    _ = household2.skip("late")
    household = household2
    _ = household.wait(until: "2026-11-25 22:00")
    #expect(fault("21:00") == .ended(CivilDate("2026-11-25")))
    // If the user excepts the new day of a moved ring later, the ring does not come.
    var other = Household(.quiet("late", "23:30"), at: "2026-11-23 22:00")
    _ = other.move("late", "00:15")
    _ = other.configure([alarm])
    #expect(other.coming(1) == "wed 23:30")
  }
}
