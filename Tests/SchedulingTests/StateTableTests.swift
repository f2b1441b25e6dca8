// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the life of one occurrence, in the order of the table in `OccurrenceLife.swift`. 2026-11-23
// is a Monday.

import Scheduling
import Testing

@Suite("The life of an occurrence")
struct StateTableTests {
  // MARK: scheduled, upcoming

  @Test("A ring is announced, then its sound is prepared, then it rings")
  func upcomingThenRinging() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    #expect(
      household.wait(until: "07:30") == [
        "mon 07:00 post upcoming work mon 07:30",
        "mon 07:29:58 ready work",
        "mon 07:30 play work", "mon 07:30 post ringing work", "mon 07:30 persist",
        "mon 07:30 withdraw upcoming work",
      ])
  }

  @Test("With `upcoming` zero, no ring is announced")
  func noUpcoming() {
    var household = Household(
      Alarm("work", "07:30") { $0.upcoming = .zero }, at: "2026-11-23 06:00")
    #expect(household.wait(until: "07:29:59") == ["mon 07:29:58 ready work"])
  }

  @Test("Skip withdraws the announcement and the ring; the alarm rings the day after")
  func skip() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:10")
    #expect(household.skip("work") == ["mon 07:10 persist", "mon 07:10 withdraw upcoming work"])
    #expect(household.skip("work") == [])
    #expect(household.wait(until: "12:00") == ["mon 07:30 persist"])
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 play work"))
  }

  @Test("Unskip restores the ring and its announcement")
  func unskip() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    #expect(household.skip("work") == ["mon 06:00 persist"])
    #expect(household.wait(until: "07:20") == [])
    #expect(
      household.unskip("work") == ["mon 07:20 persist", "mon 07:20 post upcoming work mon 07:30"])
    #expect(household.unskip("work") == [])
    #expect(household.wait(until: "07:30").contains("mon 07:30 play work"))
  }

  @Test("A once-only alarm that is skipped is off", arguments: ["once", "2026-11-23"])
  func skipOnce(days: String) {
    var household = Household(Alarm("train", "07:30", days), at: "2026-11-23 06:00")
    _ = household.skip("train")
    #expect(household.wait(until: "2026-11-26 12:00") == ["mon 07:30 persist"])
    #expect(household.phase("train") == .over)
    #expect(household.deadline == nil)
  }

  @Test("Skip during a ring skips the next ring")
  func skipWhileRinging() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:31")
    #expect(household.skip("work") == ["mon 07:31 persist"])
    _ = household.stop("work")
    #expect(household.wait(until: "tue 12:00") == ["tue 07:30 persist"])
    #expect(household.wait(until: "wed 07:30").contains("wed 07:30 play work"))
  }

  // MARK: ringing

  @Test("Several answers in one event cause one record and one silence")
  func answersAtOnce() {
    var household = Household(
      [Alarm("work", "07:30"), Alarm("tea", "07:30")], at: "2026-11-23 06:00")
    _ = household.wait(until: "07:30:20")
    let answers: [Event] = [.stop("tea"), .stop("nobody"), .stop("work"), .stop("work")]
    #expect(
      household.apply(.answers(answers)) == [
        "mon 07:30:20 persist", "mon 07:30:20 silence", "mon 07:30:20 withdraw ringing tea",
        "mon 07:30:20 withdraw ringing work",
      ])
    #expect(household.apply(.answers(answers)) == [])
    #expect(household.phase("work") == .scheduled && household.phase("tea") == .scheduled)
  }

  @Test("A once-only alarm that is stopped is off", arguments: ["once", "2026-11-23"])
  func stopOnce(days: String) {
    var household = Household(Alarm("train", "07:30", days), at: "2026-11-23 06:00")
    household.stop("train", at: "07:31")
    #expect(household.phase("train") == .over)
    #expect(household.wait(until: "2026-11-26 12:00") == [])
  }

  @Test("A snooze counts from now, to the second, and the alarm rings again on that second")
  func snooze() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:38:59")
    #expect(
      household.snooze("work") == [
        "mon 07:38:59 persist", "mon 07:38:59 silence", "mon 07:38:59 withdraw ringing work",
        "mon 07:38:59 post snoozed work until mon 07:48:59",
      ])
    #expect(
      household.wait(until: "07:50") == [
        "mon 07:48:57 ready work",
        "mon 07:48:59 play work", "mon 07:48:59 post ringing work snoozed 1",
        "mon 07:48:59 persist",
        "mon 07:48:59 withdraw snoozed work",
      ])
  }

  @Test("With `unanswered` \"miss\" the ring is missed at once, and a once-only alarm is off")
  func missAtOnce() {
    var household = Household(
      Alarm("train", "07:30", "once") {
        $0.unanswered = .miss
        $0.upcoming = .zero
      }, at: "2026-11-23 06:00")
    #expect(
      household.wait(until: "2026-11-26 12:00").suffix(4) == [
        "mon 07:40 silence", "mon 07:40 post missed train mon 07:30 unanswered",
        "mon 07:40 persist",
        "mon 07:40 withdraw ringing train",
      ])
    #expect(household.phase("train") == .over)
  }

  @Test("A click silences the ring for a minute without answering it")
  func hush() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:30:10")
    #expect(
      household.hush("work") == [
        "mon 07:30:10 persist", "mon 07:30:10 silence",
        "mon 07:30:10 post ringing work hushed until mon 07:31:10",
      ])
    #expect(
      household.wait(until: "07:32") == [
        "mon 07:31:10 play work", "mon 07:31:10 post ringing work", "mon 07:31:10 persist",
      ])
    #expect(household.wait(until: "07:40").contains("mon 07:40 silence"))
  }

  // MARK: snoozed

  @Test("A snooze over midnight does not disturb a weekday alarm")
  func snoozeOverMidnight() {
    var household = Household(
      Alarm("late", "23:58", "fri") { $0.upcoming = .zero }, at: "2026-11-27 23:00")
    _ = household.wait(until: "23:59:05")
    _ = household.snooze("late", .minutes(5))
    #expect(household.wait(until: "sat 00:05").contains("sat 00:04:05 play late"))
    _ = household.stop("late")
    #expect(household.next == "fri 23:57:58")
  }

  @Test("A snooze ends when the next occurrence is due")
  func snoozeIntoTheNext() {
    var household = Household(
      Alarm("work", "07:30") { $0.upcoming = .zero }, at: "2026-11-23 06:00")
    _ = household.wait(until: "07:31")
    _ = household.snooze("work", .hours(48))
    let story = household.wait(until: "tue 07:31")
    #expect(story.contains("tue 07:30 play work") && story.contains("tue 07:30 post ringing work"))
    _ = household.stop("work")
    #expect(household.wait(until: "wed 07:32").contains("wed 07:30 play work"))
  }

  @Test("A snooze goes on through a skipped occurrence")
  func snoozeOverSkipped() {
    var household = Household(
      Alarm("work", "07:30") { $0.upcoming = .zero }, at: "2026-11-23 06:00")
    _ = household.wait(until: "07:31")
    _ = household.snooze("work", .hours(25))
    _ = household.skip("work")
    let story = household.wait(until: "tue 08:31")
    #expect(story.filter { $0.contains("play") } == ["tue 08:31 play work"])
  }
}
