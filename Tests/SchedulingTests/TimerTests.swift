// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what a running timer shows, what the user can do to it, and how it ends.
// `ElapsedTimeTests.swift` tests timers if the clock is set or the machine is off.

import Scheduling
import Testing

@Suite("A timer")
struct TimerTests {
  /// Returns a simulated machine with one running timer and nothing else.
  private static func running(
    _ duration: Duration, countdown: Bool = true, _ adjust: (inout RingSettings) -> Void = { _ in }
  ) -> Household {
    var defaults = RingSettings()
    adjust(&defaults)
    var household = Household(
      timers: TimerSettings(defaults: defaults, countdown: countdown), at: "2026-11-23 07:00")
    _ = household.start("tea", duration)
    return household
  }

  @Test("A timer counts down, its sound is prepared, and it rings")
  func life() {
    var household = Household(at: "2026-11-23 07:00")
    #expect(
      household.start("tea", .seconds(4)) == [
        "mon 07:00 persist", "mon 07:00 post countdown tea 0:00:04",
      ])
    #expect(
      household.wait(until: "07:00:06") == [
        "mon 07:00:01 post countdown tea 0:00:03",
        "mon 07:00:02 ready tea", "mon 07:00:02 post countdown tea 0:00:02",
        "mon 07:00:03 post countdown tea 0:00:01",
        "mon 07:00:04 play tea", "mon 07:00:04 post ringing tea", "mon 07:00:04 persist",
        "mon 07:00:04 withdraw countdown tea",
        "mon 07:00:05 post ringing tea over 0:00:01", "mon 07:00:06 post ringing tea over 0:00:02",
      ])
    #expect(
      household.stop("tea") == [
        "mon 07:00:06 persist", "mon 07:00:06 silence", "mon 07:00:06 withdraw ringing tea",
      ])
    #expect(household.schedule.timers.isEmpty && household.deadline == nil)
  }

  @Test("The time left is that of the running timer that ends first, with or without a countdown")
  func timeLeft() {
    var household = Self.running(.minutes(90), countdown: false)
    func left() -> [Duration] {
      let time = household.schedule.timeLeft(at: household.now)
      return [time?.left, (time?.changes).map { $0 - household.now.boot }].compactMap(\.self)
    }
    #expect(left() == [.minutes(90), .minutes(1)])
    _ = household.wait(until: "07:00:10")
    #expect(left() == [.minutes(90), .seconds(50)])
    _ = household.start("eggs", .seconds(63))
    #expect(left() == [.seconds(63), .seconds(3)])
    _ = household.wait(until: "07:01")
    #expect(left() == [.seconds(13), .seconds(1)])
    _ = household.timer("eggs", .pause)
    #expect(left() == [.minutes(89), .minutes(1)])
    _ = household.timer("tea", .cancel)
    #expect(left() == [])
  }

  @Test("A countdown changes each second, minute or hour, depending on the time left")
  func countdown() {
    var household = Self.running(.hours(50) + .seconds(90))
    func count(until time: String) -> Int {
      household.wait(until: time).count { $0.contains("countdown") }
    }
    // The time left, 50 h 1.5 min, is rounded up and shown as 51 h. As long as it is over a day,
    // the countdown changes once an hour.
    #expect(count(until: "tue 07:00") == 24)
    #expect(count(until: "wed 07:01:30") == 3 + 22 * 60)
    #expect(count(until: "08:01:30") == 60)
    #expect(count(until: "09:00:30") == 59)
    #expect(count(until: "09:01:29") == 59)
    #expect(household.wait(until: "09:01:30").first == "wed 09:01:30 play tea")
  }

  @Test("A microsecond more than a second left is shown as two seconds, and so on")
  func roundedUp() {
    for (left, shown) in [
      (.seconds(1), "0:00:01"), (.seconds(1) + .microseconds(1), "0:00:02"),
      (.seconds(60), "0:01:00"), (.seconds(60) + .microseconds(1), "0:02:00"),
      (.hours(24), "24:00:00"), (.hours(24) + .microseconds(1), "25:00:00"),
    ] as [(Duration, String)] {
      var household = Self.running(.hours(48))
      let story = household.wait(for: household.now.wall + .hours(48) - left)
      #expect(story.last?.hasSuffix(" post countdown tea \(shown)") == true, "\(story)")
    }
  }

  @Test("Of many countdowns, those that end first are shown, and only they cause wake-ups")
  func manyCountdowns() {
    var household = Self.running(.hours(1), countdown: true)
    func shown() -> [Int64] {
      (1...30).filter { i in
        household.schedule.notice(Notice.Key(kind: .countdown, id: "\(i)")) != nil
      }
    }
    for i in Int64(1)...30 { _ = household.start("\(i)", .minutes(31 - i) + .seconds(7)) }
    #expect(shown() == Array(21...30))
    _ = household.timer("30", .pause)
    #expect(shown() == Array(20...29))
    _ = household.timer("30", .resume)
    _ = household.timer("25", .closeCountdown)
    #expect(shown() == Array(20...24) + Array(26...30))
    // When a minute has passed, only the ten countdowns that are shown change.
    let news = household.wait(until: "07:00:07").filter { $0.contains("countdown") }
    #expect(news.count == 10)
  }

  @Test("Without a countdown, a timer causes wake-ups only to prepare its sound and to ring")
  func noCountdown() {
    var household = Self.running(.hours(1), countdown: false)
    #expect(household.next == "mon 07:59:58")
    #expect(
      household.wait(until: "08:00") == [
        "mon 07:59:58 ready tea", "mon 08:00 play tea", "mon 08:00 post ringing tea",
        "mon 08:00 persist",
      ])
    #expect(household.timer("tea", .restart).contains("mon 08:00 withdraw ringing tea"))
    #expect(household.timer("tea", .pause) == ["mon 08:00 persist"])
    #expect(household.deadline == nil)
  }

  @Test("A closed countdown comes back only when the timer is paused or rings")
  func closedCountdown() {
    var household = Self.running(.minutes(10))
    #expect(
      household.timer("tea", .closeCountdown) == [
        "mon 07:00 persist", "mon 07:00 withdraw countdown tea",
      ])
    #expect(household.next == "mon 07:09:58")
    #expect(household.restart(at: "07:01") == [])
    var other = household
    #expect(other.timer("tea", .pause).last == "mon 07:01 post countdown tea paused 0:09:00")
    #expect(other.timer("tea", .closeCountdown).last == "mon 07:01 withdraw countdown tea")
    #expect(other.timer("tea", .resume).last == "mon 07:01 post countdown tea 0:09:00")
    #expect(household.wait(until: "07:10").contains("mon 07:10 post ringing tea"))
    #expect(household.timer("tea", .closeCountdown) == [])
  }

  @Test("A paused timer keeps its time left, also across a restart and a machine that is off")
  func paused() {
    var household = Self.running(.minutes(10))
    _ = household.wait(until: "07:03:19")
    #expect(household.timer("tea", .pause).last == "mon 07:03:19 post countdown tea paused 0:06:41")
    _ = household.timer("tea", .resume)
    _ = household.wait(until: "07:03:20")
    #expect(household.timer("tea", .pause).last == "mon 07:03:20 post countdown tea paused 0:06:40")
    #expect(household.timer("tea", .pause) == [] && household.deadline == nil)
    _ = household.restart(at: "09:00")
    _ = household.reboot(at: "tue 09:00")
    #expect(
      household.timer("tea", .resume) == [
        "tue 09:00 persist", "tue 09:00 post countdown tea 0:07:00",
      ])
    #expect(household.timer("tea", .resume) == [])
    #expect(household.wait(until: "09:06:40").contains("tue 09:06:40 play tea"))
  }

  @Test("A minute can be added to a running, paused, ringing or snoozed timer")
  func add() {
    var household = Self.running(.minutes(10))
    func left() -> String? { household.schedule.timers.first?.left(at: household.now).text }
    _ = household.timer("tea", .add(.minutes(1)))
    #expect(left() == "0:11:00")
    _ = household.timer("tea", .pause)
    _ = household.timer("tea", .add(.minutes(1)))
    #expect(left() == "0:12:00")
    _ = household.timer("tea", .resume)
    _ = household.wait(until: "07:13")
    #expect(
      household.timer("tea", .add(.minutes(1))) == [
        "mon 07:13 persist", "mon 07:13 silence", "mon 07:13 withdraw ringing tea",
        "mon 07:13 post countdown tea 0:01:00",
      ])
    _ = household.wait(until: "07:14")
    _ = household.snooze("tea", .minutes(5))
    #expect(left() == "0:05:00")
    #expect(
      household.timer("tea", .add(.minutes(2))) == [
        "mon 07:14 persist", "mon 07:14 withdraw snoozed tea",
        "mon 07:14 post countdown tea 0:02:00",
      ])
    #expect(household.schedule.timer("tea")?.length == .minutes(15))
    let most = Timer.longest - .minutes(15)
    for more in [.zero, .seconds(-60), most + .seconds(1)] {
      #expect(household.timer("tea", .add(more)) == [])
    }
    #expect(household.timer("tea", .add(most)).first == "mon 07:14 persist")
  }

  @Test(
    "A cancelled timer is gone, whether running, ringing or snoozed",
    arguments: ["07:00", "07:03", "07:10"])
  func cancel(time: String) {
    var household = Self.running(.minutes(10))
    _ = household.wait(until: time)
    #expect(household.timer("tea", .cancel).first == "mon \(time) persist")
    #expect(household.schedule.timers.isEmpty && household.deadline == nil)
    #expect(household.schedule.sound == .silent)
    #expect(household.timer("tea", .cancel) == [] && household.disk.timers.isEmpty)
  }

  @Test("A timer can be snoozed and silenced like an alarm, and its overtime goes on")
  func answers() {
    var household = Self.running(.minutes(10), countdown: false)
    _ = household.wait(until: "07:10:01")
    #expect(
      household.hush("tea") == [
        "mon 07:10:01 persist", "mon 07:10:01 silence",
        "mon 07:10:01 post ringing tea hushed until mon 07:11:01 over 0:00:01",
      ])
    #expect(household.wait(until: "07:11:01").contains("mon 07:11:01 play tea"))
    #expect(household.snooze("tea").contains("mon 07:11:01 post snoozed tea until mon 07:21:01"))
    #expect(household.wait(until: "07:20:59") == ["mon 07:20:59 ready tea"])
    #expect(
      household.wait(until: "07:21:01").contains(
        "mon 07:21:01 post ringing tea snoozed 1 over 0:11:00"))
    _ = household.snooze("tea")
    #expect(household.stop("tea").contains("mon 07:21:01 withdraw snoozed tea"))
    #expect(household.schedule.timers.isEmpty)
  }

  @Test("A timer is refused if its length or id is not allowed or too many exist")
  func refused() {
    var household = Household([.quiet("work", "07:30")], at: "2026-11-23 07:00")
    for duration in [.zero, .seconds(-1), Timer.longest + .seconds(1)] {
      #expect(household.start("tea", duration) == [])
    }
    #expect(household.start("work", .minutes(1)) == [])
    for i in 0..<Schedule.timersKept { _ = household.start("\(i)", Timer.longest) }
    #expect(household.start("5", .minutes(1)) == [] && household.start("tea", .minutes(1)) == [])
    #expect(household.schedule.timers.count == Schedule.timersKept)
  }

  @Test("A timer never has the id of an alarm or of another timer")
  func ids() {
    var household = Household([.quiet("work", "07:30")], at: "2026-11-23 07:00")
    #expect(household.schedule.timerID(for: "tea") == "tea")
    #expect(household.schedule.timerID(for: "tea") { $0 == "tea" } == "tea-2")
    _ = household.start("tea", .minutes(5))
    _ = household.start("tea-2", .minutes(6))
    #expect(household.schedule.timerID(for: "tea") == "tea-3")
    #expect(household.schedule.timerID(for: "work") == "work-2")
    // The user now gives an alarm the id of a running timer, so the timer gets a new id.
    #expect(
      household.configure([.quiet("tea", "07:30")]) == [
        "mon 07:00 post countdown tea-3 0:05:00", "mon 07:00 persist",
        "mon 07:00 withdraw countdown tea",
      ])
  }

  @Test("A timer until a time of day ends at that moment, to the microsecond")
  func until() throws {
    var household = Household(at: "2026-11-23 07:00")
    let end = household.now.wall + .milliseconds(89_600)
    let order = TimerOrder(id: "tea", RecentTimer(duration: .seconds(90)), end: end)
    _ = household.apply(.startTimer(order))
    let tea = try #require(household.schedule.timers.first)
    #expect(tea.end(at: household.now) == end && tea.duration == .seconds(90))
  }

  @Test("The machine is woken for a timer, kept awake, and a warning is given")
  func waking() {
    var household = Self.running(.minutes(10))
    #expect(household.nextWake == "mon 07:09:40" && household.wakePlan.isSet)
    #expect(household.schedule.nextSleptThrough(isWoken: false, at: household.now)?.id == "tea")
    #expect(household.schedule.nextSleptThrough(isWoken: true, at: household.now) == nil)
    #expect(household.schedule.isAwaited("tea", at: household.now))
    #expect(!household.wakePlan.mustStayAwake)
    for time in ["07:09:40", "07:09:45"] {
      _ = household.wait(until: time)
      #expect(household.nextWake == "mon 07:10")
    }
    #expect(household.wakePlan.mustStayAwake)
    _ = household.timer("tea", .pause)
    #expect(household.nextWake == nil && !household.wakePlan.isSet)
    #expect(!household.schedule.isAwaited("tea", at: household.now))
    var unwanted = Self.running(.minutes(10)) { $0.wake = false }
    #expect(unwanted.nextWake == nil)
    #expect(unwanted.schedule.nextSleptThrough(isWoken: true, at: unwanted.now)?.id == "tea")
    _ = unwanted.wait(until: "07:11")
    #expect(unwanted.wakePlan.mustStayAwake)
  }
}
