// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how alarms ring if the clock is set, or was never set. Next: `DoubtedClockTests.swift`.

import Scheduling
import Testing

@Suite("A clock that is set")
struct SetClockTests {
  @Test("If the clock is set forward across an alarm, it rings within `late`, or is missed")
  func forward() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    var other = household
    #expect(household.setClock(to: "07:35").first == "mon 07:35 play work")
    #expect(
      other.setClock(to: "07:45") == [
        "mon 07:45 post missed work mon 07:30 clockSet", "mon 07:45 persist",
      ])
  }

  @Test("If the clock is set forward by days, the rings in between are missed, with the reason")
  func forwardByDays() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    #expect(
      household.setClock(to: "2026-11-26 12:00").first
        == "thu 12:00 post missed work 4 times, last thu 07:30 clockSet")
  }

  @Test(
    "A ring is missed because the clock was set only if it could have rung without that",
    arguments: [("07:40", "clockSet"), ("07:40:01", "asleep")])
  func leap(asleepUntil time: String, reason: String) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    let asleep = household.instant(time) - household.now.wall
    let story = household.setClock(to: "09:00", after: asleep)
    #expect(story.first == "mon 09:00 post missed work mon 07:30 \(reason)")
  }

  @Test(
    "A difference of up to 100 ms between the clocks is no step",
    arguments: [(900, false), (899, true), (1100, false), (1101, true)])
  func tolerance(milliseconds: Int, isStep: Bool) {
    var household = Household(timers: TimerSettings(countdown: false), at: "2026-11-23 07:00")
    _ = household.start("tea", .hours(1))
    // While a timer is running, a step of the clock is saved.
    let story = household.setClock(to: "07:00:01", after: .milliseconds(milliseconds))
    #expect(story == (isStep ? ["mon 07:00:01 persist"] : []))
  }

  @Test(
    "Set back by up to an hour, no occurrence rings twice",
    arguments: ["stop", "skip", "unanswered"])
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

  @Test("If the clock is set back by weeks, occurrences ring again, except within the next hour")
  func backByWeeks() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-02 07:00")
    for _ in 0..<20 {
      household.stop("work", at: "07:30")
      _ = household.wait(until: "\(household.tomorrow) 07:00")
    }
    #expect(household.schedule.state.alarms["work"]?.settled.count == 20)
    _ = household.setClock(to: "2026-11-02 07:00")
    let rings = household.wait(until: "2026-11-24 07:00").filter { $0.contains("play") }
    #expect(rings.first == "tue 07:30 play work")
  }

  @Test("The last 32 rings of an alarm are remembered, and no more")
  func settled() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-02 07:00")
    for day in 1...34 {
      household.stop("work", at: "07:30")
      #expect(household.schedule.state.alarms["work"]?.settled.count == min(day, 32))
      _ = household.wait(until: "\(household.tomorrow) 07:00")
    }
  }

  @Test(
    "A once-only alarm that rang comes back if the clock is set back by over an hour",
    arguments: ["once", "2026-11-23"])
  func onceBack(days: String) {
    var household = Household(.quiet("train", "07:30", days), at: "2026-11-23 07:00")
    household.stop("train", at: "07:31")
    _ = household.setClock(to: "06:40")
    #expect(household.wait(until: "2026-11-30 07:00") == [])
    _ = household.setClock(to: "2026-11-23 06:00")
    #expect(household.wait(until: "07:30").contains("mon 07:30 play train"))
  }

  @Test(
    "After the clock is set back, a ring that will ring again is not listed as unanswered",
    arguments: ["07:31", "07:45"])
  func unansweredAhead(setAt: String) {
    var household = Household(
      Alarm("train", "07:30", "once") {
        $0.upcoming = .zero
        $0.unanswered = .miss
      }, at: "2026-11-23 06:00")
    _ = household.setClock(to: "07:29")
    // At 07:31 it is still ringing, at 07:45 it is missed.
    _ = household.wait(until: setAt)
    #expect(household.schedule.missed.map(\.reason) == (setAt == "07:45" ? [.unanswered] : []))
    _ = household.setClock(to: "06:05")
    #expect(household.schedule.missed.isEmpty)
    _ = household.wait(until: "07:29")
    #expect(household.schedule.missed.isEmpty)
    #expect(household.wait(until: "07:30").contains("mon 07:30 play train"))
  }

  @Test(
    "An alarm that was missed only because the clock was ahead rings when it is due",
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

  @Test("A ringing alarm goes on for its full length, and its sound does not start again")
  func whileRinging() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:35")
    for time in ["09:00", "06:00", "2026-11-22 12:00"] {
      #expect(!household.setClock(to: time).contains { $0.contains("play") || $0.contains("sil") })
    }
    #expect(household.wait(until: "12:10").first == "sun 12:05 silence")
  }

  @Test("A snooze keeps its length, whatever the clock is set to")
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
    // The machine is turned off when the snooze has 10 minutes left. When it starts, its clock is
    // an hour behind.
    _ = household.snooze("work")
    #expect(household.reboot(at: "11:06").first == "mon 11:06 post snoozed work until mon 11:16")
  }

  @Test("A clock in 2099 causes no crash, and every alarm rings once the clock is right")
  func farFuture() {
    var household = Household(
      [.quiet("work", "07:30"), .quiet("train", "08:00", "once")], at: "2026-11-23 07:00")
    #expect(
      household.setClock(to: "2099-01-01 12:00").first
        == "thu 12:00 post missed work 36 times, last thu 07:30 clockSet, train mon 08:00 clockSet")
    #expect(household.reboot(at: "2099-01-01 13:00").count == 1)
    #expect(household.reboot(at: "2026-11-23 07:10") == ["mon 07:10 persist"])
    #expect(household.wait(until: "07:30").contains("mon 07:30 play work"))
    #expect(household.wait(until: "08:00").contains("mon 08:00 play train"))
  }

  @Test(
    "An alarm that is due while the clock shows 2099 rings once the clock is right",
    arguments: [false, true])
  func dueInFarFuture(reboots: Bool) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:29:50")
    let far = "2099-01-01 12:00"
    _ = reboots ? household.reboot(at: far) : household.setClock(to: far)
    #expect(household.setClock(to: "2026-11-23 07:34").first == "mon 07:34 play work")
    #expect(household.schedule.missed.isEmpty)
    _ = household.stop("work")
    #expect(household.coming(1) == "tue 07:30")
  }
}

@Suite("A clock that was never set")
struct UnsetClockTests {
  @Test("In 1970 no ring is missed; once the clock is right, alarms within `late` ring")
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

  @Test("An alarm that is first seen in 1970 is armed when the clock is right")
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

  @Test("A silence, a snooze and a check that begin in 1970 end on time")
  func ringingUnset() {
    var household = Household(
      Alarm("work", "07:30") { ($0.upcoming, $0.check) = (.zero, .minutes(5)) },
      at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    #expect(household.reboot(at: "1970-01-01 00:00").first == "thu 00:00 play work")
    _ = household.hush("work")
    #expect(household.wait(until: "00:02").contains("thu 00:01 play work"))
    var stopped = household
    _ = household.snooze("work")
    #expect(household.wait(until: "00:13").contains("thu 00:12 play work"))
    // Once the clock is set, the ring keeps its length.
    _ = household.setClock(to: "2026-11-23 08:00")
    #expect(household.wait(until: "08:09").contains("mon 08:09 silence"))
    _ = stopped.stop("work")
    #expect(stopped.wait(until: "00:07").contains("thu 00:07 look work"))
  }

  @Test("A change of zone while the clock is unset counts when the clock is set")
  func movedUnset() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    household.stop("work", at: "07:31")
    for (zone, time, next) in [
      ("Asia/Seoul", "2026-11-24 07:00", "tue 07:30"),
      ("America/New_York", "2026-11-23 13:00", "tue 07:30"),
      ("America/New_York", "2026-11-23 07:00", "mon 07:30"),
    ] {
      var other = household
      _ = other.reboot(at: "1970-01-01 00:00")
      #expect(other.move(to: zone) == [])
      _ = other.setClock(to: time)
      #expect(other.coming(1) == next && other.schedule.missed.isEmpty, "\(zone) \(time)")
      let plays = other.wait(until: "2026-11-24 07:30").filter { $0.contains("play") }
      #expect(plays.first == "\(next) play work")
    }
  }
}
