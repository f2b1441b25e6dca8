// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests what `belfry doctor` reports on machines other than the one that runs the tests.
// `ProgramTests/Commands/DoctorTests.swift` runs the command on this machine.

import Configuration
import Language
import Presentation
import Scheduling
import System
import Testing
import Values

@testable import Doctor

@MainActor struct DoctorWordsTests {
  @Test(arguments: [
    (100, false, Check.State.ok, "100 %, on the mains"), (3, false, .ok, "3 %, on the mains"),
    (80, true, .ok, "80 %, and not on the mains"), (21, true, .ok, "21 %, and not on the mains"),
    (20, true, .warning, "20 %, and not on the mains"),
    (5, true, .error, "5 %, and not on the mains"), (0, true, .error, "0 %, and not on the mains"),
  ])
  func `a discharging battery is a warning at 20 percent and an error at 5`(
    charge: Int, isDischarging: Bool, state: Check.State, message: String
  ) {
    let check = Doctor.battery(Battery(charge: charge, isDischarging: isDischarging))
    #expect(check.state == state && check.message == message)
    #expect(check.fix == (state == .ok ? nil : "plug it in"))
  }

  @Test func `a machine without a battery is no problem`() {
    #expect(Doctor.battery(nil) == Check(.battery, .ok, "none: it runs on the mains"))
  }

  @Test(arguments: [
    ("ignore" as String?, Check.State.ok, "closing it does not suspend the machine"),
    ("lock", .ok, "closing it does not suspend the machine"),
    ("suspend", .ok, "closing it suspends the machine: an alarm then has to wake it"),
    ("poweroff", .warning, "closing it does this: poweroff; no alarm rings then"),
    (
      "suspend-then-hibernate", .warning,
      "closing it suspends the machine and later hibernates it; once hibernated, no alarm rings"
    ), ("hibernate", .warning, "closing it does this: hibernate; no alarm rings then"),
    (nil as String?, .unknown, "it is not known what happens when the lid is closed"),
  ])
  func `a lid that powers the machine off or hibernates it is a warning`(
    action: String?, state: Check.State, message: String
  ) {
    let check = Doctor.lid(closing: action)
    #expect(check.state == state && check.message == message)
  }

  @Test func `the fix for a hardware clock that may not wake the machine is a command`() {
    let file = "/sys/class/rtc/rtc0/device/power/wakeup"
    func clock(_ mayWake: Bool, _ setting: String?) -> RealTimeClock {
      RealTimeClock(name: "rtc0", mayWake: mayWake, setting: setting)
    }
    #expect(
      Doctor.clockChip([clock(false, nil), clock(true, file)])
        == Check(.clockChip, .ok, "rtc0 may wake the machine"))
    #expect(
      Doctor.clockChip([clock(false, file)])
        == Check(
          .clockChip, .warning, "rtc0 is not allowed to wake the machine from suspend",
          fix: "echo enabled | sudo tee \(file)"))
    for clocks in [[], [clock(false, nil)]] {
      let check = Doctor.clockChip(clocks)
      #expect(check.state == .warning && check.fix == nil)
    }
  }

  @Test(
    arguments: [
      (
        false,
        "find your zone with timedatectl list-timezones, "
          + "then: sudo timedatectl set-timezone REGION/CITY"
      ),
      (
        true,
        "unset TZ, or set it to one of the zones that timedatectl list-timezones shows"
      ),
    ])
  func `the fix for an unreadable time zone depends on whether TZ names the zone`(
    isOfVariable: Bool, fix: String
  ) {
    let problem = Message("/etc/localtime: cut short")
    #expect(
      Doctor.zone(problem, isOfVariable: isOfVariable)
        == Check(
          .zone, .warning, "/etc/localtime: cut short; UTC is used instead", fix: fix))
  }

  @Test(arguments: [
    ("/usr/bin/belfryd", "/usr/bin/belfryd"), ("/home/a b/x", "'/home/a b/x'"),
    ("it's", #"'it'\''s'"#), ("", "''"), ("$HOME;rm", "'$HOME;rm'"), ("\u{1B}[31m", "'\u{1B}[31m'"),
  ])
  func `a path is quoted so that a shell reads it as one word`(path: String, word: String) {
    #expect(Wording.shell(path) == word)
  }

  @Test func `a check that is written as JSON and read again is the same check`() {
    let check = Check(.doNotDisturb, .unknown, "a \"b\"", fix: "c")
    #expect(Value(encoding: check).decoded(Check.self) == check)
    let other = Value.table(["name": .string("nothing"), "state": .string("ok")])
    #expect(other.decoded(Check.self) == nil)
  }
}
