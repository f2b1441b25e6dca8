// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests clocks that are ahead of the true time, or may be ahead. If a ring is missed only by such a
// clock, the agent does not list the ring as missed at once.

import Scheduling
import Testing

@Suite("A clock that may run ahead")
struct DoubtedClockTests {
  private let alarms: [Alarm] = [.quiet("work", "07:30"), .quiet("bus", "07:00")]

  /// Returns a machine that was off since Sunday, with the effects of its start. Its clock shows
  /// Wednesday 08:30, which is after both alarms.
  private func started(synchronized: Bool) -> (Household, [String]) {
    var household = Household(alarms, at: "2026-11-22 12:00")
    let story = household.reboot(at: "2026-11-25 08:30", synchronized: synchronized)
    return (household, story)
  }

  @Test("Without a time service, missed rings are shown a minute later")
  func heldBack() {
    var (household, story) = started(synchronized: false)
    #expect(story == ["wed 08:30 persist"])
    #expect(
      household.wait(until: "08:32") == [
        "wed 08:31 post missed work 3 times, last wed 07:30 off, bus 3 times, last wed 07:00 off"
      ])
    #expect(household.next == "thu 06:59:58")
  }

  @Test("With a time service, missed rings are shown at once")
  func synchronized() {
    #expect(started(synchronized: true).1.first?.hasPrefix("wed 08:30 post missed work 3") == true)
  }

  @Test("If the clock is corrected within that minute, the alarm rings and is not missed")
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

  @Test("An alarm that is due within `late` rings at once, whether the clock is right or not")
  func ringsAtOnce() {
    var household = Household(alarms, at: "2026-11-22 12:00")
    let story = household.reboot(at: "2026-11-23 07:35", synchronized: false)
    #expect(story.first == "mon 07:35 play work")
    #expect(!story.contains { $0.contains("missed") })
  }

  @Test(
    "A clock without a time service is doubted after a start of the machine or a long step",
    arguments: [
      (299, .zero, true), (300, .zero, false), (nil, .seconds(5), false), (nil, .seconds(6), true),
    ] as [(Int?, Duration, Bool)])
  func doubted(boot: Int?, step: Duration, isDoubted: Bool) {
    var household = Household(alarms, at: "2026-11-23 06:00")
    household.synchronize(false)
    let story =
      boot.map { household.reboot(at: "12:00", synchronized: false, after: .seconds($0)) }
      ?? household.setClock(to: "12:00", after: .hours(6) - step)
    #expect((story == ["mon 12:00 persist"]) == isDoubted, "\(story)")
  }

  @Test("A clock set forward without a time service is doubted; a restarted agent is not")
  func setForward() {
    var household = Household(alarms, at: "2026-11-23 06:00")
    household.synchronize(false)
    #expect(household.setClock(to: "12:00") == ["mon 12:00 persist"])
    #expect(household.restart(at: "12:00").first?.hasPrefix("mon 12:00 post missed work") == true)
  }
}

@Suite("A clock that ran ahead")
struct AheadClockTests {
  /// Returns an agent that started for the first time while the clock showed Tuesday 07:00,
  /// although it was Monday 09:30. Its alarm rang by that clock, and the ring ended as `end` says.
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
    "After the correction, a ring that came too early comes again when it is due",
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
    "The ring comes again, even if it was unanswered or is still ringing",
    arguments: ["unanswered", "rings"], ["daily", "2026-11-24"])
  func whateverTheEnd(end: String, days: String) {
    var household = rangAhead(days, end: end)
    _ = household.setClock(to: "2026-11-23 10:20")
    _ = household.stop("work")
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    #expect(household.schedule.missed.isEmpty)
  }

  @Test("A skipped ring stays skipped, because the user skipped its date")
  func skipped() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-24 07:00")
    _ = household.skip("work")
    _ = household.wait(until: "07:31")
    _ = household.setClock(to: "2026-11-23 10:20")
    #expect(household.coming(1) == "wed 07:30")
  }

  @Test("A ring comes again if the clock was corrected while the machine was off")
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

  @Test("After the clock was set back, a ring comes again only if it is over an hour ahead")
  func anHour() {
    for (time, comes) in [("06:30", false), ("06:29:59", true)] {
      var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
      household.stop("work", at: "07:31")
      _ = household.setClock(to: time)
      #expect(household.wait(until: "07:30").contains("mon 07:30 play work") == comes, "\(time)")
    }
  }
}
