// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests the bedtime notice, which says that it is time to sleep. The notice disappears after an
// hour, when the ring begins, or when the user closes it. If a ring will not come, it has no
// notice.

import Scheduling
import Testing

@Suite("The notice that it is time to sleep")
struct BedtimeTests {
  private static func work(
    _ time: String = "07:30", _ days: String = "daily",
    _ adjust: (inout RingSettings) -> Void = { _ in }
  ) -> Alarm {
    Alarm("work", time, days) {
      ($0.upcoming, $0.bedtime) = (.zero, .hours(8))
      adjust(&$0)
    }
  }

  private func household(_ alarm: Alarm = work()) -> Household {
    Household(alarm, at: "2026-11-23 22:00")
  }

  private func words(_ story: [String]) -> [String] { story.filter { $0.contains(" bedtime ") } }
  private let posted = "mon 23:30 post bedtime work tue 07:30"

  @Test("The notice appears `bedtime` before the ring and disappears an hour later")
  func hour() {
    var household = household()
    #expect(household.next == "mon 23:30")
    #expect(
      household.wait(until: "tue 07:00") == [posted, "tue 00:30 withdraw bedtime work"])
  }

  @Test("A notice that is found late is shown for the rest of its hour, and not after it")
  func late() {
    var slept = household()
    #expect(words(slept.sleep(until: "tue 00:29")) == ["tue 00:29 post bedtime work tue 07:30"])
    var longer = household()
    #expect(words(longer.sleep(until: "tue 00:30")) == [])
    #expect(words(longer.wait(until: "07:29")) == [])
    var away = household()
    #expect(words(away.reboot(at: "23:45")) == ["mon 23:45 post bedtime work tue 07:30"])
    var longAway = household()
    #expect(words(longAway.reboot(at: "tue 01:00")) == [])
  }

  @Test("A closed notice does not come back for that ring, not even after a restart")
  func closed() {
    var household = household()
    _ = household.wait(until: "23:40")
    #expect(
      household.apply(.closeBedtime("work")) == [
        "mon 23:40 persist", "mon 23:40 withdraw bedtime work",
      ])
    #expect(household.apply(.closeBedtime("work")) == [])
    #expect(words(household.restart(at: "23:50")) == [])
    #expect(words(household.configure([Self.work("07:30", "weekdays")])) == [])
    #expect(words(household.configure([Self.work { $0.bedtime = .minutes(450) }])) == [])
    var off = Self.work()
    off.enabled = false
    #expect(words(household.configure([off]) + household.configure([Self.work()])) == [])
    #expect(words(household.wait(until: "tue 07:30")) == [])
    _ = household.stop("work")
    #expect(words(household.wait(until: "23:30")) == ["tue 23:30 post bedtime work wed 07:30"])
  }

  @Test("A closed notice comes again only if the clock was set back to over an hour before it")
  func setBack() {
    var household = household()
    _ = household.wait(until: "23:40")
    _ = household.apply(.closeBedtime("work"))
    var other = household
    #expect(words(household.setClock(to: "22:30") + household.wait(until: "tue 07:30")) == [])
    #expect(words(other.setClock(to: "22:29") + other.wait(until: "23:40")) == [posted])
  }

  @Test("The notice disappears if the ring is skipped, disabled, deleted or paused")
  func takenBack() {
    var skipped = household()
    _ = skipped.wait(until: "23:40")
    #expect(
      skipped.skip("work") == ["mon 23:40 persist", "mon 23:40 withdraw bedtime work"])
    #expect(words(skipped.wait(until: "tue 23:30")) == ["tue 23:30 post bedtime work wed 07:30"])
    var off = Self.work()
    off.enabled = false
    var paused = Self.work()
    paused.apply([Pause(from: CivilDate("2026-11-24"), until: CivilDate("2026-11-24"))])
    for alarms in [[off], [paused], [Alarm.quiet("other", "09:00")]] {
      var shown = household()
      _ = shown.wait(until: "23:40")
      #expect(
        words(shown.configure(alarms)) == ["mon 23:40 withdraw bedtime work"])
      var before = household()
      _ = before.configure(alarms)
      #expect(words(before.wait(until: "tue 08:00")) == [])
    }
  }

  @Test("A moved ring has a notice before its new time, even if the user closed the one before")
  func moved() {
    var household = household()
    _ = household.wait(until: "23:40")
    _ = household.apply(.closeBedtime("work"))
    #expect(words(household.move("work", "08:15")) == [])
    #expect(words(household.wait(until: "tue 00:20")) == ["tue 00:15 post bedtime work tue 08:15"])
    #expect(
      words(household.move("work", "07:45")) == ["tue 00:20 post bedtime work tue 07:45"])
    #expect(words(household.move("work", "06:00")) == ["tue 00:20 withdraw bedtime work"])
  }

  @Test("The notice neither wakes a machine nor keeps it awake")
  func waking() {
    let household = household()
    #expect(household.nextWake == "tue 07:29:40")
    var later = household
    _ = later.wait(until: "23:30")
    #expect(!later.wakePlan.mustStayAwake)
  }
}
