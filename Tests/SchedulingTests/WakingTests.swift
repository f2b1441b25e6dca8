// SPDX-License-Identifier: GPL-3.0-or-later
//
// A machine that may be suspended: when it has to be woken.

import Scheduling
import Testing

@Suite("A machine that may be suspended")
struct WakingTests {
  private static func wake(_ household: Household) -> String? {
    household.schedule.nextWake(.seconds(20), after: household.now)
      .map { Narrator(zones: household.zones).time($0) }
  }

  @Test(
    "It is woken ahead of the next ring, and in the last seconds before it at the ring itself",
    arguments: [
      ("07:00", "mon 07:29:40"), ("07:29:39", "mon 07:29:40"), ("07:29:40", "mon 07:30"),
      ("07:29:59", "mon 07:30"), ("07:30", "tue 07:29:40"),
    ])
  func ahead(now: String, wake: String) {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: now)
    #expect(Self.wake(household) == wake)
  }

  @Test("It is woken for the end of a snooze, and not for what was answered or skipped")
  func answers() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:31")
    _ = household.apply(.snooze("work", .minutes(10)))
    #expect(Self.wake(household) == "mon 07:40:40")
    _ = household.stop("work")
    #expect(Self.wake(household) == "tue 07:29:40")
    _ = household.skip("work")
    #expect(Self.wake(household) == nil)
  }

  @Test("It is woken for the ring that nobody answered, as often as that comes back")
  func unanswered() {
    var household = Household(.quiet("nap", "07:30", "once"), at: "2026-11-23 07:00")
    _ = household.wait(until: "07:41")
    #expect(Self.wake(household) == "mon 07:49:40")
    _ = household.wait(until: "09:00")
    #expect(Self.wake(household) == nil)
  }

  @Test("It is not woken for an alarm that does not ask for it, nor by a clock that was never set")
  func unwanted() {
    let asleep = Alarm("nap", "07:30") { $0.wake = false }
    #expect(Self.wake(Household(asleep, at: "2026-11-23 07:00")) == nil)
    let both = Household([asleep, .quiet("work", "08:00")], at: "2026-11-23 07:00")
    #expect(Self.wake(both) == "mon 07:59:40")
    let unset = Household(.quiet("work", "08:00"), at: "1970-01-02 07:00")
    #expect(Self.wake(unset) == nil)
  }
}
