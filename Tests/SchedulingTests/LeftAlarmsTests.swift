// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests alarms that leave the config. Some come back a moment later, because the file was being
// written; others were renamed.

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

  @Test("Alarms that leave the config for a moment lose nothing, even with a restart in between")
  func backAgain() {
    var (household, restarted) = (household(), household())
    let before = household.schedule.state.alarms
    for file in [[], [Self.alarms[2]], []] { #expect(household.configure(file) == []) }
    #expect(household.schedule.ringing.map(\.id) == ["ringing"])
    #expect(household.schedule.openRings.map(\.id) == ["ringing", "snoozed"])
    #expect(household.wait(until: "07:31:29") == [])
    #expect(household.configure(Self.alarms) == [])
    #expect(household.schedule.state.alarms == before)
    #expect(household.wait(until: "07:35") == [])
    #expect(
      household.history == [
        "over mon 07:15: stopped", "snoozed mon 07:29: snoozed until mon 07:49",
      ])

    _ = restarted.configure([])
    #expect(restarted.restart(at: "07:31:10", with: []).first == nil)
    #expect(
      restarted.restart(at: "07:31:20", with: Self.alarms) == [
        "mon 07:31:20 play ringing", "mon 07:31:20 post ringing ringing",
        "mon 07:31:20 post snoozed snoozed until mon 07:49",
      ])
    #expect(restarted.schedule.state.alarms == before)
  }

  @Test("A ring ends half a minute after its alarm left the config")
  func replaced() {
    for file in [
      [Alarm.quiet("added", "09:00")], [.quiet("2000", "20:00"), .quiet("2100", "21:00")],
    ] {
      var household = household()
      _ = household.configure(file)
      #expect(household.schedule.openRings.map(\.id) == ["ringing", "snoozed"])
      _ = household.wait(until: "07:31:30")
      #expect(household.schedule.openRings.isEmpty)
      #expect(household.schedule.state.alarms.keys.sorted() == file.map(\.id))
      #expect(household.history.suffix(2).allSatisfy { $0.hasSuffix("removed") })
    }
  }

  @Test("An alarm that comes back within half a minute rings late if it was due in between")
  func dueMeanwhile() {
    var household = Household(.quiet("work", "07:30"), at: "2026-11-23 07:29:50")
    _ = household.configure([])
    _ = household.wait(until: "07:30:10")
    #expect(household.configure([.quiet("work", "07:30")]).first == "mon 07:30:10 play work")
  }

  @Test("Alarms that the user removes with a command end at once, even if no alarm remains")
  func removed() {
    var household = household()
    _ = household.configure([])
    #expect(
      household.apply(.removed(["ringing", "nobody"])) == [
        "mon 07:31 silence", "mon 07:31 persist", "mon 07:31 withdraw ringing ringing",
      ])
    #expect(household.schedule.openRings.map(\.id) == ["snoozed"])
    _ = household.apply(.removed(Self.alarms.map(\.id)))
    #expect(household.schedule.state.alarms.isEmpty && household.deadline == nil)
    // The event `removed` has no effect on alarms that are still in the config.
    _ = household.configure(Self.alarms)
    #expect(household.apply(.removed(["ringing"])) == [])
    #expect(household.wait(until: "tue 07:30").contains("tue 07:30 post ringing ringing"))
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

  // MARK: - Renamed alarms

  /// Returns all alarms of the test, with a new id for the alarm `id`.
  private func renamed(_ id: String) -> [Alarm] {
    Self.alarms.map { alarm in
      guard alarm.id == id else { return alarm }
      var renamed = Alarm(
        id: alarm.id + "-new", label: "New", recurrence: alarm.recurrence, ring: alarm.ring)
      renamed.ring.volume = 50
      return renamed
    }
  }

  @Test(
    "A renamed alarm stays as it was", arguments: ["ringing", "snoozed", "skipped", "armed"])
  func renaming(_ id: String) {
    var (household, restarted) = (household(), household())
    let before = household.schedule.state.alarms[id]
    _ = household.configure(renamed(id))
    _ = restarted.restart(at: "07:31", with: renamed(id))
    for household in [household, restarted] {
      #expect(household.schedule.state.alarms["\(id)-new"] == before)
      #expect(household.schedule.state.alarms[id] == nil)
      #expect(household.disk == household.schedule.state)
      #expect(household.schedule.openRings.count == 2)
      // The new id does not end any ring, so the history has no further entry.
      #expect(household.history.count == 2)
    }
  }

  @Test("If two alarms share a label and the first is deleted, the second stays as it was")
  func secondOfLabel() {
    let both: [Alarm] = [.quiet("work", "09:00"), .quiet("work-2", "07:30")]
    var (ringing, skipped) = (
      Household(both, at: "2026-11-23 07:10"), Household(both, at: "2026-11-23 07:10")
    )
    _ = ringing.wait(until: "07:30")
    _ = ringing.configure([.quiet("work", "07:30")])
    #expect(ringing.schedule.ringing.map(\.id) == ["work"])
    #expect(ringing.history.isEmpty)
    _ = skipped.skip("work-2")
    _ = skipped.restart(at: "07:20", with: [.quiet("work", "07:30")])
    #expect(!skipped.wait(until: "08:00").contains("mon 07:30 play work"))
    #expect(skipped.schedule.state.alarms.keys.sorted() == ["work"])
  }

  @Test(
    "If the numbers of ids change with the order in the file, every alarm stays as it was",
    arguments: ["added", "deleted", "reversed"], [true, false])
  func renumbered(edit: String, restarts: Bool) {
    func pills(_ times: some Sequence<String>) -> [Alarm] {
      times.enumerated().map { .quiet($0 == 0 ? "pills" : "pills-\($0 + 1)", $1) }
    }
    let times = ["07:15", "07:30", "07:29", "08:00", "09:00"]
    var household = Household(pills(times), at: "2026-11-23 07:10")
    household.stop("pills", at: "07:15")
    _ = household.wait(until: "07:29")
    _ = household.snooze("pills-3", .minutes(20))
    _ = (household.skip("pills-4"), household.move("pills-5", "10:00"))
    _ = household.wait(until: "07:31")
    let before = Set(household.schedule.state.alarms.values)
    let file =
      switch edit {
      case "added": pills(["06:00"] + times)
      case "deleted": pills(times.dropFirst())
      default: pills(times.reversed())
      }
    _ = restarts ? household.restart(at: "07:31", with: file) : household.configure(file)
    let after = Set(household.schedule.state.alarms.values)
    let lost = before.subtracting(after).map { $0.signature.prefix(5) }
    #expect(lost == (edit == "deleted" ? ["07:15"] : []))
    #expect(household.disk == household.schedule.state)
    #expect(household.schedule.openRings.count == 2 && household.history.count == 2)
  }

  @Test("If two alarms with different names swap their times, both start afresh")
  func swapped() {
    var household = household()
    var file = Self.alarms
    (file[0].recurrence, file[2].recurrence) = (file[2].recurrence, file[0].recurrence)
    _ = household.configure(file)
    #expect(household.schedule.openRings.map(\.id) == ["snoozed"])
    #expect(household.history.last == "ringing mon 07:30: removed")
    #expect(household.wait(until: "08:00").contains("mon 08:00 play ringing"))
  }

  @Test("An alarm does not count as renamed if two alarms match or its time differs")
  func noOther() {
    var (two, both, other, off) = (household(), household(), household(), household())
    let new = renamed("skipped")[2]
    _ = two.configure([new, .quiet("another", "08:00")])
    #expect(two.wait(until: "08:00").contains("mon 08:00 play skipped-new"))
    _ = both.configure(Self.alarms + [new])
    #expect(both.wait(until: "08:00").contains("mon 08:00 play skipped-new"))
    _ = other.configure([.quiet("skipped-new", "08:01")])
    #expect(other.wait(until: "08:01").contains("mon 08:01 play skipped-new"))
    var disabled = Self.alarms[2]
    disabled.enabled = false
    _ = off.configure([disabled, new])
    #expect(off.wait(until: "08:00").contains("mon 08:00 play skipped-new"))
  }
}
