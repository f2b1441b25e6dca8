// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests when the commands of `on_before` run: once for each ring, and not if the ring will not
// come. `PreparationTests.swift` in ProgramTests runs real commands.

import Scheduling
import Testing

@Suite("Commands ahead of a ring")
struct PreparationTests {
  private static func work(
    _ time: String = "07:00", _ days: String = "daily",
    _ adjust: (inout RingSettings) -> Void = { _ in }
  ) -> Alarm {
    Alarm("work", time, days) {
      $0.upcoming = .zero
      $0.before = .minutes(10)
      $0.onBefore = [["kettle", "on"]]
      adjust(&$0)
    }
  }

  private func household(_ alarm: Alarm = work()) -> Household {
    Household(alarm, at: "2026-11-23 06:00")
  }

  private func runs(_ story: [String]) -> [String] { story.filter { $0.contains(" before ") } }

  @Test("The commands run after their record is saved, and once for each ring")
  func once() {
    var household = household()
    #expect(
      household.wait(until: "06:59") == ["mon 06:50 persist", "mon 06:50 before work mon 07:00"])
    #expect(household.restart(at: "06:59") == [])
    #expect(runs(household.wait(until: "07:01")) == [])
    _ = household.stop("work")
    #expect(runs(household.wait(until: "tue 07:00")) == ["tue 06:50 before work tue 07:00"])
  }

  @Test("The commands do not run twice for a ring, even if the alarm or the clock changes")
  func notTwice() {
    var household = household()
    _ = household.wait(until: "06:52")
    var off = Self.work("07:00", "weekdays")
    off.enabled = false
    for alarm in [Self.work("07:00", "weekdays"), off, Self.work { $0.before = .minutes(5) }] {
      #expect(runs(household.configure([alarm])) == [])
    }
    #expect(runs(household.setClock(to: "06:40")) == [])
    #expect(runs(household.wait(until: "07:00")) == [])
  }

  @Test("The commands do not run if the ring is skipped, disabled, deleted or paused")
  func takenBack() {
    var skipped = household()
    _ = skipped.skip("work")
    #expect(runs(skipped.wait(until: "tue 07:00")) == ["tue 06:50 before work tue 07:00"])
    var off = Self.work()
    off.enabled = false
    var paused = Self.work()
    paused.apply([Pause(from: CivilDate("2026-11-23"), until: CivilDate("2026-11-23"))])
    for alarms in [[off], [paused], [Alarm.quiet("other", "09:00")]] {
      var household = household()
      _ = household.configure(alarms)
      #expect(runs(household.wait(until: "08:00")) == [])
    }
  }

  @Test("The commands run ahead of a moved ring, at once if it is near")
  func moved() {
    var later = household()
    _ = later.move("work", "08:15")
    #expect(runs(later.wait(until: "08:15")) == ["mon 08:05 before work mon 08:15"])
    var sooner = household()
    #expect(runs(sooner.move("work", "06:05")) == ["mon 06:00 before work mon 06:05"])
    var again = household()
    _ = again.wait(until: "06:55")
    _ = again.move("work", "07:30")
    #expect(runs(again.wait(until: "07:30")) == ["mon 07:20 before work mon 07:30"])
  }

  @Test("Running commands end if the ring is skipped, moved, disabled, deleted or paused")
  func ended() {
    func story(_ act: (inout Household) -> [String]) -> [String] {
      var household = household()
      _ = household.wait(until: "06:55")
      return act(&household).filter { $0.contains("taken back") || $0.contains(" before ") }
    }
    let ended = ["mon 06:55 taken back work"]
    var off = Self.work()
    off.enabled = false
    var paused = Self.work()
    paused.apply([Pause(from: CivilDate("2026-11-23"), until: CivilDate("2026-11-23"))])
    let other = Alarm.quiet("other", "09:00")
    #expect(story { $0.skip("work") } == ended)
    #expect(story { $0.move("work", "08:15") } == ended)
    #expect(story { $0.move("work", "06:58") } == ended + ["mon 06:55 before work mon 06:58"])
    for alarms in [[off, other], [paused, other], [Self.work("07:15"), other]] {
      #expect(story { $0.configure(alarms) } == ended)
    }
    // If the alarm comes back, its commands do not run again.
    #expect(story { $0.configure([]) } == ended)
    #expect(story { $0.configure([]) + $0.configure([Self.work()]) } == ended)
    // Several end in the order of their ids.
    var second = Self.work()
    second.id = "early"
    var both = Household([Self.work(), second], at: "2026-11-23 06:55")
    #expect(
      both.apply(.answers([.skip("work", .next(1)), .skip("early", .next(1))])).filter {
        $0.contains("taken back")
      } == ["mon 06:55 taken back early"] + ended)
    // The commands go on if the alarm changes in another way, and when it rings.
    #expect(story { $0.configure([Self.work { $0.volume = 20 }]) } == [])
    #expect(story { $0.wait(until: "07:01") + $0.stop("work") } == [])
  }

  @Test("Commands that are found late run before the ring, but not at the ring or after it")
  func late() {
    var slept = household()
    #expect(runs(slept.sleep(until: "06:57")) == ["mon 06:57 before work mon 07:00"])
    var rang = household()
    #expect(runs(rang.sleep(until: "07:00")) == [])
    #expect(runs(rang.wait(until: "12:00")) == [])
    var away = household()
    #expect(runs(away.restart(at: "06:57")) == ["mon 06:57 before work mon 07:00"])
    var missed = household()
    #expect(runs(missed.reboot(at: "08:00")) == [])
  }

  @Test("If the clock was far ahead and a ring comes again, its commands run again")
  func clockAhead() {
    var household = household()
    _ = household.setClock(to: "2026-12-23 06:30")
    #expect(runs(household.wait(until: "07:01")) == ["wed 06:50 before work wed 07:00"])
    _ = household.stop("work")
    _ = household.setClock(to: "2026-12-22 23:00")
    #expect(runs(household.wait(until: "wed 07:00")) == ["wed 06:50 before work wed 07:00"])
  }

  @Test("The commands do not run again if the clock is set back by less than an hour")
  func clockSetBack() {
    var household = household()
    _ = household.wait(until: "06:55")
    _ = household.setClock(to: "05:51")
    #expect(runs(household.wait(until: "07:00")) == [])
    household = self.household()
    _ = household.wait(until: "06:55")
    _ = household.setClock(to: "05:49")
    #expect(runs(household.wait(until: "07:00")) == ["mon 06:50 before work mon 07:00"])
  }

  @Test("The machine is woken and kept awake for the commands if the alarm wakes it")
  func waking() {
    var household = household()
    #expect(household.nextWake == "mon 06:49:40")
    _ = household.wait(until: "06:49:40")
    #expect(household.wakePlan.mustStayAwake)
    _ = household.wait(until: "06:50")
    #expect(household.nextWake == "mon 06:59:40")
    #expect(!household.wakePlan.mustStayAwake)
    let other = self.household(Self.work { $0.wake = false })
    #expect(other.nextWake == nil)
  }
}
