// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the history tells of each ring, in virtual time. 2026-11-23 is a Monday.

import Scheduling
import Testing

@Suite("What became of a ring")
struct OutcomeTests {
  private static func ringing(_ adjust: (inout RingSettings) -> Void = { _ in }) -> Household {
    var household = Household(
      Alarm("work", "07:30") {
        $0.upcoming = .zero
        adjust(&$0)
      }, at: "2026-11-23 06:00")
    _ = household.wait(until: "07:30:20")
    return household
  }

  @Test("Stopped; what rings still, is hushed, skipped or acknowledged is no end")
  func stopped() {
    var household = Self.ringing()
    _ = household.hush("work")
    _ = household.skip("work")
    _ = household.acknowledge()
    #expect(household.history == [])
    _ = household.stop("work")
    _ = household.wait(until: "tue 12:00")
    #expect(household.history == ["work mon 07:30: stopped"])
  }

  @Test("Nobody answers: snoozed by itself, and missed in the end")
  func unanswered() {
    var household = Self.ringing { $0.autoSnoozes = 2 }
    _ = household.wait(until: "12:00")
    #expect(
      household.history == [
        "work mon 07:30: snoozed by itself until mon 07:50",
        "work mon 07:30 snoozed 1: snoozed by itself until mon 08:10",
        "work mon 07:30 snoozed 2: missed unanswered",
      ])
    _ = household.acknowledge()
    #expect(household.history.count == 3)
  }

  @Test("What never rang is missed, with the reason")
  func missed() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.sleep(until: "09:00")
    _ = household.restart(at: "tue 09:00")
    household.synchronize(false)
    _ = household.setClock(to: "wed 09:00")
    #expect(
      household.history == [
        "work mon 07:30 silent: missed asleep", "work tue 07:30 silent: missed off",
      ])
    // A clock that may be wrong is given a minute.
    _ = household.wait(until: "09:02")
    #expect(household.history.last == "work wed 07:30 silent: missed clockSet")
  }

  @Test("What a clock seemed to have swallowed, and did not, is not told")
  func takenBack() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    household.synchronize(false)
    _ = household.setClock(to: "09:00")
    _ = household.setClock(to: "2026-11-23 06:00")
    household.stop("work", at: "07:31")
    #expect(household.history == ["work mon 07:30: stopped"])
  }

  @Test(
    "Disabled or moved while it rings or is snoozed, it is removed",
    arguments: [[Alarm("work", "07:30", enabled: false)], [.quiet("work", "08:30")]],
    [false, true])
  func removed(alarms: [Alarm], isSnoozed: Bool) {
    var household = Self.ringing()
    if isSnoozed { _ = household.snooze("work") }
    _ = household.configure(alarms)
    #expect(
      household.history.last
        == (isSnoozed ? "work mon 07:30 silent snoozed 1: removed" : "work mon 07:30: removed"))
  }

  @Test("Killed in the middle and started again, it is one ring")
  func restarted() {
    var household = Self.ringing()
    _ = household.restart(at: "07:31")
    #expect(household.history == [])
    _ = household.stop("work")
    #expect(household.history == ["work mon 07:30: stopped"])
  }

  @Test("Killed in the middle and started too late, it ends where it would have")
  func restartedLate() {
    var household = Self.ringing { $0.unanswered = .miss }
    _ = household.restart(at: "09:00")
    #expect(household.history == ["work mon 07:30: missed unanswered"])
    _ = household.restart(at: "09:01")
    #expect(household.history.count == 1)
  }

  @Test("A timer rings like an alarm, and may run again")
  func timers() {
    var household = Household(at: "2026-11-23 06:00")
    for id in ["tea", "egg", "rice"] {
      _ = household.apply(.startTimer(TimerOrder(id: id, duration: .minutes(5))))
    }
    _ = household.wait(until: "06:05:10")
    _ = household.apply(.timer("tea", .add(.minutes(1))))
    _ = household.stop("egg")
    _ = household.snooze("rice")
    _ = household.apply(.timer("rice", .cancel))
    household.stop("tea", at: "06:06:30")
    #expect(
      household.history == [
        "tea mon 06:05: restarted", "egg mon 06:05: stopped",
        "rice mon 06:05: snoozed until mon 06:15:10", "rice mon 06:05 silent snoozed 1: stopped",
        "tea mon 06:06:10: stopped",
      ])
  }
}
