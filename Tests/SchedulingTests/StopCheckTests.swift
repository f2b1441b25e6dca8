// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the check whether the user is up some time after Stop: when the agent looks for activity,
// asks the user, and rings again. `UpCheckTests.swift` in ProgramTests looks at a real desktop.

import Scheduling
import Testing

@Suite("The check whether the user is up")
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

  /// Returns a simulated machine whose alarm rang at 07:30 and was stopped at 07:31.
  private func stopped(
    _ days: String = "daily", _ adjust: (inout RingSettings) -> Void = { _ in }
  ) -> Household {
    var household = Household(Self.work(days, adjust), at: "2026-11-23 06:00")
    household.stop("work", at: "07:31")
    return household
  }

  @Test("After Stop the agent looks for activity, asks, and rings again if no one answers")
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
    // If the user also stops this second ring, the agent makes the check again.
    _ = household.stop("work")
    #expect(household.wait(until: "07:43").contains("mon 07:43 look work"))
    #expect(
      household.history == ["work mon 07:30: stopped", "work mon 07:30 again 1: stopped"])
  }

  @Test(
    "Input counts if it comes some seconds after Stop, and after the machine woke up",
    arguments: [
      (300, nil, 3, false), (300, nil, 4, true), (300, 60, 4, false), (300, 60, 63, false),
      (300, 60, 64, true), (300, -60, 4, true), (8, nil, 2, false), (8, nil, 3, true),
    ] as [(Int64, Int64?, Int64, Bool)])
  func input(check: Int64, wake: Int64?, input: Int64, counts: Bool) {
    let stopped = Instant(seconds: 1_795_291_949)
    func after(_ seconds: Int64) -> Instant { stopped + .seconds(seconds) }
    let check = StopCheck(stopped: stopped, due: after(check))
    #expect(check.counts(after(input), lastWake: wake.map(after)) == counts)
  }

  @Test("A ring that was stopped while the clock was behind is checked, and not missed")
  func clockSetBack() {
    var household = Household(Self.work(), at: "2026-11-23 06:00")
    _ = household.wait(until: "07:30")
    _ = household.setClock(to: "2026-11-23 02:00")
    _ = household.stop("work")
    _ = household.setClock(to: "2026-11-23 17:30")
    #expect(household.schedule.missed.isEmpty)
    #expect(household.schedule.checking.map(\.alarm.id) == ["work"])
    #expect(household.wait(until: "17:35").contains("mon 17:35 look work"))
  }

  @Test("A user who is up ends the check, even before the agent asked", arguments: [false, true])
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

  @Test("Stop confirms that the user is up, and has no effect before the agent asked")
  func stopTwice() {
    var household = stopped()
    #expect(household.stop("work") == [])
    _ = household.wait(until: "07:36")
    #expect(household.stop("work") == [])
    _ = household.apply(.ask("work"))
    #expect(household.stop("work").count == 2)
    #expect(household.phase("work") == .scheduled)
  }

  @Test("The second ring can be snoozed within the limit, and is missed if unanswered")
  func again() {
    var household = stopped { $0.snoozeLimit = 1 }
    _ = household.wait(until: "07:38")
    #expect(!household.snooze("work").isEmpty)
    _ = household.wait(until: "07:48")
    #expect(household.snooze("work") == [])
    // If the user stops the alarm during a snooze, the agent makes the check as well.
    var other = stopped()
    _ = other.wait(until: "07:38")
    _ = other.snooze("work")
    _ = other.stop("work")
    #expect(other.wait(until: "07:50").contains("mon 07:43 look work"))
    var third = stopped { $0.unanswered = .miss }
    #expect(third.wait(until: "07:48").contains("mon 07:48 post missed work mon 07:30 unanswered"))
  }

  @Test("The check survives a restart in each of its phases")
  func restart() {
    var household = stopped()
    _ = household.restart(at: "07:33")
    _ = household.wait(until: "07:36")
    #expect(household.restart(at: "07:36").contains("mon 07:36 look work"))
    _ = household.apply(.ask("work"))
    #expect(household.restart(at: "07:37").contains("mon 07:37 post check work until mon 07:38"))
    #expect(household.wait(until: "07:38").contains("mon 07:38 play work"))
  }

  @Test("After a sleep, a check is made late; if it is far too late, it ends")
  func sleep() {
    var household = stopped()
    #expect(household.sleep(until: "07:41").contains("mon 07:41 look work"))
    #expect(household.wait(until: "07:43").contains("mon 07:43 play work"))
    var last = stopped()
    #expect(last.sleep(until: "07:46").contains("mon 07:46 look work"))
    #expect(last.sleep(until: "07:58").contains("mon 07:58 play work"))
    var other = stopped()
    #expect(other.sleep(until: "07:46:01") == ["mon 07:46:01 persist"])
    #expect(other.phase("work") == .scheduled && other.schedule.missed.isEmpty)
  }

  @Test("The machine is woken to ask and to ring again if the alarm wakes it")
  func waking() {
    var household = stopped()
    #expect(household.nextWake == "mon 07:35:40")
    _ = household.wait(until: "07:36")
    #expect(household.nextWake == "mon 07:37:40")
    let other = stopped { $0.wake = false }
    #expect(other.nextWake == nil)
  }

  @Test("A changed config keeps the check, unless the alarm is disabled or has no check")
  func config() {
    var household = stopped()
    _ = household.configure([Self.work { $0.volume = 50 }])
    #expect(household.schedule.entry("work")?.check != nil)
    var off = Self.work()
    off.enabled = false
    for alarm in [Alarm.quiet("work", "07:30"), off] {
      var household = household
      _ = household.configure([alarm])
      _ = household.restart(at: "07:32", with: [Self.work()])
      #expect(household.wait(until: "08:00") == [])
    }
  }

  @Test("If the clock is set, the check keeps its length; the alarm's next ring ends it")
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
