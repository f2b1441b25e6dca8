// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clocks that are set, or never were: what becomes of an occurrence when time does not simply go by.

import Scheduling
import Testing

@Suite("A clock that is set")
struct SetClockTests {
  @Test("Forward across an alarm: within `late` it rings, beyond it is missed, and says why")
  func forward() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    var other = household
    #expect(household.setClock(to: "07:35").first == "mon 07:35 play work")
    #expect(
      other.setClock(to: "07:45") == [
        "mon 07:45 post missed work mon 07:30 clockSet", "mon 07:45 persist",
      ])
  }

  @Test("Forward by days, what was jumped over was missed because the clock was set")
  func forwardByDays() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    #expect(
      household.setClock(to: "2026-11-26 12:00").first
        == "thu 12:00 post missed work 4 times, last thu 07:30 clockSet")
  }

  @Test("What was slept through is not blamed on a clock that was set a little afterwards")
  func sleptThroughThenSet() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    household.drift(by: .seconds(3))
    #expect(
      household.sleep(until: "09:00").first == "mon 09:00 post missed work mon 07:30 asleep")
  }

  @Test("Back, it never rings an occurrence twice", arguments: ["stop", "skip", "unanswered"])
  func back(end: String) {
    var household = Household(
      Alarm("work", "07:30") {
        $0.upcoming = .zero
        $0.unanswered = .miss
      }, at: "2026-11-23 07:00")
    if end == "skip" { _ = household.skip("work") }
    _ = household.wait(until: "07:31")
    if end == "stop" { _ = household.stop("work") }
    _ = household.wait(until: "07:50")
    _ = household.setClock(to: "07:00")
    #expect(household.wait(until: "tue 07:00") == [])
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
  }

  @Test("Back by weeks, none of the days that rang ring again, and the others do")
  func backByWeeks() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-02 07:00")
    for _ in 0..<20 {
      _ = household.wait(until: "07:30")
      _ = household.stop("work")
      _ = household.wait(until: "\(household.tomorrow) 07:00")
    }
    _ = household.setClock(to: "2026-11-02 07:00")
    let rings = household.wait(until: "2026-11-24 07:00").filter { $0.contains("play") }
    #expect(rings.first == "sun 07:30 play work")
    #expect(household.phase("work") == .scheduled)
  }

  @Test("A once-only alarm that rang does not come back", arguments: ["once", "2026-11-23"])
  func onceBack(days: String) {
    var household = Household(.quiet("train", "07:30", days), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    _ = household.stop("train")
    _ = household.setClock(to: "2026-11-22 07:00")
    #expect(household.wait(until: "2026-11-30 07:00") == [])
  }

  @Test(
    "One that was missed only because the clock ran ahead rings after all",
    arguments: ["once", "2026-11-23", "daily"])
  func ranAhead(days: String) {
    var household = Household(.quiet("train", "07:30", days), at: "2026-11-23 07:00")
    _ = household.setClock(to: "12:00")
    #expect(
      household.setClock(to: "2026-11-23 07:01") == [
        "mon 07:01 persist", "mon 07:01 withdraw missed",
      ])
    #expect(household.wait(until: "07:30").contains("mon 07:30 play train"))
  }

  @Test("Set right a moment after it was due, it rings late rather than being missed")
  func setRightWithinLate() {
    var household = Household(.quiet("train", "07:30"), at: "2026-11-23 07:29")
    _ = household.sleep(until: "07:29:50")
    _ = household.setClock(to: "2026-11-27 12:00")
    _ = household.sleep(until: "12:02")
    #expect(
      household.setClock(to: "2026-11-23 07:31:50") == [
        "mon 07:31:50 play train", "mon 07:31:50 post ringing train", "mon 07:31:50 persist",
        "mon 07:31:50 withdraw missed",
      ])
  }

  @Test("What was acknowledged as missed and lies ahead again rings")
  func acknowledgedAhead() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.setClock(to: "2026-11-26 12:00")
    _ = household.acknowledge()
    _ = household.setClock(to: "2026-11-23 07:10")
    #expect(household.wait(until: "07:30").contains("mon 07:30 play work"))
  }

  @Test("What rings rings on for its full time, and its sound does not start again")
  func whileRinging() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:35")
    for time in ["09:00", "06:00", "2026-11-22 12:00"] {
      #expect(!household.setClock(to: time).contains { $0.contains("play") || $0.contains("sil") })
    }
    #expect(household.wait(until: "12:10").first == "sun 12:05 silence")
  }

  @Test("A snooze lasts as long as it was to, whatever the clock is set to")
  func whileSnoozed() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    _ = household.snooze("work")
    _ = household.wait(until: "07:35")
    #expect(
      household.setClock(to: "12:00") == [
        "mon 12:00 post snoozed work until mon 12:06", "mon 12:00 persist",
      ])
    #expect(household.wait(until: "12:06").contains("mon 12:06 play work"))
  }

  @Test("In 2099 nothing traps, and back in the present everything rings")
  func farFuture() {
    var household = Household(
      [.quiet("work", "07:30"), .quiet("train", "08:00", "once")], at: "2026-11-23 07:00")
    #expect(
      household.setClock(to: "2099-01-01 12:00").first
        == "thu 12:00 post missed work 35 times, last thu 07:30 clockSet, train mon 08:00 clockSet")
    #expect(household.reboot(at: "2099-01-01 13:00").count == 1)
    #expect(household.reboot(at: "2026-11-23 07:10") == ["mon 07:10 persist"])
    #expect(household.wait(until: "07:30").contains("mon 07:30 play work"))
    #expect(household.wait(until: "08:00").contains("mon 08:00 play train"))
  }

  @Test("A state from the far future is no reason to be silent")
  func futureState() {
    var state = State()
    state.alarms["work"] = AlarmState(
      signature: Recurrence("07:30", "daily").signature, handled: Instant(utc: "2099-01-01 00:00"))
    state.clock = Now(wall: Instant(utc: "2099-01-01 00:00"), boot: .seconds(5), bootID: "other")
    var schedule = Schedule(restoring: state)
    let now = Now(wall: Instant(utc: "2026-11-23 07:00"), boot: .seconds(9), bootID: "this")
    let zones = TestZones(machine: "UTC")
    #expect(
      schedule.apply(.configured([.quiet("work", "07:30")]), at: now, in: zones)
        == [.persist, .mixer, .tray, .changed])
    #expect(schedule.nextDeadline(after: now).wall?.utc == "2026-11-23 07:29:58")
  }
}

@Suite("A clock that was never set")
struct UnsetClockTests {
  @Test("In 1970 nothing is decided; once the clock is right, what is within `late` rings")
  func epoch() {
    var household = Household(
      [.quiet("work", "07:30"), .quiet("bus", "07:00")], at: "2026-11-22 12:00")
    #expect(household.reboot(at: "1970-01-01 07:29") == [])
    #expect(household.wait(until: "07:32") == ["thu 07:30 post clock unset"])
    #expect(household.deadline == nil)
    #expect(
      household.setClock(to: "2026-11-23 07:33") == [
        "mon 07:33 play work", "mon 07:33 post ringing work",
        "mon 07:33 post missed bus mon 07:00 off", "mon 07:33 persist",
        "mon 07:33 withdraw clockUnset",
      ])
  }

  @Test("An alarm first seen in 1970 is armed when the clock is right")
  func armedUnset() {
    var household = Household(
      [.quiet("work", "07:30"), .quiet("nap", "15:00", "once")], at: "1970-01-01 00:01")
    #expect(household.setClock(to: "2026-11-23 16:00") == ["mon 16:00 persist"])
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
    #expect(household.wait(until: "tue 15:00").contains("tue 15:00 post ringing nap"))
  }

  @Test("A snooze from before the machine was off ends by the right clock, not the unset one")
  func snoozedOverUnset() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    _ = household.snooze("work")
    #expect(
      household.reboot(at: "1970-01-01 00:00") == ["thu 00:00 post snoozed work until mon 07:41"])
    #expect(household.setClock(to: "2026-11-23 07:35") == [])
    #expect(household.wait(until: "07:41").contains("mon 07:41 play work"))
  }

  @Test("A ring from before the machine was off rings on, and for no longer than it was to")
  func ringingOverUnset() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    #expect(household.reboot(at: "1970-01-01 00:00").first == "thu 00:00 play work")
    #expect(household.setClock(to: "2026-11-23 07:35") == [])
    #expect(household.wait(until: "07:41").first == "mon 07:40 silence")
  }
}

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
    _ = household.wait(until: "07:31")
    _ = household.stop("work")
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
    _ = household.wait(until: "07:31")
    _ = household.stop("work")
    _ = household.setClock(to: "07:00")
    #expect(household.wait(until: "sat 07:00") == [])
  }

  @Test("A clock that is kept right and has stood for an hour is believed")
  func believed() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 05:00")
    _ = household.setClock(to: "06:00")
    _ = household.wait(until: "07:31")
    _ = household.stop("work")
    _ = household.setClock(to: "06:50")
    #expect(household.wait(until: "tue 07:00") == [])
  }

  @Test("By minutes ahead it has rung")
  func byMinutes() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:15")
    household.synchronize(false)
    _ = household.setClock(to: "07:24")
    _ = household.wait(until: "07:31")
    _ = household.stop("work")
    _ = household.setClock(to: "07:22")
    #expect(household.wait(until: "tue 07:00") == [])
  }

  @Test("Nobody kept it right since the start, and now somebody does: it rings when it is due")
  func startedAhead() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 01:00")
    _ = household.reboot(at: "2026-11-24 07:25", synchronized: false)
    _ = household.wait(until: "07:31")
    _ = household.stop("work")
    household.synchronize(true)
    _ = household.setClock(to: "2026-11-23 22:31")
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
  }
}
