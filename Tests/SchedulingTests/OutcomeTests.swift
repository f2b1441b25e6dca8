// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the history of each ring: how and when it ended. 2026-11-23 is a Monday.

import Scheduling
import Testing

@Suite("The history of a ring")
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

  @Test("Stop ends a ring; silence, skip and acknowledgement do not")
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

  @Test("An unanswered ring snoozes by itself and is missed in the end")
  func unanswered() {
    var household = Self.ringing { $0.autoSnoozeLimit = 2 }
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

  @Test("An occurrence that never rang is missed, with the reason")
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
    // No time service has set this clock, so the agent waits one minute for a correction. If none
    // comes, the agent records the ring as missed.
    _ = household.wait(until: "09:02")
    #expect(household.history.last == "work wed 07:30 silent: missed clockSet")
  }

  @Test("While the clock is in doubt, the end of a ring is recorded, but not that of a snooze")
  func doubted() {
    var household = Self.ringing { $0.unanswered = .miss }
    var snoozed = household
    household.synchronize(false)
    _ = household.wait(until: "07:39:50")
    _ = household.setClock(to: "08:39:50")
    _ = household.wait(until: "08:40")
    #expect(household.history == ["work mon 07:30: missed unanswered"])
    _ = snoozed.snooze("work")
    _ = snoozed.reboot(at: "09:00", synchronized: false)
    #expect(snoozed.history.count == 1)
    _ = snoozed.wait(until: "09:01")
    #expect(snoozed.history.last == "work mon 07:30 silent snoozed 1: missed off")
  }

  @Test("A ring that was missed only by a wrong clock is not in the history")
  func takenBack() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    household.synchronize(false)
    _ = household.setClock(to: "09:00")
    _ = household.setClock(to: "2026-11-23 06:00")
    household.stop("work", at: "07:31")
    #expect(household.history == ["work mon 07:30: stopped"])
  }

  @Test(
    "A ring whose alarm is disabled or gets another time counts as removed",
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

  @Test("If the agent is killed during a ring and starts again, it is still one ring")
  func restarted() {
    var household = Self.ringing()
    _ = household.restart(at: "07:31")
    #expect(household.history == [])
    _ = household.stop("work")
    #expect(household.history == ["work mon 07:30: stopped"])
  }

  @Test("If the agent is killed in a ring and starts after it, the history has the ring's own end")
  func restartedLate() {
    var household = Self.ringing { $0.unanswered = .miss }
    _ = household.restart(at: "09:00")
    #expect(household.history == ["work mon 07:30: missed unanswered"])
    _ = household.restart(at: "09:01")
    #expect(household.history.count == 1)
  }

  @Test("The ring of a timer ends like an alarm's, or when the timer is restarted")
  func timers() {
    var household = Household(at: "2026-11-23 06:00")
    for id in ["tea", "egg", "rice"] {
      _ = household.apply(.startTimer(TimerOrder(id: id, RecentTimer(duration: .minutes(5)))))
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
    #expect(household.lengths == [nil, "0:05:00", "0:05:00", "0:05:00", "0:06:00"])
  }

  @Test("A timer that was missed without a sound has its length in the history, an alarm has none")
  func lengths() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.apply(.startTimer(TimerOrder(id: "tea", RecentTimer(duration: .minutes(5)))))
    _ = household.apply(.timer("tea", .add(.minutes(1))))
    _ = household.sleep(until: "09:00")
    #expect(household.lengths == ["0:06:00", nil])
  }
}
