// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests alarms that leave the config or are switched off, and come back in ten minutes or later.

import Scheduling
import Testing

@Suite("Alarms that leave the config")
struct LeftAlarmsTests {
  private static let alarms: [Alarm] = [
    .quiet("ringing", "07:30"), .quiet("snoozed", "07:29"), .quiet("skipped", "08:00"),
    .quiet("over", "07:15", "once"), .quiet("armed", "07:05", "once"),
  ]

  /// Returns a simulated machine at 07:31 with a ringing, a snoozed, a skipped and an armed alarm.
  private func household() -> Household {
    var household = Household(Self.alarms, at: "2026-11-23 07:10")
    _ = household.skip("skipped")
    household.stop("over", at: "07:15")
    _ = household.wait(until: "07:29")
    _ = household.snooze("snoozed", .minutes(20))
    _ = household.wait(until: "07:31")
    return household
  }

  @Test("An alarm that leaves is silent at once, and goes on if it comes back in ten minutes")
  func backAgain() {
    var (household, restarted) = (household(), household())
    let before = household.schedule.state.alarms
    #expect(
      household.configure([]) == [
        "mon 07:31 silence", "mon 07:31 persist", "mon 07:31 withdraw ringing ringing",
        "mon 07:31 withdraw snoozed snoozed",
      ])
    #expect(household.schedule.openRings.isEmpty)
    #expect(household.history.suffix(2).allSatisfy { $0.hasSuffix("removed") })
    _ = household.configure([Self.alarms[2]])
    _ = household.wait(until: "07:35")
    #expect(
      household.configure(Self.alarms).filter { !$0.hasSuffix("persist") } == [
        "mon 07:35 play ringing", "mon 07:35 post ringing ringing",
        "mon 07:35 post snoozed snoozed until mon 07:49",
      ])
    #expect(household.schedule.state.alarms == before)

    _ = restarted.configure([])
    #expect(restarted.restart(at: "07:33", with: []).first == nil)
    #expect(
      restarted.restart(at: "07:35", with: Self.alarms).filter { !$0.hasSuffix("persist") } == [
        "mon 07:35 play ringing", "mon 07:35 post ringing ringing",
        "mon 07:35 post snoozed snoozed until mon 07:49",
      ])
    #expect(restarted.schedule.state.alarms == before)
    #expect(restarted.history.count { $0.hasSuffix("removed") } == 2)
  }

  @Test("An alarm that has left is forgotten after ten minutes")
  func forgotten() {
    for file in [
      [Alarm.quiet("added", "09:00")], [.quiet("2000", "20:00"), .quiet("2100", "21:00")],
    ] {
      var household = household()
      _ = household.configure(file)
      _ = household.wait(until: "07:41")
      #expect(household.schedule.state.alarms.keys.sorted() == file.map(\.id))
      _ = household.configure(Self.alarms)
      #expect(household.schedule.openRings.isEmpty)
      #expect(household.wait(until: "08:00").contains("mon 08:00 play skipped"))
    }
  }

  @Test("Setting the clock does not change how long an alarm that has left is kept")
  func clockSet() {
    for days in [-3, 3] {
      for minutes in [9, 11] {
        var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:29")
        _ = household.wait(until: "07:31")
        _ = household.configure([])
        _ = household.setClock(to: days < 0 ? "2026-11-20 12:31" : "2026-11-26 12:31")
        _ = household.wait(until: "12:\(31 + minutes)")
        _ = household.configure([.quiet("work", "07:30")])
        #expect(household.schedule.openRings.isEmpty == (minutes > 10), "\(days), \(minutes)")
      }
    }
  }

  @Test("An alarm that comes back rings late if it was due in between")
  func dueMeanwhile() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:29:50")
    _ = household.configure([])
    _ = household.wait(until: "07:30:10")
    #expect(household.configure([.quiet("work", "07:30")]).first == "mon 07:30:10 play work")
  }

  @Test("An alarm that comes back with other times starts afresh")
  func otherTimes() {
    var household = household()
    _ = household.configure([])
    _ = household.configure([.quiet("ringing", "09:00"), .quiet("skipped", "08:01")])
    #expect(household.schedule.openRings.isEmpty)
    #expect(household.wait(until: "08:01").contains("mon 08:01 play skipped"))
  }

  @Test("An alarm that was switched off goes on within ten minutes, and keeps skips after them")
  func switchedOff() {
    let off = Self.alarms.map { alarm in
      var alarm = alarm
      alarm.enabled = false
      return alarm
    }
    var (soon, later) = (household(), household())
    _ = soon.configure(off)
    #expect(soon.schedule.openRings.isEmpty && soon.schedule.ringing.isEmpty)
    _ = soon.wait(until: "07:35")
    _ = soon.configure(Self.alarms)
    #expect(soon.schedule.openRings.map(\.id) == ["ringing", "snoozed"])
    #expect(soon.schedule.ringing.map(\.id) == ["ringing"])
    _ = later.configure(off)
    _ = later.wait(until: "07:41")
    _ = later.configure(Self.alarms)
    #expect(later.schedule.openRings.isEmpty)
    #expect(!later.wait(until: "08:00").contains("mon 08:00 play skipped"))
  }

  @Test("A ring ends at once if its alarm was disabled or changed, even while no agent was running")
  func disabled() {
    var off = Alarm.quiet("work", "07:30")
    off.enabled = false
    for alarm in [off, .quiet("work", "09:00")] {
      var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:29")
      _ = household.wait(until: "07:31")
      var restarted = household
      _ = household.configure([alarm])
      _ = restarted.restart(at: "07:31", with: [alarm])
      #expect(household.history == ["work mon 07:30: removed"])
      #expect(restarted.history == household.history)
    }
  }

  @Test("Another id is another alarm")
  func renamed() {
    for isRestarted in [false, true] {
      var household = household()
      let renamed = Self.alarms.map { alarm in
        Alarm(
          id: alarm.id + "-new", label: alarm.label, recurrence: alarm.recurrence, ring: alarm.ring)
      }
      _ = isRestarted ? household.restart(at: "07:31", with: renamed) : household.configure(renamed)
      #expect(household.schedule.openRings.isEmpty)
      #expect(household.history.suffix(2).allSatisfy { $0.hasSuffix("removed") })
      #expect(household.wait(until: "08:00").contains("mon 08:00 play skipped-new"))
    }
  }
}
