// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the order of effects. When a ring begins, the order is sound, notification, saved state,
// everything else. When the user answers, the order is saved state, silence, everything else.
// 2026-11-23 is a Monday.

import Scheduling
import Testing

@Suite("The order of effects")
struct OrderTests {
  private static func household(_ alarms: Alarm..., at text: String = "07:29:59") -> Household {
    var household = Household(alarms, at: "2026-11-23 06:00")
    _ = household.wait(until: text)
    return household
  }

  private static func brief(_ id: String, _ time: String) -> Alarm {
    Alarm(id, time) {
      ($0.upcoming, $0.ringFor, $0.autoSnoozeLimit) = (.zero, .minutes(1), 1)
      $0.snooze = [.minutes(5)]
    }
  }

  @Test("A ring begins with the sound, then the notification, the record, and everything else")
  func due() {
    var household = Self.household(Alarm("work", "07:30"))
    #expect(
      household.steps { $0.wait(until: "07:30") } == [
        "play work", "post ringing work", "persist", "withdraw upcoming work",
        "began work mon 07:30", "mixer raised for work", "players pause", "tray", "changed",
      ])
  }

  @Test("Other programs are told of an upcoming ring")
  func upcoming() {
    var household = Household(Alarm("work", "07:30"), at: "2026-11-23 06:00")
    #expect(
      household.steps { $0.wait(until: "07:00") } == [
        "post upcoming work mon 07:30", "tray", "changed",
      ])
  }

  @Test("A stop saves the record, then ends the sound and the notification, then the rest")
  func stopped() {
    var household = Self.household(Self.brief("work", "07:30"), at: "07:30:20")
    #expect(
      household.steps { $0.stop("work") } == [
        "persist", "silence", "withdraw ringing work", "ended work mon 07:30: stopped",
        "mixer restored", "players resume", "tray", "changed",
      ])
  }

  @Test("A snooze ends the ring, and the end of the snooze begins another ring")
  func snoozed() {
    var household = Self.household(Self.brief("work", "07:30"), at: "07:30:20")
    #expect(
      household.steps { $0.snooze("work") } == [
        "persist", "silence", "withdraw ringing work", "post snoozed work until mon 07:40:20",
        "ended work mon 07:30: snoozed until mon 07:40:20", "mixer restored", "players resume",
        "tray", "changed",
      ])
    #expect(
      household.steps { $0.wait(until: "07:40:20") } == [
        "ready work", "tray", "changed",
        "play work", "post ringing work snoozed 1", "persist", "withdraw snoozed work",
        "began work mon 07:40:20", "mixer raised for work", "players pause", "tray", "changed",
      ])
    #expect(
      household.steps { $0.stop("work") }.filter { $0.hasPrefix("ended") } == [
        "ended work mon 07:30 snoozed 1: stopped"
      ])
  }

  @Test("An unanswered ring is silenced before it is recorded, and a missed ring has a notice")
  func unanswered() {
    var household = Self.household(Self.brief("work", "07:30"), at: "07:30:20")
    #expect(
      household.steps { $0.wait(until: "07:31:00") } == [
        "silence", "post snoozed work until mon 07:36", "persist", "withdraw ringing work",
        "ended work mon 07:30: snoozed by itself until mon 07:36", "mixer restored",
        "players resume", "tray", "changed",
      ])
    _ = household.wait(until: "07:36")
    #expect(
      household.steps { $0.wait(until: "07:37") } == [
        "silence", "post missed work mon 07:30 unanswered", "persist", "withdraw ringing work",
        "ended work mon 07:30 snoozed 1: missed unanswered", "mixer restored", "players resume",
        "tray", "changed",
      ])
  }

  @Test("Of two rings the first is heard; players and volume are restored after both")
  func several() {
    var household = Self.household(
      .quiet("first", "07:30"), .quiet("second", "07:31"), at: "07:30:59")
    #expect(
      household.steps { $0.wait(until: "07:31") } == [
        "post ringing second", "persist", "began second mon 07:31", "tray", "changed",
      ])
    #expect(
      household.steps { $0.stop("first") } == [
        "persist", "play second", "withdraw ringing first", "ended first mon 07:30: stopped",
        "tray", "changed",
      ])
    #expect(
      household.steps { $0.stop("second") } == [
        "persist", "silence", "withdraw ringing second", "ended second mon 07:31: stopped",
        "mixer restored", "players resume", "tray", "changed",
      ])
  }

  @Test("A ring whose volume is 0 does not silence a later one")
  func silent() {
    var household = Self.household(
      Alarm("silent", "07:30") { ($0.upcoming, $0.volume) = (.zero, 0) }, .quiet("loud", "07:31"),
      at: "07:30:59")
    #expect(household.steps { $0.wait(until: "07:31") }.first == "play loud")
    #expect(household.steps { $0.stop("loud") }.contains("play silent"))
  }

  @Test("Of two alarms that begin at the same moment, the first in the config is heard")
  func sameMoment() {
    var household = Self.household(
      .quiet("first", "07:30"), .quiet("second", "07:30"), at: "07:29:57")
    #expect(household.steps { $0.wait(until: "07:29:58") }.first == "ready first")
    #expect(household.steps { $0.wait(until: "07:30") }.first == "play first")
  }

  @Test("Effects of the same kind are in the order of the ids")
  func alike() {
    var household = Self.household(
      Alarm("b", "07:30") { ($0.upcoming, $0.check) = (.minutes(1), .minutes(5)) },
      Alarm("a", "07:30") { ($0.upcoming, $0.check) = (.minutes(1), .minutes(5)) })
    #expect(
      household.steps { $0.wait(until: "07:30") } == [
        "play b", "post ringing a", "post ringing b", "persist", "withdraw upcoming a",
        "withdraw upcoming b", "began a mon 07:30", "began b mon 07:30", "mixer raised for b",
        "players pause", "tray", "changed",
      ])
    #expect(
      household.steps { $0.apply(.answers([.stop("b"), .stop("a")])) }.filter {
        $0.hasPrefix("ended")
      } == ["ended a mon 07:30: stopped", "ended b mon 07:30: stopped"])
    #expect(
      household.steps { $0.wait(until: "07:35") }.filter { $0.hasPrefix("look") } == [
        "look a", "look b",
      ])
  }

  @Test("A timer rings in the same order, but only an alarm raises the volume")
  func timer() {
    var household = Self.household(Self.brief("work", "07:30"), at: "07:28")
    _ = household.start("tea", .minutes(1))
    #expect(
      household.steps { $0.wait(until: "07:29") }.suffix(8) == [
        "play tea", "post ringing tea", "persist", "withdraw countdown tea", "began tea mon 07:29",
        "players pause", "tray", "changed",
      ])
    _ = household.wait(until: "07:29:59")
    #expect(
      household.steps { $0.wait(until: "07:30") } == [
        "post ringing tea over 0:01:00", "post ringing work", "persist", "began work mon 07:30",
        "mixer raised for work", "tray", "changed",
      ])
    #expect(
      household.steps { $0.timer("tea", .restart) } == [
        "persist", "play work", "withdraw ringing tea", "post countdown tea 0:01:00",
        "ended tea mon 07:29: restarted", "tray", "changed",
      ])
  }

  @Test("An agent that was killed during a ring begins the ring again with all its effects")
  func restarted() {
    var household = Self.household(Self.brief("work", "07:30"), at: "07:30:20")
    #expect(
      household.steps { $0.restart(at: "07:30:40") } == [
        "play work", "post ringing work", "began work mon 07:30", "mixer raised for work",
        "players pause", "tray", "changed",
      ])
  }

  @Test("A volume that an earlier agent left raised is restored even if nothing is ringing")
  func leftTurnedUp() {
    var household = Self.household(Self.brief("work", "07:30"), at: "07:30:20")
    _ = household.stop("work")
    #expect(household.steps { $0.restart(at: "07:31") } == ["mixer restored"])
    #expect(household.steps { $0.apply(.tick) } == [])
  }

  @Test("The effects of elapsed time, with their record, come before those of an answer")
  func both() {
    var household = Self.household(.quiet("first", "07:30"), .quiet("second", "07:35"), at: "07:34")
    #expect(
      household.steps { $0.sleep(until: "07:35", then: .stop("first")) } == [
        "post ringing second", "persist", "began second mon 07:35", "tray", "changed",
        "persist", "play second", "withdraw ringing first", "ended first mon 07:30: stopped",
        "tray", "changed",
      ])
  }
}
