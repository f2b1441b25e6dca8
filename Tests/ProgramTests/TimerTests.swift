// SPDX-License-Identifier: GPL-3.0-or-later
//
// Timers on real parts: the countdown and its buttons on a real notification server, the ring on a
// sound card that is recorded, over an agent that is killed and a machine that was off. The commands
// are in `TimerCommandTests.swift`; how timers end under every clock is in `ElapsedTimeTests.swift`.

import Foundation
import Lab
import Testing

@Suite(.realServers) struct TimerTests {
  private static func settings(_ agent: String = "") -> String {
    "[agent]\n\(agent)\n\n" + Desk.defaults
      + """
      [[timer]]
      name = "tea"
      duration = "3s"
      label = "Tea"
      sound = "~/high.wav"

      """
  }

  /// A desk with an agent, and the moment before `belfry line` was run on it.
  private func desk(
    starting line: String, _ settings: String = ""
  ) throws -> (Desk, Program, Epoch) {
    let desk = try Desk()
    try desk.saveText(Self.settings(settings))
    let agent = try desk.startAgent()
    let before = Lab.now
    #expect(try desk.belfry(line).status == 0)
    return (desk, agent, before)
  }

  /// The first notification after `time` whose body is that.
  private func waitForBody(
    _ body: String, on desk: Desk, since time: Epoch, within seconds: Double = patience
  ) throws -> PostedNotification {
    try desk.lab.busWatch.waitForNotification(since: time, within: seconds) { $0.text == body }
  }

  @Test func `a running timer counts down quietly, and rings on its second with overtime`() throws {
    let (desk, _, before) = try desk(starting: "timer tea")
    let due = try #require(try desk.timer("tea").epoch)
    let first = try waitForBody("3 s left of 3 s.", on: desk, since: before)
    #expect(first.title == "Tea" && first.hints["urgency"] == .integer(0))
    #expect(first.hints["value"] == .integer(0) && first.timeout == 0)
    #expect(first.buttons == ["pause: Pause", "add-minute: +1 min", "cancel: Cancel"])
    let last = try waitForBody("1 s left of 3 s.", on: desk, since: before)
    #expect(last.hints["value"] == .integer(66))

    let ring = try waitForBody("Time's up (3 s timer).", on: desk, since: before)
    #expect(ring.title == "Tea" && ring.hints["urgency"] == .integer(2))
    #expect(
      ring.buttons == [
        "default: Quiet for 1 min", "add-minute: +1 min", "restart: Restart", "stop: Stop",
      ])
    // The end is told to the second; it lies within that.
    #expect(ring.time > Epoch(due) && ring.time < Epoch(due) + 2)
    let heard = try desk.lab.recorder.waitForSound(after: before)
    #expect(heard - before > 3 - recorderError && heard - before < 5)
    let over = try waitForBody("Time's up, 2 s ago (3 s timer).", on: desk, since: ring.time)
    // It is one notification on the screen, and its preset's sound.
    #expect(try desk.shownNotifications() == 1)
    #expect(abs(desk.lab.recorder.pitch(from: heard + 0.5, to: heard + 1.5) - 1000) < 30)
    let timer = try desk.timer("tea")
    #expect(timer.state == "ringing" && timer.overtime ?? 0 >= 2)

    let pressed = try desk.lab.press("stop", on: over).time
    try desk.lab.recorder.waitForSilence(after: pressed)
    try desk.waitForStatus("it to be gone") { _ in (try? desk.timers().isEmpty) == true }
    try desk.waitForShown(0)
  }

  @Test func `its buttons pause it, let it go on, give it a minute, and take it away`() throws {
    let (desk, _, before) = try desk(starting: "timer 10m --label Soup")
    let running = try waitForBody("10 min left of 10 min.", on: desk, since: before)
    try desk.lab.press("pause", on: running)
    let paused = try desk.lab.busWatch.waitForNotification(since: before) {
      $0.body.hasPrefix("Paused, ")
    }
    #expect(paused.text.hasSuffix(" left of 10 min."))
    #expect(paused.buttons == ["resume: Resume", "add-minute: +1 min", "cancel: Cancel"])
    #expect(try desk.timer("soup").state == "paused")
    let resumed = try desk.lab.press("resume", on: paused).time
    let again = try waitForBody("10 min left of 10 min.", on: desk, since: resumed)
    let added = try desk.lab.press("add-minute", on: again).time
    let longer = try waitForBody("11 min left of 11 min.", on: desk, since: added)
    #expect(try desk.timer("soup").length == 660)
    try desk.lab.press("cancel", on: longer)
    try desk.waitForStatus("it to be gone") { _ in (try? desk.timers().isEmpty) == true }
    try desk.waitForShown(0)
  }

  @Test func `finished, a minute more or a new start on the notification ends the ring`() throws {
    let (desk, _, before) = try desk(starting: "timer 1s --label Soup")
    let ring = try waitForBody("Time's up (1 s timer).", on: desk, since: before)
    try desk.lab.recorder.waitForSound(after: before)
    let added = try desk.lab.press("add-minute", on: ring).time
    try desk.lab.recorder.waitForSilence(after: added)
    _ = try waitForBody("1 min left of 1 min 1 s.", on: desk, since: added)
    #expect(try desk.timer("soup").state == "running")
    let restarted = Lab.now
    #expect(try desk.belfry("timer restart").output.hasSuffix(", in 1 s\n"))
    let second = try waitForBody("Time's up (1 s timer).", on: desk, since: restarted)
    let pressed = try desk.lab.press("restart", on: second).time
    try desk.lab.recorder.waitForSilence(after: pressed)
    #expect(
      try waitForBody("Time's up (1 s timer).", on: desk, since: pressed).time - pressed > 0.9)
    try desk.expect("stop", "stopped soup")
  }

  @Test func `a countdown that is closed by hand stays away, and the timer rings`() throws {
    let (desk, _, before) = try desk(starting: "timer 5s --label Soup")
    let first = try waitForBody("5 s left of 5 s.", on: desk, since: before)
    let closed = try desk.lab.closeByHand(first).time
    let ring = try waitForBody("Time's up (5 s timer).", on: desk, since: before)
    let between = desk.lab.busWatch.notifications(since: closed + 0.5).filter {
      $0.time < ring.time
    }
    #expect(between.isEmpty, "\(between.map(\.body))")
  }

  @Test func `without a countdown nothing is shown until it rings`() throws {
    let (desk, _, before) = try desk(starting: "timer 2s", "countdown = false")
    let ring = try desk.lab.busWatch.waitForNotification(since: before) { _ in true }
    #expect(ring.title == "Timer" && ring.text == "Time's up (2 s timer).")
  }

  @Test func `several run at once, and end each on its own`() throws {
    let (desk, _, before) = try desk(starting: "timer 4s --label Second")
    try desk.belfry("timer 2s --label First --sound ~/high.wav")
    let first = try waitForBody("Time's up (2 s timer).", on: desk, since: before)
    let second = try waitForBody("Time's up (4 s timer).", on: desk, since: before)
    #expect(first.title == "First" && second.title == "Second" && first.time < second.time)
    #expect(try desk.timers().map(\.id) == ["first", "second"])
    try desk.expect("stop first", "stopped first")
    #expect(try desk.timers().map(\.state) == ["ringing"])
    try desk.expect("snooze 10m", "snoozed second for 10 min")
    #expect(try desk.timer("second").state == "snoozed")
    try desk.expect("stop second", "stopped second")
    try desk.lab.recorder.waitForSilence()
  }

  @Test func `killed while it runs and started again, it rings when it was to`() throws {
    let (desk, agent, before) = try desk(starting: "timer 6s --label Soup")
    let due = try #require(try desk.timer("soup").epoch)
    try desk.crash(agent)
    let again = try desk.startAgent()
    #expect(try desk.timer("soup").epoch == due)
    let ring = try waitForBody("Time's up (6 s timer).", on: desk, since: before)
    #expect(ring.time - before > 6 && ring.time - before < 8.5)
    // In the middle of the ring, too.
    try desk.crash(again)
    let restarted = Lab.now
    let third = try desk.startAgent()
    try desk.lab.recorder.waitForSound(after: restarted)
    try desk.expect("stop soup", "stopped soup")
    try desk.crash(third)
    try desk.startAgent()
    #expect(try desk.timers().isEmpty)
  }

  @Test(
    "off while it ran, it goes on by the wall clock, rings late, or is missed",
    arguments: [(-60.0, "running"), (-300, "ringing"), (-3600, "missed")])
  func reboot(written: Double, state: String) throws {
    let (desk, agent, _) = try desk(starting: "timer 4m --label Soup")
    try desk.crash(agent)
    try desk.pretendReboot(writtenAgo: -written)
    let before = Lab.now
    try desk.startAgent()
    if state == "missed" {
      let missed = try desk.waitForStatus("it to be missed") { !$0.missed.isEmpty }
      #expect(missed.missed.map(\.reason) == ["off"])
      #expect(try desk.timers().isEmpty)
      let told = try desk.waitForNotification("Missed timer", since: before)
      #expect(told.body.hasPrefix("Soup, ") && told.body.hasSuffix(": Belfry was not running."))
      return
    }
    let timer = try desk.timer("soup")
    #expect(timer.state == state)
    if state == "running" { #expect((170...181).contains(timer.left)) }
    if state == "ringing" {
      #expect((58...75).contains(timer.overtime ?? 0))
      try desk.lab.recorder.waitForSound(after: before)
    }
  }
}

extension Desk {
  /// Makes the state one that was written so many seconds ago, in another start of the machine that
  /// had been on for an hour then.
  fileprivate func pretendReboot(writtenAgo seconds: Double) throws {
    let file = lab.home.appendingPathComponent(".local/state/belfry/state.toml")
    let lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let clock = try #require(
      lines.first { $0.hasPrefix("boot_microseconds") }.flatMap { Int($0.dropFirst(20)) })
    let formatter = ISO8601DateFormatter()
    let wall = formatter.string(from: Date(timeIntervalSince1970: Lab.now - seconds))
    var isClock = true
    let changed = lines.map { line in
      switch line {
      case _ where line.hasPrefix("boot_id"): return #"boot_id = "another""#
      case _ where line.hasPrefix("wall"): return "wall = \(wall)"
      case _ where line.hasPrefix("boot_microseconds"):
        defer { isClock = false }
        let reading = Int(line.dropFirst(20)) ?? 0
        return "boot_microseconds = \(isClock ? 3_600_000_000 : reading - clock + 3_600_000_000)"
      default: return line
      }
    }
    try changed.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  }
}
