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
struct AheadClockTests {
  /// The agent starts for the first time by a clock that shows Tuesday 07:00, when it is Monday
  /// 09:30: the alarm rings there, and comes to its `end`.
  private func rangAhead(_ days: String = "daily", end: String = "stop") -> Household {
    var household = Household(
      Alarm("work", "07:30", days) {
        $0.upcoming = .zero
        $0.unanswered = .miss
      }, at: "2026-11-24 07:00")
    _ = household.wait(until: "07:31")
    if end == "stop" { _ = household.stop("work") }
    _ = household.wait(until: end == "rings" ? "07:32" : "07:50")
    return household
  }

  @Test(
    "Put right, what rang by it rings when it is due, with and without a restart",
    arguments: ["daily", "once", "2026-11-24"], [false, true])
  func comesAgain(days: String, restarts: Bool) {
    var household = rangAhead(days)
    if restarts { _ = household.restart(at: "07:55") }
    _ = household.setClock(to: "2026-11-23 10:20")
    if restarts { _ = household.restart(at: "10:25") }
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    _ = household.stop("work")
    #expect(household.phase("work") == (days == "daily" ? .scheduled : .over))
  }

  @Test(
    "Whatever became of it then", arguments: ["unanswered", "rings"], ["daily", "2026-11-24"])
  func whateverTheEnd(end: String, days: String) {
    var household = rangAhead(days, end: end)
    _ = household.setClock(to: "2026-11-23 10:20")
    _ = household.stop("work")
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    #expect(household.schedule.missed.isEmpty)
  }

  @Test("A ring that was skipped stays so: that was said of its date")
  func skipped() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-24 07:00")
    _ = household.skip("work")
    _ = household.wait(until: "07:31")
    _ = household.setClock(to: "2026-11-23 10:20")
    #expect(household.coming(1) == "wed 07:30")
  }

  @Test("Put right while the machine was off, or by a state of a day ahead, it rings as well")
  func putRightWhenOff() {
    var household = rangAhead()
    #expect(!household.reboot(at: "2026-11-23 12:00").isEmpty)
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    var state = State()
    state.clock = Now(wall: household.instant("2026-11-23 10:00"), boot: .zero, bootID: "other")
    var work = AlarmState(
      signature: Recurrence("07:30", "daily").signature,
      handled: household.instant("2026-11-23 09:00"))
    work.settled = [household.instant("2026-11-25 07:30")]
    state.alarms["work"] = work
    var schedule = Schedule(restoring: state)
    _ = schedule.apply(
      .configured([.quiet("work", "07:30")]),
      at: Now(wall: household.instant("2026-11-23 12:00"), boot: .zero, bootID: "this"),
      in: household.zones)
    #expect(schedule.state.alarms["work"]?.settled == [])
  }

  @Test("An hour ahead it has rung, and any further it is still to come")
  func anHour() {
    for (time, comes) in [("06:30", false), ("06:29:59", true)] {
      var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
      household.stop("work", at: "07:31")
      _ = household.setClock(to: time)
      #expect(household.wait(until: "07:30").contains("mon 07:30 play work") == comes, "\(time)")
    }
  }
}
