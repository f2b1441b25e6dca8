// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clocks that ran ahead or may have: what seems missed by them is not believed at once.

import Scheduling
import Testing

@Suite("A clock that may be wrong ahead")
struct DoubtedClockTests {
  private let alarms: [Alarm] = [.quiet("work", "07:30"), .quiet("bus", "07:00")]

  /// Off since Sunday, and started on what its clock calls Wednesday, an hour after both alarms.
  private func started(synchronized: Bool) -> (Household, [String]) {
    var household = Household(alarms, at: "2026-11-22 12:00")
    let story = household.reboot(at: "2026-11-25 08:30", synchronized: synchronized)
    return (household, story)
  }

  @Test("Where nobody keeps it right, what seems missed is told a minute later")
  func heldBack() {
    var (household, story) = started(synchronized: false)
    #expect(story == ["wed 08:30 persist"])
    #expect(
      household.wait(until: "08:32") == [
        "wed 08:31 post missed work 3 times, last wed 07:30 off, bus 3 times, last wed 07:00 off"
      ])
    #expect(household.next == "thu 06:59:58")
  }

  @Test("Where somebody does, at once")
  func synchronized() {
    #expect(started(synchronized: true).1.first?.hasPrefix("wed 08:30 post missed work 3") == true)
  }

  @Test("Put right within that minute, it was never missed, and rings")
  func putRight() {
    var (household, _) = started(synchronized: false)
    household.synchronize(true)
    #expect(
      household.setClock(to: "2026-11-23 07:10") == [
        "mon 07:10 play bus", "mon 07:10 post ringing bus", "mon 07:10 persist",
      ])
    _ = household.stop("bus")
    #expect(household.wait(until: "07:30").contains("mon 07:30 play work"))
  }

  @Test("What is due within `late` rings at once, right clock or not")
  func ringsAtOnce() {
    var household = Household(alarms, at: "2026-11-22 12:00")
    let story = household.reboot(at: "2026-11-23 07:35", synchronized: false)
    #expect(story.first == "mon 07:35 play work")
    #expect(!story.contains { $0.contains("missed") })
  }

  @Test("A clock set forward while nobody keeps it right is doubted too, a restart is not")
  func setForward() {
    var household = Household(alarms, at: "2026-11-23 06:00")
    household.synchronize(false)
    #expect(household.setClock(to: "12:00") == ["mon 12:00 persist"])
    #expect(household.restart(at: "12:00").first?.hasPrefix("mon 12:00 post missed work") == true)
  }
}

@Suite("A clock that ran ahead")
struct AstrayClockTests {
  private let future = "2026-11-24 07:00"

  /// On Monday the clock is set to Tuesday 07:00, where the alarm rings and is answered.
  private func rangInAFutureThatWasNot(
    _ days: String = "daily", end: String = "stop"
  ) -> Household {
    var household = Household(
      Alarm("work", "07:30", days) {
        $0.upcoming = .zero
        $0.unanswered = .miss
      }, at: "2026-11-23 09:00")
    household.synchronize(false)
    _ = household.setClock(to: future)
    let rings = household.wait(until: "07:31")
    #expect(rings.contains("tue 07:30 play work"))
    if end == "stop" { _ = household.stop("work") }
    _ = household.wait(until: end == "rings" ? "07:32" : "07:50")
    return household
  }

  @Test(
    "Put right, what rang by it rings when it is due, with and without a restart",
    arguments: ["daily", "once", "2026-11-24"], [false, true])
  func comesAgain(days: String, restarts: Bool) {
    var household = rangInAFutureThatWasNot(days)
    if restarts { _ = household.restart(at: "07:55") }
    _ = household.setClock(to: "2026-11-23 10:00")
    if restarts { _ = household.restart(at: "10:05") }
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    _ = household.stop("work")
    #expect(household.phase("work") == (days == "daily" ? .scheduled : .over))
  }

  @Test(
    "Whatever became of it then", arguments: ["unanswered", "rings"], ["daily", "2026-11-24"])
  func whateverTheEnd(end: String, days: String) {
    var household = rangInAFutureThatWasNot(days, end: end)
    _ = household.setClock(to: "2026-11-23 10:00")
    _ = household.stop("work")
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    #expect(household.schedule.missed.isEmpty)
  }

  @Test("What rings on since then is not missed as well, should the clock leap over its time")
  func leaptOverWhileRinging() {
    var household = Household(
      Alarm("work", "07:30") {
        $0.upcoming = .zero
        $0.ringFor = nil
      }, at: "2026-11-23 09:00")
    household.synchronize(false)
    _ = household.setClock(to: future)
    _ = household.wait(until: "07:31")
    _ = household.setClock(to: "2026-11-23 10:00")
    _ = household.setClock(to: "2026-11-24 12:00")
    _ = household.wait(until: "12:05")
    #expect(household.schedule.missed.isEmpty)
    #expect(household.schedule.entry("work")?.ring != nil)
    #expect(household.stop("work").contains("tue 12:05 silence"))
    #expect(household.next == "wed 07:29:58")
  }

  @Test("Put right while the machine was off, it rings as well")
  func putRightWhenOff() {
    var household = rangInAFutureThatWasNot()
    #expect(!household.reboot(at: "2026-11-23 12:00").isEmpty)
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
  }

  @Test("Put right in steps, or first too far back, it rings as well")
  func inSteps() {
    for steps in [
      ["2026-11-23 20:00", "2026-11-23 10:00"], ["2026-11-20 12:00", "2026-11-23 10:00"],
    ] {
      var household = rangInAFutureThatWasNot()
      for step in steps { _ = household.setClock(to: step) }
      #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"), "\(steps)")
    }
  }

  @Test("What rang before the clock ran ahead never comes again")
  func rangBefore() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    household.synchronize(false)
    household.stop("work", at: "07:31")
    _ = household.setClock(to: "2026-11-24 07:45")
    _ = household.setClock(to: "2026-11-23 06:45")
    #expect(household.wait(until: "tue 07:00") == [])
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
  }

  @Test("What rang by a clock that was put right never comes again, should it be set back")
  func rangByTheRightClock() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-20 06:00")
    household.synchronize(false)
    _ = household.setClock(to: "2026-11-18 06:00")
    _ = household.setClock(to: "2026-11-20 06:00")
    household.stop("work", at: "07:31")
    _ = household.setClock(to: "07:00")
    #expect(household.wait(until: "sat 07:00") == [])
  }

  @Test("A clock that is kept right and has stood for an hour is believed")
  func believed() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 05:00")
    _ = household.setClock(to: "06:00")
    household.stop("work", at: "07:31")
    _ = household.setClock(to: "06:50")
    #expect(household.wait(until: "tue 07:00") == [])
  }

  @Test("By minutes ahead it has rung")
  func byMinutes() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:15")
    household.synchronize(false)
    _ = household.setClock(to: "07:24")
    household.stop("work", at: "07:31")
    _ = household.setClock(to: "07:22")
    #expect(household.wait(until: "tue 07:00") == [])
  }

  @Test("Nobody kept it right since the start, and now somebody does: it rings when it is due")
  func startedAhead() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 01:00")
    _ = household.reboot(at: "2026-11-24 07:25", synchronized: false)
    household.stop("work", at: "07:31")
    household.synchronize(true)
    _ = household.setClock(to: "2026-11-23 22:31")
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
  }
}
