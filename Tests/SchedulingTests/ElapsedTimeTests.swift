// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests that timers and the stopwatch count elapsed time, even if the clock is set or was never
// set, the agent is killed, or the machine sleeps or is off.

import Scheduling
import Testing

@Suite("Elapsed time")
struct ElapsedTimeTests {
  /// Returns an agent without countdowns. A timer of an hour and the stopwatch were started at
  /// 07:00.
  private static func running(at start: String = "2026-11-23 07:00") -> Household {
    var household = Household(timers: TimerSettings(countdown: false), at: start)
    _ = household.start("tea", .hours(1))
    _ = household.stopwatch(.start)
    return household
  }

  private static func left(_ household: Household) -> String? {
    household.schedule.timer("tea")?.left(at: household.now).text
  }

  private static func elapsed(_ household: Household) -> String {
    household.schedule.stopwatch.elapsed(at: household.now).text
  }

  @Test(
    "Setting the clock changes neither the timer nor the stopwatch",
    arguments: ["09:00", "06:00", "2026-11-20 12:00", "2099-01-01 00:00"])
  func setClock(to time: String) {
    var household = Self.running()
    _ = household.wait(until: "07:20")
    // The only effect is that the clock's new time is saved, for the next start of the machine.
    #expect(household.setClock(to: time).count == 1)
    #expect(household.disk.clock?.wall == household.now.wall)
    #expect(Self.left(household) == "0:40:00" && Self.elapsed(household) == "0:20:00")
    let end = Narrator(zones: household.zones).time(household.now.wall + .minutes(40))
    let date = household.zones.civil(at: household.now.wall + .minutes(41), in: nil)
    #expect(household.wait(until: date.text).contains("\(end) play tea"))
  }

  @Test(
    "A timer that ended unnoticed rings late or is missed, like an alarm",
    arguments: [
      ("killed", "08:09", ["play tea", "post ringing tea over 0:09:00", "persist"]),
      ("killed", "08:11", ["post missed tea mon 08:00 off", "persist"]),
      ("asleep", "08:10", ["play tea", "post ringing tea over 0:10:00", "persist"]),
      ("asleep", "08:10:01", ["post missed tea mon 08:00 asleep", "persist"]),
      ("off", "08:10:01", ["post missed tea mon 08:00 off", "persist"]),
      ("asleep", "08:09", ["play tea", "post ringing tea over 0:09:00", "persist"]),
      ("asleep", "08:11", ["post missed tea mon 08:00 asleep", "persist"]),
      ("off", "08:10", ["play tea", "post ringing tea over 0:10:00", "persist"]),
      ("off", "tue 08:11", ["post missed tea mon 08:00 off", "persist"]),
    ])
  func away(how: String, until: String, story: [String]) {
    var household = Self.running()
    _ = household.stopwatch(.reset)
    let told =
      switch how {
      case "killed": household.restart(at: until)
      case "asleep": household.sleep(until: until)
      default: household.reboot(at: until)
      }
    #expect(told.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") } == story)
    #expect(household.schedule.timers.isEmpty == story[0].hasPrefix("post missed"))
  }

  @Test("After the machine was off, the timer and the stopwatch go on by the wall clock")
  func reboot() {
    var household = Self.running()
    #expect(household.reboot(at: "07:20") == ["mon 07:20 persist"])
    #expect(Self.left(household) == "0:40:00" && Self.elapsed(household) == "0:20:00")
    _ = household.wait(until: "07:25")
    _ = household.reboot(at: "07:30")
    _ = household.restart(at: "07:40")
    #expect(Self.left(household) == "0:20:00" && Self.elapsed(household) == "0:40:00")
    #expect(household.wait(until: "08:00").contains("mon 08:00 play tea"))
  }

  @Test(
    "If the clock was set before the machine went off, the new time counts")
  func setThenOff() {
    var household = Self.running()
    _ = household.wait(until: "07:10")
    _ = household.setClock(to: "12:00")
    _ = household.reboot(at: "12:05")
    #expect(Self.left(household) == "0:45:00" && Self.elapsed(household) == "0:15:00")
  }

  @Test("If the clock shows an earlier time after the machine was off, no timer gains time")
  func backwards() {
    var household = Self.running()
    _ = household.reboot(at: "2026-11-22 07:00")
    #expect(Self.left(household) == "1:00:00" && Self.elapsed(household) == "0:00:00")
  }

  @Test("With a clock in 1970, timers go on, and are corrected once the clock is right")
  func unset() {
    var household = Self.running()
    #expect(household.reboot(at: "1970-01-01 00:00") == ["thu 00:00 persist"])
    #expect(Self.left(household) == "1:00:00" && Self.elapsed(household) == "0:00:00")
    _ = household.start("eggs", .minutes(30))
    _ = household.restart(at: "00:04")
    #expect(Self.left(household) == "0:56:00")
    #expect(household.setClock(to: "2026-11-23 07:35") == ["mon 07:35 persist"])
    #expect(Self.left(household) == "0:25:00" && Self.elapsed(household) == "0:35:00")
    // The timer `eggs` was started after the machine's restart, so its remaining time needs no
    // correction.
    #expect(household.schedule.timer("eggs")?.left(at: household.now) == .minutes(26))
  }

  @Test("Timers are corrected even if the machine restarts twice before the clock is right")
  func restartedTwice() {
    var household = Self.running()
    _ = household.reboot(at: "1970-01-01 00:00")
    _ = household.reboot(at: "00:00")
    _ = household.setClock(to: "2026-11-23 07:35")
    #expect(Self.left(household) == "0:25:00" && Self.elapsed(household) == "0:35:00")
  }

  @Test("For a minute after a start, a clock that may be wrong does not change the timers")
  func doubted() {
    var household = Self.running()
    var other = household
    #expect(household.reboot(at: "17:30", synchronized: false) == ["mon 17:30 persist"])
    #expect(Self.left(household) == "1:00:00" && household.next == "mon 17:31")
    household.synchronize(true)
    #expect(household.setClock(to: "07:30") == ["mon 07:30 persist"])
    #expect(Self.left(household) == "0:30:00" && Self.elapsed(household) == "0:30:00")
    // In `other`, the copy of the household, the clock is already right and is not corrected.
    _ = other.reboot(at: "07:30", synchronized: false)
    #expect(Self.left(other) == "1:00:00")
    #expect(other.wait(until: "07:31") == ["mon 07:31 persist"])
    #expect(Self.left(other) == "0:29:00" && Self.elapsed(other) == "0:31:00")
  }

  @Test("Timers started in 1970 run and ring, and go on once the clock is right")
  func startedUnset() {
    var household = Self.running(at: "1970-01-01 00:10")
    #expect(household.wait(until: "01:10").contains("thu 01:10 play tea"))
    #expect(
      household.setClock(to: "2026-11-23 07:35") == [
        "mon 07:35 post ringing tea", "mon 07:35 persist",
      ])
    #expect(household.schedule.timer("tea")?.overtime(at: household.now) == .zero)
    #expect(
      household.wait(until: "07:46").contains("mon 07:45 post snoozed tea until mon 07:55"))
    #expect(Self.elapsed(household) == "1:11:00")
  }

  @Test("On request, all countdowns are exact to the second, even those that are not shown")
  func exact() {
    var household = Household(timers: TimerSettings(countdown: false), at: "2026-11-23 07:00")
    _ = household.start("tea", .minutes(10))
    _ = household.start("egg", .minutes(5))
    _ = household.wait(for: household.now.wall + .milliseconds(900))
    let shown = household.schedule.notices(at: household.now).map { notice in
      if case .timer(let timer) = notice, case .running(let left) = timer.stand {
        "\(timer.id) \(left.text)"
      } else {
        "\(notice.key)"
      }
    }
    #expect(shown == ["egg 0:05:00", "tea 0:10:00"])
    _ = household.wait(for: household.now.wall + .seconds(1))
    guard case .timer(let tea)? = household.schedule.notices(at: household.now).last else {
      Issue.record("tea is not counting down")
      return
    }
    #expect(tea.stand == .running(left: .minutes(10) - .seconds(1)))
  }

  @Test("Setting the clock does not change a timer's snooze and overtime")
  func ringing() {
    var household = Self.running()
    _ = household.wait(until: "08:01")
    _ = household.setClock(to: "12:00")
    #expect(household.schedule.timer("tea")?.overtime(at: household.now) == .minutes(1))
    _ = household.snooze("tea", .minutes(10))
    #expect(
      household.setClock(to: "06:00") == [
        "mon 06:00 post snoozed tea until mon 06:10", "mon 06:00 persist",
      ])
    #expect(household.wait(until: "06:10").contains("mon 06:10 play tea"))
  }
}

@Suite("The stopwatch")
struct StopwatchTests {
  @Test("The stopwatch starts, stops, goes on, and is reset")
  func life() {
    var household = Household(at: "2026-11-23 07:00")
    func shown() -> String { household.schedule.stopwatch.elapsed(at: household.now).text }
    #expect(household.stopwatch(.start) == ["mon 07:00 persist"])
    #expect(household.stopwatch(.start) == [] && household.deadline == nil)
    _ = household.wait(until: "07:01")
    #expect(household.stopwatch(.stop) == ["mon 07:01 persist"] && shown() == "0:01:00")
    _ = household.wait(until: "07:05")
    #expect(household.stopwatch(.stop) == [] && household.stopwatch(.lap) == [])
    #expect(shown() == "0:01:00" && household.disk.stopwatch == household.schedule.stopwatch)
    _ = household.stopwatch(.start)
    _ = household.reboot(at: "07:06")
    #expect(shown() == "0:02:00" && household.schedule.stopwatch.isRunning)
    #expect(household.stopwatch(.reset) == ["mon 07:06 persist"])
    #expect(household.schedule.stopwatch.isReset && household.stopwatch(.reset) == [])
  }

  @Test("Laps have splits that add up, and the fastest and the slowest are marked")
  func laps() {
    var household = Household(at: "2026-11-23 07:00")
    _ = household.stopwatch(.start)
    for time in ["07:01", "07:01:30", "07:03", "07:03:30"] {
      _ = household.wait(until: time)
      _ = household.stopwatch(.lap)
    }
    func table() -> [String] {
      household.schedule.stopwatch.lapTable.map {
        "\($0.number) \($0.split.text) \($0.total.text) \($0.mark?.rawValue ?? "-")"
      }
    }
    let expected = [
      "1 0:01:00 0:01:00 -", "2 0:00:30 0:01:30 fastest", "3 0:01:30 0:03:00 slowest",
      "4 0:00:30 0:03:30 -",
    ]
    #expect(table() == expected)
    _ = household.restart(at: "07:10")
    #expect(table() == expected)
  }

  @Test("A single lap, and laps of equal length, are marked neither fastest nor slowest")
  func unmarked() {
    var stopwatch = Stopwatch()
    stopwatch.laps = [.seconds(3)]
    #expect(stopwatch.lapTable.map(\.mark) == [nil])
    stopwatch.laps = [.seconds(3), .seconds(6)]
    #expect(stopwatch.lapTable.map(\.mark) == [nil, nil])
  }

  @Test("The stopwatch keeps a limited number of laps and refuses more")
  func manyLaps() {
    var household = Household(at: "2026-11-23 07:00")
    _ = household.stopwatch(.start)
    for _ in 0..<(Stopwatch.lapsKept + 1) { _ = household.stopwatch(.lap) }
    #expect(household.schedule.stopwatch.laps.count == Stopwatch.lapsKept)
  }
}
