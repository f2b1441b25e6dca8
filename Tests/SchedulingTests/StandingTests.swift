// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how an alarm and a timer stand at each step of a story. `StatusOfAlarmTests.swift` in
// ScreenTests tests that a status keeps this value.

import Scheduling
import Testing

@Suite("How an alarm stands")
struct StandingTests {
  private typealias Act = (name: String, act: (inout Household) -> Void, stands: String)

  private func standing(_ id: String, in household: Household, _ alarm: Alarm) -> String {
    let now = household.now
    return Self.text(
      household.schedule.timer(id)?.standing(at: now)
        ?? household.schedule.standing(of: alarm, at: now.wall, in: household.zones),
      in: household.zones)
  }

  /// Returns a standing in short form, such as `scheduled, next mon 07:30, wanted tue 07:30`.
  private static func text(_ standing: Standing, in zones: TestZones) -> String {
    let narrator = Narrator(zones: zones)
    let state =
      switch standing.state {
      case .snoozed(let until): "snoozed until \(narrator.time(until))"
      case .checking(let check):
        "asks \(narrator.time(check.asks)), rings again \(narrator.time(check.ringsAgain))"
          + (check.isAsked ? ", asked" : "")
      case .running(let left, let length, let ends):
        "\(left.text) left of \(length.text), ends \(narrator.time(ends))"
      case .halted(let left, _, let isLocked): "halted, \(left.text) left, locked: \(isLocked)"
      case .overdue(let since, let by): "overdue since \(narrator.time(since)) by \(by.text)"
      case .off, .scheduled, .ringing, .over: "\(standing.state)"
      }
    let next = standing.next.map { next in
      "next \(narrator.time(next.due))"
        + (next.movedFrom.map { " from \(narrator.time($0))" } ?? "")
        + (standing.isSkipped
          ? ", wanted \(standing.wanted.map(narrator.time) ?? "never")" : "")
    }
    let pause = standing.pause.map { pause in
      "paused \(pause.due.map(narrator.time) ?? "")"
        + (pause.until.map { " until \($0)" } ?? "")
    }
    return [state, next, pause].compactMap(\.self).joined(separator: ", ")
  }

  @Test("A status and all texts see what an alarm is doing, and what becomes of its next ring")
  func alarm() {
    let work = Alarm("work", "07:30") {
      $0.upcoming = .zero
      $0.check = .minutes(5)
    }
    var paused = work
    paused.apply([Pause(from: CivilDate("2026-11-24"), until: CivilDate("2026-11-25"))])
    var household = Household(work, at: "2026-11-23 06:00")
    let acts: [Act] = [
      ("start", { _ in }, "scheduled, next mon 07:30"),
      (
        "move", { _ = $0.move("work", "08:00") },
        "scheduled, next mon 08:00 from mon 07:30"
      ),
      (
        "skip", { _ = $0.skip("work") },
        "scheduled, next mon 08:00 from mon 07:30, wanted tue 07:30"
      ),
      ("unskip", { _ = $0.unskip("work") }, "scheduled, next mon 07:30"),
      ("due", { _ = $0.wait(until: "07:31") }, "ringing, next tue 07:30"),
      ("snooze", { _ = $0.snooze("work") }, "snoozed until mon 07:41, next tue 07:30"),
      (
        "skip the next", { _ = $0.skip("work") },
        "snoozed until mon 07:41, next tue 07:30, wanted wed 07:30"
      ),
      (
        "stop", { _ = $0.stop("work") },
        "asks mon 07:36, rings again mon 07:38, next tue 07:30, wanted wed 07:30"
      ),
      (
        "ask",
        {
          _ = $0.wait(until: "07:36")
          _ = $0.apply(.ask("work"))
        }, "asks mon 07:36, rings again mon 07:38, asked, next tue 07:30, wanted wed 07:30"
      ),
      (
        "is up",
        {
          _ = $0.apply(.isUp("work"))
          _ = $0.unskip("work")
        }, "scheduled, next tue 07:30"
      ),
      (
        "pause", { _ = $0.configure([paused]) },
        "scheduled, next thu 07:30, paused tue 07:30 until 2026-11-25"
      ),
      ("off", { _ = $0.configure([]) }, "off"),
    ]
    for (name, act, stands) in acts {
      act(&household)
      #expect(standing("work", in: household, work) == stands, "\(name)")
    }
  }

  @Test("An alarm that rings once is over after its ring, or if its date is past")
  func once() {
    let nap = Alarm.quiet("nap", "15:00", "once")
    var household = Household(nap, at: "2026-11-23 10:00")
    #expect(standing("nap", in: household, nap) == "scheduled, next mon 15:00")
    _ = household.skip("nap")
    #expect(standing("nap", in: household, nap) == "scheduled, next mon 15:00, wanted never")
    _ = household.wait(until: "16:00")
    #expect(standing("nap", in: household, nap) == "over")
    let past = Alarm.quiet("past", "15:00", "2026-11-22")
    _ = household.configure([past])
    #expect(standing("past", in: household, past) == "over")
  }

  @Test("A timer is running, halted, overdue or snoozed")
  func timer() {
    var household = Household(at: "2026-11-23 10:00")
    let none = Alarm.quiet("none", "15:00")
    _ = household.start("tea", .minutes(5))
    _ = household.wait(until: "10:01")
    let running = "0:04:00 left of 0:05:00, ends mon 10:05"
    #expect(standing("tea", in: household, none) == running)
    _ = household.timer("tea", .pause)
    #expect(standing("tea", in: household, none) == "halted, 0:04:00 left, locked: false")
    _ = household.timer("tea", .resume)
    _ = household.wait(until: "10:06")
    #expect(standing("tea", in: household, none) == "overdue since mon 10:05 by 0:01:00")
    _ = household.snooze("tea")
    #expect(standing("tea", in: household, none).hasPrefix("snoozed until mon 10:1"))
  }
}
