// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests a machine that may be suspended: when it has to be woken, which ring it would sleep
// through, and when it must stay awake.

import Scheduling
import Testing

@Suite("A machine that may be suspended")
struct WakingTests {
  @Test(
    "The machine is woken ahead of the next ring or, in the last seconds, at the ring",
    arguments: [
      ("07:00", "mon 07:29:40"), ("07:29:39", "mon 07:29:40"), ("07:29:40", "mon 07:30"),
      ("07:29:59", "mon 07:30"), ("07:30", "tue 07:29:40"),
    ])
  func ahead(now: String, wake: String) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: now)
    #expect(household.nextWake == wake)
  }

  @Test("The machine is woken before the commands of a ring, and the ring need not wait for them")
  func commands() {
    let alarm = Alarm("work", "07:30") { ($0.before, $0.onBefore) = (.seconds(10), [["lamp"]]) }
    for (now, wake) in [
      ("07:29:29", "mon 07:29:30"), ("07:29:30", "mon 07:29:40"), ("07:29:40", "mon 07:29:50"),
      ("07:29:50", "mon 07:30"),
    ] {
      var household = Household(alarm, at: "2026-11-23 06:00")
      _ = household.wait(until: now)
      #expect(household.nextWake == wake)
    }
  }

  @Test("The machine is woken for the end of a snooze, but not for answered or skipped rings")
  func answers() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:31")
    _ = household.apply(.snooze("work", .minutes(10)))
    #expect(household.nextWake == "mon 07:40:40")
    _ = household.stop("work")
    #expect(household.nextWake == "tue 07:29:40")
    _ = household.skip("work")
    // The machine may sleep through the skipped ring, until shortly before the ring after it.
    #expect(household.nextWake == "wed 07:29:40")
  }

  @Test("The machine is woken each time that an unanswered ring comes back")
  func unanswered() {
    var household = Household(.quiet("nap", "07:30", "once"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:41")
    #expect(household.nextWake == "mon 07:49:40")
    _ = household.wait(until: "09:00")
    #expect(household.nextWake == nil)
  }

  @Test("The machine is not woken for alarms without `wake`, nor with a clock that was never set")
  func unwanted() {
    let asleep = Alarm("nap", "07:30") { $0.wake = false }
    #expect(Household(asleep, at: "2026-11-23 07:00").nextWake == nil)
    let both = Household([asleep, .quiet("work", "08:00")], at: "2026-11-23 07:00")
    #expect(both.nextWake == "mon 07:59:40")
    let unset = Household(.quiet("work", "08:00"), at: "1970-01-02 07:00")
    #expect(unset.nextWake == nil)
  }

  private static func sleptThrough(_ household: Household, isWoken: Bool) -> String? {
    household.schedule.nextSleptThrough(isWoken: isWoken, at: household.now)
      .map { "\($0.id) \(Narrator(zones: household.zones).time($0.start))" }
  }

  @Test(
    "The ring that a sleeping machine would miss is found in the next twelve hours",
    arguments: [
      ("mon 19:00", "nap tue 06:30", "early tue 06:00"),
      ("mon 18:29:59", nil, "early tue 06:00"),
      ("mon 17:59", nil, nil),
    ])
  func sleptThrough(now: String, woken: String?, never: String?) {
    var household = Household(
      [
        .quiet("early", "06:00"), Alarm("nap", "06:30") { $0.wake = false },
        Alarm("later", "07:00") { $0.wake = false },
      ], at: "2026-11-22 12:00")
    _ = household.wait(until: "mon 12:00")
    for id in ["early", "nap", "later"] { _ = household.stop(id) }
    _ = household.wait(until: String(now.dropFirst(4)))
    #expect(Self.sleptThrough(household, isWoken: true) == woken)
    #expect(Self.sleptThrough(household, isWoken: false) == never)
  }

  @Test("An alarm is awaited from twelve hours ahead until it is answered")
  func awaited() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-22 12:00")
    func isAwaited() -> Bool { household.schedule.isAwaited("work", at: household.now) }
    _ = household.wait(until: "19:29:59")
    #expect(!isAwaited())
    _ = household.wait(until: "19:30")
    #expect(isAwaited())
    _ = household.wait(until: "mon 07:31")
    #expect(isAwaited())
    _ = household.apply(.snooze("work", .minutes(10)))
    #expect(isAwaited())
    _ = household.stop("work")
    #expect(!isAwaited() && !household.schedule.isAwaited("nobody", at: household.now))
  }

  @Test("The machine must not be suspended shortly before a ring or during one")
  func needed() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:29:39")
    #expect(!household.wakePlan.mustStayAwake)
    _ = household.wait(until: "07:29:40")
    #expect(household.wakePlan.mustStayAwake)
    _ = household.wait(until: "07:31")
    #expect(household.wakePlan.mustStayAwake)
    _ = household.apply(.hush("work"))
    #expect(household.wakePlan.mustStayAwake)
    _ = household.apply(.snooze("work", .minutes(10)))
    #expect(!household.wakePlan.mustStayAwake && household.wakePlan.isSet)
    _ = household.wait(until: "07:40:40")
    #expect(household.wakePlan.mustStayAwake)
    _ = household.stop("work")
    #expect(!household.wakePlan.mustStayAwake)
  }

  @Test(
    "The plan says from when the machine must stay awake next, even for an alarm without `wake`",
    arguments: [
      ("07:00", false, "07:29:40"), ("07:29:39", false, "07:29:40"),
      ("07:29:40", true, nil), ("07:30", true, "tue 07:29:40"),
    ])
  func nextNeed(now: String, mustStayAwake: Bool, nextNeed: String?) {
    let alarm = Alarm("work", "07:30") { ($0.wake, $0.upcoming) = (false, .zero) }
    var household = Household(alarm, at: "2026-11-23 06:00")
    _ = household.wait(until: now)
    var plan = WakePlan()
    (plan.mustStayAwake, plan.isSet) = (mustStayAwake, true)
    plan.nextNeed = nextNeed.map(household.instant)
    #expect(household.wakePlan == plan)
  }

  @Test("The foremost alarms are those that ring or are checked, then those that ring next")
  func foremost() {
    let check = Alarm("check", "07:29") { ($0.upcoming, $0.check) = (.zero, .hours(1)) }
    var household = Household(
      [.quiet("late", "09:00"), .quiet("next", "08:00"), check, .quiet("now", "07:30")],
      at: "2026-11-23 07:00")
    household.stop("check", at: "07:29")
    _ = household.wait(until: "07:30")
    #expect(household.schedule.foremost(1).map(\.alarm.id) == ["check", "now", "next"])
  }

  @Test("If nothing will ring, the machine may be suspended or shut down at once")
  func nothingSet() {
    var household = Household(.quiet("nap", "07:30", "once"), at: "2026-11-23 07:00")
    #expect(household.wakePlan.isSet)
    _ = household.skip("nap")
    #expect(!household.wakePlan.isSet)
    #expect(!household.wakePlan.mustStayAwake)
  }
}
