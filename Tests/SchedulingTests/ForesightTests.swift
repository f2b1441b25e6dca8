// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests when the agent checks whether the next alarm would be heard. 2026-11-22 is a Sunday.

import Scheduling
import Testing

@Suite("When to check whether the next alarm would be heard")
struct ForesightTests {
  /// Returns when the agent would check before the next ring, if it makes each check on time.
  private static func looks(_ household: Household) -> [String] {
    var (now, last, looks): (Now, Instant?, [String]) = (household.now, nil, [])
    let narrator = Narrator(zones: household.zones)
    while let look = household.schedule.nextEntry?.nextLook(after: last, at: now) {
      looks.append(narrator.time(look))
      (now.wall, last) = (look, look)
    }
    return looks
  }

  @Test(
    "Checks come twelve hours and one hour ahead, or at once if late, not in the last minute",
    arguments: [
      ("mon 06:00", ["mon 19:00", "tue 06:00"]), ("18:00", ["mon 19:00", "tue 06:00"]),
      ("mon 22:00", ["mon 22:00", "tue 06:00"]), ("tue 06:30", ["tue 06:30"]),
      ("tue 06:59", ["tue 06:59"]), ("tue 06:59:01", []),
    ])
  func moments(start: String, looks: [String]) {
    var household = Household(.quiet("work", "07:00", "tue"), at: "2026-11-22 12:00")
    _ = household.sleep(until: start)
    #expect(Self.looks(household) == looks)
  }

  @Test("No check is made soon after the user heard a sound")
  func heard() {
    let household = Household(
      [.quiet("a", "07:00", "mon"), .quiet("b", "07:30", "mon")], at: "2026-11-23 06:59")
    var later = household
    _ = later.wait(until: "07:01")
    let heard = later.instant("07:00")
    _ = later.stop("a")
    #expect(later.schedule.nextEntry?.nextLook(after: heard, at: later.now) == nil)
    #expect(later.schedule.nextEntry?.nextLook(after: nil, at: later.now) == later.now.wall)
  }

  @Test(
    "A check dated in the future does not count, and timers are not checked")
  func uncounted() {
    var household = Household(.quiet("work", "07:00", "tue"), at: "2026-11-23 22:00")
    let later = household.now.wall + .hours(200)
    #expect(
      household.schedule.nextEntry?.nextLook(after: later, at: household.now) == household.now.wall)
    household = Household(at: "2026-11-23 22:00")
    _ = household.apply(.startTimer(TimerOrder(id: "tea", RecentTimer(duration: .hours(5)))))
    #expect(household.schedule.nextEntry?.nextLook(after: nil, at: household.now) == nil)
  }

  @Test("Without an upcoming alarm, or with an unset clock, no check is made")
  func nothing() {
    let none = Household([], at: "2026-11-23 06:00")
    #expect(none.schedule.nextEntry?.nextLook(after: nil, at: none.now) == nil)
    let unset = Household(.quiet("work", "08:00"), at: "1970-01-02 07:00")
    #expect(unset.schedule.nextEntry?.nextLook(after: nil, at: unset.now) == nil)
  }
}
