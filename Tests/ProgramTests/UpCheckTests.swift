// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests how the agent checks, some time after an alarm was stopped, whether the user is up. It asks
// the desktop when the keyboard or pointer was last used. If it was not used since Stop, or if the
// desktop does not know, the agent asks the user. `StopCheckTests.swift` tests all other cases with
// a simulated clock.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct UpCheckTests {
  /// Rings the alarm "work" with the setting `check`, stops it by command, and returns the moment
  /// at which it was stopped.
  private func stopped(
    _ desk: Desk, _ check: String
  ) throws -> Epoch {
    _ = try desk.startRinging("check = \"\(check)\"")
    #expect(try desk.belfry("stop") == (0, "stopped work\n", ""))
    return Lab.now
  }

  private func waitForQuestion(_ desk: Desk, since time: Epoch) throws -> PostedNotification {
    try desk.lab.busWatch.waitForNotification(since: time) { $0.body.hasPrefix("Are you up?") }
  }

  @Test(
    "the agent asks a user who may be asleep; the button and belfry stop both answer yes",
    arguments: ["up", "stop"])
  func asked(answer: String) throws {
    let desk = try Desk()
    let time = try stopped(desk, "5s")
    #expect(try desk.status().state("work") == "checking")
    // Someone half asleep may run the command twice. The second run must not count as being up.
    #expect(try desk.belfry("stop work") == (1, "", "belfry: work does not ring\n"))
    #expect(try desk.belfry("list").output.contains("stopped; asks at "))
    let question = try waitForQuestion(desk, since: time)
    #expect(question.time - time > 1.5)
    #expect(question.title == "Work" && question.buttons == ["default: I'm up", "up: I'm up"])
    // `belfry explain` reads the state file, which the agent saves a moment after a change.
    try desk.wait("an explanation") {
      try desk.belfry("explain work").output.contains("are you up? It will ring again at ")
    }
    #expect(try desk.status().ringing.isEmpty)
    if answer.hasPrefix("stop") {
      #expect(try desk.belfry(answer) == (0, "stopped work\n", ""))
    } else {
      try desk.lab.press(answer, on: question)
    }
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
    try desk.waitForShown(0)
  }

  @Test func `a user who closes the lid after Stop is not asked`() throws {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    _ = try stopped(desk, "60s")
    #expect(try desk.status().state("work") == "checking")
    try desk.lab.closeLid()
    try desk.lab.announce("sleep", true)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
  }

  @Test func `a user who stops the alarm while the lid is closed is asked after a sleep`() throws {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    try desk.lab.closeLid()
    let time = try stopped(desk, "6s")
    try desk.lab.announce("sleep", true)
    try desk.lab.announce("sleep", false)
    _ = try waitForQuestion(desk, since: time)
  }

  /// The desktop does not count the time asleep as idle time. So in this test, the last input after
  /// the sleep seems to be later than Stop.
  @Test func `if the check is due before the end of a sleep is known, the user is asked`() throws {
    let desk = try Desk(Lab(.notifications, .sound, .system))
    let monitor = try monitor(desk, "monitor")
    let time = try stopped(desk, "6s")
    try desk.lab.announce("sleep", true)
    desk.wait(until: time + 4)
    monitor.signal(SIGUSR1)
    try monitor.waitForOutput("used")
    _ = try waitForQuestion(desk, since: time)
    try desk.lab.announce("sleep", false)
  }

  /// Starts a program that stands in for the desktop's service which knows when keyboard and
  /// pointer were last used. `kind` selects one of the services that desktops have.
  private func monitor(_ desk: Desk, _ kind: String) throws -> Program {
    let script = Lab.repository.appendingPathComponent("Tests/Lab/idle-monitor.py").path
    let monitor = try desk.lab.start("/usr/bin/python3", arguments: [script, kind])
    try monitor.waitForOutput("ready")
    return monitor
  }

  @Test(
    "a user who used keyboard or pointer after Stop is not asked; earlier use does not count",
    arguments: ["monitor", "saver-ms", "saver-s"])
  func used(kind: String) throws {
    let desk = try Desk()
    let monitor = try monitor(desk, kind)
    try desk.startAgent(
      environment: kind == "saver-ms" ? ["XDG_CURRENT_DESKTOP": "KDE"] : [:])
    let due = Second.ahead(2)
    try desk.save(Desk.alarm("work", at: due, #"label = "Work""#, #"check = "3s""#))
    try desk.lab.recorder.waitForSound(after: due.epoch - 1)
    monitor.signal(SIGUSR1)
    try monitor.waitForOutput("used")
    #expect(try desk.belfry("stop").status == 0)
    let question = try waitForQuestion(desk, since: due.epoch)
    try desk.lab.press("up", on: question)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }

    let second = Second.ahead(3)
    try desk.save(Desk.alarm("work", at: second, #"label = "Work""#, #"check = "8s""#))
    try desk.lab.recorder.waitForSound(after: second.epoch - 1)
    let stopped = try desk.belfry("stop")
    #expect(stopped.status == 0, "\(stopped.errors)")
    desk.wait(until: Lab.now + 4)
    monitor.signal(SIGUSR1)
    try desk.waitForStatus("it to be over") { $0.state("work") == "over" }
    #expect(
      !desk.lab.busWatch.notifications(since: second.epoch).contains {
        $0.body.hasPrefix("Are you up?")
      })
  }
}
