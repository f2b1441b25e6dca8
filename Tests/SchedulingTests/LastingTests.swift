// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests which events save the state: those that change anything that must survive a restart, and no
// others. `OrderTests.swift` tests what happens before and after the state is saved.

import Scheduling
import Testing

@Suite("What is saved")
struct LastingTests {
  private static let work = Alarm.quiet("work", "07:30")
  private static let nap = Alarm.quiet("nap", "15:00")

  private func saves(
    _ household: Household, _ act: (inout Household) -> [String]
  ) -> Bool {
    var household = household
    return act(&household).contains { $0.hasSuffix(" persist") }
  }

  @Test("A tick at which nothing changes saves nothing, however often it comes")
  func idle() {
    var household = Household([Self.work, Self.nap], at: "2026-11-23 06:00")
    for _ in 1...3 { #expect(household.apply(.tick).isEmpty) }
    #expect(household.wait(until: "07:29").isEmpty)
  }

  @Test("A new config saves the state only if the state of an alarm changes")
  func configured() {
    let household = Household([Self.work, Self.nap], at: "2026-11-23 06:00")
    var louder = Self.work
    louder.ring.volume = 90
    #expect(!saves(household) { $0.configure([Self.work, Self.nap]) })
    #expect(!saves(household) { $0.configure([Self.nap, Self.work]) }, "only the order changed")
    #expect(!saves(household) { $0.configure([louder, Self.nap]) }, "only the volume changed")
    #expect(saves(household) { $0.configure([Alarm.quiet("work", "08:00"), Self.nap]) })
    #expect(saves(household) { $0.configure([Self.work]) }, "an alarm left")
    #expect(saves(household) { $0.configure([Self.work, Self.nap, Alarm.quiet("tea", "16:00")]) })
  }

  @Test("An answer that changes nothing saves nothing")
  func answered() {
    let household = Household([Self.work], at: "2026-11-23 06:00")
    #expect(!saves(household) { $0.stop("work") })
    #expect(!saves(household) { $0.unskip("work") })
    #expect(!saves(household) { $0.acknowledge() })
    #expect(!saves(household) { $0.stopwatch(.stop) })
    #expect(!saves(household) { $0.timer("tea", .pause) })
    #expect(saves(household) { $0.skip("work") })
    #expect(saves(household) { $0.stopwatch(.start) })
    #expect(saves(household) { $0.start("tea", .minutes(4)) })
  }

  @Test("A step of the clock saves its reading if a timer or the stopwatch is running")
  func clockSet() {
    let set = { (household: inout Household) in household.setClock(to: "2026-11-23 06:02") }
    let quiet = Household([Self.work], at: "2026-11-23 06:00")
    #expect(!saves(quiet, set))
    for (act, isSaved) in [
      ({ $0.start("tea", .minutes(4)) }, true), ({ $0.stopwatch(.start) }, true),
      ({ $0.start("tea", .minutes(4)) + $0.timer("tea", .pause) }, false),
    ] as [((inout Household) -> [String], Bool)] {
      var household = quiet
      _ = act(&household)
      #expect(saves(household, set) == isSaved)
      _ = set(&household)
      #expect(!saves(household) { $0.apply(.tick) })
    }
  }

  @Test("The sound that was heard is saved with the next event")
  func heard() {
    var household = Household([Self.work], at: "2026-11-23 06:00")
    household.noteSound("Harp", of: "work")
    #expect(saves(household) { $0.apply(.tick) })
    household.noteSound("Harp", of: "work")
    _ = household.apply(.tick)
    #expect(!saves(household) { $0.apply(.tick) })
  }
}
