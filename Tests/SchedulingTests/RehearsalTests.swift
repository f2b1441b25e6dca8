// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests rehearsals: at the user's command, an alarm rings at once. A rehearsal ends by itself or
// when a real ring begins, and the agent remembers nothing of it. 2026-11-23 is a Monday.

import Scheduling
import Testing

@Suite("A rehearsal")
struct RehearsalTests {
  /// Returns a simulated machine at 07:29:50. Its alarms have the default fade-in of 30 s.
  private static func household(_ alarms: Alarm...) -> Household {
    var household = Household(alarms, at: "2026-11-23 06:00")
    _ = household.wait(until: "07:29:50")
    return household
  }

  @Test("A rehearsal rings with all effects, ends by itself, and leaves no trace")
  func alone() {
    var household = Self.household(.quiet("work", "09:00"))
    let before = household.disk
    #expect(
      household.steps { $0.rehearse("work") } == [
        "play work", "post rehearsal work", "began work mon 07:29:50", "mixer raised for work",
        "players pause", "tray", "changed",
      ])
    #expect(household.schedule.ringing.map(\.isRehearsal) == [true])
    #expect(
      household.steps { $0.wait(until: "07:40") } == [
        "silence", "withdraw ringing work", "ended work mon 07:29:50: stopped", "mixer restored",
        "players resume", "tray", "changed",
      ])
    #expect(household.now.wall < household.instant("07:41"))
    #expect(household.disk == before && household.schedule.missed.isEmpty)
    #expect(household.wait(until: "09:00").contains("mon 09:00 post ringing work"))
  }

  @Test("A rehearsal lasts for the fade-in and 20 s, but no longer than the ring would")
  func length() {
    var alarm = Alarm.quiet("work", "09:00")
    #expect(Schedule.rehearsalLength(of: alarm) == .seconds(50))
    alarm.ring.ringFor = .seconds(2)
    #expect(Schedule.rehearsalLength(of: alarm) == .seconds(2))
    (alarm.ring.ringFor, alarm.ring.fadeIn) = (nil, .zero)
    #expect(Schedule.rehearsalLength(of: alarm) == .seconds(20))
  }

  @Test(
    "Stop, snooze and silence end a rehearsal",
    arguments: [Event.stop("work"), .hush("work"), .snooze("work", .minutes(5))])
  func answered(event: Event) {
    var household = Self.household(.quiet("work", "09:00"))
    _ = household.rehearse("work")
    #expect(household.apply(event).contains("mon 07:29:50 silence"))
    #expect(household.schedule.openRings.isEmpty)
    #expect(household.wait(until: "08:59").isEmpty)
  }

  @Test("A rehearsal ends if its alarm leaves the config or is disabled")
  func gone() {
    var off = Alarm.quiet("work", "09:00")
    off.enabled = false
    for alarms in [[], [off], [.quiet("gym", "10:00")]] {
      var household = Self.household(.quiet("work", "09:00"))
      _ = household.rehearse("work")
      _ = household.configure(alarms)
      #expect(household.schedule.ringing.isEmpty)
    }
    var household = Self.household(off)
    _ = household.rehearse("work")
    _ = household.configure([off])
    #expect(household.schedule.ringing.map(\.isRehearsal) == [true])
  }

  @Test("A real ring, of the same alarm or of another, ends the rehearsal")
  func earnest() {
    var household = Self.household(.quiet("work", "07:30"), .quiet("other", "09:00"))
    _ = household.rehearse("other")
    let story = household.wait(until: "07:30")
    #expect(
      story.contains("mon 07:30 play work") && story.contains("mon 07:30 withdraw ringing other"))
    #expect(household.schedule.ringing.map(\.id) == ["work"])

    household = Self.household(.quiet("work", "07:30"))
    _ = household.rehearse("work")
    #expect(household.wait(until: "07:30").contains("mon 07:30 post ringing work"))
    #expect(household.schedule.ringing.map(\.isRehearsal) == [false])
    #expect(household.steps { $0.stop("work") }.contains("ended work mon 07:30: stopped"))
  }

  @Test("No rehearsal starts while something rings or the alarm is snoozed")
  func refused() {
    var household = Self.household(.quiet("work", "07:30"), .quiet("other", "09:00"))
    _ = household.wait(until: "07:30")
    #expect(household.rehearse("other").isEmpty && household.rehearse("work").isEmpty)
    _ = household.snooze("work")
    #expect(household.rehearse("work").isEmpty)
    #expect(!household.rehearse("other").isEmpty)
    #expect(household.schedule.openRings.map(\.canSnooze) == [true, false])
  }

  @Test("A disabled alarm can be rehearsed, and a restarted agent forgets the rehearsal")
  func forgotten() {
    var alarm = Alarm.quiet("work", "09:00")
    alarm.enabled = false
    var household = Self.household(alarm)
    #expect(household.rehearse("work").contains("mon 07:29:50 play work"))
    #expect(household.restart(at: "07:30").isEmpty && household.schedule.openRings.isEmpty)
  }
}
