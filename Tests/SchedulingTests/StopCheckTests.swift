// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether somebody who stopped an alarm is up: when it is looked, asked, and rung again. Who looks
// at the desktop, and at what, is `UpCheckTests.swift`'s in ProgramTests.

import Scheduling
import Testing

@Suite("Whether one is up")
struct StopCheckTests {
  private static func work(
    _ days: String = "daily", _ adjust: (inout RingSettings) -> Void = { _ in }
  ) -> Alarm {
    Alarm("work", "07:30", days) {
      $0.upcoming = .zero
      $0.check = .minutes(5)
      adjust(&$0)
    }
  }

  /// One in which it was stopped at 07:31.
  private func stopped(
    _ days: String = "daily", _ adjust: (inout RingSettings) -> Void = { _ in }
  ) -> Household {
    var household = Household(Self.work(days, adjust), at: "2026-11-23 06:00")
    household.stop("work", at: "07:31")
    return household
  }

  @Test("Five minutes after Stop it is looked, then asked; unanswered for two, it rings again")
  func whole() {
    var household = stopped()
    #expect(household.schedule.ringing.isEmpty && household.schedule.sound == .silent)
    #expect(household.wait(until: "07:36") == ["mon 07:36 persist", "mon 07:36 look work"])
    #expect(
      household.apply(.ask("work")) == [
        "mon 07:36 persist", "mon 07:36 post check work until mon 07:38",
      ])
    #expect(
      household.wait(until: "07:38") == [
        "mon 07:37:58 ready work", "mon 07:38 play work",
        "mon 07:38 post ringing work again 1", "mon 07:38 persist",
        "mon 07:38 withdraw check work",
      ])
    // It is a ring like any: stopped, it is asked again.
    _ = household.stop("work")
    #expect(household.wait(until: "07:43").contains("mon 07:43 look work"))
    #expect(
      household.history == ["work mon 07:30: stopped", "work mon 07:30 again 1: stopped"])
  }

  @Test("Who is up is left alone, asked or not", arguments: [false, true])
  func up(isAsked: Bool) {
    var household = stopped("once")
    _ = household.wait(until: "07:36:30")
    if isAsked { _ = household.apply(.ask("work")) }
    #expect(
      household.apply(.isUp("work"))
        == ["mon 07:36:30 persist"] + (isAsked ? ["mon 07:36:30 withdraw check work"] : []))
    #expect(household.phase("work") == .over)
    #expect(household.wait(until: "12:00") == [])
  }

  @Test("Stop says yes to the question, and nothing before it")
  func stopTwice() {
    var household = stopped()
    #expect(household.stop("work") == [])
    _ = household.wait(until: "07:36")
    #expect(household.stop("work") == [])
    _ = household.apply(.ask("work"))
    #expect(household.stop("work").count == 2)
    #expect(household.phase("work") == .scheduled)
  }

  @Test("The ring again can be snoozed within the limit, and unanswered it is missed")
  func again() {
    var household = stopped { $0.snoozes = 1 }
    _ = household.wait(until: "07:38")
    #expect(!household.snooze("work").isEmpty)
    _ = household.wait(until: "07:48")
    #expect(household.snooze("work") == [])
    // A stop of what is snoozed is one, too.
    var other = stopped()
    _ = other.wait(until: "07:38")
    _ = other.snooze("work")
    _ = other.stop("work")
    #expect(other.wait(until: "07:50").contains("mon 07:43 look work"))
    var third = stopped { $0.unanswered = .miss }
    #expect(third.wait(until: "07:48").contains("mon 07:48 post missed work mon 07:30 unanswered"))
  }

  @Test("It survives a restart before, while it is looked, and while it is asked")
  func restart() {
    var household = stopped()
    _ = household.restart(at: "07:33")
    _ = household.wait(until: "07:36")
    #expect(household.restart(at: "07:36").contains("mon 07:36 look work"))
    _ = household.apply(.ask("work"))
    #expect(household.restart(at: "07:37").contains("mon 07:37 post check work until mon 07:38"))
    #expect(household.wait(until: "07:38").contains("mon 07:38 play work"))
  }

  @Test("Found after a sleep it is looked and asked then; much too late, it is let be")
  func sleep() {
    var household = stopped()
    #expect(household.sleep(until: "07:41").contains("mon 07:41 look work"))
    #expect(household.wait(until: "07:43").contains("mon 07:43 play work"))
    var other = stopped()
    #expect(other.sleep(until: "07:50") == ["mon 07:50 persist"])
    #expect(other.phase("work") == .scheduled && other.schedule.missed.isEmpty)
  }

  @Test("A machine is woken to ask, and again to ring, where the alarm wakes it")
  func waking() {
    func wakes(_ household: Household) -> String? {
      household.schedule.nextWake(.seconds(20), after: household.now).map {
        Narrator(zones: household.zones).time($0)
      }
    }
    var household = stopped()
    #expect(wakes(household) == "mon 07:35:40")
    _ = household.wait(until: "07:36")
    #expect(wakes(household) == "mon 07:37:40")
    let other = stopped { $0.wake = false }
    #expect(wakes(other) == nil)
  }

  @Test("A changed config leaves it; disabled or without a check, it is dropped")
  func config() {
    var household = stopped()
    _ = household.configure([Self.work { $0.volume = 50 }])
    #expect(household.schedule.entry("work")?.check != nil)
    var off = Self.work()
    off.enabled = false
    for alarm in [Alarm.quiet("work", "07:30"), off] {
      var household = household
      _ = household.configure([alarm])
      _ = household.configure([Self.work()])
      #expect(household.wait(until: "08:00") == [])
    }
  }

  @Test("A clock that is set moves it along; the next ring of its own takes its place")
  func clock() {
    var household = stopped()
    _ = household.setClock(to: "08:31")
    #expect(household.wait(until: "08:36").contains("mon 08:36 look work"))
    var long = stopped { $0.check = .hours(24) }
    _ = long.wait(until: "tue 07:30")
    #expect(long.schedule.ringing.map(\.ring.checks) == [0])
    _ = long.stop("work")
    #expect(long.wait(until: "08:00") == [])
  }
}
