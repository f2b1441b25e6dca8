// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests occurrences that the agent finds late or too late, and several rings at once. 2026-11-23 is
// a Monday.

import Scheduling
import Testing

@Suite("Rings that are found late or missed, and several at once")
struct LateTests {
  @Test(
    "An alarm that is found late rings within `late`, and is missed after that",
    arguments: [
      ("07:30:01", true), ("07:40", true), ("07:40:01", false), ("12:00", false),
    ])
  func late(time: String, rings: Bool) {
    var household = Household(
      Alarm("work", "07:30") { $0.upcoming = .zero }, at: "2026-11-23 06:00")
    let story = household.sleep(until: time)
    if rings {
      #expect(
        story == ["mon \(time) play work", "mon \(time) post ringing work", "mon \(time) persist"])
    } else {
      #expect(story == ["mon \(time) post missed work mon 07:30 asleep", "mon \(time) persist"])
    }
  }

  @Test("With `late` zero, an alarm still rings if the tick comes a moment late")
  func lateZero() {
    var household = Household(Alarm("work", "07:30") { $0.late = .zero }, at: "2026-11-23 06:00")
    #expect(household.sleep(until: "07:30:05").contains("mon 07:30:05 play work"))
    _ = household.stop("work")
    #expect(
      household.sleep(until: "tue 07:30:06").contains(
        "tue 07:30:06 post missed work tue 07:30 asleep"))
  }

  @Test("A snooze that ended during a sleep rings if it is found at most `late` later")
  func lateSnooze() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:31")
    _ = household.snooze("work")
    var other = household
    #expect(household.sleep(until: "07:51").first == "mon 07:51 play work")
    #expect(
      other.sleep(until: "07:51:01").first == "mon 07:51:01 post missed work mon 07:30 asleep")
  }

  @Test("An alarm that rings late rings for its full length")
  func fullTime() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.sleep(until: "07:39")
    #expect(household.wait(until: "08:00").first == "mon 07:49 silence")
  }

  @Test("If several occurrences are due within a long `late`, only the latest rings")
  func lateOverDays() {
    var household = Household(
      Alarm("work", "07:30") {
        $0.late = .hours(72)
        $0.upcoming = .zero
      }, at: "2026-11-23 06:00")
    #expect(
      household.sleep(until: "wed 08:00") == [
        "wed 08:00 play work", "wed 08:00 post ringing work",
        "wed 08:00 post missed work 2 times, last tue 07:30 asleep", "wed 08:00 persist",
      ])
    // The missed rings stay missed, although they are within `late`.
    #expect(household.wait(until: "08:05") == [])
  }

  @Test(
    "A missed ring that a later ring replaced stays missed if the clock is set back a little",
    arguments: ["rings", "stop", "snooze"], ["07:59:59", "07:15"])
  func replaced(end: String, time: String) {
    var household = Household(
      Alarm("work", "07:30") { ($0.late, $0.upcoming) = (.hours(72), .zero) },
      at: "2026-11-23 06:00")
    _ = household.sleep(until: "wed 08:00")
    if end == "stop" { _ = household.stop("work") }
    if end == "snooze" { _ = household.snooze("work") }
    let before = household.schedule
    #expect(!household.setClock(to: time).contains { $0.contains("play") })
    #expect(household.schedule.missed == before.missed)
    #expect(household.schedule.openRing("work")?.ring.due == before.openRing("work")?.ring.due)
    #expect(household.coming(1).hasSuffix("thu 07:30") || end == "snooze")
  }

  @Test("A missed ring is upcoming again if the clock is set back to before it")
  func replacedAhead() {
    var household = Household(.quiet("late", "23:00"), at: "2026-11-23 22:00")
    _ = household.move("late", "01:30")
    _ = household.move("late", "23:05")
    _ = household.wait(until: "tue 22:50")
    #expect(household.coming(2) == "tue 23:00, tue 23:05 from mon 23:00")
    let story = household.setClock(to: "23:06")
    #expect(story.contains("tue 23:06 post missed late tue 23:00 clockSet"))
    _ = household.stop("late")
    _ = household.setClock(to: "22:50")
    #expect(household.schedule.missed.isEmpty)
    #expect(household.wait(until: "23:00").contains("tue 23:00 play late"))
  }

  @Test("All missed rings are in one notice, which is kept over restarts until acknowledged")
  func digest() {
    var household = Household(
      [Alarm("work", "07:30"), Alarm("bus", "08:00")].map {
        var alarm = $0
        alarm.ring.upcoming = .zero
        return alarm
      }, at: "2026-11-23 06:00")
    let digest = "work 2 times, last tue 07:30 asleep, bus 2 times, last tue 08:00 asleep"
    #expect(
      household.sleep(until: "tue 12:00") == [
        "tue 12:00 post missed \(digest)", "tue 12:00 persist",
      ]
    )
    #expect(household.restart(at: "13:00") == ["tue 13:00 post missed \(digest)"])
    #expect(household.acknowledge() == ["tue 13:00 persist", "tue 13:00 withdraw missed"])
    #expect(household.acknowledge() == [])
    #expect(household.restart(at: "14:00") == [])
  }

  @Test(
    "Of a repeating alarm, the first missed ring and those of 35 days are listed",
    arguments: [("07:30", 36), ("07:30:01", 35)])
  func lookBack(time: String, count: Int) {
    var household = Household(
      Alarm("work", "07:30") { $0.upcoming = .zero }, at: "2026-11-23 07:00")
    let story = household.sleep(until: "2026-12-29 \(time)")
    let missed = "tue \(time) post missed work \(count) times, last mon 07:30 asleep"
    #expect(story.first == "tue \(time) play work" && story.contains(missed))
    #expect(household.schedule.missed[0].dues[0] == Instant(utc: "2026-11-23 06:30"))
  }

  @Test("The ring of a yearly alarm is missed, however long ago it was due")
  func yearly() {
    var work = Alarm.quiet("work", "07:30")
    work.recurrence = Recurrence("07:30", every: 1, .years, from: "2025-07-01")
    var household = Household(work, at: "2026-06-25 12:00")
    var other = household
    #expect(
      household.reboot(at: "2026-08-10 12:00").first == "mon 12:00 post missed work wed 07:30 off")
    #expect(household.history == ["work wed 07:30 silent: missed off"])
    _ = other.skip("work")
    _ = other.reboot(at: "2026-08-10 12:00")
    #expect(other.schedule.missed.isEmpty)
  }

  @Test("The list of missed rings keeps the latest 100 rings of each alarm, and 50 alarms")
  func kept() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    for (time, count) in [("2026-12-28 08:00", 36), ("2027-02-01 08:00", 71)] {
      _ = household.sleep(until: time)
      #expect(household.schedule.missed.map(\.count) == [count])
    }
    _ = household.sleep(until: "2027-03-04 08:00")
    #expect(household.schedule.missed.map(\.count) == [100])
    #expect(household.schedule.missed.first?.dues.first == Instant(utc: "2026-11-25 06:30"))
    var many = Household((1...51).map { .quiet("\($0)", "07:30") }, at: "2026-11-23 07:00")
    _ = many.sleep(until: "09:00")
    #expect(many.schedule.missed.map(\.id) == (2...51).map { "\($0)" })
  }

  @Test("A ring that goes on for ever is missed when the alarm's next ring begins")
  func forever() {
    var household = Household(
      Alarm("work", "07:30") { ($0.upcoming, $0.ringFor) = (.zero, nil) }, at: "2026-11-23 07:00")
    _ = household.wait(until: "tue 07:30")
    #expect(household.history == ["work mon 07:30: missed unanswered"])
    #expect(household.schedule.missed.map(\.dues) == [[household.now.wall - .hours(24)]])
    #expect(household.schedule.ringing.map(\.ring.due) == [household.now.wall])
  }

  // MARK: several rings at once

  @Test("A silence lasts its full minute even if `ring_for` ends during it")
  func hushedAtTheEnd() {
    var household = Household(
      [
        Alarm("a", "07:30") {
          $0.upcoming = .zero
          ($0.ringFor, $0.unanswered) = (.minutes(5), .miss)
        }
      ], at: "2026-11-23 06:00")
    _ = household.wait(until: "07:34:59")
    _ = household.hush("a")
    #expect(household.wait(until: "07:35:58") == [])
    #expect(household.schedule.missed.isEmpty)
    _ = household.wait(until: "07:35:59")
    #expect(household.schedule.missed.map(\.reason) == [.unanswered])
  }
}
