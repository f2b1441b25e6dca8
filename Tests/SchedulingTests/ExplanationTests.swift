// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which rings of an alarm an explanation announces, which it leaves out, and why.
// `ExplainTests.swift` tests the words of explanations.

import Scheduling
import Testing

@Suite("Explanation")
struct ExplanationTests {
  /// Returns the explanation of `alarm` as text: its rings, the dates that are left out, and the
  /// reason if it has no rings.
  private func text(_ household: Household, _ alarm: Alarm, count: Int = 2) -> String {
    let explanation = household.schedule.explanation(
      of: alarm, count: count, at: household.now.wall, in: household.zones)
    let narrator = Narrator(zones: household.zones)
    let rings = explanation.rings.map { ring in
      (ring.date == nil ? "snooze " : "") + narrator.time(ring.at)
        + (ring.note.map { " \($0)" } ?? "")
    }
    let leftOut = explanation.leftOut.map { "\($0.date) \($0.reason.rawValue)" }
    return [
      rings.joined(separator: ", "), leftOut.joined(separator: ", "),
      explanation.silence?.rawValue ?? "",
    ].filter { !$0.isEmpty }.joined(separator: "; ")
  }

  @Test("An explanation names the first day of a pause without an end")
  func paused() {
    var alarm = Alarm("work", "07:30")
    alarm.recurrence.paused = ExceptedDays([CivilDate("2026-11-01")...CivilDate("9999-12-31")])
    for (now, day) in [("2026-11-23 07:00", 23), ("2026-11-23 08:00", 24)] {
      let household = Household(alarm, at: now)
      #expect(text(household, alarm) == "2026-11-\(day) paused; left-out")
    }
  }

  @Test("At most a thousand dates that are left out are listed")
  func many() {
    for (last, count) in [("2029-08-17", 999), ("2029-08-18", 1000), ("2029-08-19", 1000)] {
      var alarm = Alarm("work", "07:30")
      alarm.recurrence.except = ExceptedDays([CivilDate("2026-11-23")...CivilDate(last)])
      let household = Household(alarm, at: "2026-11-23 07:00")
      let explanation = household.schedule.explanation(
        of: alarm, count: 1, at: household.now.wall, in: household.zones)
      #expect(explanation.leftOut.count == count)
    }
  }

  @Test("The explanation of a repeating alarm is right before, during and after its ring")
  func repeating() {
    let alarm = Alarm("work", "07:30", except: ["2026-11-22", "2026-11-25", "2027-01-01"])
    var household = Household(alarm, at: "2026-11-23 07:00")
    #expect(text(household, alarm) == "mon 07:30, tue 07:30")
    #expect(
      text(household, alarm, count: 3) == "mon 07:30, tue 07:30, thu 07:30; 2026-11-25 excepted")
    _ = household.skip("work")
    #expect(
      text(household, alarm)
        == "tue 07:30, thu 07:30; 2026-11-23 skipped, 2026-11-25 excepted")
    _ = household.unskip("work")
    _ = household.wait(until: "07:31")
    #expect(text(household, alarm) == "tue 07:30, thu 07:30; 2026-11-25 excepted")
    _ = household.snooze("work")
    #expect(text(household, alarm) == "snooze mon 07:41, tue 07:30")
    _ = household.stop("work")
    _ = household.wait(until: "tue 08:00")
    // No one answered the ring, so it has snoozed by itself.
    #expect(text(household, alarm, count: 1) == "snooze tue 08:10")
    _ = household.stop("work")
    #expect(text(household, alarm, count: 1) == "thu 07:30; 2026-11-25 excepted")
  }

  @Test("A ring that came before the clock was set back is listed as left out")
  func setBack() {
    let alarm = Alarm.quiet("work", "07:30")
    var household = Household(alarm, at: "2026-11-23 07:00")
    household.stop("work", at: "07:31")
    _ = household.setClock(to: "06:40")
    #expect(text(household, alarm, count: 1) == "tue 07:30; 2026-11-23 settled")
    let settled = household.schedule.settledAhead(of: household.now.wall, in: household.zones)
    #expect(settled.map { "\($0.alarm.id) \($0.date)" } == ["work 2026-11-23"])
    _ = household.wait(until: "07:31")
    #expect(household.schedule.settledAhead(of: household.now.wall, in: household.zones).isEmpty)
  }

  @Test("Yesterday's ring that was moved to today is listed if it is skipped")
  func moved() {
    let alarm = Alarm.quiet("late", "23:30")
    var household = Household(alarm, at: "2026-11-23 22:00")
    _ = household.move("late", "00:15")
    _ = household.wait(until: "tue 00:05")
    _ = household.skip("late")
    #expect(text(household, alarm, count: 1) == "tue 23:30; 2026-11-23 skipped")
  }

  @Test("A once-only alarm is explained until it is over")
  func once() {
    let alarm = Alarm("tea", "15:00", "once", except: ["2026-11-23"])
    var household = Household(alarm, at: "2026-11-23 07:00")
    #expect(text(household, alarm) == "tue 15:00; 2026-11-23 excepted")
    _ = household.skip("tea")
    #expect(text(household, alarm) == "2026-11-23 excepted, 2026-11-24 skipped; left-out")
    _ = household.unskip("tea")
    _ = household.wait(until: "tue 15:00")
    #expect(text(household, alarm) == "ringing")
    _ = household.stop("tea")
    #expect(text(household, alarm) == "over")
    _ = household.configure([])
    #expect(text(household, alarm) == "disabled")
  }

  @Test("A rule that has ended, and one that names no day, are explained")
  func ended() {
    func alarm(_ id: String, _ rule: Recurrence) -> Alarm { Alarm(id: id, recurrence: rule) }
    let ended = alarm("a", Recurrence("07:30", days: "mon", until: "2026-11-16"))
    let never = alarm(
      "b", Recurrence("07:30", days: "mon", from: "2026-11-24", until: "2026-11-29"))
    let rare = alarm("c", Recurrence("07:30", every: 2, .years, "5/mon", from: "2025-02-01"))
    let last = alarm(
      "d", Recurrence("07:30", every: 3, .weeks, "", from: "2026-11-02", until: "2026-11-23"))
    var household = Household([ended, never, rare, last], at: "2026-11-23 07:00")
    #expect(text(household, ended) == "ended")
    #expect(text(household, never) == "never")
    #expect(text(household, rare) == "never")
    #expect(text(household, last) == "mon 07:30")
    _ = household.wait(until: "07:31")
    #expect(text(household, last) == "ringing")
    _ = household.stop("d")
    #expect(text(household, last) == "ended")
  }

  @Test("A date that is past, excepted, or does not exist is explained")
  func dated() {
    let past = Alarm("a", "07:30", "2026-11-20")
    let excepted = Alarm("b", "07:30", "2026-12-25", except: ["2026-12-25"])
    let missing = Alarm("c", "07:30", "2011-12-30")
    let household = Household([past, excepted], at: "2026-11-23 07:00")
    #expect(text(household, past) == "past")
    #expect(text(household, excepted) == "2026-12-25 excepted; left-out")
    let samoa = Household(missing, at: "2011-12-29 07:00", in: "Pacific/Apia")
    #expect(text(samoa, missing) == "2011-12-30 no-such-date; left-out")
  }
}
