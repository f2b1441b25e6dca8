// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how often the user can snooze one ring, and alarms that cannot be snoozed.
// `StateTableTests.swift` tests what a snooze does.

import Scheduling
import Testing

@Suite("A limit to snoozing")
struct SnoozeLimitTests {
  private func household(_ adjust: @escaping (inout RingSettings) -> Void) -> Household {
    var household = Household(
      Alarm("work", "07:30") {
        $0.upcoming = .zero
        adjust(&$0)
      }, at: "2026-11-23 06:00")
    _ = household.wait(until: "07:31")
    return household
  }

  private func offered(_ household: Household) -> [Duration]? {
    let notices = [Notice.Key.Kind.ringing, .snoozed].compactMap {
      household.schedule.notice(Notice.Key(kind: $0, id: "work"))
    }
    switch notices.first {
    case .ringing(_, _, _, let lengths), .snoozed(_, _, _, _, let lengths): return lengths
    default: return nil
    }
  }

  @Test("While an alarm is snoozed, the other lengths are offered, and count from now")
  func otherLengths() {
    var household = household {
      $0.snooze = [.minutes(5), .minutes(10), .minutes(30)]
      $0.snoozeLimit = 2
    }
    _ = household.snooze("work", .minutes(10))
    #expect(offered(household) == [.minutes(5), .minutes(30)])
    _ = household.wait(until: "07:33")
    _ = household.snooze("work", .minutes(30))
    #expect(household.coming(1) == "mon 08:03")
    #expect(offered(household) == [], "the alarm has been snoozed as often as it may be")
  }

  @Test("At the limit, only Stop is offered, and a snooze changes nothing")
  func limit() {
    var household = household { $0.snoozeLimit = 2 }
    for end in ["07:41", "07:51"] {
      #expect(offered(household) == [.minutes(10)])
      #expect(!household.snooze("work").isEmpty)
      _ = household.wait(until: end)
    }
    #expect(household.schedule.openRing("work")?.canSnooze == false)
    #expect(offered(household) == [])
    #expect(household.snooze("work") == [])
    #expect(household.schedule.ringing.map(\.id) == ["work"])
    #expect(household.stop("work").count == 3)
    _ = household.wait(until: "tue 07:31")
    #expect(offered(household) == [.minutes(10)])
  }

  @Test("An alarm's snoozes by itself do not count, and go on at the limit")
  func byItself() {
    var household = household { $0.snoozeLimit = 1 }
    _ = household.wait(until: "07:51")
    #expect(offered(household) == [.minutes(10)])
    _ = household.snooze("work")
    #expect(household.wait(until: "08:25").contains("mon 08:11 post snoozed work until mon 08:21"))
  }

  @Test("The count survives a restart, and removing the limit allows more snoozes")
  func restart() {
    var household = household { $0.snoozeLimit = 1 }
    _ = household.snooze("work")
    _ = household.restart(at: "07:42")
    #expect(offered(household) == [])
    _ = household.hush("work")
    _ = household.configure([Alarm.quiet("work", "07:30")])
    #expect(offered(household) == [.minutes(10)])
    _ = household.snooze("work")
    _ = household.wait(until: "07:52")
    #expect(household.schedule.openRing("work")?.canSilence == true)
  }

  @Test("At the limit a ring can be silenced once, and restarts and later rings do not change that")
  func silence() {
    var household = household {
      ($0.snoozeLimit, $0.ringFor) = (1, .minutes(4))
    }
    func canSilence() -> Bool? { household.schedule.openRing("work")?.canSilence }
    // As long as the user may snooze the ring, the ring can be silenced any number of times.
    #expect(household.hush("work").contains("mon 07:31 silence"))
    for minute in ["07:32", "07:33"] {
      _ = household.wait(until: minute)
      #expect(household.hush("work").contains("mon \(minute) silence"))
    }
    _ = household.snooze("work", .minutes(8))
    _ = household.wait(until: "07:41")
    #expect(canSilence() == true)
    #expect(household.hush("work").contains("mon 07:41 silence"))
    #expect(canSilence() == false && household.hush("work") == [])
    #expect(household.wait(until: "07:42").contains("mon 07:42 play work"))
    _ = household.restart(at: "07:43")
    #expect(household.hush("work") == [])
    #expect(household.wait(until: "07:55").contains("mon 07:55 play work"))
    #expect(household.hush("work") == [] && household.schedule.sound != .silent)
    _ = household.stop("work")
    _ = household.wait(until: "tue 07:31")
    #expect(canSilence() == true)
  }

  @Test("A ring that is silenced until after its end snoozes when the silence ends")
  func silencedAtTheEnd() {
    for (hush, until) in [("07:32:59", "mon 07:44"), ("07:33:01", "mon 07:44:01")] {
      var household = household { $0.ringFor = .minutes(4) }
      _ = household.wait(until: hush)
      _ = household.hush("work")
      #expect(
        household.wait(until: "07:40").contains { $0.hasSuffix("snoozed work until \(until)") })
    }
  }

  @Test("Without a snooze length, neither the user nor the alarm itself can snooze")
  func none() {
    var household = household { $0.snooze = [] }
    #expect(offered(household) == [])
    #expect(household.snooze("work") == [])
    #expect(
      household.wait(until: "07:41").contains("mon 07:40 post missed work mon 07:30 unanswered"))
  }
}
