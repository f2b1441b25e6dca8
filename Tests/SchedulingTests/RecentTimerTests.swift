// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the list of timers that the user started before.

import Scheduling
import Testing

@Suite("Recent timers")
struct RecentTimerTests {
  @Test("Recent timers are listed latest first, each length and label once")
  func recents() {
    var household = Household(at: "2026-11-23 07:00")
    func start(_ duration: Duration, _ label: String?) {
      let id = household.schedule.timerID(for: "x")
      _ = household.start(id, duration, label: label)
      _ = household.timer(id, .cancel)
    }
    start(.minutes(4), "Tea")
    start(.minutes(10), nil)
    start(.minutes(4), "Eggs")
    start(.minutes(4), "Tea")
    func shown() -> [String] {
      household.schedule.recents.map { "\($0.duration.text) \($0.label ?? "-")" }
    }
    #expect(shown() == ["0:04:00 Tea", "0:04:00 Eggs", "0:10:00 -"])
    _ = household.restart(at: "07:01")
    #expect(shown().count == 3)
    for i in 1...30 { start(.seconds(i), nil) }
    #expect(household.schedule.recents.count == 20)
  }

  @Test("Of timers until the same time of day, only the last is kept, however long they took")
  func until() {
    var household = Household(at: "2026-11-23 07:00")
    for (id, minutes, time) in [("a", 10, "20:20"), ("b", 9, "20:20"), ("c", 9, "20:21")]
      as [(String, Int64, String)]
    {
      let timer = RecentTimer(duration: .minutes(minutes), until: CivilTime(time))
      _ = household.apply(.startTimer(TimerOrder(id: id, timer)))
    }
    #expect(
      household.schedule.recents.map(\.until) == [CivilTime("20:21"), CivilTime("20:20")])
    #expect(household.schedule.recents.map(\.duration) == [.minutes(9), .minutes(9)])
  }

  @Test("A recent timer is removed from the list by its length and label")
  func forgotten() {
    var household = Household(at: "2026-11-23 07:00")
    let tea = TimerOrder(
      id: "tea", RecentTimer(duration: .minutes(4), label: "Tea", sound: "Harp"))
    _ = household.apply(.startTimer(tea))
    _ = household.start("long", .minutes(10))
    _ = household.apply(.forgetTimer(RecentTimer(duration: .minutes(4), label: "Tea")))
    #expect(household.disk.recents == [RecentTimer(duration: .minutes(10), label: nil)])
  }
}
