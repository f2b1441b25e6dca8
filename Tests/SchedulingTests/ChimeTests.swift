// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that a chime strikes whenever local clocks show one of its times, never late, and never
// while something is ringing. A search that looks at each minute confirms the times.

import Scheduling
import TestData
import Testing

@Suite("A chime")
struct ChimeTests {
  private static func chime(
    _ minutes: Int64, _ first: String? = nil, _ last: String? = nil, days: Set<Weekday> = .daily
  ) -> Chime {
    let hours = first.flatMap { first in
      last.map { Chime.Hours(CivilTime(first), CivilTime($0)) }
    }
    return Chime(every: .minutes(minutes), between: hours, days: Days(days), sounds: ["Clock"])
  }

  private func household(_ chimes: [Chime], _ alarms: [Alarm] = [], at text: String) -> Household {
    Household(alarms, chimes: chimes, at: text)
  }

  @Test(
    "A chime strikes when clocks show its times, the first and the last time included",
    arguments: [
      (chime(30), "2026-11-23 07:10", ["mon 07:30", "mon 08:00", "mon 08:30"]),
      (chime(30), "2026-11-23 07:30", ["mon 08:00"]),
      (chime(20, "09:00", "10:00"), "2026-11-23 09:50", ["mon 10:00", "tue 09:00", "tue 09:20"]),
      (
        chime(60, "22:00", "01:00"), "2026-11-23 12:00",
        ["mon 22:00", "mon 23:00", "tue 00:00", "tue 01:00", "tue 22:00"]
      ),
      (chime(60, "09:30", "10:59"), "2026-11-23 07:00", ["mon 10:00", "tue 10:00"]),
      (
        chime(60, "09:00", "10:00", days: .weekdays), "2026-11-27 09:30",
        ["fri 10:00", "mon 09:00"]
      ),
      // Friday has no stroke at midnight, because midnight belongs to Saturday.
      (chime(60, days: .weekdays), "2026-11-27 22:30", ["fri 23:00", "mon 00:00"]),
      (
        chime(300), "2026-11-23 04:00",
        ["mon 05:00", "mon 10:00", "mon 15:00", "mon 20:00", "tue 00:00"]
      ),
      (chime(1440), "2026-11-23 04:00", ["tue 00:00", "wed 00:00"]),
      // Clocks go forward from 02:00 to 03:00, so the stroke at 02:00 does not come on that day.
      (chime(30), "2027-03-28 01:20", ["sun 01:30", "sun 03:00", "sun 03:30"]),
      (chime(120), "2027-03-28 00:20", ["sun 04:00"]),
      // Clocks go back from 03:00 to 02:00. A time that clocks show twice has two strokes.
      (
        chime(30), "2026-10-25 01:50",
        ["sun 02:00", "sun 02:30", "sun 02:00", "sun 02:30", "sun 03:00"]
      ),
    ])
  func times(chime: Chime, from: String, expected: [String]) {
    var household = household([chime], at: from)
    var struck: [String] = []
    while struck.count < expected.count, let next = household.deadline {
      struck += household.wait(for: next).filter { $0.hasSuffix(" chime Clock") }
    }
    #expect(struck == expected.map { "\($0) chime Clock" })
  }

  @Test("In any zone, the strokes are those found by looking at each minute")
  func minutes() {
    var chance = Chance(seed: Chance.firstSeed)
    let zones = ["Europe/Berlin", "Australia/Lord_Howe", "America/New_York", "Asia/Kathmandu"]
    let starts = ["2026-03-28 22:00", "2026-10-24 20:00", "2026-04-04 13:00", "2026-10-03 14:00"]
    for _ in 0..<60 {
      let chime = Self.chime(
        chance.pick([10, 15, 20, 30, 60, 120, 180]),
        "0\(chance.number(0...9)):\(chance.pick(["00", "15", "40"]))",
        chance.pick(["10:00", "02:30", "23:59:59"]),
        days: chance.pick([.daily, .weekdays, [.sunday]]))
      let rules = TestZones(machine: chance.pick(zones))
      let start = Instant(utc: chance.pick(starts)) + .seconds(Int64(chance.number(0...9000)))
      let found = chime.next(after: start, in: rules)
      // Look only at whole minutes, because a chime strikes at no other time.
      let minute = Instant(seconds: start.seconds / 60 * 60)
      let seen = (0...(40 * 60)).lazy.map { minute + .minutes($0) }
        .first { $0 > start && Self.strikes(chime, rules.civil(at: $0, in: nil)) }
      #expect(chime.strikes || found == nil)
      if let seen { #expect(found == seen, "\(chime) after \(start.utc) in \(rules.machine)") }
    }
  }

  /// Whether the chime strikes at `local`, by the rules in the manual.
  private static func strikes(_ chime: Chime, _ local: CivilDateTime) -> Bool {
    let second = Int64(local.time.hour * 3600 + local.time.minute * 60 + local.time.second)
    guard second % Int64(chime.every / .seconds(1)) == 0,
      chime.days.weekdays.contains(local.date.weekday)
    else { return false }
    guard let hours = chime.between else { return true }
    return hours.first <= hours.last
      ? hours.first <= local.time && local.time <= hours.last
      : hours.first <= local.time || local.time <= hours.last
  }

  @Test(
    "A late stroke is dropped after a sleep, a start, or a change of the clock")
  func late() {
    var household = household([Self.chime(60)], at: "2026-11-23 07:59")
    #expect(household.sleep(until: "08:00:02") == ["mon 08:00:02 chime Clock"])
    #expect(household.sleep(until: "09:00:03") == [])
    #expect(household.sleep(until: "12:00:03") == [])
    #expect(household.restart(at: "13:00:01") == [])
    #expect(household.setClock(to: "14:00") == [])
    #expect(household.setClock(to: "13:59") == [])
    #expect(household.wait(until: "14:00") == ["mon 14:00 chime Clock"])
    #expect(household.reboot(at: "15:00") == [])
    #expect(household.wait(until: "16:30") == ["mon 16:00 chime Clock"])
    #expect(household.schedule.missed.isEmpty && household.history.isEmpty)
  }

  @Test("The earliest of several chimes strikes next, and of those at one time the first")
  func several() {
    var bell = Self.chime(30)
    bell.sounds = ["Bell"]
    for (chimes, hour) in [([Self.chime(60), bell], "Clock"), ([bell, Self.chime(60)], "Bell")] {
      var household = household(chimes, at: "2026-11-23 07:10")
      #expect(
        household.wait(until: "08:30") == [
          "mon 07:30 chime Bell", "mon 08:00 chime \(hour)", "mon 08:30 chime Bell",
        ])
    }
  }

  @Test("Chimes follow the zone, cause no other wake-ups, and never wake the machine")
  func zone() {
    var household = household([Self.chime(60)], at: "2026-11-23 07:10")
    #expect(household.next == "mon 08:00")
    #expect(household.move(to: "Asia/Kathmandu") == [])
    // At this moment, clocks in Kathmandu show 11:55.
    #expect(household.next == "mon 12:00")
    #expect(household.wait(until: "12:00") == ["mon 12:00 chime Clock"])
    #expect(household.next == "mon 13:00" && !household.wakePlan.isSet)
    // The chime of 13:00 is due, but the machine is in Berlin now, where it is 08:15:01.
    #expect(household.move(to: "Europe/Berlin", at: "13:00:01") == [])
    #expect(household.next == "mon 09:00")
    #expect(household.move(to: "Asia/Kathmandu") == [])
    #expect(household.schedule.nextEntry == nil)
    #expect(self.household([], at: "2026-11-23 07:10").deadline == nil)
  }

  @Test("A chime is silent while something rings, is silenced, or is about to ring")
  func ringing() {
    var household = household(
      [Self.chime(30)], [.quiet("work", "07:30"), .quiet("late", "08:30:01")],
      at: "2026-11-23 07:00")
    func chimes(_ story: [String]) -> [String] { story.filter { $0.contains("chime") } }
    #expect(chimes(household.wait(until: "07:59")) == [])
    _ = household.snooze("work", .minutes(30))
    #expect(chimes(household.wait(until: "08:28:59")) == ["mon 08:00 chime Clock"])
    _ = household.stop("work")
    #expect(chimes(household.wait(until: "08:59:30")) == [])
    _ = household.hush("late")
    #expect(chimes(household.wait(until: "09:00")) == [])
    _ = household.stop("late")
    #expect(chimes(household.wait(until: "09:30")) == ["mon 09:30 chime Clock"])
  }
}
