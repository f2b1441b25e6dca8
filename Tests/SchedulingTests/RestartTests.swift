// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests rings if the agent is killed, the machine is off, or the zone or the config changes.

import Scheduling
import Testing

@Suite("An agent that is stopped and started")
struct RestartTests {
  @Test("A ring that was due before an alarm is first seen neither rings nor is missed")
  func arming() {
    var household = Household(
      [.quiet("work", "07:30"), .quiet("nap", "07:30", "once")], at: "2026-11-23 07:30")
    #expect(household.restart(at: "07:31") == [])
    #expect(household.wait(until: "tue 07:29") == [])
  }

  @Test("An alarm counts from when the file was saved, if the agent has not looked since")
  func sinceSaved() {
    let alarms: [Alarm] = [.quiet("work", "07:30"), .quiet("nap", "07:30", "once")]
    func added(_ saved: String, at now: String, restarts: Bool) -> [String] {
      var household = Household(.quiet("other", "23:00"), at: "2026-11-23 07:20")
      let effects =
        restarts
        ? household.restart(at: now, with: alarms, saved: saved)
        : household.configure(alarms, at: now, saved: saved)
      return effects.filter { $0.contains("play") || $0.contains("missed") }
    }
    for restarts in [false, true] {
      #expect(added("07:29", at: "07:31", restarts: restarts) == ["mon 07:31 play work"])
      #expect(added("07:30", at: "07:31", restarts: restarts) == [])
      // The agent has looked since.
      #expect(added("07:10", at: "07:31", restarts: restarts) == [])
      // The clock was set back after the file was saved.
      #expect(added("09:00", at: "07:31", restarts: restarts) == [])
    }
    #expect(added("07:29", at: "10:30", restarts: true).first?.contains("missed") == true)
    // An alarm that was there before keeps what it was.
    var household = Household(alarms, at: "2026-11-23 07:20")
    household.stop("work", at: "07:30")
    #expect(
      household.restart(at: "07:40", saved: "07:29").contains { $0.contains("play") } == false)
  }

  @Test("The first agent looks back a day at most")
  func firstLook() {
    for (saved, first) in [("07:29", "mon 07:31 play work"), ("2026-11-20 07:00", nil)] {
      var household = Household(at: "2026-11-23 07:20")
      household.forget()
      let effects = household.restart(at: "07:31", with: [.quiet("work", "07:30")], saved: saved)
      #expect(effects.first { $0.contains("play") || $0.contains("missed") } == first)
    }
  }

  @Test(
    "If the agent was off when an alarm was due, the alarm rings late or is missed",
    arguments: [
      ("2026-11-23 07:35", "mon 07:35 play work"),
      ("2026-11-23 10:30", "mon 10:30 post missed work mon 07:30 off"),
      ("2026-11-26 07:00", "thu 07:00 post missed work 3 times, last wed 07:30 off"),
    ])
  func off(until: String, first: String) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    var killed = household
    #expect(household.reboot(at: until).first == first)
    #expect(killed.restart(at: until).first == first)
  }

  @Test("If the agent stops during a ring, the ring goes on as if it had not stopped")
  func offInsideTheRing() {
    let ringing = {
      var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
      _ = household.wait(until: "07:31")
      return household
    }
    var (soon, later, late) = (ringing(), ringing(), ringing())
    #expect(soon.reboot(at: "07:45").first == "mon 07:45 post snoozed work until mon 07:50")
    #expect(later.reboot(at: "07:55").first == "mon 07:55 play work")
    #expect(late.reboot(at: "12:00").first == "mon 12:00 post missed work mon 07:30 off")
  }

  @Test("A snooze, a silence, a skip and a finished alarm survive a restart")
  func remembered() {
    var household = Household(
      [
        .quiet("snoozed", "07:30"), .quiet("hushed", "07:31"), .quiet("skipped", "08:00"),
        .quiet("over", "07:15", "once"),
      ], at: "2026-11-23 07:00")
    _ = household.skip("skipped")
    household.stop("over", at: "07:16")
    _ = household.wait(until: "07:31")
    _ = household.snooze("snoozed", .minutes(20))
    _ = household.hush("hushed")
    #expect(
      household.restart(at: "07:31:30") == [
        "mon 07:31:30 post ringing hushed hushed until mon 07:32",
        "mon 07:31:30 post snoozed snoozed until mon 07:51",
      ])
    let plays = household.wait(until: "tue 07:00").filter { $0.contains("play") }
    #expect(plays.first == "mon 07:32 play hushed")
    #expect(plays.contains("mon 07:51 play snoozed"))
    #expect(!plays.contains { $0.contains("skipped") || $0.contains("over") })
  }

  @Test("If the state is read late, what has happened since the start is kept as well")
  func readLate() {
    var household = Household(
      [
        .quiet("skipped", "08:00"), .quiet("snoozed", "07:05"), .quiet("rung", "07:15"),
        .quiet("over", "07:02", "once"),
      ], at: "2026-11-23 07:00")
    _ = household.skip("skipped")
    household.stop("over", at: "07:02")
    _ = household.wait(until: "07:05")
    _ = household.snooze("snoozed", .minutes(20))
    _ = household.start("tea", .minutes(30))
    _ = household.stopwatch(.start)
    let unread = household.rebootUnread(at: "07:10")
    #expect(household.schedule.timers.isEmpty && household.coming(1) == "mon 07:15")
    household.stop("rung", at: "07:15")
    _ = household.start("tea", .minutes(40))
    #expect(household.recall(unread).contains("mon 07:15 post snoozed snoozed until mon 07:25"))
    #expect(household.schedule.stopwatch.elapsed(at: household.now) == .minutes(10))
    #expect(household.disk == household.schedule.state)
    let plays = household.wait(until: "tue 07:00").filter { $0.contains("play") }
    #expect(plays.first == "mon 07:25 play snoozed")
    #expect(plays.contains("mon 07:35 play tea-2"))
    #expect(plays.contains("mon 07:55 play tea"))
    #expect(!plays.contains { ["skipped", "over", "rung"].contains($0.split(separator: " ")[3]) })
  }

  @Test("Before the config is read, nothing happens and nothing is forgotten")
  func beforeConfigured() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    var schedule = Schedule(restoring: household.disk)
    for event in [Event.tick, .stop("work"), .acknowledgeMissed, .zonesChanged] {
      #expect(schedule.apply(event, at: household.now, in: household.zones) == [])
    }
    #expect(schedule.state == household.disk)
    #expect(schedule.nextDeadline(after: household.now) == Deadline())
  }
}

@Suite("A zone or a config that changes")
struct ChangeTests {
  @Test("Alarms follow the machine's zone; rings that a change of zone skips are missed")
  func zones() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-22 12:00")
    _ = household.wait(until: "mon 04:00")
    #expect(household.move(to: "America/New_York") == ["sun 22:00 persist"])
    #expect(household.next == "mon 07:29:58")
    _ = household.move(to: "Europe/Berlin")
    #expect(
      household.move(to: "Asia/Seoul") == [
        "mon 12:00 post missed work mon 07:30 zoneChanged", "mon 12:00 persist",
      ])
  }

  @Test(
    "If a ring was too late before the zone changed, the change is not its reason",
    arguments: [("07:40", "zoneChanged"), ("07:40:01", "asleep")])
  func overdue(time: String, reason: String) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-22 12:00")
    #expect(
      household.move(to: "Asia/Seoul", at: "mon \(time)").first?
        .hasSuffix("missed work mon 07:30 \(reason)") == true)
  }

  @Test("If a change of zone brings the alarm's time again, the alarm rings again")
  func westward() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    household.stop("work", at: "07:31")
    for (time, rings) in [("13:40", true), ("13:40:01", false)] {
      var other = household
      let effects = other.move(to: "America/New_York", at: time)
      #expect(effects.contains { $0.contains("play") } == rings && other.schedule.missed.isEmpty)
    }
    _ = household.move(to: "America/New_York")
    #expect(household.wait(until: "07:31").contains("mon 07:30 play work"))
    _ = household.stop("work")
    _ = household.move(to: "Europe/Berlin")
    #expect(household.wait(until: "tue 07:00") == [])
  }

  @Test("A time that two changes of zone bring again is not missed on the day before the first")
  func twiceWestward() {
    var household = Household(
      .quiet("work", "07:30"), at: "2026-11-23 07:00", in: "Pacific/Kiritimati")
    household.stop("work", at: "07:31")
    _ = household.move(to: "Pacific/Honolulu")
    #expect(household.wait(until: "09:01") == [] && household.coming(1) == "mon 07:30")
    // In this zone, the time of Sunday came 31 minutes ago, and later than Monday's on Kiritimati.
    _ = household.move(to: "Pacific/Pago_Pago")
    #expect(household.schedule.missed.isEmpty && household.coming(1) == "mon 07:30")
  }

  /// Returns a household at 05:00 whose alarm of 07:30 is ringing, because the clock was ahead when
  /// it began.
  private func ringingEarly(_ days: String = "daily") -> Household {
    var household = Household(
      Alarm("work", "07:30", days) {
        $0.upcoming = .zero
        $0.ringFor = nil
      }, at: "2026-11-23 06:00")
    _ = household.setClock(to: "07:29")
    #expect(household.wait(until: "07:30").contains("mon 07:30 play work"))
    _ = household.setClock(to: "05:00")
    return household
  }

  @Test("A ring that began too early, and is stopped abroad after its due time, does not return")
  func stoppedElsewhere() {
    var household = ringingEarly()
    // The ring goes on in Seoul. It is due at 07:30 in Berlin, which is 15:30 in Seoul, but by the
    // time of Seoul, no ring is due at that moment.
    _ = household.move(to: "Asia/Seoul")
    _ = household.wait(until: "15:31")
    #expect(household.stop("work").contains("mon 15:31 silence"))
    #expect(household.coming(1) == "tue 07:30")
    #expect(household.move(to: "Europe/Berlin") == [])
    #expect(household.wait(until: "12:00") == [])
    #expect(household.coming(1) == "tue 07:30")
  }

  @Test(
    "A ring that is moved while it rings too early is still to come when it is stopped",
    arguments: ["daily", "once"])
  func movedWhileEarly(days: String) {
    var household = ringingEarly(days)
    _ = household.move("work", "09:00")
    _ = household.wait(until: "08:00")
    #expect(household.stop("work").contains("mon 08:00 silence"))
    _ = household.restart(at: "08:30")
    #expect(household.wait(until: "09:00").contains("mon 09:00 play work"))
  }

  @Test("A ring that began too early, and ended while the machine was off, is still to come")
  func endedWhileOff() {
    var household = Household(
      Alarm("work", "07:30") { $0.check = .minutes(5) }, at: "2026-11-22 05:28")
    _ = household.setClock(to: "mon 07:29")
    _ = household.wait(until: "07:30")
    #expect(household.stop("work").contains("mon 07:30 silence"))
    _ = household.setClock(to: "2026-11-22 05:32")
    #expect(household.restart(at: "mon 07:35").contains("mon 07:35 play work"))
  }

  @Test("A ring goes on through a change of zone; an alarm with its own zone ignores it")
  func zoneWhileRinging() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    #expect(household.move(to: "Asia/Seoul") == [])
    #expect(household.wait(until: "16:00").first == "mon 15:40 silence")
    var fixed = Household(
      Alarm("call", "09:00", zone: "Asia/Seoul") { $0.upcoming = .zero }, at: "2026-11-23 01:30")
    _ = fixed.move(to: "America/New_York")
    #expect(fixed.deadline?.utc == "2026-11-23 23:59:58")
  }

  @Test(
    "An alarm that is disabled or gets another time while it rings stops",
    arguments: [Alarm("work", "07:30", enabled: false), .quiet("work", "07:29")])
  func changedWhileRinging(alarm: Alarm) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    #expect(
      household.configure([alarm]) == [
        "mon 07:31 silence", "mon 07:31 persist", "mon 07:31 withdraw ringing work",
      ])
    #expect(household.wait(until: "11:59").allSatisfy { $0.hasSuffix("persist") })
  }

  @Test("A tick for a deleted or changed alarm rings nothing")
  func oldTimer() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.configure([.quiet("work", "09:00")])
    #expect(household.sleep(until: "07:30") == [])
    _ = household.configure([])
    // At 09:00 the agent has forgotten the alarm, which left the config more than ten minutes ago.
    #expect(household.sleep(until: "09:00") == ["mon 09:00 persist"])
  }

  @Test("A new sound is played during the ring, and a new label is shown")
  func otherSettings() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    var alarm = Alarm.quiet("work", "07:30")
    alarm.ring.sounds = ["Harp"]
    #expect(household.configure([alarm]) == ["mon 07:31 play work"])
    alarm.label = "Up!"
    #expect(household.configure([alarm]) == ["mon 07:31 post ringing work"])
    #expect(household.configure([alarm]) == [])
  }

  @Test("An alarm with a new time still knows the sound that it played last")
  func lastSound() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    household.noteSound("Birds.ogg", of: "work")
    #expect(household.apply(.tick) == ["mon 07:00 persist"])
    _ = household.configure([.quiet("work", "09:00")])
    #expect(household.schedule.state.alarms["work"]?.sound == "Birds.ogg")
  }

  @Test("A once-only alarm that has rung rings again after it is enabled again")
  func enabledAnew() {
    let nap = Alarm.quiet("nap", "15:00", "once")
    var household = Household(nap, at: "2026-11-23 14:00")
    household.stop("nap", at: "15:00")
    #expect(household.configure([nap]) == [])
    #expect(household.deadline == nil)
    var off = nap
    off.enabled = false
    _ = household.configure([off])
    _ = household.configure([nap])
    #expect(household.wait(until: "tue 15:00").contains("tue 15:00 play nap"))
  }

  @Test("Answers to alarms that do not exist or do not ring change nothing")
  func idleAnswers() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    for id in ["work", "nobody"] {
      let events = [Event.stop(id), .snooze(id, .minutes(5)), .hush(id), .unskip(id)]
      #expect(events.flatMap { household.apply($0) } == [])
    }
    #expect(household.skip("nobody") == [])
  }
}
